"""Rules 8 to 10: leaving, rosters, seasons; and rules that are changed with a date from which they hold."""

from datetime import timedelta

import pytest

from broadcast.tables.commands import VoidMatch
from broadcast.tables.errors import Refusal
from teams.ladder.challenges import Forfeited, Playing, Voided
from teams.ladder.commands import (
    AcceptChallenge,
    ChangeRoster,
    ChangeRules,
    ChooseDate,
    DeclineChallenge,
    EnterTeam,
    LeaveLadder,
    OfferDates,
    RestTeam,
    StartSeason,
)
from teams.ladder.rules import LadderRules, rules_from
from teams.ladder.views import archive_json, history_json, ladder_json, replayed
from tests.teams.ladder.ladder_builders import House, ladder_of
from tests.teams.ladder.test_deadlines import BY_DATE, dated, dates_of

# --- leaving ------------------------------------------------------------------------------------------------


def test_match_whose_date_is_to_come_is_forfeited_by_who_leaves() -> None:
    house = ladder_of("ABC", BY_DATE)
    id = dated(house)
    change = house.do(LeaveLadder("A"))
    challenge = house.state.challenge(id)
    assert challenge is not None and isinstance(challenge.state, Forfeited)
    assert [each.command for each in change.consequences] == [VoidMatch("challenge_forfeited")]
    assert house.order == "CB"


def test_match_that_has_begun_is_played_out_before_its_team_leaves() -> None:
    house = ladder_of("ABC")
    id = house.challenge("C", "A")
    house.accept(id)
    house.do(LeaveLadder("A"))
    assert house.order == "ABC"
    house.close(id, 10, 0)
    assert house.order == "BC"


def test_deleted_team_leaves_no_hole_and_no_open_challenge() -> None:
    house = ladder_of("ABCDE")
    house.accept(house.challenge("C", "B"))
    house.challenge("D", "C")
    other = house.challenge("E", "B")
    house.do(LeaveLadder("C", at_once=True))
    assert house.order == "ABDE"
    assert [challenge.id for challenge in house.state.open.values()] == [other]
    assert replayed(history_json(house.state)) == list("ABDE")


# --- rosters ------------------------------------------------------------------------------------------------


def with_rosters() -> House:
    house = House(BY_DATE)
    for team in "ABC":
        house.do(EnterTeam(team, f"Team {team}", players=tuple(f"{team}{n}" for n in range(4))))
    return house


def test_nobody_plays_in_two_teams_of_a_ladder() -> None:
    house = with_rosters()
    with pytest.raises(Refusal) as refused:
        house.do(EnterTeam("D", "Team D", players=("D1", "A2", "D3", "D4")))
    assert refused.value.rule == "player_on_ladder"
    assert refused.value.facts["players"] == ["A2"]
    with pytest.raises(Refusal):
        house.do(ChangeRoster("B", ("B1", "B2", "B3", "C0")))
    house.do(LeaveLadder("A"))
    house.do(EnterTeam("D", "Team D", players=("D1", "A2", "D3", "D4")))


def test_roster_stands_still_from_acceptance_to_the_end_of_the_challenge() -> None:
    house = with_rosters()
    id = house.challenge("B", "A")
    house.do(ChangeRoster("A", ("A0", "A1", "A2", "X")))
    house.do(AcceptChallenge(id, "A", "m1"))
    for team in "AB":
        with pytest.raises(Refusal) as refused:
            house.do(ChangeRoster(team, (f"{team}0", f"{team}1", f"{team}2", "Y")))
        assert refused.value.rule == "roster_frozen"
    house.do(ChangeRoster("C", ("C0", "C1", "C2", "Y")))
    house.wait(days=4)
    house.do(ChangeRoster("A", ("A0", "A1", "A2", "Z")))


# --- seasons ------------------------------------------------------------------------------------------------


def test_season_is_archived_whole_and_the_next_keeps_the_order() -> None:
    house = ladder_of("ABC")
    house.played("C", "A", home=0, visitors=10)
    before = history_json(house.state)
    house.do(StartSeason("Spring", house.now + timedelta(days=90)))
    (season,) = archive_json(house.state)
    assert [row["team"]["id"] for row in season["rungs"]] == list("CBA")
    assert season["moves"] == before
    assert house.order == "CBA"
    assert ladder_json(house.state)["season"]["name"] == "Spring"


def test_reseeded_season_says_so_in_the_history() -> None:
    house = ladder_of("ABC")
    house.do(StartSeason("Spring", order=("B", "C", "A")))
    moves = history_json(house.state)
    assert {move["cause"] for move in moves[-3:]} == {"reseeded"}
    assert replayed(moves) == list("BCA")
    house.do(StartSeason("Summer"))
    newest, oldest = archive_json(house.state)
    assert [len(newest["moves"]), len(oldest["moves"])] == [3, 3]


@pytest.mark.parametrize("order", ["AB", "ABB", "ABCD"])
def test_new_order_names_every_team_once(order: str) -> None:
    house = ladder_of("ABC")
    with pytest.raises(Refusal) as refused:
        house.do(StartSeason("Spring", order=tuple(order)))
    assert refused.value.rule == "bad_order"


def test_season_gives_declines_rest_and_entry_challenges_back() -> None:
    house = House()
    house.enter("A", "B", "C", captain="ann")
    house.do(DeclineChallenge(house.challenge("B", "A"), "A"))
    house.do(RestTeam("C", 5))
    house.wait(days=6)
    house.do(StartSeason("Spring"))
    assert [house.state.entrants[team].declines for team in "ABC"] == [0, 0, 0]
    assert house.state.entrants["C"].rested_days == 0
    house.enter("D", captain="ann")
    assert house.state.entrants["D"].unrestricted


def test_season_voids_what_has_not_begun_and_plays_out_what_has() -> None:
    house = ladder_of("ABCDE")
    begun, waiting = house.challenge("C", "A"), house.challenge("E", "D")
    house.accept(begun)
    house.do(StartSeason("Spring", order=tuple("BCADE")))
    ended = house.state.challenge(waiting)
    assert ended is not None and ended.state == Voided(house.now, "season_over")
    house.close(begun, 0, 10)
    assert house.order == "BCADE", "the challenger stands above the defender by now"


# --- the regulation -----------------------------------------------------------------------------------------


def test_rules_hold_from_their_date_and_moments_set_before_stay() -> None:
    house = ladder_of("ABC", BY_DATE)
    later = house.now + timedelta(days=2)
    changed = rules_from({"answer_days": 5}, base=BY_DATE)
    house.do(ChangeRules(changed, later))
    first = house.challenge("C", "A")
    assert ladder_json(house.state)["announced"]["rules"]["answer_days"] == 5
    assert house.state.rules == BY_DATE
    assert house.stream.next_due() == later
    house.now = later
    house.tick()
    assert (house.state.rules, house.state.announced) == (changed, None)
    second = house.challenge("B", "A")
    spans = [
        one.answer_by - one.issued_at
        for id in (first, second)
        if (one := house.state.challenge(id)) is not None
    ]
    assert spans == [timedelta(days=3), timedelta(days=5)]


def test_rules_that_are_announced_replace_those_announced_before() -> None:
    house = ladder_of("ABC")
    for days in (5, 6):
        changed = rules_from({"answer_days": days}, base=house.state.rules)
        house.do(ChangeRules(changed, house.now + timedelta(days=days)))
    house.wait(days=7)
    house.tick()
    assert house.state.rules.answer_days == 6


def test_rules_do_not_reach_into_the_past() -> None:
    house = ladder_of("ABC")
    with pytest.raises(Refusal) as refused:
        house.do(ChangeRules(LadderRules(), house.now - timedelta(days=2)))
    assert refused.value.rule == "rules_in_the_past"
    house.do(ChangeRules(LadderRules()))
    assert house.state.rules == LadderRules()


def test_date_that_was_chosen_stands_under_new_rules() -> None:
    house = ladder_of("ABC", BY_DATE)
    id = house.challenge("C", "A")
    house.do(AcceptChallenge(id, "A", "m1"))
    house.do(OfferDates(id, "A", dates_of(house)))
    house.do(ChangeRules(rules_from({"late_minutes": 0, "dates_least": 9}, base=BY_DATE)))
    house.do(ChooseDate(id, "C", dates_of(house)[0], "m1"))
    challenge = house.state.challenge(id)
    assert challenge is not None and isinstance(challenge.state, Playing)
    assert challenge.state.late_at is None

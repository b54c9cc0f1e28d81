"""Who may challenge whom: rules 1, 2 and 5, and that page and server give the same answer."""

from datetime import timedelta

import pytest

from broadcast.tables.errors import Refusal
from teams.ladder.commands import IssueChallenge, LeaveLadder, WithdrawChallenge
from teams.ladder.eligibility import Allowed, Outcome, Refused, Rule, may_challenge
from teams.ladder.rules import LadderRules, rules_from, rules_json
from teams.ladder.views import targets_json
from tests.teams.ladder.ladder_builders import START, House, ladder_of

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def asked(house: House, challenger: str, defender: str) -> Allowed | Refused:
    return may_challenge(house.state, challenger, defender, house.now)


def spent(house: House, *teams: str) -> House:
    """Uses up the entry challenge of some teams, by letting them leave and come back in the same order."""
    for team in teams:
        house.do(LeaveLadder(team))
    house.wait(days=15)
    house.enter(*teams)
    return house


def test_range_is_three_places_up_to_rung_fifteen_and_a_fifth_below() -> None:
    rules = LadderRules()
    assert [rules.places_above(rung) for rung in (2, 15, 16, 20, 21, 160)] == [3, 3, 4, 4, 5, 32]


def test_challenge_within_range_promises_both_outcomes() -> None:
    house = ladder_of("ABCDE")
    assert asked(house, "E", "B") == Allowed(Outcome(2, 5), Outcome(5, 2), unrestricted=False)


def test_out_of_range_and_downward_are_refused() -> None:
    house = spent(ladder_of("ABCDE"), *"ABCDE")
    assert asked(house, "E", "A") == Refused(Rule.OUT_OF_RANGE)
    assert asked(house, "A", "B") == Refused(Rule.NOT_ABOVE)
    assert asked(house, "A", "A") == Refused(Rule.OWN_TEAM)
    assert asked(house, "A", "Z") == Refused(Rule.NOT_ON_LADDER)


def test_new_team_has_one_challenge_out_of_range_but_not_into_the_top_ten() -> None:
    house = ladder_of(LETTERS)
    assert asked(house, "Z", "J") == Refused(Rule.OUT_OF_RANGE)
    far = asked(house, "Z", "K")
    assert isinstance(far, Allowed) and far.unrestricted
    house.played("Z", "K", home=10, visitors=0)
    assert asked(house, "Z", "L") == Refused(Rule.OUT_OF_RANGE)
    assert isinstance(asked(house, "Z", "U"), Allowed)


def test_entry_challenge_is_once_per_captain_and_per_club_and_not_after_coming_back() -> None:
    house = ladder_of(LETTERS[:20])
    house.enter("x1", captain="ann", club="modra")
    house.enter("x2", captain="ann")
    house.enter("x3", captain="bob", club="modra")
    house.enter("x4", captain="cec", club="vihar")
    may = {team: house.state.entrants[team].unrestricted for team in ("x1", "x2", "x3", "x4")}
    assert may == {"x1": True, "x2": False, "x3": False, "x4": True}
    spent(house, "x4")
    assert not house.state.entrants["x4"].unrestricted


def test_one_challenge_made_at_once_and_two_received() -> None:
    house = ladder_of("ABCDEF")
    house.challenge("D", "C")
    assert asked(house, "D", "B") == Refused(Rule.MADE_LIMIT)
    house.challenge("E", "C")
    assert asked(house, "F", "C") == Refused(Rule.RECEIVED_LIMIT)


def test_rung_one_receives_three_of_which_one_only_from_another_club() -> None:
    house = House()
    house.enter("A", "B", "C", "D", club="modra")
    house.enter("E", club="vihar")
    house.played("E", "D", home=0, visitors=10)
    house.wait(days=15)
    for challenger in ("B", "C"):
        house.challenge(challenger, "A")
    assert house.order == "ABCED"
    assert isinstance(asked(house, "E", "A"), Allowed)
    house = House()
    house.enter("A", "B", "C", "D", club="modra")
    for challenger in ("B", "C"):
        house.challenge(challenger, "A")
    assert asked(house, "D", "A") == Refused(Rule.RECEIVED_LIMIT)


def test_same_teams_wait_fourteen_days_whoever_challenges() -> None:
    house = ladder_of("ABC")
    house.played("B", "A", home=0, visitors=10)
    assert house.order == "BAC"
    ends = house.now + timedelta(days=14)
    assert asked(house, "A", "B") == Refused(Rule.PAIR_PAUSE, ends)
    house.wait(days=14)
    assert isinstance(asked(house, "A", "B"), Allowed)


def test_defender_is_immune_for_seventy_two_hours_after_a_defence() -> None:
    house = ladder_of("ABC")
    house.played("B", "A", home=10, visitors=10)
    assert asked(house, "C", "A") == Refused(Rule.IMMUNE, house.now + timedelta(hours=72))
    house.wait(hours=72)
    assert isinstance(asked(house, "C", "A"), Allowed)


def test_immunity_does_not_cancel_what_is_under_way() -> None:
    house = ladder_of("ABC")
    other = house.challenge("C", "A")
    house.accept(other)
    house.played("B", "A", home=10, visitors=0)
    house.close(other, home=0, visitors=10)
    assert house.order == "CBA"


def test_challenges_withdrawn_again_and_again_make_the_same_pair_wait() -> None:
    """Each was a message and a letter to the other captain: a script sent seventeen a second."""
    house = ladder_of("ABC")
    began = house.now
    for _ in range(3):
        house.do(WithdrawChallenge(house.challenge("C", "B"), "C"))
        house.wait(hours=1)
    assert asked(house, "C", "B") == Refused(Rule.WITHDRAWN_OFTEN, began + timedelta(days=3))
    with pytest.raises(Refusal) as refused:
        house.challenge("C", "B")
    assert refused.value.rule == "withdrawn_often"
    assert isinstance(asked(house, "C", "A"), Allowed)
    assert isinstance(asked(house, "B", "A"), Allowed)
    house.wait(days=3)
    house.do(WithdrawChallenge(house.challenge("C", "B"), "C"))
    assert isinstance(asked(house, "C", "B"), Allowed), "two of the four are older than three days"


def test_page_and_server_give_the_same_answer_for_every_pair() -> None:
    house = ladder_of("ABCDEFGH")
    house.challenge("D", "C")
    house.played("H", "G", home=10, visitors=0)
    for challenger in house.state.order:
        targets = {target["team"]["id"]: target for target in targets_json(house.state, challenger, house.now)}
        for opponent in house.state.order:
            target = targets[opponent]
            command = IssueChallenge(challenger, opponent, house.state.version)
            if target["allowed"]:
                assert house.stream.handle(command, house.now, "captain:ann").recorded
            elif target["rule"] != Rule.PAIR_OPEN:
                with pytest.raises(Refusal) as refused:
                    house.stream.handle(command, house.now, "captain:ann")
                assert refused.value.rule == target["rule"]


def test_rules_are_overridden_by_name_and_read_back() -> None:
    rules = rules_from({"movement": "capped", "release": {"rule": "delay", "seconds": 900}, "boards": 12})
    assert (rules.movement, rules.boards, rules.release.seconds) == ("capped", 12, 900)
    assert rules_from(rules_json(rules)) == rules


@pytest.mark.parametrize(
    ("overrides", "refusal"),
    [
        ({"handicap": 3}, "unknown_rule"),
        ({"boards": "16"}, "bad_rule"),
        ({"boards": True}, "bad_rule"),
        ({"boards": 0}, "bad_rule"),
        ({"movement": "jump"}, "bad_rule"),
        ({"release": {"rule": "delay"}}, "bad_rule"),
        ({"release": "live"}, "bad_rule"),
        ({"entry_challenge": 1}, "bad_rule"),
    ],
)
def test_unknown_rules_and_values_are_refused(overrides: dict[str, object], refusal: str) -> None:
    with pytest.raises(Refusal) as refused:
        rules_from(overrides)
    assert refused.value.rule == refusal


def test_ladder_matches_are_not_shown_live_unless_the_regulation_says_so() -> None:
    assert LadderRules().release.rule == "board"
    assert START.tzinfo is not None

"""Rule 7: teams that do not play are warned, fall, and leave; who cannot play is not counted."""

from datetime import timedelta

import pytest

from broadcast.tables.errors import Refusal
from teams.ladder.commands import EndRest, LeaveLadder, RestTeam, StartSeason
from teams.ladder.eligibility import MayRest, Refused, Rule, may_challenge, may_rest
from teams.ladder.events import DayCounted, InactivityWarned, TeamLeft, TeamSank
from teams.ladder.inactivity import is_counted
from teams.ladder.rules import rules_from
from teams.ladder.views import history_json, replayed
from tests.teams.ladder.ladder_builders import House

RULES = rules_from({"schedule": "at_once", "deals": "typed", "boards": 8, "correction_minutes": 0})


def idle_ladder(teams: str = "ABCDEF") -> House:
    house = House(RULES)
    house.enter(*teams)
    return house


def pass_days(house: House, days: int) -> None:
    for _ in range(days):
        house.wait(days=1)
        house.tick()


def warnings(house: House, team: str) -> list[tuple[int, int, int | None]]:
    return [
        (event.days, event.in_days, event.fall)
        for change in house.changes
        for recorded in change.recorded
        if isinstance(event := recorded.event, InactivityWarned) and event.team == team
    ]


def test_idle_team_is_warned_twice_before_it_falls() -> None:
    house = idle_ladder()
    pass_days(house, 30)
    assert warnings(house, "B") == [(23, 7, 1), (29, 1, 1)]
    assert house.state.entrants["B"].idle_days == 30


def test_team_falls_by_one_then_by_three_and_leaves_in_the_end() -> None:
    house = idle_ladder("ABCDEFG")
    house.challenge("B", "A")
    pass_days(house, 29)
    falls = [
        (event.team, event.days, event.moves[0].from_rung, event.moves[0].to_rung)
        for change in house.changes
        for recorded in change.recorded
        if isinstance(event := recorded.event, TeamSank)
    ]
    assert falls == []
    pass_days(house, 70)
    left = [
        recorded.event
        for change in house.changes
        for recorded in change.recorded
        if isinstance(recorded.event, TeamLeft)
    ]
    assert left and all(event.cause == "inactive" for event in left)
    assert replayed(history_json(house.state)) == list(house.state.order)
    assert len(house.state.order) >= 1, "rung 1 is never removed unseen"


def test_top_team_is_not_counted_as_it_has_nobody_to_challenge() -> None:
    house = idle_ladder()
    pass_days(house, 120)
    assert house.state.entrants["A"].idle_days == 0
    assert house.order == "A"


def test_unanswered_challenge_counts_for_the_defender_and_not_for_the_challenger() -> None:
    house = idle_ladder()
    house.challenge("B", "A")
    house.wait(days=1, hours=1)
    assert is_counted(house.state, "A", house.now)
    assert not is_counted(house.state, "B", house.now), "it has made the one challenge it may make"


def test_days_that_the_house_did_not_see_are_not_counted() -> None:
    house = idle_ladder()
    house.wait(days=50)
    house.tick()
    assert house.state.entrants["B"].idle_days == 1


def test_a_day_is_counted_once_however_often_the_clock_asks() -> None:
    house = idle_ladder()
    house.wait(days=1)
    first = house.tick()
    assert sum(isinstance(recorded.event, DayCounted) for recorded in first.recorded) == 1
    assert house.tick().recorded == ()


def test_playing_begins_the_count_anew() -> None:
    house = idle_ladder()
    pass_days(house, 10)
    assert house.state.entrants["C"].idle_days == 10
    house.played("C", "B", home=10, visitors=0)
    assert [house.state.entrants[team].idle_days for team in "BCD"] == [0, 0, 10]


def test_rest_holds_the_rung_and_ends_by_itself() -> None:
    house = idle_ladder()
    house.do(RestTeam("C", 10))
    until = house.now + timedelta(days=10)
    for pair in (("D", "C"), ("C", "B")):
        assert may_challenge(house.state, *pair, house.now) == Refused(Rule.RESTING, until)
    pass_days(house, 9)
    assert house.state.entrants["C"].idle_days == 0
    pass_days(house, 1)
    assert house.state.entrants["C"].rests_until is None
    assert may_rest(house.state, "C", house.now) == MayRest(20)


def test_rest_is_thirty_days_a_season_and_seven_on_rung_one() -> None:
    house = idle_ladder()
    assert may_rest(house.state, "B", house.now) == MayRest(30)
    assert may_rest(house.state, "A", house.now) == MayRest(7)
    with pytest.raises(Refusal, match="1 to 7"):
        house.do(RestTeam("A", 8))
    house.do(RestTeam("A", 7))
    pass_days(house, 7)
    assert may_rest(house.state, "A", house.now) == Refused(Rule.REST_SPENT)


def test_rest_that_ends_early_gives_its_days_back() -> None:
    house = idle_ladder()
    house.do(RestTeam("B", 10))
    pass_days(house, 3)
    house.wait(hours=1)
    house.do(EndRest("B"))
    assert house.state.entrants["B"].rested_days == 4
    house.do(EndRest("B"))


def test_nobody_rests_at_the_end_of_a_season() -> None:
    house = idle_ladder()
    end = house.now + timedelta(days=31)
    house.do(StartSeason("Spring", end))
    assert may_rest(house.state, "B", house.now) == MayRest(10)
    house.wait(days=10)
    assert may_rest(house.state, "B", house.now) == Refused(Rule.SEASON_ENDS, end)
    with pytest.raises(Refusal):
        house.do(RestTeam("B", 1))


def test_team_that_leaves_or_is_not_there_does_not_rest() -> None:
    house = idle_ladder()
    house.do(LeaveLadder("C"))
    assert may_rest(house.state, "C", house.now) == Refused(Rule.NOT_ON_LADDER)

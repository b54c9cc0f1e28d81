"""Captains learn of an alarm with the board, and not what it says of the other room before that."""

from broadcast.tables.alarms import blocking_alarms
from broadcast.tables.commands import EnterResult
from teams.captains.known_alarms import known_alarms
from tests.builders import BY_MATCH, CLOSED, OPEN, Told, new_match, result

CALLS = "1NT Pass Pass Pass"


def entered_over_its_record(told: Told) -> None:
    told.open(CLOSED, 1).calls(CLOSED, CALLS)
    told.enter(CLOSED, EnterResult(result("3NT S 9")))


def test_alarm_of_the_other_room_is_told_when_the_board_is_public_in_both() -> None:
    told = Told(new_match(2))
    before = told.match
    entered_over_its_record(told)
    assert known_alarms(told.match, before) == known_alarms(told.match, told.match) == ()
    told.open(OPEN, 1).enter(OPEN, EnterResult(result("3NT S 9")))
    assert known_alarms(told.match, before) == ()
    assert [alarm.id for alarm in known_alarms(told.match, told.match)] == ["record_differs:1.1:closed"]


def test_board_opened_again_tells_nothing_before_it_is_public_again() -> None:
    told = Told(new_match(1))
    for room in (OPEN, CLOSED):
        told.open(room, 1).calls(room, CALLS).enter(room, EnterResult(result("1NT S 9")))
    public = told.match
    told.open(CLOSED, 1, "scored wrongly").enter(CLOSED, EnterResult(result("3NT S 9")))
    assert list(blocking_alarms(told.match)) != []
    assert known_alarms(told.match, public) == ()


def test_captains_of_a_match_shown_at_its_closing_learn_what_holds_it_open_when_all_is_played() -> None:
    told = Told(new_match(1, release=BY_MATCH))
    before = told.match
    entered_over_its_record(told)
    assert known_alarms(told.match, before) == ()
    told.open(OPEN, 1).enter(OPEN, EnterResult(result("3NT S 9")))
    assert len(known_alarms(told.match, before)) == 1

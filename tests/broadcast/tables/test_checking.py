"""Verdicts of a second pair of eyes: on the result that was seen, until it changes, and never on the score."""

import pytest

from broadcast.tables.alarms import doubted
from broadcast.tables.commands import CheckResult, ClearAlarm, CorrectResult
from broadcast.tables.errors import Refusal
from tests.builders import OPEN, Told, new_match, result


def check(text: str = "3NT S 9", wrong: str | None = None) -> CheckResult:
    return CheckResult(1, 1, OPEN, result(text), wrong)


@pytest.fixture
def told() -> Told:
    return Told(new_match(2)).played(OPEN, 1)


def test_check_stands_until_the_result_changes(told: Told) -> None:
    told.do(check())
    assert told.board(1).rooms[OPEN].is_checked
    told.do(CorrectResult(1, 1, OPEN, result("3NT S 10"), "miscounted"))
    assert not told.board(1).rooms[OPEN].is_checked
    with pytest.raises(Refusal, match="has changed since"):
        told.do(check())


def test_verdict_changes_no_score_and_overtakes_nobody(told: Told) -> None:
    before = (told.match.standing, told.match.room_sequences)
    told.do(check(wrong="one more"))
    told.do(check())
    assert (told.match.standing, told.match.room_sequences) == before


def test_cleared_doubt_does_not_hide_the_next(told: Told) -> None:
    told.do(check(wrong="one more"))
    [alarm] = doubted(told.match)
    told.do(ClearAlarm(alarm.id, "counted again"))
    assert list(doubted(told.match)) == []
    told.do(check(wrong="the declarer is North"))
    assert len(list(doubted(told.match))) == 1
    told.do(check())
    assert list(doubted(told.match)) == []

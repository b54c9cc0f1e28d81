"""A captain who does not agree with a score: the match stays open until somebody who may has decided."""

import pytest

from broadcast.tables.alarms import blocking_alarms
from broadcast.tables.commands import ClearAlarm, ConfirmScore, DisputeScore
from broadcast.tables.errors import Refusal
from tests.builders import CLOSED, OPEN, Told, new_match

DISPUTE = DisputeScore(1, 1, "eleven tricks, not ten")


def scored() -> Told:
    return Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1)


def alarms(told: Told) -> list[str]:
    return [alarm.id for alarm in blocking_alarms(told.match)]


def test_disputed_score_holds_the_match_open_until_it_is_cleared() -> None:
    told = scored()
    told.do(DISPUTE)
    assert alarms(told) == ["disputed:1.1"]
    with pytest.raises(Refusal) as refused:
        told.do(ConfirmScore("ann", told.match.standing))
    assert refused.value.rule == "alarm_open"
    told.do(ClearAlarm("disputed:1.1", "ten tricks: the players agree"))
    assert alarms(told) == []
    told.do(ConfirmScore("ann", told.match.standing))
    assert told.match.closed == "confirmed"


def test_board_may_be_disputed_again() -> None:
    told = scored()
    for command in (DISPUTE, ClearAlarm("disputed:1.1", "looked at"), DisputeScore(1, 1, "look again")):
        told.do(command)
    assert alarms(told) == ["disputed:1.1"]
    assert list(told.match.disputes.values()) == ["look again"]


def test_score_is_disputed_only_between_last_result_and_closing() -> None:
    with pytest.raises(Refusal) as early:
        Told(new_match(1)).played(OPEN, 1).do(DISPUTE)
    told = scored()
    told.do(ConfirmScore("ann", told.match.standing))
    with pytest.raises(Refusal) as late:
        told.do(DISPUTE)
    assert (early.value.rule, late.value.rule) == ("not_disputable", "not_disputable")


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2001])
def test_dispute_says_what_is_wrong(reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        scored().do(DisputeScore(1, 1, reason))
    assert refused.value.rule == "bad_dispute"

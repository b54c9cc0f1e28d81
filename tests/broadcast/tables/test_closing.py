"""When a match is complete, when it may close, and what is possible after that (Law 79C)."""

from datetime import timedelta
from itertools import permutations

import pytest

from broadcast.bridge.rooms import Room
from broadcast.tables.awards import Award
from broadcast.tables.commands import (
    CancelBoard,
    CloseMatch,
    Comment,
    ConfirmScore,
    CorrectResult,
    GiveAward,
    ReopenMatch,
    VoidMatch,
)
from broadcast.tables.errors import Refusal
from tests.builders import CLOSED, OPEN, Told, new_match, result

AVERAGE = Award("artificial", home="=", visitors="=")


def out_of_order(told: Told, room: Room, number: int) -> Told:
    return told.open(room, number, "the boards come as they come").result(room, "3NT S 9")


@pytest.mark.parametrize("order", list(permutations([(1, OPEN), (1, CLOSED), (2, OPEN), (2, CLOSED)])))
def test_match_is_complete_with_its_last_result_in_whatever_order(order: list[tuple[int, Room]]) -> None:
    told = Told()
    for number, room in order:
        assert not told.match.is_complete
        out_of_order(told.wait(60), room, number)
    assert told.match.is_complete
    assert told.match.closes_at == told.now + timedelta(minutes=30)


def test_match_is_not_complete_when_only_its_last_board_is() -> None:
    told = Told(new_match(4))
    for number in (1, 2, 3):
        told.open(OPEN, number, "x").calls(OPEN, "1S").skip(OPEN, number)
    out_of_order(told, OPEN, 4)
    out_of_order(told, CLOSED, 4)
    assert not told.match.is_complete
    assert told.match.closes_at is None


@pytest.mark.parametrize("by", ["playing", "cancelling", "awarding"])
def test_skipped_board_holds_the_match_until_it_is_played_cancelled_or_awarded(by: str) -> None:
    told = Told(new_match(1)).open(OPEN, 1).skip(OPEN, 1).played(CLOSED, 1)
    assert not told.match.is_complete
    match by:
        case "playing":
            told.open(OPEN, 1, "there is time").result(OPEN, "Pass")
        case "cancelling":
            told.do(CancelBoard(1, 1, "no time"))
        case _:
            told.do(GiveAward(1, 1, AVERAGE, "no time"))
    assert told.match.is_complete


def test_correction_does_not_prolong_the_correction_period() -> None:
    told = Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1)
    closes_at = told.match.closes_at
    told.wait(300).do(CorrectResult(1, 1, OPEN, result("3NT S 10"), "an overtrick"))
    assert told.match.closes_at == closes_at


def test_undone_result_stops_the_correction_period_and_the_next_one_starts_it_anew() -> None:
    told = Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1).undo(CLOSED)
    assert told.match.closes_at is None
    told.wait(300).result(CLOSED, "Pass")
    assert told.match.closes_at == told.now + timedelta(minutes=30)


def test_captains_confirm_a_complete_match_and_no_other() -> None:
    told = Told(new_match(1)).played(OPEN, 1)
    with pytest.raises(Refusal, match="every board final"):
        told.do(ConfirmScore("captains", told.match.standing))
    told.played(CLOSED, 1)
    told.do(ConfirmScore("captains", told.match.standing))
    assert (told.match.closed, told.match.closes_at) == ("confirmed", None)


def test_captains_agree_on_a_score_and_not_on_what_a_ruling_makes_of_it() -> None:
    told = Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1)
    agreed = told.match.standing
    told.do(Comment(1, 1, OPEN, 0, 0, "en", "Close", "Ann"))
    assert told.match.standing == agreed, "comments change no score"
    told.do(CorrectResult(1, 1, OPEN, result("3NT S 10"), "an overtrick"))
    with pytest.raises(Refusal) as refusal:
        told.do(ConfirmScore("captains", agreed))
    assert refusal.value.rule == "score_changed"
    told.do(ConfirmScore("captains", told.match.standing))
    assert told.match.closed == "confirmed"


def test_after_closing_only_rulings_and_comments_change_a_match() -> None:
    told = Told(new_match(2)).played(OPEN, 1)
    told.do(CloseMatch("time"))
    with pytest.raises(Refusal) as refusal:
        told.open(OPEN, 2)
    assert refusal.value.rule == "match_closed"
    told.do(CorrectResult(1, 1, OPEN, result("3NT S 10"), "an overtrick"))
    told.do(Comment(1, 1, OPEN, 0, 0, "en", "What a board", "Barnet"))
    with pytest.raises(Refusal):
        told.do(CloseMatch("again"))


def test_match_opened_again_has_its_correction_period_anew() -> None:
    """It closed itself at the next tick, because the old period had run out long ago."""
    told = Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1).wait(1800)
    told.do(CloseMatch("complete"))
    told.wait(7200).do(ReopenMatch("an appeal"))
    assert told.match.closed is None
    assert told.match.closes_at == told.now + timedelta(minutes=30)


def test_open_match_cannot_be_opened_again() -> None:
    with pytest.raises(Refusal) as refusal:
        Told().do(ReopenMatch("x"))
    assert refusal.value.rule == "match_open"


def test_void_match_neither_closes_nor_is_confirmed_until_it_is_opened_again() -> None:
    told = Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1)
    told.do(VoidMatch("floods"))
    assert told.match.closes_at is None
    for command in (CloseMatch("x"), ConfirmScore("captains", told.match.standing), VoidMatch("again")):
        with pytest.raises(Refusal):
            told.do(command)
    told.do(ReopenMatch("the water went back"))
    assert told.match.voided is None


def test_comment_needs_a_position_the_room_has_reached_and_words() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1S")
    told.do(Comment(1, 1, OPEN, 1, 0, "en", " Spades. ", "Barnet"))
    ((place, placed),) = told.match.comments.items()
    assert (place[1], placed[0].text, placed[0].call) == (OPEN, "Spades.", 1)
    for call, card, text, rule in (
        (2, 0, "x", "no_such_position"),
        (1, 1, "x", "no_such_position"),
        (-1, 0, "x", "no_such_position"),
        (1, 0, " ", "bad_comment"),
        (1, 0, "x" * 2001, "bad_comment"),
    ):
        with pytest.raises(Refusal) as refusal:
            told.do(Comment(1, 1, OPEN, call, card, "en", text, "Barnet"))
        assert refusal.value.rule == rule

"""How much a log takes from whoever is no director: a link to one room must not fill the disk."""

import pytest

from broadcast.tables import entries
from broadcast.tables.commands import DisputeScore, EnterInRoom, Entry, Explain, OpenBoard
from broadcast.tables.errors import Refusal
from broadcast.tables.events import MatchEvent
from tests.builders import CLOSED, OPEN, Told, new_match


def enter(told: Told, *entered: Entry, is_director: bool = False) -> tuple[MatchEvent, ...]:
    return told.do(EnterInRoom(OPEN, entered, may_overrule=is_director))


def code(told: Told, *entered: Entry) -> str:
    with pytest.raises(Refusal) as refused:
        enter(told, *entered)
    return refused.value.rule


def test_a_board_takes_no_more_than_its_limit_and_the_next_board_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An explanation reworded five hundred times a command grew the log by a megabyte a second."""
    monkeypatch.setattr(entries, "MOST_OF_BOARD", 40)
    told = Told(new_match(2)).open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass")
    enter(told, *[Explain(0, True, f"{each}") for each in range(35)])
    assert code(told, Explain(0, True, "once more")) == "board_full"
    enter(told, Explain(0, True, "by the director"), is_director=True)
    told.do(EnterInRoom(CLOSED, (OpenBoard(1, 1),), may_overrule=False))
    assert code(told, OpenBoard(1, 2)) == "board_not_finished"
    told.result(OPEN, "1NT W 7")
    enter(told, OpenBoard(1, 2))


def test_undone_entries_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_OF_BOARD", 10)
    told = Told().open(OPEN, 1)
    for _ in range(4):
        told.calls(OPEN, "1NT").undo(OPEN)
    assert told.table(OPEN).entries == 9


def test_a_match_takes_no_more_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_OF_MATCH", 20)
    monkeypatch.setattr(entries, "MOST_PER_BOARD", 5)
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass")
    enter(told, *[Explain(0, True, f"{each}") for each in range(20 - told.match.sequence)])
    assert code(told, Explain(0, True, "once more")) == "match_full"
    for room in (OPEN, CLOSED):
        for number in (1, 2):
            if room is CLOSED or number == 2:
                told.open(room, number)
            told.result(room, "1NT N 7")
    with pytest.raises(Refusal) as refused:
        told.do(DisputeScore(1, 1, "no"), "captain:ann")
    assert refused.value.rule == "match_full"
    monkeypatch.setattr(entries, "MOST_PER_BOARD", 50)
    told.do(DisputeScore(1, 1, "two boards of fifty entries each"), "captain:ann")


def test_no_match_that_is_played_comes_near() -> None:
    """64 boards of 20 calls and 52 cards in both rooms, every tenth entry undone and made again."""
    of_board = (20 + 52) * 12 // 10 + 10
    assert of_board * 10 < entries.MOST_OF_BOARD
    assert of_board * 64 * 2 * 2 < entries.MOST_OF_MATCH
    assert of_board * 2 * 3 // 2 < entries.MOST_PER_BOARD

"""Recorded matches compared: both teams' IMPs and the boards compared, as added up by another hand."""

import csv
from collections.abc import Iterator
from pathlib import Path

from broadcast.notation.lin import read_lin
from broadcast.notation.records import SegmentRecord
from broadcast.tables.events import BoardKey, BoardOpened, MatchEvent, ResultEntered
from teams.matches.comparison import compare
from teams.matches.totals import tally, totals
from tests.teams.matches.stories import Story


def events(segment: SegmentRecord) -> Iterator[MatchEvent]:
    """Openings and results of the two rooms; boards without a result stay in play."""
    for board in segment.boards:
        if board.room is None:
            continue
        key = BoardKey(1, board.number)
        yield BoardOpened(key, board.room, board.dealer, board.vulnerability, board.deal)
        if board.result is not None:
            yield ResultEntered(key, board.room, board.result, "imported")


RENUMBERED = "matches/50_1999_Dutch_Teams/s1.lin"
"""A board of it has another dealer in one room, for the same cards."""


def test_totals_of_recorded_segments(shared: Path) -> None:
    """Every fourth segment; the import's tests take all. Scored by the record's own vulnerability.

    Team 1 is home and sits North-South in the open room.
    """
    with (shared / "data" / "lin_totals.csv").open() as table:
        rows = [row for row in csv.DictReader(table) if row["scoring"] == "I"]
    chosen = [row for place, row in enumerate(rows) if place % 4 == 0 or row["file"] == RENUMBERED]
    assert len(chosen) > 25
    wrong = []
    for row in chosen:
        reading = read_lin((shared / "data" / "lin" / row["file"]).read_bytes())
        segment = reading.matches[0].segments[0]
        numbers = [board.number for board in segment.boards]
        story = Story(first=min(segment.first, *numbers), last=max(segment.last, *numbers), imported=True)
        story.happens(*events(segment))
        state = story.state
        total = totals(state, tally(compare(state, key) for key in state.boards))
        found = (int(total.home), int(total.visitors), total.boards_compared)
        expected = (int(row["imps1_sv"]), int(row["imps2_sv"]), int(row["boards_in_both"]))
        if found != expected:
            wrong.append((row["file"], found, expected))
    assert wrong == []

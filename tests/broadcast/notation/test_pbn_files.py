"""The 42 real PBN files: what is in each of them, and the scores their makers counted."""

import csv
import re
from collections import Counter
from pathlib import Path

from broadcast.bridge.rooms import Room
from broadcast.notation.pbn_lexing import games_of
from broadcast.notation.problems import ProblemList
from broadcast.notation.records import SegmentRecord
from broadcast.notation.texts import decoded
from teams.scales.imps import imps
from tests.broadcast.notation.real_files import names, path_of, reading_of

EXPECTED = Path(__file__).parents[2] / "data" / "pbn_readings.csv"
"""Matches, boards and problems of each file. Boards and results agree with the Contract tags counted by grep,
ten matches of ten boards twice in the RealBridge round, two tables of each board in the rpbridge files."""

REALBRIDGE = "teams/realbridge_2021_online_qual_open_r2.pbn"


def test_every_file_holds_the_matches_boards_and_problems_expected(shared: Path) -> None:
    with EXPECTED.open() as lines:
        rows = {row["file"]: row for row in csv.DictReader(lines)}
    assert sorted(rows) == names("pbn")
    assert len(rows) == 42
    for name, row in rows.items():
        reading = reading_of("pbn", name)
        segments = [segment for match in reading.matches for segment in match.segments]
        inside = [board for segment in segments for board in segment.boards]
        found = Counter(problem.reason.value for problem in reading.problems)
        assert {
            "file": name,
            "matches": str(len(reading.matches)),
            "segments": str(len(segments)),
            "boards_in_matches": str(len(inside)),
            "other_boards": str(len(reading.boards)),
            "results": str(sum(board.result is not None for board in (*inside, *reading.boards))),
            "problems": " ".join(f"{reason}:{count}" for reason, count in sorted(found.items())),
        } == row


def _swings(segment: SegmentRecord) -> dict[int, int]:
    """IMPs of team 1 by board, for the boards with a result in both rooms."""
    scores: dict[int, dict[Room, int]] = {}
    for board in segment.boards:
        if board.result is not None and board.room is not None:
            scores.setdefault(board.number, {})[board.room] = board.result.score_ns(board.vulnerability)
    return {
        number: imps(rooms[Room.OPEN] - rooms[Room.CLOSED])
        for number, rooms in scores.items()
        if len(rooms) == 2
    }


def test_realbridge_tables_come_to_the_imps_that_realbridge_wrote(shared: Path) -> None:
    """ScoreIMP is North-South's at the table, so the closed table has the other sign."""
    text = decoded(path_of("pbn", REALBRIDGE).read_bytes())
    stated = {
        (game.value("HomeTeam"), int(game.value("Board"))): int(ns[1])
        for game in games_of(text, ProblemList(), 4000)
        if (ns := re.match(r"NS (-?\d+)", game.value("ScoreIMP")))
    }
    compared = 0
    for match in reading_of("pbn", REALBRIDGE).matches:
        for number, swing in _swings(match.segments[0]).items():
            assert stated[match.home, number] == swing, (match.home, number)
            assert stated[match.visitors, number] == -swing, (match.visitors, number)
            compared += 1
    assert compared == 90


def test_realbridge_boards_never_played_are_no_pushes(shared: Path) -> None:
    boards = [b for m in reading_of("pbn", REALBRIDGE).matches for s in m.segments for b in s.boards]
    assert sum(board.result is None for board in boards) == 20
    assert all(board.is_untouched for board in boards if board.result is None)

"""Every real team segment comes to the IMPs that were counted for it by other means."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from broadcast.bridge.scoring import PenaltyScale
from broadcast.notation.joining import join_segments, segment_imps
from broadcast.notation.problems import Reason
from broadcast.notation.records import MatchRecord
from teams.scales.imps import ImpScale, imps
from tests.broadcast.notation.real_files import names, reading_of


def test_all_segments_have_the_boards_teams_and_imps_of_the_list(shared: Path) -> None:
    with (shared / "data" / "lin_totals.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 131
    for row in rows:
        matches = reading_of("lin", row["file"]).matches
        assert len(matches) == len(matches[0].segments) == 1, row["file"]
        segment = matches[0].segments[0]
        assert (segment.team1, segment.team2) == (row["team1"], row["team2"]), row["file"]
        assert (str(segment.carry1), str(segment.carry2)) == (row["carry1"], row["carry2"]), row["file"]
        assert (segment.first, segment.last) == (int(row["first"]), int(row["last"])), row["file"]
        counted = segment_imps(segment.boards, imps)
        assert counted == (
            int(row["imps1_sv"]),
            int(row["imps2_sv"]),
            int(row["boards_in_both"]),
        ), row["file"]


def test_faults_of_the_real_files_are_found_in_as_many_files_as_are_known(shared: Path) -> None:
    """Files with each fault, counted on the same files by hand and by other tools."""
    files: Counter[Reason] = Counter()
    for name in names("lin"):
        files.update({problem.reason for problem in reading_of("lin", name).problems})
    assert files[Reason.CLAIM_DIFFERS] == 13
    assert files[Reason.SURPLUS_RESULTS] == 1
    assert files[Reason.SURPLUS_CALLS] == 3
    assert files[Reason.IMPOSSIBLE_AUCTION] == files[Reason.IRREGULAR_CALL] == 1
    assert files[Reason.CARD_REPEATED] == 1
    assert files[Reason.NOT_A_MATCH] == 12
    assert files[Reason.DAMAGED_TEXT] == files[Reason.BAD_HEADER] == files[Reason.BAD_NAMES] == 0


def _joined(folder: str) -> list[MatchRecord]:
    return [match for name in names("lin") if folder in name for match in reading_of("lin", name).matches]


@pytest.mark.parametrize(
    ("folder", "scale", "penalties", "expected"),
    [
        ("11_1955", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, []),
        # Segment 1A is stated 39-27 and counts 37-29; in 4A to 5A the header exchanges the teams.
        ("12_1957", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, [2, 7, 10]),
        # Segment 5 of the match is missing, so the fifth file does not chain; s8 is one IMP off.
        ("13_1959", ImpScale.SINCE_1948, PenaltyScale.SINCE_1987, [5, 8]),
        ("20_1977", ImpScale.SINCE_1962, PenaltyScale.SINCE_1963, []),
        ("22_1981", ImpScale.SINCE_1962, PenaltyScale.SINCE_1963, []),
        ("23_1983", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, []),
        # Segment 6 is one IMP off.
        ("24_1987", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, [7]),
        # A segment is missing between f04 and f06.
        ("27_1997", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, [5]),
        ("48_1998", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, []),
        # 28-34 counted, 29-32 stated.
        ("sihengz02_7480[67]", ImpScale.SINCE_1962, PenaltyScale.SINCE_1987, [2]),
    ],
)
def test_carry_overs_chain_but_for_the_known_exceptions(
    shared: Path, folder: str, scale: ImpScale, penalties: PenaltyScale, expected: list[int]
) -> None:
    folders = [folder] if "[" not in folder else ["sihengz02_74806", "sihengz02_74807"]
    matches = [match for part in folders for match in _joined(part)]
    joining = join_segments(matches, lambda difference: imps(difference, scale), penalties)
    assert len(joining.match.segments) == len(matches)
    assert [p.segment for p in joining.problems if p.reason is Reason.CARRY_OVER_DIFFERS] == expected
    assert len(joining.problems) == len(expected)

"""The continuous scale: golden values, and the properties of the whole table at every length."""

import csv
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from teams.scales.vp_scale import NoRow
from teams.scales.wbf_continuous import MOST_BOARDS, WbfContinuous, blitz, hundredths, rounded

SCALE = WbfContinuous()
LENGTHS = [*range(1, 65), 96, 128, MOST_BOARDS]


@pytest.mark.parametrize(
    ("boards", "margin", "winner", "loser"),
    [
        (16, 0, "10.00", "10.00"),
        (16, 10, "12.80", "7.20"),
        (15, 10, "12.88", "7.12"),
        (14, 10, "12.97", "7.03"),
        (16, 59, "19.93", "0.07"),
        (16, 60, "20.00", "0.00"),
        (16, 61, "20.00", "0.00"),
        (16, 7, "12.03", "7.97"),
        (8, 9, "13.45", "6.55"),
        (6, 10, "14.25", "5.75"),
    ],
)
def test_published_values(boards: int, margin: int, winner: str, loser: str) -> None:
    """Sixteen boards, then one and two cancelled; a 10 IMP win is worth more over fewer boards."""
    vps = SCALE.vps(boards, margin)
    assert (str(vps.winner), str(vps.loser)) == (winner, loser)


def test_sixteen_board_match_won_by_sixty_imps_is_twenty_nil() -> None:
    assert [blitz(boards) for boards in (8, 12, 16, 20, 24, 32)] == [43, 52, 60, 68, 74, 85]
    for boards in LENGTHS:
        assert SCALE.vps(boards, blitz(boards)).winner == 20
        assert rounded(boards, blitz(boards) - 1) <= 2000
        assert SCALE.vps(boards, 10**9).loser == 0


def test_formula_rounded_cell_by_cell_is_not_the_table() -> None:
    """At 16 boards and 14 IMPs the rounded formula gives 13.74, and then the next step is the larger one."""
    assert rounded(16, 14) == 1374
    assert SCALE.vps(16, 14).winner == Decimal("13.75")
    assert sum(rounded(16, margin) != hundredths(16)[margin] for margin in range(61)) == 7
    assert sum(rounded(32, margin) != hundredths(32)[margin] for margin in range(86)) == 22


@pytest.mark.parametrize("boards", LENGTHS)
def test_table_rises_and_no_step_is_larger_than_the_one_before(boards: int) -> None:
    table = hundredths(boards)
    steps = [b - a for a, b in pairwise(table)]
    assert table[0] == 1000
    assert table[-1] == 2000
    assert all(step > 0 for step in steps[:-1])
    assert all(before >= after for before, after in pairwise(steps))


@pytest.mark.parametrize("boards", LENGTHS)
def test_lifting_keeps_both_ends_and_adds_only_hundredths(boards: int) -> None:
    table = hundredths(boards)
    lifts = [table[margin] - rounded(boards, margin) for margin in range(len(table))]
    assert lifts[0] == lifts[-1] == 0
    assert all(0 <= lift <= (4 if boards <= 128 else 28) for lift in lifts)


@pytest.mark.parametrize("boards", [1, 5, 16, 31, 128, 997])
def test_table_before_lifting_is_the_formula_cell_by_cell(boards: int) -> None:
    """The table is built by repeated multiplication; a cell that needs no lifting is the formula's own."""
    cells = [rounded(boards, margin) for margin in range(blitz(boards) + 1)]
    for margin in range(1, len(cells) - 1):
        if 2 * cells[margin] >= hundredths(boards)[margin - 1] + hundredths(boards)[margin + 1]:
            assert hundredths(boards)[margin] == cells[margin]


@pytest.mark.parametrize("boards", [0, -16, MOST_BOARDS + 1])
def test_a_match_without_boards_has_no_vps(boards: int) -> None:
    assert not SCALE.has_row(boards)
    with pytest.raises(NoRow):
        SCALE.vps(boards, 10)


def test_agrees_with_every_vector(shared: Path) -> None:
    lines = (shared / "vectors" / "vp_wbf_continuous.csv").read_text().splitlines()
    cases = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(cases) > 500
    for case in cases:
        boards, margin = int(case["boards"]), int(case["imp_margin"])
        vps = SCALE.vps(boards, margin)
        assert (str(vps.winner), str(vps.loser)) == (case["vp_winner"], case["vp_loser"]), case
        lifted = vps.winner.scaleb(2) != rounded(boards, margin)
        assert lifted is (case["corrected"] == "1"), case

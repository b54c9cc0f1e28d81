"""IMPs: every step edge of both scales, mirror and order."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teams.scales.imps import LOWER_BOUNDS, ImpScale, difference_range, imps

# Law 78B as the law book prints it: the largest difference worth 0, 1, 2 ... 23 IMPs.
LARGEST_1962 = [
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
    *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
]
DIFFERENCES = st.integers(-20000, 20000)
SCALES = st.sampled_from(ImpScale)


@pytest.mark.parametrize(("size", "largest"), list(enumerate(LARGEST_1962)))
def test_every_step_of_law_78b_ends_where_the_law_says(size: int, largest: int) -> None:
    assert imps(largest) == size
    assert imps(largest + 10) == size + 1
    assert imps(-largest) == -size
    assert imps(-largest - 10) == -size - 1


def test_no_boundary_is_missing_near_the_top() -> None:
    """A published list left out one boundary, so that 3020 earned 21 and 4000 earned 23."""
    assert imps(2220 - -800) == 22
    edges = [10, 20, 2490, 2500, 2990, 3000, 3490, 3500, 3990, 4000]
    assert [imps(edge) for edge in edges] == [0, 1, 20, 21, 21, 22, 22, 23, 23, 24]
    assert [imps(-edge) for edge in edges] == [0, -1, -20, -21, -21, -22, -22, -23, -23, -24]


def test_no_swing_is_too_large_for_the_scale() -> None:
    assert imps(15200) == 24
    assert imps(-15200, ImpScale.SINCE_1948) == -15


def test_scale_of_1948_has_fifteen_steps() -> None:
    edges = [10, 20, 60, 70, 130, 140, 210, 220, 340, 350, 490, 500, 3990, 4000]
    expected = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 14, 15]
    assert [imps(edge, ImpScale.SINCE_1948) for edge in edges] == expected


def test_differences_between_tens_use_the_same_bounds() -> None:
    assert imps(19) == 0
    assert imps(Fraction(39, 2)) == 0
    assert imps(Fraction(20)) == 1
    assert imps(Fraction(-99, 2)) == -1


@given(DIFFERENCES, SCALES)
def test_swing_and_its_mirror_are_opposite(difference: int, scale: ImpScale) -> None:
    assert imps(-difference, scale) == -imps(difference, scale)


@given(DIFFERENCES, DIFFERENCES, SCALES)
def test_imps_never_fall_as_the_difference_grows(one: int, other: int, scale: ImpScale) -> None:
    low, high = sorted((one, other))
    assert imps(low, scale) <= imps(high, scale)


@given(st.integers(0, 20000), SCALES)
def test_range_of_a_swing_holds_the_difference(difference: int, scale: ImpScale) -> None:
    least, following = difference_range(imps(difference, scale), scale)
    assert least <= difference
    assert following is None or difference < following


def test_a_swing_the_scale_does_not_have_has_no_range() -> None:
    assert difference_range(0) == (0, 20)
    with pytest.raises(IndexError):
        difference_range(25)
    with pytest.raises(IndexError):
        difference_range(-1)


def test_agrees_with_every_vector(shared: Path) -> None:
    lines = (shared / "vectors" / "imp_points.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(rows) > 400
    wrong = [row for row in rows if imps(int(row["diff"])) != int(row["imps"])]
    assert wrong == []


def test_bounds_equal_the_table_on_disk(shared: Path) -> None:
    lines = (shared / "vectors" / "table_imp_scale.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    bounds = (0, *LOWER_BOUNDS[ImpScale.SINCE_1962])
    assert [int(row["min_diff"]) for row in rows] == list(bounds)
    assert [int(row["imps"]) for row in rows] == list(range(25))

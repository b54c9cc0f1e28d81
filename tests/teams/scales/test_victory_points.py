"""Scales by name: what holds for all of them, and the step tables against their sources."""

import csv
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teams.scales.published_tables import ACBL_20, ACBL_30, EBU_HALF_10, WBF_2013_DISCRETE
from teams.scales.victory_points import (
    DEFAULT_SCALE,
    SCALES,
    NoRow,
    UnknownScale,
    VictoryPoints,
    scale_named,
    whole_margin,
)

WHOLE = {"wbf-2013": 20, "wbf-2013-discrete": 20, "acbl-20": 20, "acbl-30": 30, "ebu-half-10": 10}


def vps(name: str, boards: int, margin: int) -> tuple[str, str]:
    """VPs as a table prints them, without needless zeros."""
    given_vps = scale_named(name).vps(boards, margin)
    return f"{given_vps.winner.normalize():f}", f"{given_vps.loser.normalize():f}"


def rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def run(text: str) -> range:
    """``6-8`` as the lengths 6, 7 and 8."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def test_scales_are_known_by_their_names() -> None:
    assert set(SCALES) == set(WHOLE)
    assert scale_named(DEFAULT_SCALE).name == "wbf-2013"


def test_an_unknown_scale_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownScale, match="wbf-2013-discrete") as refused:
        scale_named("wbf-1999")
    assert refused.value.facts["scale"] == "wbf-1999"


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("boards", range(1, 65))
def test_every_row_begins_at_a_draw_rises_and_shares_the_whole(name: str, boards: int) -> None:
    scale = scale_named(name)
    if not scale.has_row(boards):
        with pytest.raises(NoRow):
            scale.vps(boards, 0)
        return
    last = scale.vps(boards, 0)
    assert last.winner == last.loser
    for margin in range(150):
        now = scale.vps(boards, margin)
        assert now.winner + now.loser == WHOLE[name]
        assert now.winner >= last.winner
        assert now.winner == now.winner.quantize(Decimal("0.01"))
        last = now
    assert last == VictoryPoints(Decimal(WHOLE[name]), Decimal(0))


@pytest.mark.parametrize("name", SCALES)
def test_a_negative_margin_is_nobodys(name: str) -> None:
    with pytest.raises(ValueError, match="margin"):
        scale_named(name).vps(8 if name != "ebu-half-10" else 4, -1)


@pytest.mark.parametrize(
    ("boards", "first_margins"),
    [
        (8, [0, 1, 4, 7, 10, 13, 17, 21, 26, 31, 39]),
        (12, [0, 2, 5, 8, 12, 16, 20, 25, 31, 38, 47]),
        (16, [0, 2, 5, 9, 13, 18, 23, 29, 36, 44, 54]),
    ],
)
def test_discrete_scale_steps_where_the_regulation_says(boards: int, first_margins: list[int]) -> None:
    for winner, margin in enumerate(first_margins, start=10):
        assert vps("wbf-2013-discrete", boards, margin) == (f"{winner}", f"{20 - winner}")
        if margin:
            assert vps("wbf-2013-discrete", boards, margin - 1) == (f"{winner - 1}", f"{21 - winner}")


def test_discrete_scale_is_not_the_continuous_one_rounded() -> None:
    assert vps("wbf-2013-discrete", 8, 1) == ("11", "9")
    assert vps("wbf-2013-discrete", 8, 15) == ("15", "5")
    assert vps("wbf-2013-discrete", 16, 5) == ("12", "8")
    assert vps("wbf-2013-discrete", 24, 23) == ("15", "5")


def test_on_the_acbl_30_scale_any_win_earns_a_step_more() -> None:
    assert vps("acbl-30", 7, 0) == ("15", "15")
    assert vps("acbl-30", 7, 1) == ("18", "12")
    assert vps("acbl-30", 11, 36) == ("30", "0")


def test_a_length_without_a_row_is_said_with_the_lengths_there_are() -> None:
    with pytest.raises(NoRow, match="no row for 17 boards: it has 5-16, 20, 24, 28, 32, 40, 48, 56, 64"):
        scale_named("wbf-2013-discrete").vps(17, 3)
    assert not scale_named("acbl-20").has_row(12)


@pytest.mark.parametrize("table", [WBF_2013_DISCRETE, ACBL_20, ACBL_30, EBU_HALF_10])
def test_steps_of_typed_tables_rise_strictly(table: object) -> None:
    assert isinstance(table, type(ACBL_20))
    for steps in table.rows.values():
        margins = [step.margin for step in steps]
        assert margins[0] == 0
        assert all(a < b for a, b in pairwise(margins))
        assert all(a.winner < b.winner for a, b in pairwise(steps))


def test_step_names_where_the_next_begins() -> None:
    step, following = WBF_2013_DISCRETE.step(16, 10)
    assert (step.margin, step.winner) == (9, Decimal(13))
    assert following == 13
    assert WBF_2013_DISCRETE.step(16, 60)[1] is None


@pytest.mark.parametrize(
    ("net", "whole"),
    [(7, 7), (-7, -7), (Fraction(5, 2), 3), (Fraction(-5, 2), -3), (Fraction(12, 5), 2), (Fraction(-3, 5), -1)],
)
def test_net_is_rounded_half_away_from_zero(net: int | Fraction, whole: int) -> None:
    assert whole_margin(net) == whole


@given(st.fractions(-500, 500, max_denominator=1000))
def test_rounding_is_odd_and_never_off_by_more_than_a_half(net: Fraction) -> None:
    assert whole_margin(-net) == -whole_margin(net)
    assert abs(whole_margin(net) - net) <= Fraction(1, 2)


def test_discrete_vectors(shared: Path) -> None:
    cases = rows(shared / "vectors" / "vp_wbf_discrete.csv")
    assert len(cases) > 500
    for case in cases:
        found = vps("wbf-2013-discrete", int(case["boards"]), int(case["imp_margin"]))
        assert found == (case["vp_winner"], case["vp_loser"]), case


def test_discrete_table(shared: Path) -> None:
    for case in rows(shared / "vectors" / "table_vp_wbf_discrete.csv"):
        margins = [step.margin for step in WBF_2013_DISCRETE.rows[int(case["boards"])]]
        assert margins == [int(case[f"vp{winner}"]) for winner in range(10, 21)]
    assert len(WBF_2013_DISCRETE.rows) == len(rows(shared / "vectors" / "table_vp_wbf_discrete.csv"))


def test_acbl_vectors_and_tables(shared: Path) -> None:
    for case in rows(shared / "vectors" / "vp_acbl.csv"):
        for boards in run(case["boards"]):
            found = vps(f"acbl-{case['scale']}", boards, int(case["imp_margin"]))
            assert found == (case["vp_winner"], case["vp_loser"]), case
    for case in rows(shared / "vectors" / "table_vp_acbl.csv"):
        last = int(case["margin_max"] or 200)
        for boards in run(case["boards"]):
            for margin in (int(case["margin_min"]), last):
                found = vps(f"acbl-{case['scale']}", boards, margin)
                assert found == (case["vp_winner"], case["vp_loser"]), case


def test_ebu_half_table(shared: Path) -> None:
    for case in rows(shared / "vectors" / "table_vp_ebu_half10.csv"):
        margins = [step.margin for step in EBU_HALF_10.rows[int(case["half_boards"])]]
        assert margins == [int(case[f"vp{winner}"]) for winner in range(5, 11)]

"""Every figure opens to steps that add up to it."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.calls import DENOMINATIONS
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.scoring import PenaltyScale, contract_score
from teams.scales.explanations import explain_imps, explain_vps, score_steps
from teams.scales.imps import ImpScale, imps
from teams.scales.victory_points import NoRow, scale_named


@pytest.mark.parametrize("penalty_scale", PenaltyScale)
def test_steps_add_up_to_the_score_for_every_contract_and_result(penalty_scale: PenaltyScale) -> None:
    grid = product(range(1, 8), DENOMINATIONS, Doubling, (False, True), range(14))
    for level, denomination, doubling, vulnerable, tricks in grid:
        contract = Contract(level, denomination, doubling)
        steps = score_steps(contract, tricks, vulnerable, penalty_scale)
        assert sum(step.points for step in steps) == contract_score(
            contract, tricks, vulnerable, penalty_scale
        ), (str(contract), tricks, vulnerable)
        assert all(step.count > 0 for step in steps)


@pytest.mark.parametrize(
    ("contract", "tricks", "vulnerable", "score"),
    [
        ("7C", 13, False, 1440),
        ("4SX", 6, False, -800),
        ("4SXX", 6, False, -1600),
        ("1NTXX", 8, False, 760),
        ("3NTX", 10, False, 650),
        ("7NT", 13, True, 2220),
        ("4SX", 6, True, -1100),
        ("6SXX", 12, False, 720 + 300 + 500 + 100),
    ],
)
def test_rare_cells_have_their_bonus(contract: str, tricks: int, vulnerable: bool, score: int) -> None:
    """A published scorer had the wrong grand slam bonus for years: only common contracts were tested."""
    steps = score_steps(Contract.parse(contract), tricks, vulnerable)
    assert sum(step.points for step in steps) == score


def test_doubled_undertricks_are_told_in_their_tiers() -> None:
    steps = score_steps(Contract.parse("4SX"), 5, vulnerable=False)
    assert [(step.count, step.each) for step in steps] == [(1, -100), (2, -200), (2, -300)]


def test_imps_are_told_with_their_row() -> None:
    told = explain_imps(-430)
    assert (told.imps, told.least, told.following) == (-10, 430, 500)
    assert explain_imps(9000).following is None


@given(st.integers(-9000, 9000), st.sampled_from(ImpScale))
def test_told_imps_are_the_imps(difference: int, scale: ImpScale) -> None:
    assert explain_imps(difference, scale).imps == imps(difference, scale)


def test_continuous_vps_are_told_with_formula_and_lift() -> None:
    told = explain_vps(scale_named("wbf-2013"), 16, -14)
    assert told.formula is not None
    assert told.row is None
    assert (told.margin, told.formula.blitz) == (14, 60)
    assert (told.formula.rounded, told.formula.lifted) == (Decimal("13.74"), Decimal("0.01"))
    assert abs(told.formula.unrounded - told.formula.rounded) <= Decimal("0.005")
    assert told.vps.winner == told.formula.rounded + told.formula.lifted


def test_table_vps_are_told_with_their_row() -> None:
    told = explain_vps(scale_named("wbf-2013-discrete"), 16, Fraction(25, 2))
    assert (told.margin, told.row, told.formula) == (13, (13, 18), None)
    assert told.vps.winner == 14


def test_no_row_no_explanation() -> None:
    with pytest.raises(NoRow):
        explain_vps(scale_named("acbl-20"), 16, 3)

"""How a figure comes about, step by step, so that a page can open every number to its arithmetic.

The steps are told apart from the scorer in ``broadcast.bridge.scoring``; the tests hold both together over
every contract, doubling, vulnerability and result. Steps carry codes and values, never sentences.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from broadcast.bridge.calls import Denomination
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.scoring import PenaltyScale
from teams.scales.imps import ImpScale, difference_range, imps
from teams.scales.step_scale import StepScale
from teams.scales.vp_scale import VictoryPoints, VpScale, whole_margin
from teams.scales.wbf_continuous import WbfContinuous, blitz, formula, rounded

_FOUR_PLACES = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """One addend of a score: so many times so much, doubled or redoubled where ``factor`` is 2 or 4.

    Codes: ``odd_tricks first_notrump part_score game small_slam grand_slam doubled_made redoubled_made
    overtricks undertricks``.
    """

    code: str
    count: int
    each: int
    """Score points of one, before the factor; negative for undertricks."""
    factor: int = 1

    @property
    def points(self) -> int:
        return self.count * self.each * self.factor


def score_steps(
    contract: Contract,
    tricks: int,
    vulnerable: bool,
    penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987,
) -> tuple[ScoreStep, ...]:
    """The addends of declarer's side's score, in the order of Law 77.

    >>> [(step.code, step.points) for step in score_steps(Contract.parse("3NT"), 10, vulnerable=True)]
    [('odd_tricks', 90), ('first_notrump', 10), ('game', 500), ('overtricks', 30)]
    """
    over = tricks - contract.tricks_needed
    if over < 0:
        return _down(-over, contract.doubling, vulnerable, penalty_scale)
    factor = contract.doubling.factor
    each = 20 if contract.denomination in (Denomination.CLUBS, Denomination.DIAMONDS) else 30
    steps = [ScoreStep("odd_tricks", contract.level, each, factor)]
    if contract.denomination is Denomination.NOTRUMP:
        steps.append(ScoreStep("first_notrump", 1, 10, factor))
    if sum(step.points for step in steps) >= 100:
        steps.append(ScoreStep("game", 1, 500 if vulnerable else 300))
    else:
        steps.append(ScoreStep("part_score", 1, 50))
    if contract.level == 6:
        steps.append(ScoreStep("small_slam", 1, 750 if vulnerable else 500))
    if contract.level == 7:
        steps.append(ScoreStep("grand_slam", 1, 1500 if vulnerable else 1000))
    if contract.doubling is Doubling.DOUBLED:
        steps.append(ScoreStep("doubled_made", 1, 50))
        each = 200 if vulnerable else 100
    if contract.doubling is Doubling.REDOUBLED:
        steps.append(ScoreStep("redoubled_made", 1, 50 if penalty_scale is PenaltyScale.SINCE_1963 else 100))
        each = 400 if vulnerable else 200
    if over:
        steps.append(ScoreStep("overtricks", over, each))
    return tuple(steps)


def _down(
    undertricks: int, doubling: Doubling, vulnerable: bool, penalty_scale: PenaltyScale
) -> tuple[ScoreStep, ...]:
    if doubling is Doubling.NONE:
        return (ScoreStep("undertricks", undertricks, -100 if vulnerable else -50),)
    tiers: tuple[tuple[int, int], ...]
    if vulnerable:
        tiers = ((1, 200), (12, 300))
    elif penalty_scale is PenaltyScale.SINCE_1987:
        tiers = ((1, 100), (2, 200), (10, 300))
    else:
        tiers = ((1, 100), (12, 200))
    steps = []
    for most, each in tiers:
        count = min(undertricks, most)
        if count:
            steps.append(ScoreStep("undertricks", count, -each, doubling.factor // 2))
        undertricks -= count
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class ImpExplanation:
    difference: int
    imps: int
    scale: ImpScale
    least: int
    """The smallest difference worth so many IMPs, without sign."""
    following: int | None
    """The difference that is worth one more; ``None`` at the top of the scale."""


def explain_imps(difference: int, scale: ImpScale = ImpScale.SINCE_1962) -> ImpExplanation:
    """Which row of the IMP scale a difference in score points falls into."""
    swing = imps(difference, scale)
    least, following = difference_range(abs(swing), scale)
    return ImpExplanation(difference, swing, scale, least, following)


@dataclass(frozen=True, slots=True)
class VpExplanation:
    scale: str
    boards: int
    net: Fraction
    """Net IMPs as given, fractional after a weighted score."""
    margin: int
    """The winner's whole margin that entered the scale."""
    vps: VictoryPoints
    row: tuple[int, int | None] | None = None
    """Of a table of steps: the margin where the row begins and where the next does."""
    formula: "FormulaExplanation | None" = None
    """Of the continuous scale."""


@dataclass(frozen=True, slots=True)
class FormulaExplanation:
    """The WBF formula for one cell of the continuous scale."""

    blitz: int
    """The margin that wins all."""
    unrounded: Decimal
    """The formula's value to four decimals."""
    rounded: Decimal
    """The same in two decimals."""
    lifted: Decimal
    """What the published table adds, so that no further IMP is worth more than the one before; mostly 0."""


def explain_vps(scale: VpScale, boards: int, net: int | Fraction) -> VpExplanation:
    """How net IMPs over so many boards become VPs; the sign of ``net`` does not matter.

    Raises ``NoRow``.
    """
    margin = abs(whole_margin(net))
    vps = scale.vps(boards, margin)
    row = None
    cell = None
    if isinstance(scale, StepScale):
        step, following = scale.step(boards, margin)
        row = step.margin, following
    elif isinstance(scale, WbfContinuous):
        plain = Decimal(rounded(boards, margin)).scaleb(-2)
        cell = FormulaExplanation(
            blitz(boards),
            formula(boards, margin).quantize(_FOUR_PLACES, ROUND_HALF_UP),
            plain,
            vps.winner - plain,
        )
    return VpExplanation(scale.name, boards, Fraction(net), margin, vps, row, cell)

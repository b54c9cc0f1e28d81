"""The World Bridge Federation's continuous 20 VP scale of 2013, to two decimals, for any number of boards.

Source: World Bridge Federation, "WBF VP Scales" (2013). With R = sqrt(5) - 2 and B = 15 * sqrt(boards) the
winner by m IMPs has 10 + 10 * (1 - R^(m/B)) / (1 - R), rounded half up to hundredths, and 20 from m = B on.
Rounding makes some steps larger than the one before; the published tables lift those entries until every
further IMP is worth no more than the last. The loser has the rest of 20, so that no second rounding can leave a
hundredth over.

The lifted table is the least concave one not below the rounded one, so the order of lifting does not matter.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from math import isqrt

from teams.scales.vp_scale import NoRow, VictoryPoints, refuse_negative

MOST_BOARDS = 1000
"""The formula knows no end; this is far past the longest match and keeps tables small."""

_DIGITS = 40
_HUNDREDTH = Decimal("0.01")
_TWENTY = 2000


@dataclass(frozen=True, slots=True)
class WbfContinuous:
    name: str = "wbf-2013"

    def has_row(self, boards: int) -> bool:
        return 1 <= boards <= MOST_BOARDS

    def vps(self, boards: int, margin: int) -> VictoryPoints:
        refuse_negative(margin)
        if not self.has_row(boards):
            raise NoRow(
                f"The scale {self.name} counts 1 to {MOST_BOARDS} boards, not {boards}",
                scale=self.name,
                boards=boards,
            )
        table = hundredths(boards)
        winner = table[min(margin, len(table) - 1)]
        return VictoryPoints(_vps(winner), _vps(_TWENTY - winner))


def blitz(boards: int) -> int:
    """The smallest margin in IMPs that wins 20-0: 15 * sqrt(boards), rounded up.

    >>> [blitz(n) for n in (8, 12, 16, 20, 24, 32)]
    [43, 52, 60, 68, 74, 85]
    """
    return isqrt(225 * boards - 1) + 1


def formula(boards: int, margin: int) -> Decimal:
    """The winner's VPs by the formula alone, unrounded (40 digits), 20 from the blitz on."""
    if margin >= blitz(boards):
        return Decimal(20)
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = Decimal(5).sqrt() - 2
        reach = 15 * Decimal(boards).sqrt()
        return 10 + 10 * (1 - ratio ** (margin / reach)) / (1 - ratio)


@lru_cache(maxsize=256)
def hundredths(boards: int) -> tuple[int, ...]:
    """The winner's VPs in hundredths for margins 0, 1, 2 ... up to the blitz, after lifting."""
    table = [rounded(boards, margin) for margin in range(blitz(boards) + 1)]
    lifted = True
    while lifted:
        lifted = False
        for i in range(1, len(table) - 1):
            if table[i + 1] - table[i] > table[i] - table[i - 1]:
                table[i] += 1
                lifted = True
    return tuple(table)


def rounded(boards: int, margin: int) -> int:
    """The formula's value in hundredths, rounded half up, before lifting."""
    return int(formula(boards, margin).quantize(_HUNDREDTH, ROUND_HALF_UP).scaleb(2))


def _vps(in_hundredths: int) -> Decimal:
    return Decimal(in_hundredths).scaleb(-2)

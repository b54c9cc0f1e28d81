"""The World Bridge Federation's continuous 20 VP scale of 2013, to two decimals, for any number of boards.

Source: World Bridge Federation, "WBF VP Scales" (2013). With R = sqrt(5) - 2 and B = 15 * sqrt(boards) the
winner by m IMPs has 10 + 10 * (1 - R^(m/B)) / (1 - R), rounded half up to hundredths, and 20 from m = B on.
Rounding makes some steps larger than the one before; the published tables lift those entries until every
further IMP is worth no more than the last. The loser has the rest of 20, so that no second rounding can leave a
hundredth over.

The lifted table is the least concave one not below the rounded one, so the order of lifting does not matter.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import lru_cache
from math import isqrt

from teams.scales.vp_scale import NoRow, VictoryPoints, refuse_negative

MOST_BOARDS = 1000
"""The formula knows no end; this is far past the longest match and keeps tables small."""

_CONTEXT = Context(prec=40)
_HUNDREDTH = Decimal("0.01")
_TWENTY = 2000
_RATIO = _CONTEXT.subtract(_CONTEXT.sqrt(Decimal(5)), Decimal(2))
"""R of the formula."""


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
    with localcontext(_CONTEXT):
        return 10 + 10 * (1 - _root(boards) ** margin) / (1 - _RATIO)


@lru_cache(maxsize=256)
def hundredths(boards: int) -> tuple[int, ...]:
    """The winner's VPs in hundredths for margins 0, 1, 2 ... up to the blitz, after lifting."""
    with localcontext(_CONTEXT):
        # 1000 + 1000 * (1 - root^m) / (1 - R) and a half, cut to whole hundredths; one product for each margin.
        share = 1000 / (1 - _RATIO)
        top, root = share + Decimal("1000.5"), _root(boards)
        table = []
        for _ in range(blitz(boards)):
            table.append(int(top - share))
            share *= root
    table.append(_TWENTY)
    place = 1
    while place < len(table) - 1:
        if table[place + 1] - table[place] > table[place] - table[place - 1]:
            table[place] += 1
            # The step before has grown: look at it again.
            place = max(1, place - 1)
        else:
            place += 1
    return tuple(table)


def rounded(boards: int, margin: int) -> int:
    """The formula's value in hundredths, rounded half up, before lifting."""
    return int(formula(boards, margin).quantize(_HUNDREDTH, ROUND_HALF_UP).scaleb(2))


def _root(boards: int) -> Decimal:
    """R^(1/B), whose m-th power stands in the formula; in the context's precision."""
    return _RATIO ** (1 / (15 * Decimal(boards).sqrt()))


def _vps(in_hundredths: int) -> Decimal:
    return Decimal(in_hundredths).scaleb(-2)

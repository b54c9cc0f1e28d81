"""International match points: the difference of a board's two scores as IMPs (Laws 2017, Law 78B).

Two scales: that of 1962, which is today's, and that of 1948 for matches played under it.
"""

from bisect import bisect_right
from enum import StrEnum
from fractions import Fraction


class ImpScale(StrEnum):
    SINCE_1962 = "1962"
    SINCE_1948 = "1948"


LOWER_BOUNDS = {
    # Law 78B; the difference that earns 1, 2, 3 ... IMPs.
    ImpScale.SINCE_1962: (
        *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
        *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
    ),
    # The European Bridge League's scale of 1948, as the world championships of the fifties were scored.
    ImpScale.SINCE_1948: (20, 70, 140, 220, 350, 500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 3500, 4000),
}
"""Smallest difference in score points for 1, 2, 3 ... IMPs."""


def imps(difference: int | Fraction, scale: ImpScale = ImpScale.SINCE_1962) -> int:
    """IMPs for a difference in score points, with its sign; 0 below the first bound.

    Differences that are not multiples of ten (a weighted or average score) use the same bounds.

    >>> imps(430), imps(-3020), imps(10)
    (10, -22, 0)
    """
    # Bounds are whole numbers, so what stands behind the point never decides.
    size = bisect_right(LOWER_BOUNDS[scale], int(abs(Fraction(difference))))
    return size if difference >= 0 else -size


def difference_range(size: int, scale: ImpScale = ImpScale.SINCE_1962) -> tuple[int, int | None]:
    """The differences worth ``size`` IMPs: the smallest, and the first that is worth more.

    The second is ``None`` for the largest swing. Raises ``IndexError`` for a swing the scale does not have.

    >>> difference_range(10), difference_range(24)
    ((430, 500), (4000, None))
    """
    bounds = (0, *LOWER_BOUNDS[scale])
    if not 0 <= size < len(bounds):
        raise IndexError(f"the scale of {scale} has no swing of {size} IMPs")
    return bounds[size], bounds[size + 1] if size + 1 < len(bounds) else None

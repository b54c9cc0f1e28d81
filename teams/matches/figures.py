"""Exact figures as the JSON numbers of the public interface: whole where they are, else to two decimals."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

_HUNDREDTH = Decimal("0.01")


def number(figure: Fraction | Decimal) -> int | float:
    """A figure to two decimals, half away from zero, as an integer where it is one.

    >>> number(Fraction(7)), number(Fraction(-15, 2)), number(Fraction(1, 8)), number(Decimal("12.80"))
    (7, -7.5, 0.13, 12.8)
    """
    exact = Fraction(figure)
    if exact.denominator == 1:
        return int(exact)
    decimal = Decimal(exact.numerator) / Decimal(exact.denominator)
    return float(decimal.quantize(_HUNDREDTH, ROUND_HALF_UP))

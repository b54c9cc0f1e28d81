"""What every victory point scale answers, and the errors it may answer with.

A scale turns the winner's margin in IMPs and the number of boards that were counted into VPs of the winner and
the loser. VPs are ``Decimal`` with two places; nothing here is ever a float.
"""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Protocol


@dataclass(frozen=True, slots=True)
class VictoryPoints:
    """VPs of both sides, two decimals each. A drawn match has equal figures."""

    winner: Decimal
    loser: Decimal


class ScaleError(ValueError):
    """A scale that cannot answer, or is none.

    ::

        ScaleError
        ├── UnknownScale   no scale of that name
        ├── NoRow          the scale says nothing about a match of that length
        └── BadScale       an organiser's table that is no scale
    """

    code = "scale"

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts


class UnknownScale(ScaleError):
    code = "unknown_scale"


class NoRow(ScaleError):
    code = "no_row"


class BadScale(ScaleError):
    code = "bad_scale"


class VpScale(Protocol):
    @property
    def name(self) -> str:
        """The name stored with a match; it names the table's edition too."""
        ...

    def has_row(self, boards: int) -> bool:
        """Whether the scale says anything about a match of so many boards."""
        ...

    def vps(self, boards: int, margin: int) -> VictoryPoints:
        """VPs for winning by ``margin`` IMPs (0 for a draw) over so many boards.

        Raises ``NoRow`` where the scale has no row for that length, ``ValueError`` for a negative margin.
        """
        ...


def whole_margin(net: int | Fraction) -> int:
    """Net IMPs as the whole number that enters the table: rounded once, half away from zero.

    Weighted scores give fractional IMPs. The sign stays.

    >>> whole_margin(Fraction(5, 2)), whole_margin(Fraction(-5, 2)), whole_margin(Fraction(12, 5))
    (3, -3, 2)
    """
    size = (2 * abs(Fraction(net)) + 1) // 2
    return int(size) if net >= 0 else -int(size)


def refuse_negative(margin: int) -> None:
    """Raise ``ValueError`` for a margin below zero: the winner's margin is asked for."""
    if margin < 0:
        raise ValueError(f"the winner's margin cannot be {margin}")

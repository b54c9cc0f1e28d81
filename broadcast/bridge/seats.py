"""The four seats and the two sides of a table (Law 1 and the preamble of Law 2).

Seats stand clockwise: North, East, South, West. Values are the codes of the public interface.
"""

from enum import StrEnum


class Side(StrEnum):
    """A partnership by its direction."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> "Side":
        return Side.EW if self is Side.NS else Side.NS


class Seat(StrEnum):
    N = "N"
    E = "E"
    S = "S"
    W = "W"

    __hash__ = str.__hash__

    @property
    def left(self) -> "Seat":
        """Left-hand opponent: the next to call or play."""
        return _LEFT[self]

    @property
    def partner(self) -> "Seat":
        return _LEFT[_LEFT[self]]

    @property
    def right(self) -> "Seat":
        return _LEFT[_LEFT[_LEFT[self]]]

    @property
    def side(self) -> Side:
        return _SIDE[self]

    def is_partner_of(self, other: "Seat") -> bool:
        return self is not other and _SIDE[self] is _SIDE[other]

    @property
    def word(self) -> str:
        """The English word for messages: ``North``."""
        return _WORDS[self]


_LEFT = {Seat.N: Seat.E, Seat.E: Seat.S, Seat.S: Seat.W, Seat.W: Seat.N}
_SIDE = {Seat.N: Side.NS, Seat.S: Side.NS, Seat.E: Side.EW, Seat.W: Side.EW}
_WORDS = {Seat.N: "North", Seat.E: "East", Seat.S: "South", Seat.W: "West"}

SEATS = (Seat.N, Seat.E, Seat.S, Seat.W)


def clockwise_from(first: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four seats in order of play, ``first`` leading."""
    return first, first.left, first.partner, first.right

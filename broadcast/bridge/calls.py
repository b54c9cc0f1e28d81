"""Calls: the 35 bids, pass, double and redouble (Law 17 to 20), and denominations.

Values are the codes of the public interface and of PBN.
"""

from enum import StrEnum

from broadcast.bridge.cards import Suit
from broadcast.bridge.errors import BadNotation


class Denomination(StrEnum):
    """A suit or notrump, lowest first (Law 18E)."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "NT"

    @property
    def trump(self) -> Suit | None:
        """The trump suit, ``None`` at notrump."""
        return None if self is Denomination.NOTRUMP else Suit(self.value)


DENOMINATIONS = tuple(Denomination)


class Call(StrEnum):
    """One of the 38 calls."""

    PASS = "Pass"  # noqa: S105 (the call, not a password)
    X = "X"
    XX = "XX"
    C1 = "1C"
    D1 = "1D"
    H1 = "1H"
    S1 = "1S"
    NT1 = "1NT"
    C2 = "2C"
    D2 = "2D"
    H2 = "2H"
    S2 = "2S"
    NT2 = "2NT"
    C3 = "3C"
    D3 = "3D"
    H3 = "3H"
    S3 = "3S"
    NT3 = "3NT"
    C4 = "4C"
    D4 = "4D"
    H4 = "4H"
    S4 = "4S"
    NT4 = "4NT"
    C5 = "5C"
    D5 = "5D"
    H5 = "5H"
    S5 = "5S"
    NT5 = "5NT"
    C6 = "6C"
    D6 = "6D"
    H6 = "6H"
    S6 = "6S"
    NT6 = "6NT"
    C7 = "7C"
    D7 = "7D"
    H7 = "7H"
    S7 = "7S"
    NT7 = "7NT"

    __hash__ = str.__hash__

    @property
    def is_bid(self) -> bool:
        return self in _HEIGHT

    @property
    def level(self) -> int:
        """Odd tricks bid, 1 to 7. Only a bid has one."""
        return int(self.value[0])

    @property
    def denomination(self) -> Denomination:
        """What a bid proposes to play in. Only a bid has one."""
        return Denomination(self.value[1:])

    @property
    def height(self) -> int:
        """A bid's place among the 35, from 0 for 1C to 34 for 7NT."""
        return _HEIGHT[self]

    @classmethod
    def bid(cls, level: int, denomination: Denomination) -> "Call":
        return cls(f"{level}{denomination}")

    @classmethod
    def parse(cls, text: str) -> "Call":
        """Read a call as people and files write it: ``1NT``, ``1n``, ``p``, ``Pass``, ``X``, ``dbl``, ``R``.

        Raises ``BadNotation``.
        """
        code = text.strip().upper()
        if code in _SPELLINGS:
            return _SPELLINGS[code]
        raise BadNotation(f"{text!r} is not a call: write Pass, X, XX or a bid like 1NT", text=text)


BIDS = tuple(call for call in Call if call.value[0].isdigit())
"""The 35 bids from 1C to 7NT."""

_HEIGHT = {bid: height for height, bid in enumerate(BIDS)}
_SPELLINGS = (
    {call.value.upper(): call for call in Call}
    | {f"{level}N": Call.bid(level, Denomination.NOTRUMP) for level in range(1, 8)}
    | {"P": Call.PASS, "D": Call.X, "DBL": Call.X, "DOUBLE": Call.X}
    | {"R": Call.XX, "RDBL": Call.XX, "REDOUBLE": Call.XX}
)

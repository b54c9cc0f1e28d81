"""A contract: level, denomination and whether it is doubled (Law 77's terms). The declarer stands apart."""

import re
from dataclasses import dataclass
from enum import StrEnum

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.errors import BadNotation


class Doubling(StrEnum):
    NONE = ""
    DOUBLED = "X"
    REDOUBLED = "XX"

    @property
    def factor(self) -> int:
        """1, 2 or 4."""
        return {"": 1, "X": 2, "XX": 4}[self.value]


_PATTERN = re.compile(r"([1-7])\s*(NT?|[SHDC])\s*(XX?|)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Contract:
    level: int
    """Odd tricks to be made, 1 to 7."""
    denomination: Denomination
    doubling: Doubling = Doubling.NONE

    @property
    def tricks_needed(self) -> int:
        return 6 + self.level

    @property
    def bid(self) -> Call:
        return Call.bid(self.level, self.denomination)

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}{self.doubling}"

    @classmethod
    def parse(cls, text: str) -> "Contract":
        """Read ``4SX``, ``3NT`` or ``3N``. Raises ``BadNotation``.

        >>> str(Contract.parse("3nxx"))
        '3NTXX'
        """
        found = _PATTERN.fullmatch(text.strip())
        if not found:
            raise BadNotation(f"{text!r} is not a contract: write it like 4SX or 3NT", text=text)
        level, strain, doubling = found.groups()
        strain = strain.upper()
        return cls(int(level), Denomination("NT" if strain == "N" else strain), Doubling(doubling.upper()))

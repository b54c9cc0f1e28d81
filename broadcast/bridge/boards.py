"""What a board's number says: dealer and vulnerability (Law 2)."""

from enum import StrEnum

from broadcast.bridge.seats import SEATS, Seat, Side


class Vulnerability(StrEnum):
    NONE = "None"
    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"
    ALL = "All"

    def includes(self, side: Side) -> bool:
        """Whether the side is vulnerable."""
        return self is Vulnerability.ALL or self.value == side.value


_CYCLE = (Vulnerability.NONE, Vulnerability.NORTH_SOUTH, Vulnerability.EAST_WEST, Vulnerability.ALL)


def dealer_of(number: int) -> Seat:
    """Dealer of a board by its number from 1: North, East, South, West in turn (Law 2)."""
    return SEATS[(number - 1) % 4]


def vulnerability_of(number: int) -> Vulnerability:
    """Vulnerability of a board by its number from 1, repeating every sixteen (Law 2).

    >>> [vulnerability_of(n).value for n in (1, 2, 3, 4, 5, 16)]
    ['None', 'NS', 'EW', 'All', 'NS', 'EW']
    """
    index = (number - 1) % 16
    return _CYCLE[(index + index // 4) % 4]

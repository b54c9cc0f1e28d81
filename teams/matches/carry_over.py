"""IMPs brought into a match from earlier, and the boards over which they were won."""

from fractions import Fraction

from broadcast.bridge.rooms import Team
from broadcast.tables.setup import CarryOver


def carried_imps(carry_over: CarryOver, side: Team) -> Fraction:
    """The IMPs a side brings in."""
    return Fraction(carry_over.home if side is Team.HOME else carry_over.visitors)


def carried_boards(carry_over: CarryOver) -> int | None:
    """Over how many boards the carry-over was won; ``None`` where it has IMPs and nobody says over how many.

    VPs depend on the number of boards, so such a carry-over leaves a match without VPs.
    """
    if carry_over.boards:
        return carry_over.boards
    return None if carry_over.home or carry_over.visitors else 0

"""What a table may let stand although the laws forbid it; recorded, marked, never silent."""

from enum import StrEnum


class Irregularity(StrEnum):
    INSUFFICIENT = "insufficient"
    """A bid not above the last one, accepted by the next player (Law 27A)."""
    OUT_OF_TURN = "out_of_turn"
    """A call, lead or play not in turn, accepted (Laws 28-32, 53-57)."""
    REVOKE = "revoke"
    """A card of another suit by a player who could follow (Laws 61-64)."""

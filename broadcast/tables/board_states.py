"""What a board in a room can be: exactly one of seven.

Unknown stays unknown; zero is a score, not an absence.
"""

from dataclasses import dataclass

from broadcast.bridge.results import BoardResult


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """Not opened, or opened and skipped before anything was entered."""

    code = "not_played"


@dataclass(frozen=True, slots=True)
class InPlay:
    code = "in_play"


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """Thirteen tricks were played, or the result was entered."""

    result: BoardResult
    source: str
    code = "played"


@dataclass(frozen=True, slots=True)
class Claimed:
    result: BoardResult
    source: str
    code = "claimed"


@dataclass(frozen=True, slots=True)
class PassedOut:
    result: BoardResult
    source: str
    code = "passed_out"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A director's award stands in place of the room's own result."""

    result: BoardResult | None
    """The table's own result where it had one."""
    source: str
    code = "adjusted"


@dataclass(frozen=True, slots=True)
class Cancelled:
    code = "cancelled"


Ending = PlayedOut | Claimed | PassedOut
"""How a table itself finished a board."""

BoardState = NotPlayed | InPlay | Ending | Adjusted | Cancelled


def is_final(state: BoardState) -> bool:
    """Whether the board counts as finished in that room."""
    return not isinstance(state, NotPlayed | InPlay)

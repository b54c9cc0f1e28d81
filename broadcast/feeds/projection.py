"""What is derived from a match's two rooms, and who derives it.

``broadcast`` shows the rooms; what a board is worth when they are compared is not its business. It declares
here what a projection is, a pure fold over released events; ``teams`` fulfils it and ``server.py`` plugs it
in. The same projection folded over the whole log is the director's view.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from broadcast.feeds.streams import Consequence, PublicEvent
from broadcast.tables.events import BoardKey, MatchEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState


@dataclass(frozen=True, slots=True)
class Derived:
    """What one released event leads to."""

    held: Any
    """The projection's own state afterwards: any immutable value."""
    events: tuple[PublicEvent, ...] = ()
    """``comparison`` events, to follow the event itself in the feed."""
    worth: dict[str, Any] | None = None
    """Data of a ``worth`` message (segment, board, room, outcomes) where it changed; outcomes may be empty."""
    outcome: dict[str, Any] | None = None
    """For the closing of a challenge: how it ended, shown in ``closed``."""
    consequences: tuple[Consequence, ...] = ()


class Projection(Protocol):
    def start(self, match: MatchState, id: str) -> Any:
        """The projection's state just after the match with this id was created."""

    def step(self, held: Any, before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]) -> Derived:
        """Fold one event; ``before`` and ``after`` are the match round it."""

    def totals(self, held: Any, match: MatchState) -> dict[str, Any]:
        """The match's ``totals`` member of the public interface."""

    def board(self, held: Any, key: BoardKey) -> dict[str, Any]:
        """A board's ``imps_home imps_visitors pending held`` and ``worth`` (``{room, outcomes}`` or null)."""


class NoProjection:
    """Rooms without comparison: nothing is derived."""

    def start(self, match: MatchState, id: str) -> None:
        return None

    def step(
        self, held: None, before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]
    ) -> Derived:
        return Derived(None)

    def totals(self, held: None, match: MatchState) -> dict[str, Any]:
        return {}

    def board(self, held: None, key: BoardKey) -> dict[str, Any]:
        return {"imps_home": None, "imps_visitors": None, "pending": "not_played", "held": None, "worth": None}

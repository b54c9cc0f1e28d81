"""What is agreed before a match: teams, segments, scales, and when boards are released."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat


class ReleaseRule(StrEnum):
    BOARD = "board"
    """A board is released when every room due to play it has finished it. The default."""
    MATCH = "match"
    """All is released when the match is closed."""
    DELAY = "delay"
    """Every entry after a number of seconds."""
    LIVE = "live"
    """At once."""


@dataclass(frozen=True, slots=True)
class Release:
    rule: ReleaseRule = ReleaseRule.BOARD
    seconds: int = 0
    """Delay in seconds, 0 but for ``delay``."""


@dataclass(frozen=True, slots=True)
class TeamName:
    """A team as the match shows it. ``id`` is the team's own, or ``None`` for a free name."""

    name: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class PlayerName:
    name: str
    id: str | None = None


Lineup = Mapping[Seat, PlayerName]
"""Who sits where at one table; seats not yet named are absent."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive boards played with one seating. Board numbers may restart in each segment."""

    number: int
    title: str
    first: int
    last: int
    ns_open: Team
    """The team that sits North-South in the open room and East-West in the closed."""
    lineups: Mapping[Room, Lineup] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CarryOver:
    """IMPs brought in from earlier, and over how many boards they were won (``None``: not known)."""

    home: int = 0
    visitors: int = 0
    boards: int | None = 0


@dataclass(frozen=True, slots=True)
class VideoStream:
    """Pictures or voices of the match elsewhere, which its page links to."""

    title: str
    url: str
    """Begins with ``https://``."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """The ladder challenge that a match decides."""

    ladder: str
    id: str
    needs_lineups: bool = False
    """Whether a team that has named no line-up loses, so that both are named before play."""

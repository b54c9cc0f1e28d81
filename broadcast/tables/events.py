"""The facts of a match: everything that happens in its two rooms and at the director's desk.

Past tense, one fact each. What can be derived (the contract, who won a trick, a score, IMPs, the status) is
folded from these and never stored. Names and versions in storage are ``broadcast.storage.event_codec``'s.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import Seat
from broadcast.tables.awards import Award
from broadcast.tables.setup import CarryOver, Challenge, PlayerName, Release, Segment, TeamName, VideoStream


class BoardKey(NamedTuple):
    """Identity of a board in its match; numbers may restart in each segment."""

    segment: int
    number: int

    def __str__(self) -> str:
        return f"{self.segment}.{self.number}"


# --- the match -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchCreated:
    title: str
    home: TeamName
    visitors: TeamName
    segments: tuple[Segment, ...]
    scale: str
    imp_scale: str
    penalty_scale: PenaltyScale
    carry_over: CarryOver
    release: Release
    correction_minutes: int
    no_devices: bool = False
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """By ``segment.number``; shut until the board is opened in a room. Empty where deals are typed."""
    challenge: Challenge | None = None
    imported: bool = False
    starts_at: datetime | None = None
    """In UTC, where a date was agreed."""
    language: str | None = None
    """Of the commentary, as a code like ``en``."""
    streams: tuple[VideoStream, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The first entry of the match was made; public at once whatever the release rule."""


@dataclass(frozen=True, slots=True)
class ReleaseChanged:
    release: Release
    reason: str


@dataclass(frozen=True, slots=True)
class LineupNamed:
    segment: int
    room: Room
    seats: Mapping[Seat, PlayerName]
    publish: bool = False


@dataclass(frozen=True, slots=True)
class SegmentAdded:
    """Extra boards: a match that ended level goes on."""

    segment: Segment
    reason: str
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """By ``segment.number``; shut until the board is opened in a room. Empty where deals are typed."""


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    side: Team
    unit: str
    """``imps`` or ``vps``."""
    amount: float
    reason: str


@dataclass(frozen=True, slots=True)
class AlarmCleared:
    alarm: str
    reason: str
    agreed: tuple[str, ...] = ()
    """Both captains, as the log names them, where they cleared it together. Nobody where a director did: the
    record names them.
    """


@dataclass(frozen=True, slots=True)
class ScoreDisputed:
    """A captain does not agree with the score of a board (Law 79C); it holds the match open."""

    key: BoardKey
    reason: str


@dataclass(frozen=True, slots=True)
class MatchClosed:
    reason: str
    """``complete``, ``confirmed``, ``imported_record``, or the director's words."""


@dataclass(frozen=True, slots=True)
class MatchReopened:
    reason: str


@dataclass(frozen=True, slots=True)
class MatchVoided:
    reason: str


# --- one board in one room -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoardOpened:
    key: BoardKey
    room: Room
    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal | None = None
    """``None`` only where nobody knows the deal and just a result will be entered."""
    players: Mapping[Seat, PlayerName] = field(default_factory=dict)
    reason: str | None = None
    """Why out of order or again."""


@dataclass(frozen=True, slots=True)
class BoardSkipped:
    key: BoardKey
    room: Room
    reason: str


@dataclass(frozen=True, slots=True)
class CallMade:
    key: BoardKey
    room: Room
    seat: Seat
    call: Call
    alert: bool = False
    explanation: str | None = None
    irregular: Irregularity | None = None


@dataclass(frozen=True, slots=True)
class CallExplained:
    key: BoardKey
    room: Room
    call_index: int
    """From 0."""
    alert: bool
    explanation: str | None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    key: BoardKey
    room: Room
    seat: Seat
    card: Card
    irregular: Irregularity | None = None


@dataclass(frozen=True, slots=True)
class ClaimMade:
    key: BoardKey
    room: Room
    seat: Seat
    tricks: int
    """Declarer's total."""


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    key: BoardKey
    room: Room
    accepted: bool


@dataclass(frozen=True, slots=True)
class EntriesUndone:
    """Everything after so many calls and cards is withdrawn; a claim or result after them falls too."""

    key: BoardKey
    room: Room
    calls: int
    cards: int


@dataclass(frozen=True, slots=True)
class ResultEntered:
    key: BoardKey
    room: Room
    result: BoardResult
    source: str
    """``table``, ``operator``, ``imported`` or ``director``."""


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    key: BoardKey
    room: Room
    result: BoardResult
    reason: str


@dataclass(frozen=True, slots=True)
class ResultChecked:
    """A second pair of eyes confirms the result that stands."""

    key: BoardKey
    room: Room


@dataclass(frozen=True, slots=True)
class ResultDoubted:
    """A second pair of eyes says that the result that stands is wrong: for the director, never public."""

    key: BoardKey
    room: Room
    reason: str


# --- the clock of a room ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Neutral time begins in the room: nobody is thinking. The next call or card ends it, too."""

    room: Room
    reason: str


@dataclass(frozen=True, slots=True)
class ClockResumed:
    room: Room


@dataclass(frozen=True, slots=True)
class EntryWaited:
    """The entries recorded with it, at the same moment, had waited on a device that had no network."""

    room: Room
    seconds: float
    """As the device tells: between the tap and the sending."""


# --- one board in both rooms -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoardAwarded:
    key: BoardKey
    award: Award
    reason: str


@dataclass(frozen=True, slots=True)
class BoardCancelled:
    key: BoardKey
    reason: str


@dataclass(frozen=True, slots=True)
class RulingLifted:
    """An award or a cancellation stands no more: the board counts as the tables left it."""

    key: BoardKey
    reason: str


@dataclass(frozen=True, slots=True)
class SeatingSwapped:
    """On this board the teams sat the other way round in both rooms."""

    key: BoardKey
    reason: str


@dataclass(frozen=True, slots=True)
class CommentMade:
    key: BoardKey
    room: Room
    author: str
    language: str
    text: str
    call: int
    card: int
    """The position: so many calls and cards stand."""


RoomEvent = (
    BoardOpened
    | BoardSkipped
    | CallMade
    | CallExplained
    | CardPlayed
    | ClaimMade
    | ClaimAnswered
    | EntriesUndone
    | ResultEntered
    | ResultCorrected
    | ResultChecked
    | ResultDoubted
)
"""What concerns one board in one room."""

Verdict = ResultChecked | ResultDoubted
"""What a second pair of eyes says of a result: it changes nothing at the table."""

ClockEvent = ClockStopped | ClockResumed | EntryWaited
"""What only the clock of a room is about: never public."""

BoardEvent = BoardAwarded | BoardCancelled | RulingLifted | SeatingSwapped
"""Rulings that concern a board in both rooms."""

MatchEvent = (
    RoomEvent
    | BoardEvent
    | CommentMade
    | ClockEvent
    | MatchCreated
    | MatchStarted
    | ReleaseChanged
    | LineupNamed
    | SegmentAdded
    | PenaltyGiven
    | AlarmCleared
    | ScoreDisputed
    | MatchClosed
    | MatchReopened
    | MatchVoided
)


def rooms_of(event: MatchEvent) -> tuple[Room, ...]:
    """The rooms whose sequence the event raises: a room's entries, its rulings, rulings on both rooms.

    A second pair of eyes and the clock overtake no operator's entry.
    """
    if isinstance(event, Verdict):
        return ()
    if isinstance(event, RoomEvent):
        return (event.room,)
    if isinstance(event, BoardEvent):
        return tuple(Room)
    return ()

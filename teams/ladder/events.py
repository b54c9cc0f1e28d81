"""The facts of a ladder, in one log. What follows from them (rungs, limits, immunity) is folded in ``state``.

Moves of rungs are facts of their own: the log says who stood where, so that a movement whose arithmetic is
improved later never rewrites a season.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.setup import PlayerName
from teams.ladder.challenges import Forfeit, Side
from teams.ladder.rules import LadderKind, LadderRules
from teams.ladder.rungs import Move


@dataclass(frozen=True, slots=True)
class LadderCreated:
    name: str
    kind: LadderKind
    rules: LadderRules


@dataclass(frozen=True, slots=True)
class TeamEntered:
    """At the bottom."""

    team: str
    name: str
    captain: str | None
    """Account id; only for the rule of one unrestricted challenge per captain."""
    club: str | None
    unrestricted: bool
    """Has one challenge without regard to the range."""
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RosterChanged:
    team: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TeamRenamed:
    team: str
    name: str


@dataclass(frozen=True, slots=True)
class TeamLeaving:
    """Leaves as soon as its matches in progress are decided."""

    team: str


@dataclass(frozen=True, slots=True)
class TeamLeft:
    """The ranks close: every team below moves up one."""

    team: str
    cause: str = "left"


@dataclass(frozen=True, slots=True)
class TeamRested:
    """Holds its rung and neither challenges nor is challenged."""

    team: str
    until: datetime
    days: int


@dataclass(frozen=True, slots=True)
class RestEnded:
    team: str
    days_left: int
    """Given back of those that were taken."""


@dataclass(frozen=True, slots=True)
class DayCounted:
    """The end of a day of the ladder's club."""

    teams: tuple[str, ...]
    """Those that could have challenged, or left a challenge unanswered, that day."""


@dataclass(frozen=True, slots=True)
class InactivityWarned:
    team: str
    days: int
    """Counted so far."""
    in_days: int
    """Until the ladder acts."""
    fall: int | None
    """By so many rungs; ``None``: off the ladder."""


@dataclass(frozen=True, slots=True)
class TeamSank:
    """For its inactivity; those between move up one."""

    team: str
    days: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class RulesAnnounced:
    """In place of rules that were announced before and do not hold yet."""

    rules: LadderRules
    holds_from: datetime


@dataclass(frozen=True, slots=True)
class RulesChanged:
    rules: LadderRules


@dataclass(frozen=True, slots=True)
class SeasonBegun:
    """The season before it is over."""

    name: str
    ends_at: datetime | None
    order: tuple[str, ...]
    """From rung 1 down, as the season begins."""


@dataclass(frozen=True, slots=True)
class ChallengeIssued:
    challenge: str
    challenger: str
    defender: str
    challenger_rung: int
    defender_rung: int
    lands_on: int
    answer_by: datetime
    unrestricted: bool = False
    boards: int | None = None
    """Proposed for the match; ``None``: as the ladder has it."""


@dataclass(frozen=True, slots=True)
class ChallengeAccepted:
    challenge: str
    match: str | None
    """The match made at once; ``None`` where a date is agreed first."""
    deadline: datetime | None = None
    """For the defender's offer, or for the match's end."""
    boards: int | None = None
    """Agreed for the match; ``None``: as the ladder has it."""


@dataclass(frozen=True, slots=True)
class ChallengeReminded:
    """The side whose step is awaited: at two thirds of its time, and when the grace begins."""

    challenge: str
    side: Side
    ends_at: datetime
    """When the clock ends the challenge."""


@dataclass(frozen=True, slots=True)
class DatesOffered:
    """All that stand: these and what was offered before and has not passed."""

    challenge: str
    dates: tuple[datetime, ...]
    choose_by: datetime | None = None


@dataclass(frozen=True, slots=True)
class DateChosen:
    challenge: str
    date: datetime
    match: str
    late_at: datetime | None = None
    play_by: datetime | None = None
    by_house: bool = False
    """The challenger refused every date that was offered."""


@dataclass(frozen=True, slots=True)
class SeatsNamed:
    challenge: str
    side: Side
    room: Room
    seats: Mapping[Seat, PlayerName]


@dataclass(frozen=True, slots=True)
class PlayBegun:
    """In the challenge's match."""

    challenge: str


@dataclass(frozen=True, slots=True)
class ChallengeDeclined:
    """With a free decline of the season."""

    challenge: str


@dataclass(frozen=True, slots=True)
class ChallengeWithdrawn:
    """By the challenger, before the answer."""

    challenge: str


@dataclass(frozen=True, slots=True)
class ChallengeForfeited:
    challenge: str
    winner: Side
    cause: Forfeit


@dataclass(frozen=True, slots=True)
class ChallengeDecided:
    """The match was closed for everyone. A second one of the same challenge is a ruling that turned it."""

    challenge: str
    match: str
    winner: Side
    imps_challenger: float
    imps_defender: float
    closed_at: datetime


@dataclass(frozen=True, slots=True)
class ChallengeVoided:
    challenge: str
    reason: str
    """A code of ``VoidCause``, or the director's words."""
    counts_as_decline: bool = False
    """It used the defender's free decline."""
    waits_until: datetime | None = None
    """When the challenger may challenge again."""


@dataclass(frozen=True, slots=True)
class RungsMoved:
    """The moves of one decision; they hold as a whole."""

    challenge: str
    moves: tuple[Move, ...]


LadderEvent = (
    LadderCreated
    | TeamEntered
    | RosterChanged
    | TeamRenamed
    | TeamLeaving
    | TeamLeft
    | TeamRested
    | RestEnded
    | DayCounted
    | InactivityWarned
    | TeamSank
    | RulesAnnounced
    | RulesChanged
    | SeasonBegun
    | ChallengeIssued
    | ChallengeAccepted
    | ChallengeReminded
    | DatesOffered
    | DateChosen
    | SeatsNamed
    | PlayBegun
    | ChallengeDeclined
    | ChallengeWithdrawn
    | ChallengeForfeited
    | ChallengeDecided
    | ChallengeVoided
    | RungsMoved
)

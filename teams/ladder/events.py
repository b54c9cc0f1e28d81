"""The facts of a ladder, in one log. What follows from them (rungs, limits, immunity) is folded in ``state``.

Moves of rungs are facts of their own: the log says who stood where, so that a movement whose arithmetic is
improved later never rewrites a season.
"""

from dataclasses import dataclass
from datetime import datetime

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


@dataclass(frozen=True, slots=True)
class ChallengeAccepted:
    challenge: str
    match: str | None
    """The match made at once; ``None`` where a date is agreed first."""


@dataclass(frozen=True, slots=True)
class DatesOffered:
    """In place of what was offered before."""

    challenge: str
    dates: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class DateChosen:
    challenge: str
    date: datetime
    match: str


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


@dataclass(frozen=True, slots=True)
class RungsMoved:
    """The moves of one decision; they hold as a whole."""

    challenge: str
    moves: tuple[Move, ...]


LadderEvent = (
    LadderCreated
    | TeamEntered
    | TeamRenamed
    | TeamLeaving
    | TeamLeft
    | ChallengeIssued
    | ChallengeAccepted
    | DatesOffered
    | DateChosen
    | ChallengeDeclined
    | ChallengeWithdrawn
    | ChallengeForfeited
    | ChallengeDecided
    | ChallengeVoided
    | RungsMoved
)

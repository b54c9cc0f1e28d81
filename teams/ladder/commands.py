"""What captains, directors and closing matches ask of a ladder.

Who may speak for a team is settled before a command is made; the command names the team. Ids of matches and
shuffled deals come in with it: rules know no chance. Match and director commands that arrive twice, or after
the challenge has ended otherwise, change nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from broadcast.bridge.deals import Deal
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.setup import PlayerName
from teams.ladder.rules import LadderKind, LadderRules


@dataclass(frozen=True, slots=True)
class CreateLadder:
    name: str
    kind: LadderKind = LadderKind.TEAMS
    rules: LadderRules = field(default_factory=LadderRules)


@dataclass(frozen=True, slots=True)
class EnterTeam:
    team: str
    name: str
    captain: str | None = None
    club: str | None = None
    players: tuple[str, ...] = ()
    """Ids of its roster."""


@dataclass(frozen=True, slots=True)
class ChangeRoster:
    team: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RenameTeam:
    team: str
    name: str


@dataclass(frozen=True, slots=True)
class LeaveLadder:
    team: str
    at_once: bool = False
    """Without playing out what has begun: a team that is deleted."""


@dataclass(frozen=True, slots=True)
class RestTeam:
    team: str
    days: int


@dataclass(frozen=True, slots=True)
class EndRest:
    team: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    rules: LadderRules
    """The whole regulation as it is to be."""
    holds_from: datetime | None = None
    """``None``: at once."""


@dataclass(frozen=True, slots=True)
class StartSeason:
    """Archive the season and begin the next."""

    name: str
    ends_at: datetime | None = None
    order: tuple[str, ...] | None = None
    """Every team on the ladder from rung 1 down; ``None`` keeps the order."""


@dataclass(frozen=True, slots=True)
class IssueChallenge:
    challenger: str
    opponent: str
    """Team id, never a rung: a page may be older than the last move."""
    ladder_version: int
    """The version the sender looked at."""
    boards: int | None = None
    """Proposed for the match; ``None``: as the ladder has it."""
    promised: str | None = None
    """What a win and a loss were seen to mean (``Allowed.code``): while it holds an older version is good."""


@dataclass(frozen=True, slots=True)
class AcceptChallenge:
    challenge: str
    team: str
    match: str
    """Id for the match if acceptance makes one."""
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """Shuffled, by ``1.number``, for ladders with random deals."""
    boards: int | None = None
    """The number proposed, or the ladder's own; ``None`` agrees to what is proposed."""


@dataclass(frozen=True, slots=True)
class OfferDates:
    challenge: str
    team: str
    dates: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class ChooseDate:
    challenge: str
    team: str
    date: datetime
    match: str
    """Id for the match."""
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """As for ``AcceptChallenge``."""


@dataclass(frozen=True, slots=True)
class RefuseDates:
    """All that are offered."""

    challenge: str
    team: str
    match: str
    """Id for the match, if the house sets a date."""
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """As for ``AcceptChallenge``."""


@dataclass(frozen=True, slots=True)
class NameSeats:
    """A captain's line-up of one room or both, in place of what the captain named before in them."""

    challenge: str
    team: str
    segment: int
    rooms: Mapping[Room, Mapping[Seat, PlayerName]]
    """The team's own seats only. Of both rooms together, so that two players may change rooms."""


@dataclass(frozen=True, slots=True)
class DeclineChallenge:
    challenge: str
    team: str


@dataclass(frozen=True, slots=True)
class WithdrawChallenge:
    challenge: str
    team: str


@dataclass(frozen=True, slots=True)
class BeginPlay:
    """The first call or result of the challenge's match is public."""

    challenge: str
    match: str


@dataclass(frozen=True, slots=True)
class DecideChallenge:
    """A match that decides a challenge was closed for everyone, or a ruling after that changed its IMPs.

    ``imps_home`` and ``imps_visitors`` are the totals after carry-over and penalties. The defender is home.
    """

    challenge: str
    match: str
    imps_home: float
    imps_visitors: float
    closed_at: datetime


@dataclass(frozen=True, slots=True)
class VoidChallenge:
    """By the director; or ``match`` was voided."""

    challenge: str
    reason: str
    match: str | None = None


LadderCommand = (
    CreateLadder
    | EnterTeam
    | ChangeRoster
    | RenameTeam
    | LeaveLadder
    | RestTeam
    | EndRest
    | ChangeRules
    | StartSeason
    | IssueChallenge
    | AcceptChallenge
    | OfferDates
    | ChooseDate
    | RefuseDates
    | NameSeats
    | DeclineChallenge
    | WithdrawChallenge
    | BeginPlay
    | DecideChallenge
    | VoidChallenge
)

"""What people and programs ask of a match; ``decide`` turns a command into events or refuses it.

Commands carry values already read from text. Ids and shuffled deals come in with the command: rules know no
chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

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


@dataclass(frozen=True, slots=True)
class CreateMatch:
    title: str
    home: TeamName
    visitors: TeamName
    segments: tuple[Segment, ...]
    scale: str = "wbf-2013"
    imp_scale: str = "1962"
    penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987
    carry_over: CarryOver = field(default_factory=CarryOver)
    release: Release = field(default_factory=Release)
    correction_minutes: int = 30
    no_devices: bool = False
    deals: Mapping[str, Deal] = field(default_factory=dict)
    """By ``segment.number``; empty: typed as each board is opened."""
    challenge: Challenge | None = None
    imported: bool = False
    starts_at: datetime | None = None
    language: str | None = None
    """Of the commentary, as a code like ``en``."""
    streams: tuple[VideoStream, ...] = ()


# --- entries of a room -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenBoard:
    segment: int
    board: int
    reason: str | None = None
    deal: Deal | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    players: Mapping[Seat, PlayerName] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SkipBoard:
    segment: int
    board: int
    reason: str


@dataclass(frozen=True, slots=True)
class MakeCall:
    seat: Seat
    call: Call
    alert: bool = False
    explanation: str | None = None
    irregular: Irregularity | None = None


@dataclass(frozen=True, slots=True)
class PlayCard:
    seat: Seat
    card: Card
    irregular: Irregularity | None = None


@dataclass(frozen=True, slots=True)
class Explain:
    call_index: int
    alert: bool = True
    explanation: str | None = None


@dataclass(frozen=True, slots=True)
class MakeClaim:
    seat: Seat
    tricks: int
    accepted: bool = False
    """True: the table has agreed, the board ends."""


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    accepted: bool


@dataclass(frozen=True, slots=True)
class Undo:
    """Withdraw the last ``steps`` entries, or everything after ``calls`` calls and ``cards`` cards."""

    steps: int | None = None
    calls: int | None = None
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class EnterResult:
    result: BoardResult
    source: str = "operator"


@dataclass(frozen=True, slots=True)
class StopClock:
    """Neutral time begins: a director is called, a player is away."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResumeClock:
    """Neutral time ends: the clock of the room runs again."""


Entry = (
    OpenBoard
    | SkipBoard
    | MakeCall
    | PlayCard
    | Explain
    | MakeClaim
    | AnswerClaim
    | Undo
    | EnterResult
    | StopClock
    | ResumeClock
)


@dataclass(frozen=True, slots=True)
class EnterInRoom:
    """Entries of one room, all or none."""

    room: Room
    entries: tuple[Entry, ...]
    expected: int | None = None
    """The room's sequence as the sender knew it; ``None`` accepts any state."""
    waited: float = 0.0
    """Seconds that they lay on the sender's device before they were sent: for the clocks alone."""
    may_overrule: bool = True
    """Whether a board may be opened before the match's date, and again where that lifts a director's ruling:
    not by an operator."""
    captain_of: Team | None = None
    """The team whose captain made the link that enters, which a challenge's rules bind
    (``broadcast.tables.lineups``)."""


# --- a second pair of eyes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result that stands is right, or wrong for a reason."""

    segment: int
    board: int
    room: Room
    result: BoardResult
    """As it was seen: a verdict on another result than the one that stands is refused."""
    wrong: str | None = None
    """What is wrong with it; ``None``: it is right."""


# --- the director's desk ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comment:
    segment: int
    board: int
    room: Room
    call: int
    card: int
    language: str
    text: str
    author: str
    any_position: bool = False
    """Operators and directors may comment on any position of the log; others only on what is public."""
    by_room: Room | None = None
    """The room whose operator writes; ``None`` for commentators and directors."""

    @property
    def is_directors(self) -> bool:
        """Whether a director writes, or brings what others wrote in a record."""
        return self.any_position and self.by_room is None


@dataclass(frozen=True, slots=True)
class CorrectResult:
    segment: int
    board: int
    room: Room
    result: BoardResult
    reason: str


@dataclass(frozen=True, slots=True)
class GiveAward:
    segment: int
    board: int
    award: Award
    reason: str


@dataclass(frozen=True, slots=True)
class CancelBoard:
    segment: int
    board: int
    reason: str


@dataclass(frozen=True, slots=True)
class LiftRuling:
    """Withdraw the award or the cancellation that stands on a board."""

    segment: int
    board: int
    reason: str


@dataclass(frozen=True, slots=True)
class TransferTricks:
    segment: int
    board: int
    room: Room
    tricks: int
    to: str
    """``NS`` or ``EW``."""
    reason: str


@dataclass(frozen=True, slots=True)
class AddBoards:
    """Extra boards after a tie, as a segment of their own."""

    boards: int
    reason: str
    deals: tuple[Deal, ...] = ()
    """One for each board in order; none: typed as each board is opened."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class GivePenalty:
    side: Team
    unit: str
    amount: float
    reason: str


@dataclass(frozen=True, slots=True)
class SwapSeating:
    segment: int
    board: int
    reason: str


@dataclass(frozen=True, slots=True)
class ChangeRelease:
    release: Release
    reason: str


@dataclass(frozen=True, slots=True)
class NameLineup:
    segment: int
    room: Room
    seats: Mapping[Seat, PlayerName]
    reason: str = ""
    publish: bool = False
    team: Team | None = None
    """Whose captain names it, before the match has started; ``None`` for a director."""


@dataclass(frozen=True, slots=True)
class ClearAlarm:
    alarm: str
    reason: str
    standing: int | None = None
    """``MatchState.alarm_standing`` of what both captains agreed on; a director's holds for what stands."""
    agreed: tuple[str, ...] = ()
    """Both captains, as the log names them; empty where a director clears it."""


@dataclass(frozen=True, slots=True)
class CloseMatch:
    reason: str


@dataclass(frozen=True, slots=True)
class ReopenMatch:
    reason: str


@dataclass(frozen=True, slots=True)
class VoidMatch:
    reason: str


@dataclass(frozen=True, slots=True)
class ConfirmScore:
    """Both captains agree with the score: the correction period ends at once."""

    by: str
    standing: int
    """``MatchState.standing`` of the score they agreed on."""


@dataclass(frozen=True, slots=True)
class DisputeScore:
    """A captain does not agree with the score of a board: the director, or both captains together, decide."""

    segment: int
    board: int
    reason: str


Ruling = (
    CorrectResult
    | GiveAward
    | CancelBoard
    | LiftRuling
    | TransferTricks
    | GivePenalty
    | AddBoards
    | SwapSeating
    | ChangeRelease
    | NameLineup
    | ClearAlarm
    | CloseMatch
    | ReopenMatch
    | VoidMatch
)

MatchCommand = CreateMatch | EnterInRoom | CheckResult | Comment | Ruling | ConfirmScore | DisputeScore

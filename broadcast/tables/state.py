"""A match folded from its log: both rooms, every board, rulings and closing.

``MatchState`` is an immutable value; ``broadcast.tables.apply`` folds one recorded event onto it. It derives
auction, play, contract and endings, and knows no comparison: IMPs and VPs are a projection's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability, dealer_of, vulnerability_of
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.claims import Claim
from broadcast.bridge.deals import Deal
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.play import Play
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat
from broadcast.tables.awards import Award
from broadcast.tables.board_states import (
    Adjusted,
    BoardState,
    Cancelled,
    Ending,
    InPlay,
    NotPlayed,
    is_final,
)
from broadcast.tables.events import BoardKey, MatchCreated, PenaltyGiven
from broadcast.tables.setup import PlayerName, Release, Segment


@dataclass(frozen=True, slots=True)
class EnteredCall:
    seat: Seat
    call: Call
    alert: bool = False
    explanation: str | None = None
    irregular: Irregularity | None = None
    at: datetime | None = None
    """When it was recorded; ``None`` where nobody recorded it."""


@dataclass(frozen=True, slots=True)
class EnteredCard:
    seat: Seat
    card: Card
    trick: int
    """Number of the trick from 1."""
    winner: Seat | None
    """Who won the trick that this card ended."""
    irregular: Irregularity | None = None
    at: datetime | None = None
    """When it was recorded; ``None`` where nobody recorded it."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What stood when a room took back its final result, with which the other room's record had become public.

    When that is noted, and when forgotten again, ``broadcast.tables.taken_back`` says.
    """

    result: BoardResult
    calls: tuple[EnteredCall, ...]
    cards: tuple[EnteredCard, ...]
    at: datetime
    by: str
    sequence: int
    """Of the last event that took a final result back."""


@dataclass(frozen=True, slots=True)
class RoomBoard:
    """One board in one room: what was entered, and what follows from it."""

    dealer: Seat
    vulnerability: Vulnerability
    auction: Auction
    is_opened: bool = False
    deal: Deal | None = None
    players: Mapping[Seat, PlayerName] = field(default_factory=dict)
    calls: tuple[EnteredCall, ...] = ()
    cards: tuple[EnteredCard, ...] = ()
    play: Play | None = None
    claims: tuple[Claim, ...] = ()
    ending: Ending | None = None
    is_checked: bool = False
    """A second pair of eyes has confirmed the result that stands."""
    doubt: str | None = None
    """What a second pair of eyes says is wrong with it."""
    skipped: str | None = None
    is_ruled: bool = False
    """A director has corrected its result."""
    has_entered_result: bool = False
    """Its result was entered, not reached by the last call, card or claim."""
    out_of_order: str | None = None
    """The reason it was opened for before its turn."""
    taken_back: TakenBack | None = None
    entries: int = field(default=0, compare=False)
    """How many of its events were recorded, those undone among them: not part of what stands."""

    @property
    def has_entries(self) -> bool:
        return bool(self.calls) or self.ending is not None

    @property
    def pending_claim(self) -> Claim | None:
        """A claim the table has not answered."""
        return self.claims[-1] if self.claims and self.claims[-1].accepted is None else None

    @property
    def record_result(self) -> BoardResult | None:
        """What auction, play and an accepted claim say by themselves; ``None`` while they do not say."""
        if self.auction.is_passed_out:
            return BoardResult()
        if self.play is None or not self.auction.is_over:
            return None
        contract, declarer = self.auction.contract, self.auction.declarer
        if self.play.is_over:
            return BoardResult(contract, declarer, self.play.declarer_tricks)
        accepted = [claim for claim in self.claims if claim.accepted]
        return BoardResult(contract, declarer, accepted[-1].tricks) if accepted else None

    @property
    def turn(self) -> Seat | None:
        """Who is to call or to play; ``None`` when nothing is awaited."""
        if not self.is_opened or self.ending is not None:
            return None
        if not self.auction.is_over:
            return self.auction.turn
        return self.play.turn if self.play else None


@dataclass(frozen=True, slots=True)
class Board:
    """A board of the match in both rooms, with the rulings on it."""

    key: BoardKey
    rooms: Mapping[Room, RoomBoard]
    award: Award | None = None
    is_cancelled: bool = False
    is_swapped: bool = False
    """The teams sat the other way round in both rooms."""
    ruled_at: int = 0
    """Sequence of the award or cancellation that stands."""
    first_final_at: datetime | None = None
    """When it was first final in every room due to play it."""

    def state(self, room: Room) -> BoardState:
        at_table = self.rooms[room]
        if self.is_cancelled:
            return Cancelled()
        if self.award is not None and room in self.award.rooms:
            return Adjusted(at_table.ending.result if at_table.ending else None, "director")
        if at_table.ending is not None:
            return at_table.ending
        if at_table.is_opened and (at_table.skipped is None or at_table.has_entries):
            return InPlay()
        return NotPlayed()

    def with_table(self, room: Room, table: RoomBoard) -> "Board":
        return replace(self, rooms={**self.rooms, room: table})

    def is_settled_for(self, room: Room) -> bool:
        """Whether a ruling stands in place of what this room plays; an award for the other room does not."""
        return self.is_cancelled or (self.award is not None and room in self.award.rooms)

    @property
    def is_final(self) -> bool:
        """Final in every room due to play it."""
        return all(is_final(self.state(room)) for room in Room)

    @property
    def dealer(self) -> Seat:
        return self._speaking.dealer

    @property
    def vulnerability(self) -> Vulnerability:
        return self._speaking.vulnerability

    @property
    def deal(self) -> Deal | None:
        """The deal as the open room holds it, else the closed."""
        return next((self.rooms[room].deal for room in Room if self.rooms[room].deal is not None), None)

    @property
    def _speaking(self) -> RoomBoard:
        return next((self.rooms[room] for room in Room if self.rooms[room].is_opened), self.rooms[Room.OPEN])


@dataclass(frozen=True, slots=True)
class Correction:
    """A line of the public correction log."""

    sequence: int
    at: datetime
    by: str
    reason: str
    key: BoardKey
    room: Room | None
    before: Board
    after: Board


@dataclass(frozen=True, slots=True)
class Clearing:
    """That an alarm was cleared: by whom, and in what capacity."""

    alarm: str
    at: datetime
    by: tuple[str, ...]
    """A director, or both captains, as the log names them."""
    reason: str
    is_by_captains: bool


@dataclass(frozen=True, slots=True)
class PlacedComment:
    sequence: int
    at: datetime
    author: str
    language: str
    text: str
    call: int
    card: int


@dataclass(frozen=True, slots=True)
class MatchState:
    created: MatchCreated
    segments: tuple[Segment, ...]
    release: Release
    boards: Mapping[BoardKey, Board]
    """Every board of the match, in order of play."""
    unfinished: frozenset[tuple[BoardKey, Room]]
    current: Mapping[Room, BoardKey]
    """The board last opened in each room."""
    sequence: int = 0
    room_sequences: Mapping[Room, int] = field(default_factory=lambda: dict.fromkeys(Room, 0))
    is_started: bool = False
    final_since: datetime | None = None
    """When the last board became final in its last room, or the match was opened again after that; ``None``
    while a board is not final."""
    closed: str | None = None
    """The reason it was closed for."""
    voided: str | None = None
    penalties: tuple[PenaltyGiven, ...] = ()
    cleared: frozenset[str] = frozenset()
    """Alarms that a director or both captains have cleared."""
    clearings: tuple[Clearing, ...] = ()
    """Every clearing, in order; one may have come to nothing since, as what it was for has changed."""
    disputes: Mapping[BoardKey, str] = field(default_factory=dict)
    """Boards of which a captain has disputed the score, and with what words."""
    corrections: tuple[Correction, ...] = ()
    asides: int = 0
    """How many verdicts on results and changes of a clock were recorded."""
    neutral: Mapping[Room, str] = field(default_factory=dict)
    """Rooms whose clock stands still, and why."""
    comments: Mapping[tuple[BoardKey, Room], tuple[PlacedComment, ...]] = field(default_factory=dict)

    def segment(self, number: int) -> Segment | None:
        return next((segment for segment in self.segments if segment.number == number), None)

    def ns_open(self, key: BoardKey) -> Team:
        """The team that sat North-South in the open room on this board."""
        segment = self.segment(key.segment)
        if segment is None:
            raise KeyError(key)
        return segment.ns_open.other if self.boards[key].is_swapped else segment.ns_open

    def next_board(self, room: Room) -> BoardKey | None:
        """The first board in order of play that this room has neither finished nor skipped."""
        for key, board in self.boards.items():
            if not is_final(board.state(room)) and board.rooms[room].skipped is None:
                return key
        return None

    @property
    def is_complete(self) -> bool:
        """Every board is final in every room due to play it."""
        return not self.unfinished

    @property
    def standing(self) -> int:
        """Rises with everything that may change the score; what anybody says of the play changes none, nor do
        verdicts of a second pair of eyes and stopped clocks."""
        said = sum(len(comments) for comments in self.comments.values())
        return self.sequence - said - self.asides

    @property
    def alarm_standing(self) -> int:
        """Rises with everything that may change what an alarm is about, and not when another one is cleared."""
        return self.standing - len(self.cleared)

    @property
    def closes_at(self) -> datetime | None:
        """When the correction period ends (Law 79C); ``None`` while boards are open or after the end."""
        if self.final_since is None or self.closed is not None or self.voided is not None:
            return None
        return self.final_since + timedelta(minutes=self.created.correction_minutes)


def boards_of(segments: tuple[Segment, ...]) -> Iterator[BoardKey]:
    """The keys of all boards in order of play."""
    for segment in segments:
        for number in range(segment.first, segment.last + 1):
            yield BoardKey(segment.number, number)


def unplayed(number: int) -> RoomBoard:
    """A board by its number before it is opened (Law 2)."""
    dealer = dealer_of(number)
    return RoomBoard(dealer, vulnerability_of(number), Auction(dealer))

"""Readable makers: a deal, and a match told command by command.

``Told`` decides and applies like the house, one house second after another, and keeps the log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from broadcast.bridge.calls import Call
from broadcast.bridge.cards import PACK, Card
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import SEATS, Seat
from broadcast.tables.apply import apply
from broadcast.tables.board_states import BoardState
from broadcast.tables.commands import (
    AnswerClaim,
    CreateMatch,
    EnterInRoom,
    EnterResult,
    Entry,
    MakeCall,
    MakeClaim,
    MatchCommand,
    OpenBoard,
    PlayCard,
    SkipBoard,
    Undo,
)
from broadcast.tables.decide import decide
from broadcast.tables.events import BoardKey, MatchEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import Lineup, PlayerName, Release, ReleaseRule, Segment, TeamName
from broadcast.tables.state import Board, MatchState, RoomBoard

OPEN, CLOSED = Room.OPEN, Room.CLOSED
START = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)

LIVE = Release(ReleaseRule.LIVE)
BY_BOARD = Release(ReleaseRule.BOARD)
BY_MATCH = Release(ReleaseRule.MATCH)


def delayed(seconds: int) -> Release:
    return Release(ReleaseRule.DELAY, seconds)


def deal_of(number: int, segment: int = 1) -> Deal:
    """A board's deal, the same in every run."""
    cards = sorted(PACK)
    Random(1000 * segment + number).shuffle(cards)
    return Deal({seat: cards[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)})


def result(text: str) -> BoardResult:
    """``3NT S 10``, ``4SX N 8`` (contract, declarer, tricks), or ``Pass``."""
    if text == "Pass":
        return PASSED_OUT
    contract, declarer, tricks = text.split()
    return BoardResult(Contract.parse(contract), Seat(declarer), int(tricks))


def players(prefix: str) -> Lineup:
    return {seat: PlayerName(f"{prefix} {seat.word}", f"{prefix}-{seat}") for seat in SEATS}


def new_match(
    *lengths: int,
    release: Release = BY_BOARD,
    is_dealt: bool = True,
    correction_minutes: int = 30,
    no_devices: bool = True,
) -> CreateMatch:
    """A match of segments of so many boards; board numbers restart in each."""
    segments = tuple(
        Segment(number, f"Segment {number}", 1, length, Team.HOME)
        for number, length in enumerate(lengths or (2,), 1)
    )
    deals = {
        f"{segment.number}.{number}": deal_of(number, segment.number)
        for segment in segments
        for number in range(segment.first, segment.last + 1)
    }
    return CreateMatch(
        "Modra v Vihar",
        TeamName("Modra"),
        TeamName("Vihar"),
        segments,
        release=release,
        deals=deals if is_dealt else {},
        correction_minutes=correction_minutes,
        no_devices=no_devices,
    )


@dataclass
class Told:
    """A match as far as it has been told."""

    command: CreateMatch = field(default_factory=new_match)
    log: list[Recorded[MatchEvent]] = field(default_factory=list)
    now: datetime = START
    stood: MatchState | None = None

    def __post_init__(self) -> None:
        self.do(self.command)

    @property
    def match(self) -> MatchState:
        assert self.stood is not None
        return self.stood

    def wait(self, seconds: float = 1) -> "Told":
        self.now += timedelta(seconds=seconds)
        return self

    def do(self, command: MatchCommand, by: str = "operator:t") -> tuple[MatchEvent, ...]:
        """Decide and record, one second after what was told before."""
        events = decide(self.stood, command, self.now)
        for event in events:
            recorded = Recorded(len(self.log) + 1, self.now, by, event)
            self.stood = apply(self.stood, recorded)
            self.log.append(recorded)
        return events

    # --- entries of a room --------------------------------------------------------------------------------

    def enter(self, room: Room, *entries: Entry, expected: int | None = None) -> tuple[MatchEvent, ...]:
        return self.do(EnterInRoom(room, entries, expected))

    def open(self, room: Room, number: int, reason: str | None = None, segment: int = 1) -> "Told":
        self.enter(room, OpenBoard(segment, number, reason))
        return self

    def skip(self, room: Room, number: int, reason: str = "late", segment: int = 1) -> "Told":
        self.enter(room, SkipBoard(segment, number, reason))
        return self

    def calls(self, room: Room, text: str) -> "Told":
        """Calls in turn: ``1NT Pass 3NT Pass Pass Pass``."""
        for word in text.split():
            seat = self.table(room).auction.turn
            assert seat is not None
            self.enter(room, MakeCall(seat, Call.parse(word)))
        return self

    def cards(self, room: Room, count: int) -> "Told":
        """So many cards, each the first that is legal."""
        for _ in range(count):
            seat, card = self.next_card(room)
            self.enter(room, PlayCard(seat, card))
        return self

    def next_card(self, room: Room, choice: int = 0) -> tuple[Seat, Card]:
        play = self.table(room).play
        assert play is not None and play.turn is not None
        legal = play.legal_cards()
        return play.turn, legal[choice % len(legal)]

    def claim(self, room: Room, tricks: int, *, accepted: bool = True, seat: Seat | None = None) -> "Told":
        play = self.table(room).play
        assert play is not None
        self.enter(room, MakeClaim(seat or play.declarer, tricks, accepted))
        return self

    def answer(self, room: Room, accepted: bool) -> "Told":
        self.enter(room, AnswerClaim(accepted))
        return self

    def undo(self, room: Room, steps: int = 1) -> "Told":
        self.enter(room, Undo(steps))
        return self

    def undo_to(self, room: Room, calls: int, cards: int) -> "Told":
        self.enter(room, Undo(calls=calls, cards=cards))
        return self

    def result(self, room: Room, text: str) -> "Told":
        self.enter(room, EnterResult(result(text)))
        return self

    def played(self, room: Room, number: int, text: str = "3NT S 9", segment: int = 1) -> "Told":
        """A board opened and its result entered."""
        return self.open(room, number, segment=segment).result(room, text)

    # --- looking ------------------------------------------------------------------------------------------

    def board(self, number: int, segment: int = 1) -> Board:
        return self.match.boards[BoardKey(segment, number)]

    def table(self, room: Room) -> RoomBoard:
        """The board last opened in the room."""
        return self.match.boards[self.match.current[room]].rooms[room]

    def state(self, room: Room, number: int, segment: int = 1) -> BoardState:
        return self.board(number, segment).state(room)


def folded(log: Sequence[Recorded[MatchEvent]]) -> MatchState:
    """A log folded from its first event."""
    state: MatchState | None = None
    for recorded in log:
        state = apply(state, recorded)
    assert state is not None
    return state

"""Matches told event by event, for tests of the comparison: short words for what happens in the rooms."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import settings

from broadcast.bridge.boards import dealer_of, vulnerability_of
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import PACK
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import SEATS, Seat
from broadcast.tables.apply import apply
from broadcast.tables.awards import Award, Part
from broadcast.tables.events import (
    BoardAwarded,
    BoardCancelled,
    BoardKey,
    BoardOpened,
    CallMade,
    CardPlayed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    PenaltyGiven,
    ResultCorrected,
    ResultEntered,
    SeatingSwapped,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import CarryOver, Challenge, PlayerName, Release, Segment, TeamName
from broadcast.tables.state import MatchState

OPEN, CLOSED = Room.OPEN, Room.CLOSED
HOME, VISITORS = Team.HOME, Team.VISITORS
TOLD = settings(max_examples=40, deadline=None)
"""For properties of whole stories: fewer of them, and no clock that a busy machine could stop."""
START = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)


def deal_of(number: int) -> Deal:
    """A board's deal, the same in every run."""
    cards = list(PACK)
    Random(number).shuffle(cards)
    return Deal({seat: cards[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)})


def result(text: str) -> BoardResult:
    """``3NT S 10``, ``4SX N 8`` (contract, declarer, tricks), or ``Pass``."""
    if text == "Pass":
        return PASSED_OUT
    contract, declarer, tricks = text.split()
    return BoardResult(Contract.parse(contract), Seat(declarer), int(tricks))


def seats(*names: str) -> dict[Seat, PlayerName]:
    """Players with these ids, in the order North, East, South, West."""
    return {seat: PlayerName(name, name) for seat, name in zip(SEATS, names, strict=True)}


def artificial(home: str, visitors: str) -> Award:
    return Award("artificial", home=home, visitors=visitors)


def assigned(room: Room, score_ns: int) -> Award:
    return Award("assigned", room=room, score_ns=score_ns)


def weighted(room: Room, *parts: tuple[int, int]) -> Award:
    """Parts are (score_ns, percent)."""
    return Award("weighted", room=room, parts=tuple(Part(*part) for part in parts))


def split(home: Award, visitors: Award) -> Award:
    return Award("split", for_home=home, for_visitors=visitors)


@dataclass
class Story:
    """A match as far as it has been told. Board numbers alone mean the first segment."""

    first: int = 1
    last: int = 16
    ns_open: Team = HOME
    scale: str = "wbf-2013"
    imp_scale: str = "1962"
    carry_over: CarryOver = field(default_factory=CarryOver)
    challenge: Challenge | None = None
    lineups: Mapping[Room, Mapping[Seat, PlayerName]] = field(default_factory=dict)
    more_segments: tuple[Segment, ...] = ()
    imported: bool = False
    log: list[Recorded[MatchEvent]] = field(default_factory=list)
    states: list[MatchState] = field(default_factory=list)
    """The match after each event of the log."""

    def __post_init__(self) -> None:
        segment = Segment(1, "1", self.first, self.last, self.ns_open, self.lineups)
        self.happens(
            MatchCreated(
                title="Club final",
                home=TeamName("Modra"),
                visitors=TeamName("Vihar"),
                segments=(segment, *self.more_segments),
                scale=self.scale,
                imp_scale=self.imp_scale,
                penalty_scale=PenaltyScale.SINCE_1987,
                carry_over=self.carry_over,
                release=Release(),
                correction_minutes=30,
                challenge=self.challenge,
                imported=self.imported,
            )
        )

    @property
    def state(self) -> MatchState:
        return self.states[-1]

    def happens(self, *events: MatchEvent) -> "Story":
        """The events are recorded, a second apart."""
        for event in events:
            sequence = len(self.log) + 1
            recorded = Recorded(sequence, START + timedelta(seconds=sequence), "operator:t1", event)
            self.states.append(apply(self.states[-1] if self.states else None, recorded))
            self.log.append(recorded)
        return self

    def opened(self, board: int, *rooms: Room, segment: int = 1, **changes: object) -> "Story":
        """The board is opened in these rooms; ``changes`` are members of the event."""
        for room in rooms:
            event = BoardOpened(
                BoardKey(segment, board), room, dealer_of(board), vulnerability_of(board), deal_of(board)
            )
            self.happens(replace(event, **changes))  # type: ignore[arg-type]
        return self

    def scored(self, board: int, room: Room, text: str, segment: int = 1) -> "Story":
        """The result is entered in the room, which opens the board if it has not."""
        if not self.state.boards[BoardKey(segment, board)].rooms[room].is_opened:
            self.opened(board, room, segment=segment)
        return self.happens(ResultEntered(BoardKey(segment, board), room, result(text), "operator"))

    def compared(self, board: int, there: str, here: str, segment: int = 1) -> "Story":
        """The board is finished with these results in the open and in the closed room."""
        return self.scored(board, OPEN, there, segment).scored(board, CLOSED, here, segment)

    def bid(self, board: int, room: Room, *calls: str) -> "Story":
        """The calls in turn, from the dealer on."""
        seat = dealer_of(board)
        for call in calls:
            self.happens(CallMade(BoardKey(1, board), room, seat, Call.parse(call)))
            seat = seat.left
        return self

    def played(self, board: int, room: Room, cards: int) -> "Story":
        """So many cards, always the first that may be played."""
        for _ in range(cards):
            play = self.state.boards[BoardKey(1, board)].rooms[room].play
            assert play is not None
            assert play.turn is not None
            self.happens(CardPlayed(BoardKey(1, board), room, play.turn, play.legal_cards()[0]))
        return self

    def corrected(self, board: int, room: Room, text: str) -> "Story":
        return self.happens(ResultCorrected(BoardKey(1, board), room, result(text), "scored in error"))

    def awarded(self, board: int, award: Award) -> "Story":
        return self.happens(BoardAwarded(BoardKey(1, board), award, "Law 12"))

    def cancelled(self, board: int) -> "Story":
        return self.happens(BoardCancelled(BoardKey(1, board), "fouled"))

    def swapped(self, board: int) -> "Story":
        return self.happens(SeatingSwapped(BoardKey(1, board), "sat the other way"))

    def penalised(self, side: Team, unit: str, amount: float) -> "Story":
        return self.happens(PenaltyGiven(side, unit, amount, "late"))

    def closed(self) -> "Story":
        return self.happens(MatchClosed("complete"))

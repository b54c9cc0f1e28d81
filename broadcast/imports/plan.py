"""From a record to a plan: the commands that enter a recorded match, in both rooms, in order.

Pure. An import carries the plan out at once, a replay at a pace; so both end with the same totals. A claim that
the official result contradicts is left out, at the first entry that cannot be the record ends and the official
result follows, and a board without a result is left as it stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from broadcast.bridge.auctions import Auction
from broadcast.bridge.claims import check_claim
from broadcast.bridge.errors import BridgeError
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.play import Play
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import Seat
from broadcast.notation.records import BoardRecord, MatchRecord, SegmentRecord
from broadcast.tables.commands import (
    CloseMatch,
    Comment,
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
)
from broadcast.tables.entries import MAX_EXPLANATION
from broadcast.tables.setup import CarryOver, PlayerName, Release, Segment, TeamName

IMPORTED = "imported_record"
"""Why an import closes its match."""
RECORDED = "as recorded"
"""Why a board is opened out of order, or left without a result."""

Step = Entry | Comment


@dataclass(frozen=True, slots=True)
class PlannedBoard:
    """One board in one room: what is entered, one step after another."""

    segment: int
    number: int
    room: Room
    steps: tuple[Step, ...]
    result: BoardResult | None
    """The official result, to be entered where the record ends earlier than planned."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    create: CreateMatch
    rooms: Mapping[Room, tuple[PlannedBoard, ...]]


def plan_match(
    record: MatchRecord,
    *,
    imp_scale: str = "1962",
    penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987,
    release: Release | None = None,
    imported: bool = True,
) -> MatchPlan:
    """The whole of a recorded match. ``imported`` marks it as one, scored as its time did."""
    create = CreateMatch(
        title=record.title or f"{record.home} - {record.visitors}",
        home=TeamName(record.home),
        visitors=TeamName(record.visitors),
        segments=tuple(_segment(each, record.home) for each in record.segments),
        imp_scale=imp_scale,
        penalty_scale=penalty_scale,
        carry_over=_carry_over(record),
        release=release or Release(),
        correction_minutes=30 if imported else 0,
        no_devices=True,
        imported=imported,
    )
    rooms = {
        room: tuple(
            planned
            for segment in record.segments
            for board in segment.boards
            if board.room is room
            for planned in [plan_board(board, room)]
            if planned is not None
        )
        for room in Room
    }
    return MatchPlan(create, rooms)


def as_import(plan: MatchPlan) -> tuple[MatchCommand, ...]:
    """All commands at once: board by board, open room first, then closed for good."""
    boards = sorted(
        (planned for room in Room for planned in plan.rooms[room]),
        key=lambda planned: (planned.segment, planned.number, planned.room is Room.CLOSED),
    )
    commands: list[MatchCommand] = [plan.create]
    for planned in boards:
        entries: list[Entry] = []
        for step in planned.steps:
            if isinstance(step, Comment):
                if entries:
                    commands.append(EnterInRoom(planned.room, tuple(entries)))
                    entries = []
                commands.append(step)
            else:
                entries.append(step)
        if entries:
            commands.append(EnterInRoom(planned.room, tuple(entries)))
    return (*commands, CloseMatch(IMPORTED))


def _segment(record: SegmentRecord, home: str) -> Segment:
    numbers = [board.number for board in record.boards]
    return Segment(
        record.number,
        record.title,
        min([record.first, *numbers]),
        max([record.last, *numbers]),
        Team.HOME if record.team1 == home else Team.VISITORS,
        {room: _players(seats) for room, seats in record.lineups.items() if seats},
    )


def _players(seats: Mapping[Seat, str]) -> dict[Seat, PlayerName]:
    return {seat: PlayerName(name) for seat, name in seats.items() if name}


def _carry_over(record: MatchRecord) -> CarryOver:
    if not record.carry_home and not record.carry_visitors:
        return CarryOver()
    return CarryOver(_whole(record.carry_home), _whole(record.carry_visitors), None)


def _whole(carried: Decimal) -> int:
    """Carry-overs are read as whole IMPs; a fraction is lost, as in every reader of the format."""
    return int(carried)


def plan_board(record: BoardRecord, room: Room) -> PlannedBoard | None:
    """The steps of one board, ``None`` where nothing happened on it."""
    if record.is_untouched:
        return None
    steps: list[Step] = [
        OpenBoard(
            record.segment,
            record.number,
            RECORDED,
            record.deal,
            record.dealer,
            record.vulnerability,
            _players(record.players),
        )
    ]
    said = _Comments(record, room)
    reached: BoardResult | None = None
    if record.deal is not None:
        reached = yet = None
        for step, yet in _record_steps(record):
            steps += said.at(step)
            steps.append(step)
            reached = yet
    if record.result is not None and record.result != reached:
        steps.append(EnterResult(record.result, "imported"))
    steps += said.rest(steps)
    if record.result is None and reached is None:
        steps.append(SkipBoard(record.segment, record.number, RECORDED))
    return PlannedBoard(record.segment, record.number, room, tuple(steps), record.result)


def _record_steps(record: BoardRecord) -> Iterator[tuple[Entry, BoardResult | None]]:
    """Calls, cards and a claim that can be, each with the result the table has after it."""
    if record.deal is None:
        return
    auction = Auction(record.dealer)
    for made in record.calls:
        fault = auction.fault(made.seat, made.call)
        irregular = fault if isinstance(fault, Irregularity) else None
        if fault is not None and irregular is None:
            return
        auction = auction.with_call(made.seat, made.call)
        explanation = None if made.explanation is None else made.explanation[:MAX_EXPLANATION]
        entry = MakeCall(made.seat, made.call, made.alert, explanation, irregular)
        yield entry, BoardResult() if auction.is_passed_out else None
    contract, declarer = auction.contract, auction.declarer
    if not auction.is_over or contract is None or declarer is None:
        return
    play = Play.start(record.deal, contract.denomination, declarer)
    for played in record.cards:
        fault_of_card = play.fault(played.seat, played.card)
        irregular = fault_of_card if isinstance(fault_of_card, Irregularity) else None
        if fault_of_card is not None and irregular is None:
            return
        play = play.with_card(played.seat, played.card)
        reached = BoardResult(contract, declarer, play.declarer_tricks) if play.is_over else None
        yield PlayCard(played.seat, played.card, irregular), reached
    claim = record.claim_tricks
    if play.is_over or claim is None:
        return
    result = BoardResult(contract, declarer, claim)
    if record.result is not None and record.result != result:
        return
    try:
        check_claim(play, declarer, claim)
    except BridgeError:
        return
    yield MakeClaim(declarer, claim, accepted=True), result


class _Comments:
    """A board's comments, each given out before the first step that goes past its position."""

    def __init__(self, record: BoardRecord, room: Room) -> None:
        self._calls = 0
        self._cards = 0
        self._waiting = [
            (
                comment.calls,
                comment.cards,
                Comment(
                    record.segment,
                    record.number,
                    room,
                    comment.calls,
                    comment.cards,
                    "und",
                    comment.text[:2000],
                    comment.author or "vugraph",
                    any_position=True,
                ),
            )
            for comment in record.comments
            if comment.text.strip()
        ]

    def at(self, step: Entry) -> list[Comment]:
        """Comments to be made before ``step``."""
        said: list[Comment] = []
        while self._waiting and self._waiting[0][0] <= self._calls and self._waiting[0][1] <= self._cards:
            said.append(self._waiting.pop(0)[2])
        self._calls += isinstance(step, MakeCall)
        self._cards += isinstance(step, PlayCard)
        return said

    def rest(self, steps: list[Step]) -> list[Comment]:
        """Comments not made yet, at the last position the record reached."""
        return [
            Comment(
                comment.segment,
                comment.board,
                comment.room,
                min(comment.call, self._calls),
                min(comment.card, self._cards),
                comment.language,
                comment.text,
                comment.author,
                any_position=True,
            )
            for _, _, comment in self._waiting
        ]

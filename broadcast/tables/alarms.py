"""Alarms: what the director should look at before results become official; never public.

Blocking ones hold a match open until the director, or both captains together, have looked. Notices hold
nothing up. A board opened out of order, one skipped in a challenge and a result taken back are found here; a
big swing and a claim that double-dummy analysis contradicts are found by whoever compares and analyses. All are
cleared by their id.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from broadcast.bridge.deals import Deal
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Side
from broadcast.tables.events import BoardKey
from broadcast.tables.seating import sits_alike
from broadcast.tables.state import Board, MatchState, RoomBoard

BLOCKING = ("different_deals", "same_seating", "played_twice", "record_differs", "disputed")
NOTICES = ("swing", "claim", "out_of_order", "skipped", "doubted", "taken_back")


@dataclass(frozen=True, slots=True)
class Alarm:
    kind: str
    """One of ``BLOCKING`` or ``NOTICES``."""
    key: BoardKey
    room: Room | None = None
    figure: str | None = None
    """What it is about where that may change: the swing, the tricks claimed. Another is another alarm."""

    @property
    def id(self) -> str:
        """Names the alarm when it is cleared: ``record_differs:1.5:open``, ``swing:1.5:both:13``."""
        if self.figure is None:
            return ":".join([self.kind, str(self.key), *([self.room.value] if self.room else [])])
        return ":".join([self.kind, str(self.key), self.room.value if self.room else "both", self.figure])

    @property
    def is_blocking(self) -> bool:
        return self.kind in BLOCKING


def held(board: Board) -> str | None:
    """Why the two rooms of a board cannot be compared: ``different_deals``, ``same_seating`` or nothing.

    A quarter turn of the cards or another dealer is a different deal; the same players in the same direction
    in both rooms is the same seating.
    """
    there, here = board.rooms[Room.OPEN], board.rooms[Room.CLOSED]
    if not (there.is_opened and here.is_opened):
        return None
    are_known = there.deal is not None and here.deal is not None
    if are_known and (there.deal != here.deal or there.dealer is not here.dealer):
        return "different_deals"
    for side in Side:
        if _ids(there, side) & _ids(here, side):
            return "same_seating"
    return None


def _ids(table: RoomBoard, side: Side) -> set[str]:
    """Ids of the known players of a side; free names are never matched."""
    return {player.id for seat, player in table.players.items() if seat.side is side and player.id is not None}


def blocking_alarms(state: MatchState) -> Iterator[Alarm]:
    """Every alarm that is not cleared, board by board."""
    repeated = repeats(state)
    for board in state.boards.values():
        if board.key in state.disputes and (disputed := Alarm("disputed", board.key)).id not in state.cleared:
            yield disputed
        if board.is_cancelled or board.award is not None:
            continue
        if board.key in repeated and (again := Alarm("played_twice", board.key)).id not in state.cleared:
            yield again
        for alarm in _of_board(state, board):
            if alarm.id not in state.cleared:
                yield alarm


def repeats(state: MatchState) -> dict[BoardKey, BoardKey]:
    """By board that has the cards of one before it, the first board with those cards."""
    dealt: dict[Deal, BoardKey] = {}
    found: dict[BoardKey, BoardKey] = {}
    for board in state.boards.values():
        if board.deal is not None and (first := dealt.setdefault(board.deal, board.key)) != board.key:
            found[board.key] = first
    return found


def out_of_order(state: MatchState) -> Iterator[Alarm]:
    """A notice for each board that a room opened before its turn."""
    for board in state.boards.values():
        for room in Room:
            alarm = Alarm("out_of_order", board.key, room)
            if board.rooms[room].out_of_order is not None and alarm.id not in state.cleared:
                yield alarm


def skipped(state: MatchState) -> Iterator[Alarm]:
    """A notice for each board that a room of a challenge's match has skipped: it may have been looked at."""
    if state.created.challenge is None:
        return
    for board in state.boards.values():
        for room in Room:
            alarm = Alarm("skipped", board.key, room)
            is_left = board.rooms[room].skipped is not None and not board.is_settled_for(room)
            if is_left and alarm.id not in state.cleared:
                yield alarm


def doubted(state: MatchState) -> Iterator[Alarm]:
    """A notice for each result that a second pair of eyes says is wrong, until that is settled.

    Its figure is a mark of the words, so that another doubt is another alarm.
    """
    for board in state.boards.values():
        for room in Room:
            doubt = board.rooms[room].doubt
            if doubt is None:
                continue
            alarm = Alarm("doubted", board.key, room, hashlib.sha256(doubt.encode()).hexdigest()[:8])
            if alarm.id not in state.cleared:
                yield alarm


def taken_back(state: MatchState) -> Iterator[Alarm]:
    """A notice for each final result taken back after the other room's record had become public with it."""
    for board in state.boards.values():
        for room in Room:
            alarm = Alarm("taken_back", board.key, room)
            if board.rooms[room].taken_back is not None and alarm.id not in state.cleared:
                yield alarm


def is_open_notice(state: MatchState, id: str) -> bool:
    """Whether a notice by this id may stand on one of the match's boards and has not been cleared."""
    kind, _, rest = id.partition(":")
    return kind in NOTICES and id not in state.cleared and rest.partition(":")[0] in map(str, state.boards)


def _of_board(state: MatchState, board: Board) -> Iterator[Alarm]:
    reason = held(board)
    if reason is None and sits_alike(state, board):
        reason = "same_seating"
    if reason is not None:
        yield Alarm(reason, board.key)
    for room in Room:
        if record_differs(board.rooms[room]):
            yield Alarm("record_differs", board.key, room)


def record_differs(table: RoomBoard) -> bool:
    """Whether the entered result is not the one that auction, play and claim show, as far as they go.

    A record broken off decides what it can: the contract once the auction is over, and the tricks that both
    sides have already taken. A director's ruling is right whatever the record says.
    """
    if table.ending is None or table.is_ruled or not table.auction.is_over:
        return False
    entered, record = table.ending.result, table.record_result
    if record is not None:
        return entered != record
    play = table.play
    if (entered.contract, entered.declarer) != (table.auction.contract, table.auction.declarer):
        return True
    if play is None or entered.tricks is None:
        return False
    return not play.declarer_tricks <= entered.tricks <= 13 - play.defender_tricks

"""Blocking alarms: what holds a match open until the director, or both captains together, have looked.

Notices (a big swing, a claim that analysis contradicts) are not decided here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Side
from broadcast.tables.events import BoardKey
from broadcast.tables.seating import sits_alike
from broadcast.tables.state import Board, MatchState, RoomBoard


@dataclass(frozen=True, slots=True)
class Alarm:
    kind: str
    """``different_deals``, ``same_seating`` or ``record_differs``."""
    key: BoardKey
    room: Room | None = None

    @property
    def id(self) -> str:
        """Names the alarm when it is cleared."""
        return ":".join([self.kind, str(self.key), *([self.room.value] if self.room else [])])


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
    for board in state.boards.values():
        if board.is_cancelled or board.award is not None:
            continue
        for alarm in _of_board(state, board):
            if alarm.id not in state.cleared:
                yield alarm


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

"""Blocking alarms: what holds a match open until the director, or both captains together, have looked.

Notices (a big swing, a claim that analysis contradicts) are not decided here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from broadcast.bridge.rooms import Room
from broadcast.tables.events import BoardKey
from broadcast.tables.state import Board, MatchState


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
    for seat, player in there.players.items():
        twin = here.players.get(seat)
        if twin is not None and player.id is not None and player.id == twin.id:
            return "same_seating"
    return None


def blocking_alarms(state: MatchState) -> Iterator[Alarm]:
    """Every alarm that is not cleared, board by board."""
    for key, board in state.boards.items():
        if board.is_cancelled or board.award is not None:
            continue
        for alarm in _of_board(key, board):
            if alarm.id not in state.cleared:
                yield alarm


def _of_board(key: BoardKey, board: Board) -> Iterator[Alarm]:
    reason = held(board)
    if reason is not None:
        yield Alarm(reason, key)
    for room in Room:
        table = board.rooms[room]
        record = table.record_result
        if (
            record is not None
            and table.ending is not None
            and not table.is_ruled
            and record != table.ending.result
        ):
            yield Alarm("record_differs", key, room)

"""A board compared between the two rooms: IMPs of both sides, or why there are none yet.

Unknown stays unknown. A missing room, a board in play, a cancelled board is never a zero: it has no IMPs, is
not counted, and moves no total. Rooms that cannot be compared hold the board for the director; an award lifts
that. Clearing the alarm only lets the match close without the board.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from broadcast.bridge.rooms import Room, Team
from broadcast.tables.alarms import held
from broadcast.tables.events import BoardKey
from broadcast.tables.seating import sits_alike
from broadcast.tables.state import Board, MatchState, RoomBoard
from teams.matches.swings import figure, rooms_needed


class Pending(StrEnum):
    """Why a board has no IMPs; the first that applies."""

    HELD = "held"
    """The rooms cannot be compared until the director rules."""
    NO_RESULT = "no_result"
    """None will come: the board is cancelled, or stands in play in a match that is closed."""
    BOTH_IN_PLAY = "both_in_play"
    OPEN_IN_PLAY = "open_in_play"
    CLOSED_IN_PLAY = "closed_in_play"
    OPEN_MISSING = "open_missing"
    """The closed room has finished, the open one has not begun."""
    CLOSED_MISSING = "closed_missing"
    NOT_PLAYED = "not_played"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both figures, or neither and the reason."""

    home: Fraction | None = None
    """Home's IMPs, positive for a gain."""
    visitors: Fraction | None = None
    """Opposite to home's but for split and artificial awards that do not balance."""
    pending: Pending | None = None
    held: str | None = None
    """``different_deals`` or ``same_seating``."""

    @property
    def is_compared(self) -> bool:
        return self.home is not None


def compare(state: MatchState, key: BoardKey) -> Comparison:
    """Compare a board as it stands now."""
    board = state.boards[key]
    if board.is_cancelled:
        return Comparison(pending=Pending.NO_RESULT)
    reason = held_reason(state, board)
    if reason is not None:
        return Comparison(pending=Pending.HELD, held=reason)
    home, visitors = figure(state, key, Team.HOME), figure(state, key, Team.VISITORS)
    if home is None or visitors is None:
        return Comparison(pending=_pending(state, board))
    if state.created.challenge is not None:
        # A challenge is a knock-out: a non-balancing award becomes the mean of both sides' figures.
        home = (home - visitors) / 2
        visitors = -home
    return Comparison(home, visitors)


def held_reason(state: MatchState, board: Board) -> str | None:
    """Why the board waits for the director; ``None`` once an award is given.

    Of an imported record only the cards are compared: a dealer or a name that differs there is mostly a slip of
    who wrote the file, which the import lists.
    """
    if board.award is not None or board.is_cancelled:
        return None
    if state.created.imported:
        return "different_deals" if _has_two_deals(board) else None
    reason = held(board)
    if reason is None and sits_alike(state, board):
        return "same_seating"
    return reason


def _has_two_deals(board: Board) -> bool:
    there, here = (board.rooms[room].deal for room in Room)
    return there is not None and here is not None and there != here


def _pending(state: MatchState, board: Board) -> Pending:
    needed = rooms_needed(board.award)
    playing = {room for room in needed if is_in_play(board.rooms[room])}
    missing = {room for room in needed if board.rooms[room].ending is None} - playing
    if playing and (state.closed is not None or state.voided is not None):
        return Pending.NO_RESULT
    if len(playing) == 2:
        return Pending.BOTH_IN_PLAY
    if playing:
        return Pending.OPEN_IN_PLAY if Room.OPEN in playing else Pending.CLOSED_IN_PLAY
    if len(missing) == 1:
        return Pending.OPEN_MISSING if Room.OPEN in missing else Pending.CLOSED_MISSING
    return Pending.NOT_PLAYED


def is_in_play(table: RoomBoard) -> bool:
    """Whether the board lies on that table: opened, not put aside, without a result."""
    return table.is_opened and table.skipped is None and table.ending is None

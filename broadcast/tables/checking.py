"""A second pair of eyes: somebody beside the operator says whether a finished board's result is right.

A verdict names the result that was seen, so that it never falls on another one. It changes no score; a doubt is
for the director, who corrects or has it checked again.
"""

from broadcast.tables.board_states import Adjusted
from broadcast.tables.commands import CheckResult
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.events import BoardKey, ResultChecked, ResultDoubted, Verdict
from broadcast.tables.state import MatchState

MAX_DOUBT = 500
"""Longest account of what is wrong, in characters."""


def decide_check(state: MatchState, command: CheckResult) -> Verdict:
    """The verdict as an event. Raises ``Refusal``."""
    key, room = BoardKey(command.segment, command.board), command.room
    board = state.boards.get(key)
    if board is None:
        raise NoSuchThing("no_such_board", f"The match has no board {key}", board=str(key))
    if state.closed is not None or state.voided is not None:
        raise Refusal("match_closed", "The match is closed: only a director's ruling changes it now")
    table = board.rooms[room]
    if table.ending is None or board.is_cancelled or isinstance(board.state(room), Adjusted):
        raise Refusal("nothing_to_check", f"Board {key} has no result to check in this room", board=str(key))
    if table.ending.result != command.result:
        raise Refusal(
            "result_changed", f"The result of board {key} has changed since: look at it again", board=str(key)
        )
    if command.wrong is None:
        if table.is_checked and table.doubt is None:
            raise Refusal("checked_already", f"Board {key} is checked already", board=str(key))
        return ResultChecked(key, room)
    wrong = command.wrong.strip()
    if not wrong or len(wrong) > MAX_DOUBT:
        raise Refusal("reason_needed", "Say what is wrong with the result")
    return ResultDoubted(key, room, wrong)

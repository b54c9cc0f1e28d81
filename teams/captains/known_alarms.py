"""Which blocking alarms captains learn of: those of boards on which everything is public.

An alarm is found in the log at once. Told to captains at once it would say that the other room has finished a
board, and that something is odd about it, before their own team has played it. So they learn it with the
board, or, where boards become public with the closing only, when the last one is played.
"""

from broadcast.bridge.rooms import Room
from broadcast.tables.alarms import Alarm, blocking_alarms
from broadcast.tables.board_states import is_final
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import ReleaseRule
from broadcast.tables.state import MatchState


def known_alarms(match: MatchState, public: MatchState | None) -> tuple[Alarm, ...]:
    """Of the match as its log has it, beside the match as everybody knows it."""
    is_played_in_secret = match.release.rule is ReleaseRule.MATCH and match.is_complete
    return tuple(
        alarm
        for alarm in blocking_alarms(match)
        if is_played_in_secret or (public is not None and _is_public(match, public, alarm.key))
    )


def _is_public(match: MatchState, public: MatchState, key: BoardKey) -> bool:
    """Whether both rooms' results are public as they stand: not after one was opened again and entered anew."""
    board, shown = match.boards[key], public.boards.get(key)
    return shown is not None and all(
        is_final(shown.state(room)) and shown.rooms[room].ending == board.rooms[room].ending for room in Room
    )

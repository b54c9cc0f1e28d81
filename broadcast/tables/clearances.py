"""What a cleared alarm was cleared for: it holds for what was looked at, and for nothing that comes after."""

from broadcast.bridge.rooms import Room
from broadcast.tables.alarms import repeats
from broadcast.tables.seating import turned
from broadcast.tables.state import MatchState


def still_cleared(before: MatchState, after: MatchState) -> frozenset[str]:
    """The alarms cleared by ``after`` whose cause is still what it was ``before``."""
    return after.cleared - {id for id in before.cleared if _cause(before, id) != _cause(after, id)}


def _cause(state: MatchState, id: str) -> object:
    """What the alarm is about; ``None`` for alarms that are about nothing that changes under the same id."""
    kind, _, rest = id.partition(":")
    place, _, room = rest.partition(":")
    board = next((board for key, board in state.boards.items() if str(key) == place), None)
    if board is None:
        return None
    match kind:
        case "different_deals":
            return tuple((board.rooms[each].deal, board.rooms[each].dealer) for each in Room)
        case "same_seating":
            return tuple(dict(board.rooms[each].players) for each in Room), turned(state, board)
        case "played_twice":
            return repeats(state).get(board.key)
        case "record_differs":
            return board.rooms[Room(room)].ending
        case "taken_back":
            taken_back = board.rooms[Room(room)].taken_back
            return None if taken_back is None else taken_back.sequence
        case _:
            return None

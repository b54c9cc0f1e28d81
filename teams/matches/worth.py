"""What is at stake: for a board finished in one room, what each result in the other would be worth.

The contract in play is known once the auction is over; its outcomes run over the tricks that are still
possible, kept to a window round the contract so that a page can show them at a glance. Before that the common
results stand there (``prospects``).
"""

from dataclasses import dataclass
from fractions import Fraction

from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Side
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState, RoomBoard
from teams.matches.comparison import held_reason, is_in_play
from teams.matches.prospects import common_results
from teams.matches.swings import awarded_score, plain, score_under, swing
from teams.scales.imps import ImpScale

MOST_DOWN = 3
MOST_OVER = 2
"""The window: from three down to two over, moved where play has left it."""


@dataclass(frozen=True, slots=True)
class Prospect:
    result: BoardResult
    score_ns: int
    imps_home: Fraction


def room_at_stake(state: MatchState, key: BoardKey) -> Room | None:
    """The room still playing a board that is final in the other, ``None`` where that is not so."""
    board = state.boards[key]
    if board.is_cancelled or held_reason(state, board) is not None:
        return None
    if board.award is not None and board.award.kind in ("artificial", "split"):
        return None
    if state.closed is not None or state.voided is not None:
        return None
    playing = [room for room in Room if is_in_play(board.rooms[room])]
    if len(playing) != 1 or score_under(board.award, state, key, playing[0].other) is None:
        return None
    room = playing[0]
    if board.award is not None and awarded_score(board.award, room) is not None:
        return None
    return room


def worth(state: MatchState, key: BoardKey) -> tuple[Prospect, ...]:
    """Each likely result of the room at stake with its IMPs for home, the worst for declarer's side first.

    Empty where nothing is at stake. Before there is a contract, declarer's side is the other room's.
    """
    room = room_at_stake(state, key)
    if room is None:
        return ()
    board = state.boards[key]
    table = board.rooms[room]
    there = score_under(board.award, state, key, room.other)
    if there is None:
        return ()
    scale, ns_open = ImpScale(state.created.imp_scale), state.ns_open(key)
    outcomes = []
    for result in _likely_results(table, board.rooms[room.other]):
        score_ns = result.score_ns(table.vulnerability, state.created.penalty_scale)
        here = plain(score_ns)
        pair = (here, there) if room is Room.OPEN else (there, here)
        outcomes.append(Prospect(result, score_ns, swing(*pair, ns_open, scale)))
    return tuple(outcomes)


def _likely_results(table: RoomBoard, other: RoomBoard) -> list[BoardResult]:
    contract, declarer = table.auction.contract, table.auction.declarer
    if table.auction.is_over and contract is not None and declarer is not None:
        likely = _likely(table, contract.tricks_needed)
        return [BoardResult(contract, declarer, tricks) for tricks in likely]
    there = other.ending.result if other.ending is not None else None
    declarer = there.declarer if there is not None and there.declarer is not None else declarer
    sign = -1 if declarer is not None and declarer.side is Side.EW else 1
    return sorted(
        common_results(table.auction, there), key=lambda result: sign * result.score_ns(table.vulnerability)
    )


def _likely(table: RoomBoard, needed: int) -> range:
    """Declarer's totals that play still allows, in the window round the contract.

    >>> from broadcast.tables.state import unplayed
    >>> list(_likely(unplayed(1), 10))
    [7, 8, 9, 10, 11, 12]
    """
    least = 0 if table.play is None else table.play.declarer_tricks
    most = 13 if table.play is None else 13 - table.play.defender_tricks
    low = max(least, min(needed - MOST_DOWN, most - MOST_OVER))
    high = min(most, max(needed + MOST_OVER, least + MOST_OVER))
    return range(low, high + 1)

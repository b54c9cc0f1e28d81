"""Thinking time of each side, room by room, from the moments at which the log was written.

Pure. While a board lies on the table, time runs for the side whose turn it is: dealer's side from the opening
of the board to the first call, then call by call and card by card; dummy's cards are declarer's time. It is
neutral, nobody's, while the clock is stopped, a claim waits for its answer, or the table plays without a deal
on record. Before a board is opened, after its end and while it is skipped no time runs. What was undone has
taken its time all the same.

A device that was without network hands its entries over together: their time then stands with the first of
them, as the log knows only when they came.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Side
from broadcast.tables.apply import apply
from broadcast.tables.board_states import InPlay
from broadcast.tables.events import BoardKey, MatchEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState

Place = tuple[BoardKey, Room]


@dataclass(frozen=True, slots=True)
class BoardTime:
    """Seconds that one board has taken in one room."""

    key: BoardKey
    room: Room
    began_at: datetime
    thinking: Mapping[Side, float] = field(default_factory=lambda: dict.fromkeys(Side, 0.0))
    neutral: float = 0.0

    @property
    def seconds(self) -> float:
        """From the board's opening to its end, without the time it lay aside."""
        return sum(self.thinking.values()) + self.neutral

    def with_time(self, side: Side | None, seconds: float) -> "BoardTime":
        """With so many seconds more of a side, or of nobody."""
        if side is None:
            return replace(self, neutral=self.neutral + seconds)
        return replace(self, thinking={**self.thinking, side: self.thinking[side] + seconds})


def board_times(log: Iterable[Recorded[MatchEvent]], now: datetime | None = None) -> tuple[BoardTime, ...]:
    """The times of all boards that were opened, in order of their opening.

    ``now`` lets the clocks of boards in play run on to that moment; ``None`` stops them at the last event.
    """
    times: dict[Place, BoardTime] = {}
    match: MatchState | None = None
    at: datetime | None = None
    for recorded in log:
        if match is not None and at is not None:
            _run(times, match, at, recorded.recorded_at)
        match, at = apply(match, recorded), recorded.recorded_at
    if match is not None and at is not None and now is not None:
        _run(times, match, at, max(at, now))
    return tuple(times.values())


def team_times(times: Iterable[BoardTime], match: MatchState) -> dict[tuple[Room, Team], float]:
    """Seconds of each team in each room over all boards."""
    totals = {(room, team): 0.0 for room in Room for team in Team}
    for time in times:
        for side, seconds in time.thinking.items():
            totals[time.room, side_team(match, time.key, time.room, side)] += seconds
    return totals


def side_team(match: MatchState, key: BoardKey, room: Room, side: Side) -> Team:
    """The team that sat in that direction of that room on the board."""
    ns_open = match.ns_open(key)
    ns_here = ns_open if room is Room.OPEN else ns_open.other
    return ns_here if side is Side.NS else ns_here.other


def _run(times: dict[Place, BoardTime], match: MatchState, since: datetime, until: datetime) -> None:
    """Let the clocks run from one event to the next."""
    if match.closed is not None or match.voided is not None:
        return
    for room, key in match.current.items():
        board = match.boards[key]
        table = board.rooms[room]
        if table.skipped is not None or not isinstance(board.state(room), InPlay):
            continue
        is_neutral = room in match.neutral or table.deal is None or table.pending_claim is not None
        side = None if is_neutral or table.turn is None else table.turn.side
        time = times.get((key, room)) or BoardTime(key, room, since)
        times[key, room] = time.with_time(side, (until - since).total_seconds())

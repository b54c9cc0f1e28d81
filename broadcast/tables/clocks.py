"""Thinking time of each side, room by room, from the moments at which the log was written.

Pure. While a board lies on the table, time runs for the side whose turn it is: dealer's side from the opening
of the board to the first call, then call by call and card by card; dummy's cards are declarer's time. It is
neutral, nobody's, while the clock is stopped, a claim waits for its answer, or the table plays without a deal
on record. Before a board is opened, after its end and while it is skipped no time runs. What was undone has
taken its time all the same.

What counts is when an entry was made. A device that was without network says how long each had waited there
(``EntryWaited``); the log, which knows when they came, bounds what it says: nothing was made before what had
changed the room's clock before it, nor later than it was recorded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Side
from broadcast.tables.apply import apply
from broadcast.tables.board_states import InPlay
from broadcast.tables.events import BoardKey, EntryWaited, MatchEvent
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
    clocks = {room: _RoomClock(room) for room in Room}
    times: dict[Place, BoardTime] = {}
    match: MatchState | None = None
    at: datetime | None = None
    for recorded in log:
        match, at = apply(match, recorded), recorded.recorded_at
        for clock in clocks.values():
            clock.hear(recorded, match, times)
    if at is not None:
        for clock in clocks.values():
            clock.run(times, at if now is None else max(at, now))
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


@dataclass(slots=True)
class _RoomClock:
    """One room's clock while the log is read: what it measures, and since when."""

    room: Room
    running: tuple[BoardKey, Side | None] | None = None
    """The board and whose time it is, ``None`` for nobody's; ``None`` while it stands."""
    since: datetime | None = None
    waited: EntryWaited | None = None
    waited_at: datetime | None = None

    def hear(self, recorded: Recorded[MatchEvent], after: MatchState, times: dict[Place, BoardTime]) -> None:
        event, at = recorded.event, recorded.recorded_at
        is_ours = getattr(event, "room", None) is self.room
        if isinstance(event, EntryWaited):
            if is_ours:
                self.waited, self.waited_at = event, at
            return
        if is_ours and self.waited is not None and self.waited_at == at:
            at -= timedelta(seconds=self.waited.seconds)
        running = _running(after, self.room)
        if running == self.running:
            return
        self.run(times, at)
        self.running = running
        if running is not None and (running[0], self.room) not in times:
            times[running[0], self.room] = BoardTime(running[0], self.room, self.since or at)

    def run(self, times: dict[Place, BoardTime], until: datetime) -> None:
        """Let it run to a moment; it never runs backward."""
        since, self.since = self.since or until, max(self.since or until, until)
        if self.running is not None:
            key, side = self.running
            times[key, self.room] = times[key, self.room].with_time(side, (self.since - since).total_seconds())


def _running(match: MatchState, room: Room) -> tuple[BoardKey, Side | None] | None:
    """Which board's time runs in a room, and whose it is."""
    key = match.current.get(room)
    if key is None or match.closed is not None or match.voided is not None:
        return None
    board = match.boards[key]
    table = board.rooms[room]
    if table.skipped is not None or not isinstance(board.state(room), InPlay):
        return None
    is_neutral = room in match.neutral or table.deal is None or table.pending_claim is not None
    return key, None if is_neutral or table.turn is None else table.turn.side

"""The release gate: what of a match's log may be public, and from when.

``due(log, now)`` is a pure function: the log events that are public by ``now``, in order of (due moment,
sequence). It is folded by ``ReleaseState``, which the match keeps so that each command costs little:
``entered`` takes the next log event in, ``advanced`` gives out what has become due. Everything due by an
event's own time is given out before the event is taken in; so an undo knows what the public has seen.

The rules, by what an event is:

* creation, start, change of the rule, a line-up that is published: at once.
* an entry of a room (call, card, claim, result ...): by the release rule. ``live`` at once, ``delay`` after
  so many seconds, ``board`` when the board is final in both rooms, ``match`` at closing.
* opening a board: with its first call or result, so that one opened by mistake never shows; opening again what
  the public has seen is an entry.
* undo: entries not yet public vanish; if all that it withdraws vanishes, so does the undo itself.
* a ruling: at once on a board that is public, on an unreleased one directly after what it rules on.
* a comment: when its position is public. A line-up: with the first board of its segment.
* a penalty, extra boards: at once under ``live`` and ``board``, after the delay, or at closing.
* closing: comes last, and releases all that is left. A match reopened before its closing is public was never
  closed for the public. Skips, cleared alarms, doubts of a result and stopped clocks are never public.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.feeds.moments import Due, Timing, comment_moments, room_moments, ruling_moments
from broadcast.feeds.waiting import Waiting, WaitingBoard
from broadcast.tables.apply import apply
from broadcast.tables.events import (
    AlarmCleared,
    BoardEvent,
    BoardKey,
    BoardSkipped,
    CallExplained,
    ClockResumed,
    ClockStopped,
    CommentMade,
    EntriesUndone,
    EntryWaited,
    LineupNamed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    MatchReopened,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultChecked,
    ResultCorrected,
    ResultDoubted,
    RoomEvent,
    ScoreDisputed,
    SegmentAdded,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState

Log = Sequence[Recorded[MatchEvent]]


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """Where a match stands between its log and its public feed."""

    timing: Timing = field(default_factory=Timing)
    boards: Mapping[BoardKey, WaitingBoard] = field(default_factory=dict)
    """What waits of every board that was touched, and how far the public has followed it."""
    others: tuple[Waiting, ...] = ()
    """Line-ups, penalties, closing, and what is due at once."""
    segments_seen: frozenset[int] = frozenset()
    is_closed: bool = False
    """The public knows that the match is closed or void."""
    earliest: datetime | None = None
    """Nothing is due before this moment; ``None``: nothing is due by the clock alone."""

    def entered(
        self, recorded: Recorded[MatchEvent], before: MatchState | None, after: MatchState
    ) -> "ReleaseState":
        """With the next log event taken in. ``before`` and ``after`` are the whole log's state round it."""
        event, at = recorded.event, recorded.recorded_at
        match event:
            case BoardSkipped() | AlarmCleared() | ScoreDisputed() | ResultDoubted():
                return self
            case ClockStopped() | ClockResumed() | EntryWaited():
                return self
            case MatchCreated():
                return self._with_other(recorded, at, Timing(event.release))
            case ReleaseChanged():
                return self._with_other(recorded, at, replace(self.timing, release=event.release, since=at))
            case MatchClosed() | MatchVoided():
                return self._with_other(recorded, at, replace(self.timing, closing=at))
            case MatchReopened():
                return self._reopened(recorded)
            case CommentMade():
                board = self.boards.get(event.key, WaitingBoard())
                comment = Waiting(recorded, event.call, event.card)
                room = board.rooms[event.room].with_comment(comment)
                return self._with_board(event.key, board.with_room(event.room, room), at)
            case _ if isinstance(event, RoomEvent | BoardEvent):
                return self._on_board(recorded, before, after)
            case _:
                return self._with_other(recorded, at, self.timing)

    def _with_other(self, recorded: Recorded[MatchEvent], at: datetime, timing: Timing) -> "ReleaseState":
        others = (*self.others, Waiting(recorded))
        return replace(self, timing=timing, others=others, earliest=_earlier(self.earliest, at))

    def _reopened(self, recorded: Recorded[MatchEvent]) -> "ReleaseState":
        """A closing that waits vanishes; reopening is public only if a closing was."""
        open_again = replace(
            self,
            timing=replace(self.timing, closing=None),
            others=tuple(
                item for item in self.others if not isinstance(item.recorded.event, MatchClosed | MatchVoided)
            ),
        )
        if not self.is_closed:
            return open_again
        return open_again._with_other(recorded, recorded.recorded_at, open_again.timing)

    def _on_board(
        self, recorded: Recorded[MatchEvent], before: MatchState | None, after: MatchState
    ) -> "ReleaseState":
        event, at = recorded.event, recorded.recorded_at
        key: BoardKey = event.key  # type: ignore[union-attr]
        board = self.boards.get(key, WaitingBoard())
        if isinstance(event, EntriesUndone):
            board = board.with_room(event.room, board.rooms[event.room].undone(recorded, event))
        elif isinstance(event, RoomEvent):
            table = before.boards[key].rooms[event.room] if before else None
            calls, cards = (len(table.calls), len(table.cards)) if table else (0, 0)
            if isinstance(event, CallExplained):
                calls = event.call_index
            room = board.rooms[event.room].with_entry(Waiting(recorded, calls, cards))
            board = board.with_room(event.room, room)
        else:
            board = board.with_ruling(Waiting(recorded))
        is_final = after.boards[key].is_final
        if is_final != (board.final_since is not None):
            return self._with_board(key, replace(board, final_since=at if is_final else None), at)
        if isinstance(event, RoomEvent) and not isinstance(event, ResultCorrected | ResultChecked):
            return self._with_board(key, board, self.timing.of_entry(at, board.final_since))
        return self._with_board(key, board, at)

    def _with_board(self, key: BoardKey, board: WaitingBoard, at: datetime | None) -> "ReleaseState":
        return replace(self, boards={**self.boards, key: board}, earliest=_earlier(self.earliest, at))

    # --- giving out ---------------------------------------------------------------------------------------

    def next_due(self) -> datetime | None:
        """A moment not after the next at which something becomes due by the clock alone."""
        return self.earliest

    def advanced(self, now: datetime) -> tuple["ReleaseState", tuple[Recorded[MatchEvent], ...]]:
        """What is due by ``now``, in order of (due moment, sequence), and the state without it."""
        if self.earliest is None or self.earliest > now:
            return self, ()
        release = _Release(now)
        boards = {
            key: release.from_board(key, board, self.timing) if board.is_waiting else board
            for key, board in self.boards.items()
        }
        left = tuple(item for item in self.others if not release.takes(self._moment(item, release), item))
        is_closed = self.is_closed
        for _, item in release.ready:
            if isinstance(item.recorded.event, MatchClosed | MatchVoided | MatchReopened):
                is_closed = not isinstance(item.recorded.event, MatchReopened)
        state = ReleaseState(
            self.timing,
            boards,
            left,
            self.segments_seen | frozenset(release.segments),
            is_closed,
            release.later,
        )
        return state, release.in_order()

    def _moment(self, item: Waiting, release: "_Release") -> datetime | None:
        """When one of ``others`` is due; ``None`` while it waits for a board or for closing."""
        match item.recorded.event:
            case LineupNamed() as named if not named.publish and named.segment not in self.segments_seen:
                begins = (release.segments.get(named.segment), self.timing.end)
                known = [moment for moment in begins if moment is not None]
                return max(item.at, min(known)) if known else None
            case PenaltyGiven() | SegmentAdded():  # both tell how the match stands
                return self.timing.of_penalty(item.at)
            case MatchClosed() | MatchVoided():
                return self.timing.of_closing(item.at)
            case _:
                return item.at


class _Release:
    """Gathers what is due by a moment, and notes when the next thing will be."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.ready: list[Due] = []
        self.segments: dict[int, datetime] = {}
        """When the segments that appear with this release do so."""
        self.later: datetime | None = None

    def takes(self, moment: datetime | None, item: Waiting) -> bool:
        """Take the item if it is due, and say so."""
        if moment is None:
            return False
        if moment > self.now:
            self.later = _earlier(self.later, moment)
            return False
        self.ready.append((moment, item))
        return True

    def from_board(self, key: BoardKey, board: WaitingBoard, timing: Timing) -> WaitingBoard:
        """Take what is due of a board; what is left of it."""
        given: dict[Room, list[Waiting]] = {}
        for room, waiting in board.rooms.items():
            taken: list[Due] = []
            for moment, item in room_moments(waiting, timing, board.final_since):
                if not self.takes(moment, item):
                    break
                taken.append((moment, item))
                if item.is_opening:
                    self.segments[key.segment] = min(moment, self.segments.get(key.segment, moment))
            if waiting.comments:
                comments = list(comment_moments(waiting, taken, timing))
                taken += [(moment, item) for moment, item in comments if self.takes(moment, item)]
            given[room] = [item for _, item in taken]
        rulings = tuple(item for moment, item in ruling_moments(board, timing) if self.takes(moment, item))
        if not rulings and not any(given.values()):
            return board
        return board.without(given, rulings)

    def in_order(self) -> tuple[Recorded[MatchEvent], ...]:
        self.ready.sort(key=lambda due: (due[0], due[1].sequence))
        return tuple(item.recorded for _, item in self.ready)


def due(log: Log, now: datetime) -> tuple[Recorded[MatchEvent], ...]:
    """The events of the log that are public by ``now``, in order of (due moment, sequence).

    What is recorded after ``now`` does not exist yet.
    """
    state, match = ReleaseState(), None
    public: list[Recorded[MatchEvent]] = []
    for recorded in log:
        if recorded.recorded_at > now:
            break
        state, given = state.advanced(recorded.recorded_at)
        public.extend(given)
        after = apply(match, recorded)
        state, match = state.entered(recorded, match, after), after
    return (*public, *state.advanced(now)[1])


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    if one is None or other is None:
        return one or other
    return min(one, other)

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
* a penalty: at once under ``live`` and ``board``, after the delay, or at closing.
* closing: comes last, and releases all that is left. Skips and cleared alarms are never public.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from broadcast.bridge.rooms import Room
from broadcast.tables.apply import apply
from broadcast.tables.events import (
    AlarmCleared,
    BoardAwarded,
    BoardCancelled,
    BoardKey,
    BoardOpened,
    BoardSkipped,
    CallExplained,
    CallMade,
    CardPlayed,
    ClaimAnswered,
    ClaimMade,
    CommentMade,
    EntriesUndone,
    LineupNamed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultChecked,
    ResultCorrected,
    ResultEntered,
    SeatingSwapped,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import Release, ReleaseRule
from broadcast.tables.state import MatchState

K = TypeVar("K")
Log = Sequence[Recorded[MatchEvent]]
Place = tuple[BoardKey, Room]
Due = tuple[datetime, Recorded[MatchEvent]]

_RulingOnRoom = ResultCorrected | ResultChecked
_Ruling = _RulingOnRoom | BoardAwarded | BoardCancelled | SeatingSwapped


@dataclass(frozen=True, slots=True)
class Seen:
    """How far the public has followed a board in a room."""

    is_open: bool = False
    calls: int = 0
    cards: int = 0
    has_end: bool = False
    """A claim or a result stands after the last card."""

    def after(self, event: MatchEvent) -> "Seen":
        match event:
            case BoardOpened():
                return replace(self, is_open=True, has_end=False)
            case CallMade():
                return replace(self, calls=self.calls + 1)
            case CardPlayed():
                return replace(self, cards=self.cards + 1)
            case ClaimMade() | ResultEntered() | ResultCorrected():
                return replace(self, has_end=True)
            case ClaimAnswered():
                return replace(self, has_end=event.accepted)
            case EntriesUndone():
                return replace(
                    self, calls=min(self.calls, event.calls), cards=min(self.cards, event.cards), has_end=False
                )
            case _:
                return self

    def covers(self, calls: int, cards: int) -> bool:
        return self.is_open and self.calls >= calls and self.cards >= cards


@dataclass(frozen=True, slots=True)
class Waiting:
    """A log event that is not public yet."""

    recorded: Recorded[MatchEvent]
    calls: int = 0
    cards: int = 0
    """How many calls and cards stood before it in its room."""


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """Where a match stands between its log and its public feed."""

    release: Release = field(default_factory=Release)
    tables: Mapping[Place, tuple[Waiting, ...]] = field(default_factory=dict)
    """Entries and rulings of a board in a room that wait, in sequence; a ruling on both rooms stands in
    ``boards``."""
    boards: Mapping[BoardKey, tuple[Waiting, ...]] = field(default_factory=dict)
    comments: tuple[Waiting, ...] = ()
    others: tuple[Waiting, ...] = ()
    """Line-ups, penalties, closing, and what is due at once."""
    seen: Mapping[Place, Seen] = field(default_factory=dict)
    segments_seen: frozenset[int] = frozenset()
    final: Mapping[BoardKey, datetime] = field(default_factory=dict)
    """When a board that is final in both rooms became so."""
    rule_since: datetime | None = None
    closing: datetime | None = None
    """When the match was closed or declared void in the log."""

    def entered(
        self, recorded: Recorded[MatchEvent], before: MatchState | None, after: MatchState
    ) -> "ReleaseState":
        """With the next log event taken in. ``before`` and ``after`` are the whole log's state round it."""
        event = recorded.event
        match event:
            case BoardSkipped() | AlarmCleared():
                state = self
            case MatchCreated():
                state = replace(self, release=event.release, others=(*self.others, Waiting(recorded)))
            case ReleaseChanged():
                state = replace(
                    self,
                    release=event.release,
                    rule_since=recorded.recorded_at,
                    others=(*self.others, Waiting(recorded)),
                )
            case MatchClosed() | MatchVoided():
                state = replace(self, closing=recorded.recorded_at, others=(*self.others, Waiting(recorded)))
            case CommentMade():
                state = replace(self, comments=(*self.comments, Waiting(recorded, event.call, event.card)))
            case EntriesUndone():
                state = self._undone(recorded, event)
            case (
                BoardOpened()
                | CallMade()
                | CallExplained()
                | CardPlayed()
                | ClaimMade()
                | ClaimAnswered()
                | ResultEntered()
                | ResultCorrected()
                | ResultChecked()
            ):
                place = (event.key, event.room)
                table = before.boards[event.key].rooms[event.room] if before else None
                calls = len(table.calls) if table else 0
                cards = len(table.cards) if table else 0
                if isinstance(event, CallExplained):
                    calls = event.call_index
                state = self._with_table(place, (*self.tables.get(place, ()), Waiting(recorded, calls, cards)))
            case BoardAwarded() | BoardCancelled() | SeatingSwapped():
                rulings = (*self.boards.get(event.key, ()), Waiting(recorded))
                state = replace(self, boards={**self.boards, event.key: rulings})
            case _:
                state = replace(self, others=(*self.others, Waiting(recorded)))
                if after.closed is None and after.voided is None and state.closing is not None:
                    state = replace(state, closing=None)
        return state._with_final(recorded, after)

    def _with_final(self, recorded: Recorded[MatchEvent], after: MatchState) -> "ReleaseState":
        """Remember since when the event's board is final in both rooms."""
        key = getattr(recorded.event, "key", None)
        if not isinstance(key, BoardKey) or isinstance(recorded.event, CommentMade):
            return self
        is_final = after.boards[key].is_final
        if is_final == (key in self.final):
            return self
        final = {other: at for other, at in self.final.items() if other != key}
        if is_final:
            final[key] = recorded.recorded_at
        return replace(self, final=final)

    def _undone(self, recorded: Recorded[MatchEvent], undo: EntriesUndone) -> "ReleaseState":
        """Let what is not public and is withdrawn vanish; keep the undo only where it reaches further."""
        place = (undo.key, undo.room)
        waiting = self.tables.get(place, ())
        refused = _refused_claims(waiting)
        kept = tuple(item for item in waiting if not _is_withdrawn(item, undo, refused))
        standing = self.seen.get(place, Seen())
        for item in kept:
            if isinstance(item.recorded.event, EntriesUndone | BoardOpened | ClaimAnswered):
                standing = standing.after(item.recorded.event)
        if standing.calls > undo.calls or standing.cards > undo.cards or standing.has_end:
            kept = (*kept, Waiting(recorded, undo.calls, undo.cards))
        return self._with_table(place, kept)

    def _with_table(self, place: Place, waiting: tuple[Waiting, ...]) -> "ReleaseState":
        """With these entries waiting; an opening that a later one replaced before any entry is dropped."""
        if not self.seen.get(place, Seen()).is_open:
            waiting = tuple(
                item
                for item, following in zip(waiting, (*waiting[1:], None), strict=True)
                if not (
                    isinstance(item.recorded.event, BoardOpened)
                    and following is not None
                    and isinstance(following.recorded.event, BoardOpened)
                )
            )
        return replace(self, tables={**self.tables, place: waiting})

    # --- giving out ---------------------------------------------------------------------------------------

    def advanced(self, now: datetime) -> tuple["ReleaseState", tuple[Recorded[MatchEvent], ...]]:
        """What is due by ``now``, in order of (due moment, sequence), and the state without it."""
        ready = sorted(
            self._moments(now),
            key=lambda moment: (moment[0], moment[1].sequence),
        )
        if not ready:
            return self, ()
        given = tuple(recorded for _, recorded in ready)
        gone = {recorded.sequence for recorded in given}
        seen = dict(self.seen)
        segments_seen = self.segments_seen
        for recorded in given:
            event = recorded.event
            if isinstance(event, BoardOpened):
                segments_seen = segments_seen | {event.key.segment}
            room = getattr(event, "room", None)
            key = getattr(event, "key", None)
            if isinstance(key, BoardKey) and isinstance(room, Room):
                seen[key, room] = seen.get((key, room), Seen()).after(event)
        return (
            replace(
                self,
                tables=_without(self.tables, gone),
                boards=_without(self.boards, gone),
                comments=_left(self.comments, gone),
                others=_left(self.others, gone),
                seen=seen,
                segments_seen=segments_seen,
            ),
            given,
        )

    def next_due(self) -> datetime | None:
        """A moment not after the next at which something becomes due by the clock alone."""
        heads = [moments[0][0] for moments in map(self._head, self.tables.items()) if moments]
        rulings = [
            moment for key, waiting in self.boards.items() for moment, _ in self._ruling_moments(key, waiting)
        ]
        others = [moment for item in self.others for moment, _ in self._other_moment(item, {})]
        return min((*heads, *rulings, *others), default=None)

    def _head(self, table: tuple[Place, tuple[Waiting, ...]]) -> list[Due]:
        place, waiting = table
        first = next(
            (n for n, item in enumerate(waiting, 1) if not isinstance(item.recorded.event, BoardOpened)),
            len(waiting),
        )
        return self._table_moments(place, waiting[:first])

    def _moments(self, now: datetime) -> Iterator[Due]:
        """What is due by now, with its moment, in no order."""
        opened: dict[int, datetime] = {}
        for place, waiting in self.tables.items():
            moments = self._table_moments(place, waiting, now)
            for moment, recorded in moments:
                if isinstance(recorded.event, BoardOpened):
                    segment = recorded.event.key.segment
                    opened[segment] = min(moment, opened.get(segment, moment))
            yield from moments
        for key, rulings in self.boards.items():
            yield from (due for due in self._ruling_moments(key, rulings) if due[0] <= now)
        for item in self.comments:
            yield from (due for due in self._comment_moment(item, now) if due[0] <= now)
        for item in self.others:
            yield from (due for due in self._other_moment(item, opened) if due[0] <= now)

    def _by_rule(self, recorded: Recorded[MatchEvent], key: BoardKey | None) -> datetime | None:
        """The moment the release rule gives; ``key`` is the board that ``board`` asks after, if any."""
        own = recorded.recorded_at
        since = max(own, self.rule_since) if self.rule_since else own
        moment: datetime | None
        match self.release.rule:
            case ReleaseRule.LIVE:
                return since
            case ReleaseRule.DELAY:
                return max(since, own + timedelta(seconds=self.release.seconds))
            case ReleaseRule.BOARD:
                moment = since if key is None else self.final.get(key)
            case ReleaseRule.MATCH:
                moment = None
        if self.closing is not None:
            moment = self.closing if moment is None else moment
        return None if moment is None else max(moment, since)

    def _table_moments(
        self, place: Place, waiting: tuple[Waiting, ...], now: datetime | None = None
    ) -> list[Due]:
        """Moments of a room's entries and rulings, in sequence.

        Stops at the first that waits for a board or for closing, or that is not due by ``now``.
        """
        moments: list[Due] = []
        opening: Recorded[MatchEvent] | None = None
        seen = self.seen.get(place, Seen())
        latest: datetime | None = None
        for item in waiting:
            recorded, event = item.recorded, item.recorded.event
            if isinstance(event, BoardOpened) and not seen.is_open:
                opening = recorded
                continue
            if isinstance(event, _RulingOnRoom):
                moment = self._ruling_moment(recorded, latest, seen.is_open, place[0])
            else:
                moment = self._by_rule(recorded, place[0])
            if moment is None:
                break
            moment = moment if latest is None else max(latest, moment)
            if now is not None and moment > now:
                break
            if opening is not None:
                moments.append((moment, opening))
                seen, opening = replace(seen, is_open=True), None
            moments.append((moment, recorded))
            latest = moment
        return moments

    def _ruling_moment(
        self, recorded: Recorded[MatchEvent], latest: datetime | None, is_public: bool, key: BoardKey
    ) -> datetime | None:
        """A ruling comes directly after what is unreleased of its board, at once where nothing is."""
        if latest is not None:
            return max(latest, recorded.recorded_at)
        return recorded.recorded_at if is_public else self._by_rule(recorded, key)

    def _ruling_moments(self, key: BoardKey, rulings: tuple[Waiting, ...]) -> Iterator[Due]:
        """Rulings on both rooms of a board wait for all earlier entries in either."""
        is_public = any(self.seen.get((key, room), Seen()).is_open for room in Room)
        for item in rulings:
            latest: datetime | None = None
            blocked = False
            for room in Room:
                earlier = tuple(
                    entry
                    for entry in self.tables.get((key, room), ())
                    if entry.recorded.sequence < item.recorded.sequence
                    and not isinstance(entry.recorded.event, BoardOpened)
                )
                if earlier:
                    moments = self._table_moments((key, room), self.tables[key, room])
                    due = {recorded.sequence: moment for moment, recorded in moments}
                    moment = due.get(earlier[-1].recorded.sequence)
                    blocked = blocked or moment is None
                    latest = moment if latest is None or (moment and moment > latest) else latest
            if blocked:
                return
            ruled = self._ruling_moment(item.recorded, latest, is_public, key)
            if ruled is None:
                return
            yield ruled, item.recorded

    def _comment_moment(self, item: Waiting, now: datetime) -> Iterator[Due]:
        event = item.recorded.event
        if not isinstance(event, CommentMade):
            return
        place = (event.key, event.room)
        seen = self.seen.get(place, Seen())
        own = item.recorded.recorded_at
        if seen.covers(item.calls, item.cards):
            yield own, item.recorded
            return
        for moment, recorded in self._table_moments(place, self.tables.get(place, ()), now):
            seen = seen.after(recorded.event)
            if seen.covers(item.calls, item.cards):
                yield max(moment, own), item.recorded
                return
        if self.closing is not None and seen.is_open:
            moment_at_closing = self._by_rule(item.recorded, None)
            if moment_at_closing is not None:
                yield max(moment_at_closing, self.closing), item.recorded

    def _other_moment(self, item: Waiting, opened: Mapping[int, datetime]) -> Iterator[Due]:
        recorded, event = item.recorded, item.recorded.event
        moment: datetime | None = recorded.recorded_at
        match event:
            case LineupNamed() if not event.publish and event.segment not in self.segments_seen:
                moment = opened.get(event.segment)
                if moment is None and self.closing is not None:
                    moment = self._by_rule(recorded, None) or self.closing
                moment = None if moment is None else max(moment, recorded.recorded_at)
            case PenaltyGiven() | MatchClosed() | MatchVoided():
                moment = self._by_rule(recorded, None)
            case _:
                moment = recorded.recorded_at
        if moment is not None:
            yield moment, recorded


def due(log: Log, now: datetime) -> tuple[Recorded[MatchEvent], ...]:
    """The events of the log that are public by ``now``, in order of (due moment, sequence)."""
    state, match = ReleaseState(), None
    public: list[Recorded[MatchEvent]] = []
    for recorded in log:
        state, given = state.advanced(recorded.recorded_at)
        public.extend(given)
        after = apply(match, recorded)
        state, match = state.entered(recorded, match, after), after
    return (*public, *state.advanced(now)[1])


def _refused_claims(waiting: tuple[Waiting, ...]) -> set[int]:
    """Sequences of waiting claims that the table has refused, and of the refusals; they are history."""
    refused: set[int] = set()
    claim: int | None = None
    for item in waiting:
        event, sequence = item.recorded.event, item.recorded.sequence
        if isinstance(event, ClaimMade):
            claim = sequence
        elif isinstance(event, ClaimAnswered) and not event.accepted:
            refused |= {sequence} if claim is None else {claim, sequence}
            claim = None
    return refused


def _is_withdrawn(item: Waiting, undo: EntriesUndone, refused: set[int]) -> bool:
    """Whether the undo takes a waiting entry back."""
    match item.recorded.event:
        case CallMade() | CallExplained():
            return item.calls >= undo.calls
        case CardPlayed():
            return item.cards >= undo.cards
        case ClaimMade() | ClaimAnswered():
            return item.cards > undo.cards or item.recorded.sequence not in refused
        case ResultEntered():
            return True
        case _:
            return False


def _left(waiting: Iterable[Waiting], gone: set[int]) -> tuple[Waiting, ...]:
    return tuple(item for item in waiting if item.recorded.sequence not in gone)


def _without(waiting: Mapping[K, tuple[Waiting, ...]], gone: set[int]) -> dict[K, tuple[Waiting, ...]]:
    left = {place: _left(items, gone) for place, items in waiting.items()}
    return {place: items for place, items in left.items() if items}

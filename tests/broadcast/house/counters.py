"""A small kind of stream for tests of the house: it counts, and shows each count after a delay.

``Begin(delay)`` makes it, ``Count(amount)`` adds, ``Hold``/``LetGo`` take and give an exclusive name. An amount
of 100 or more, once it is public, sends ``Count(1)`` to the counter ``tally``. ``Finish`` lets the counter
close by itself when the delay has run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from broadcast.feeds.streams import Change, Consequence, PublicEvent, Published, StreamKey, Summary
from broadcast.house.clock import Clock
from broadcast.house.kinds import Kind, Kinds
from broadcast.storage.event_codec import Codec
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.recorded import Recorded


@dataclass(frozen=True, slots=True)
class Begun:
    delay: int


@dataclass(frozen=True, slots=True)
class Counted:
    amount: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    name: str


@dataclass(frozen=True, slots=True)
class LeftGo:
    name: str


@dataclass(frozen=True, slots=True)
class Finished:
    pass


@dataclass(frozen=True, slots=True)
class Closed:
    pass


@dataclass(frozen=True, slots=True)
class Begin:
    delay: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    amount: int
    note: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Hold:
    name: str


@dataclass(frozen=True, slots=True)
class LetGo:
    name: str


@dataclass(frozen=True, slots=True)
class Finish:
    pass


@dataclass(frozen=True, slots=True)
class Send:
    """Nothing here, but a command to another stream."""

    stream: StreamKey
    command: object


@dataclass(frozen=True, slots=True)
class Misnumber:
    """A command that a faulty stream answers with a gap."""


TALLY = StreamKey("counter", "tally")


def counter(name: str) -> StreamKey:
    return StreamKey("counter", name)


@dataclass(frozen=True, slots=True)
class Counter:
    id: str
    log: tuple[Recorded[Any], ...] = ()
    released: tuple[Published, ...] = ()
    total: int = 0
    held: frozenset[str] = frozenset()
    finishes_at: datetime | None = None
    is_closed: bool = False

    @property
    def key(self) -> StreamKey:
        return counter(self.id)

    @property
    def sequence(self) -> int:
        return len(self.log)

    @property
    def number(self) -> int:
        return len(self.released)

    @property
    def is_open(self) -> bool:
        return not self.is_closed

    @property
    def delay(self) -> timedelta:
        return timedelta(seconds=self.log[0].event.delay)

    def summary(self) -> Summary | None:
        if not self.released:
            return None
        status = "closed" if self.is_closed else "live"
        shown = self.released[-1].event.data["total"]
        return Summary(status, self.id, self.log[0].recorded_at, (f"team-{self.id}",), {"total": shown})

    def exclusive(self) -> frozenset[str]:
        return self.held

    def next_due(self) -> datetime | None:
        moments = [self.finishes_at] if self.finishes_at is not None else []
        if self.number < self.sequence:
            moments.append(self.log[self.number].recorded_at + self.delay)
        return min(moments, default=None)

    def handle(self, command: object, now: datetime, by: str) -> Change:
        if not self.log and not isinstance(command, Begin):
            raise NoSuchThing("no_counter", f"There is no counter {self.id}")
        match command:
            case Begin(delay):
                if self.log:
                    raise Refusal("begun", f"{self.id} has begun")
                return self._recording([Begun(delay)], now, by)
            case Count(amount, note, times):
                if amount < 0:
                    raise Refusal("negative", "An amount is not negative")
                return self._recording([Counted(amount, note)] * times, now, by)
            case Hold(name):
                return self._recording([Held(name)], now, by)
            case LetGo(name):
                return self._recording([LeftGo(name)], now, by)
            case Finish():
                return self._recording([Finished()], now, by)
            case Send(stream, inner):
                return Change(self, consequences=(Consequence(stream, inner),))
            case Misnumber():
                return Change(self, recorded=(Recorded(self.sequence + 2, now, by, Counted(1)),))
        raise AssertionError(command)

    def tick(self, now: datetime) -> Change:
        change = Change(self)
        if self.finishes_at is not None and self.finishes_at <= now:
            change = self._recording([Closed()], now, "house")
        return change.then(change.stream._releasing(now))  # type: ignore[attr-defined]

    def restored(self, log: Sequence[Recorded[Any]], released_until: datetime | None, published: int) -> Self:
        stream = self
        for recorded in log:
            stream = stream._applied(recorded)
        if released_until is not None:
            stream = stream._releasing(released_until).stream  # type: ignore[assignment]
        if stream.number != published:
            raise ValueError(f"{stream.number} entries folded, {published} stored")
        return stream

    def _recording(self, events: Sequence[object], now: datetime, by: str) -> Change:
        stream, recorded = self, []
        for event in events:
            recorded.append(Recorded(stream.sequence + 1, now, by, event))
            stream = stream._applied(recorded[-1])
        return Change(stream, tuple(recorded))

    def _applied(self, recorded: Recorded[Any]) -> Self:
        stream = replace(self, log=(*self.log, recorded))
        match recorded.event:
            case Counted(amount):
                return replace(stream, total=self.total + amount)
            case Held(name):
                return replace(stream, held=self.held | {name})
            case LeftGo(name):
                return replace(stream, held=self.held - {name})
            case Finished():
                return replace(stream, finishes_at=recorded.recorded_at + self.delay)
            case Closed():
                return replace(stream, finishes_at=None, is_closed=True)
        return stream

    def _releasing(self, now: datetime) -> Change:
        entries: list[Published] = []
        consequences: list[Consequence] = []
        total = self.released[-1].event.data["total"] if self.released else 0
        for recorded in self.log[self.number :]:
            if recorded.recorded_at + self.delay > now:
                break
            amount = recorded.event.amount if isinstance(recorded.event, Counted) else 0
            total += amount
            data = {"event": type(recorded.event).__name__, "amount": amount, "total": total}
            hidden = {"event": data["event"]}
            number = self.number + len(entries) + 1
            entries.append(Published(number, recorded.sequence, now, PublicEvent("count", data, hidden)))
            if amount >= 100 and self.key != TALLY:
                consequences.append(Consequence(TALLY, Count(1, self.id)))
        after = replace(self, released=(*self.released, *entries))
        return Change(after, published=tuple(entries), consequences=tuple(consequences))


class CounterKind:
    name = "counter"

    def empty(self, id: str) -> Counter:
        return Counter(id)


COUNTER_CODEC = Codec("counter", [Begun, Counted, Held, LeftGo, Finished, Closed])


def refold(id: str, log: Sequence[Recorded[Any]], until: datetime) -> Sequence[Published]:
    stream = Counter(id)
    for recorded in log:
        stream = stream._applied(recorded)
    return stream._releasing(until).published


COUNTERS = Kinds([Kind(CounterKind(), COUNTER_CODEC, refold)])
START = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)


class HandClock:
    """A clock moved by hand; whoever waits on it looks again after each move."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now
        self._wakes: set[Any] = set()

    def now(self) -> datetime:
        return self._now

    def recorded(self, moment: datetime) -> None:
        self._now = max(self._now, moment)

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        for wake in self._wakes:
            wake.set()

    async def wait(self, until: datetime | None, wake: Any) -> None:
        self._wakes.add(wake)
        if until is None or self._now < until:
            await wake.wait()


_: Clock = HandClock()

"""The one writer: every change of the house goes through one queue, one task and one connection.

``perform`` carries a command to a stream and answers after the commit. Before a command is decided, everything
that is due anywhere in the house has been released. A timer only wakes the writer at the next due moment; it
decides nothing.

How a command can end:

* carried out: stored whole, memory swapped, ``on_commit`` called, the answer sent, in this order;
* refused (``Refusal``, ``BridgeError``): nothing stored, memory as before;
* the disk fails (``HouseUnavailable``): rolled back; reading goes on; the next command, or the timer after a
  moment, tries a new connection;
* the caller is cancelled: before its turn the command is dropped, afterwards it is carried out to its end;
* the process dies: what was committed is there at the next start, and nothing else.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Self, TypeVar, overload

from broadcast.feeds.streams import Change, Published, Stream, StreamKey
from broadcast.house.clock import Clock
from broadcast.house.disk import Disk
from broadcast.house.errors import DamagedStream, HouseUnavailable, Unavailable
from broadcast.house.kinds import Kinds
from broadcast.house.memory import Memory
from broadcast.house.queue import WorkQueue
from broadcast.house.reading import Reading
from broadcast.house.relational import Job, carry_out
from broadcast.house.transaction import Transaction, what_is_due
from broadcast.storage import event_store, read_models
from broadcast.storage.answers import Once
from broadcast.storage.database import Database

T = TypeVar("T")

PUT_OFF = timedelta(seconds=30)
"""How long a stream is left alone whose due change failed."""

STAYS_DUE = timedelta(seconds=1)
"""How long a stream is left alone that is due and yet does not change."""

TRY_AGAIN = timedelta(seconds=2)
"""How long the timer rests when nothing can be stored; then it tries whether something can."""

LOG = logging.getLogger(__name__)


class Writer:
    """Use as a context: ``async with Writer(...) as writer``. It leaves the database open."""

    def __init__(
        self,
        database: Database,
        kinds: Kinds,
        clock: Clock,
        *,
        on_commit: Callable[[tuple[Change, ...]], None] = lambda changes: None,
        at: Callable[[str], None] = lambda point: None,
        keeps_time: bool = True,
    ) -> None:
        """``on_commit`` gets the changes of a transaction, in order, in the event loop; it must not wait.

        ``at`` is told every point of ``CRASH_POINTS`` as it is passed, most of them in the database's thread.
        ``keeps_time`` False leaves it to the caller to call ``tick_due``.
        """
        self._database = database
        self._kinds = kinds
        self._clock = clock
        self._on_commit = on_commit
        self._at = at
        self._keeps_time = keeps_time
        self._memory = Memory()
        self._reading = Reading(database, kinds, self._memory)
        self._rescheduled = asyncio.Event()
        self._disk = Disk(database, self._rescheduled.set)
        self._queue = WorkQueue()
        self._timer: asyncio.Task[None] | None = None

    @property
    def damaged(self) -> dict[StreamKey, DamagedStream]:
        """Streams that were open but could not be restored at the start."""
        return dict(self._memory.damaged)

    @property
    def failure(self) -> Unavailable | None:
        """Why commands cannot be carried out now; ``None`` while the disk took the last one."""
        return self._disk.failure if self._queue.is_open else Unavailable.STOPPING

    @property
    def waiting(self) -> int:
        """Commands whose turn has not come."""
        return self._queue.waiting

    @property
    def next_due(self) -> datetime | None:
        """The next moment at which time changes a stream; in the past when the writer is behind."""
        return self._memory.earliest()

    @property
    def open_streams(self) -> tuple[StreamKey, ...]:
        """The matches and ladders that may still change."""
        return self._memory.open_streams

    async def start(self) -> None:
        """Restore the open streams, go on with time, begin to serve."""
        last, keys = await self._database.read(
            lambda connection: (event_store.last_recorded(connection), read_models.open_streams(connection))
        )
        if last is not None:
            self._clock.recorded(last)
        for key in keys:
            try:
                restored = await self._database.read(partial(self._kinds.restore, key=key))
            except DamagedStream as error:
                LOG.exception("%s is left out", key)
                self._memory.damaged[key] = error
            else:
                self._memory.put([] if restored is None else [restored])
        self._queue.start()
        if self._keeps_time:
            self._timer = asyncio.create_task(self._keep_time(), name="house timer")

    async def close(self) -> None:
        """Carry out what is queued, then stop. Later commands raise ``HouseUnavailable``."""
        if self._timer is not None:
            self._timer.cancel()
            await asyncio.gather(self._timer, return_exceptions=True)
        await self._queue.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    # --- writing -----------------------------------------------------------------------------------------

    async def perform(
        self,
        key: StreamKey,
        command: object,
        *,
        by: str,
        once: Once | None = None,
        answer: Callable[[Change], bytes] = lambda change: b"",
    ) -> bytes:
        """Carry out a command and return its answer, made from the change before the commit.

        With ``once`` the same key and body give the first answer again. The change that ``answer`` gets is the
        command's own with what it made due at once, without what had been due before.
        """

        async def work() -> bytes:
            now = self._clock.now()
            await self._release_due(now)
            return await self._commit(now, lambda house: house.perform(key, command, by, once, answer))

        return await self._queue.do(work)

    @overload
    async def write(self, job: Job[bytes], once: Once) -> bytes: ...

    @overload
    async def write(self, job: Job[T], once: None = None) -> T: ...

    async def write(self, job: Job[Any], once: Once | None = None) -> Any:
        """Do a job on tables that are no streams (accounts, teams), in one transaction.

        The job awaits the connection it is given and nothing else. With ``once``, which needs a ``scope``, it
        returns bytes, and the same key and body give them again.
        """

        async def work() -> Any:
            now = self._clock.now()
            return await self._disk.work(lambda connection: carry_out(connection, job, now, once, self._at))

        return await self._queue.do(work)

    async def together(self, work: Callable[[Transaction], T], once: Once | None = None) -> T:
        """Work on tables and on streams that must come true together, in one transaction.

        It runs in the writing connection's thread and awaits nothing. With ``once``, which needs a ``scope``,
        it returns bytes, and the same key and body give them again.
        """

        async def do() -> T:
            now = self._clock.now()
            await self._release_due(now)
            return await self._commit(now, lambda house: house.together(work, once))

        return await self._queue.do(do)

    async def renew_index(self, key: StreamKey) -> None:
        """Make a stream's part of the index anew from its log, as far as it is released, in one transaction."""

        async def work() -> None:
            await self._commit(self._clock.now(), lambda house: house.renew_index(key))

        await self._queue.do(work)

    async def preview(self, key: StreamKey, command: object, by: str) -> Change:
        """What a command would do now, without doing it. Consequences are named, not carried out.

        Raises what ``perform`` would raise.
        """
        now = self._clock.now()
        stream = await self.stream(key) or self._kinds.empty(key)
        change = what_is_due(stream, now).stream.handle(command, now, by)
        return change.then(what_is_due(change.stream, now))

    async def tick_due(self) -> None:
        """Let every stream that is due by now close and release, in the order of their moments."""

        async def work() -> None:
            await self._release_due(self._clock.now())

        await self._queue.do(work)

    # --- reading -----------------------------------------------------------------------------------------

    async def stream(self, key: StreamKey) -> Stream | None:
        """The stream as of the last commit, ``None`` where there is none. Raises ``DamagedStream``."""
        return await self._reading.stream(key)

    async def feed(self, key: StreamKey, after: int = 0, limit: int = -1) -> list[Published]:
        """The stream's public entries after a number, in order; ``limit`` -1 for all."""
        return await self._reading.feed(key, after, limit)

    # --- inside the queue --------------------------------------------------------------------------------

    async def _commit(self, now: datetime, work: Callable[[Transaction], T]) -> T:
        """Run a transaction; after its commit swap the streams in memory and tell ``on_commit``."""
        house = Transaction(self._kinds, self._held, now, self._at)
        try:
            result = await self._disk.work(lambda connection: connection.run(lambda raw: house.run(raw, work)))
        except Exception:
            self._hold(house)
            raise
        self._hold(house)
        if house.changes:
            self._clock.recorded(now)
            self._at("after swap")
            try:
                self._on_commit(tuple(house.changes))
            except Exception:
                LOG.exception("A commit could not be told to all: they find it in the feed")
            self._at("after publish")
        return result

    def _hold(self, house: Transaction) -> None:
        """Hold in memory what a transaction that has ended loaded or changed."""
        for key in house.streams:
            self._reading.forget(key)
        self._memory.put(stream for stream in house.streams.values() if stream.sequence)
        self._rescheduled.set()

    async def _release_due(self, now: datetime) -> None:
        while keys := self._memory.due(now):
            for key in keys:
                try:
                    await self._commit(now, partial(Transaction.tick, key=key))
                except HouseUnavailable:
                    raise
                except Exception:
                    LOG.exception("What is due of %s could not be released", key)
                    self._memory.put_off(key, now + PUT_OFF)
                else:
                    if key in self._memory.due(now):
                        LOG.debug("%s says that it is due, but nothing comes of it", key)
                        self._memory.put_off(key, now + STAYS_DUE)

    def _held(self, key: StreamKey) -> Stream | None:
        if key in self._memory.damaged:
            raise self._memory.damaged[key]
        return self._memory.peek(key)

    async def _keep_time(self) -> None:
        while True:
            self._rescheduled.clear()
            try:
                if self._disk.failure is not None:
                    await self._clock.wait(self._clock.now() + TRY_AGAIN, asyncio.Event())
                    await self._queue.do(self._disk.probe)
                await self._clock.wait(self._memory.earliest(), self._rescheduled)
                if self._memory.due(self._clock.now()):
                    await self.tick_due()
            except HouseUnavailable as unavailable:
                if unavailable.reason is Unavailable.STOPPING:
                    return

"""The house's public feed appended to Redis, after each commit and in order, for edges to follow.

A command never waits for Redis: ``on_commit`` only notes what has changed, and one task brings the streams up
to date. While Redis is away it notes; when Redis is back it goes on from the last id found there, reading what
is missing from the stored feed. Redis is a copy: whatever it has lost is written again, and what it holds of a
later epoch is left alone, since it belongs to a later copy of this house.

A match that has ended expires some hours after its last event, by Redis' own clock.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, Self, cast

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from broadcast.edges.connection import end
from broadcast.edges.layout import (
    KEPT_ENTRIES,
    MARK,
    SNAPSHOT_EVERY,
    boards_name,
    feed_name,
    state_name,
    to_fields,
)
from broadcast.feeds.cursor import KEPT_EVENTS, Cursor
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.publishing import Feeds, Shown
from broadcast.feeds.streams import Change, Published, Stream, StreamKey
from broadcast.tables.events import BoardKey

LOG = logging.getLogger(__name__)
WATCH_SECONDS: Final = 5.0
"""How often a silent house looks whether Redis still has what it was given."""
PAUSES: Final = (0.1, 5.0)
"""The first and the longest pause before Redis is tried again, in seconds."""
MOST_NOTED: Final = KEPT_EVENTS
"""Entries of a stream that are noted while Redis is away; more are read from the stored feed."""


class Relay:
    """Use as a context in which the house is open."""

    def __init__(self, redis: Redis, feeds: Feeds, epoch: int, archive_seconds: int) -> None:
        self.is_connected = False
        self._redis = redis
        self._feeds = feeds
        self._epoch = epoch
        self._archive_seconds = archive_seconds
        self._changed: dict[StreamKey, None] = {}
        """Streams that may not be up to date in Redis, the longest waiting first."""
        self._known: dict[StreamKey, None] = {}
        """Streams that were ever changed here or open at the start."""
        self._noted: dict[StreamKey, list[Published]] = {}
        self._positions: dict[StreamKey, int] = {}
        """Number of the last event that Redis has."""
        self._snapshots: dict[StreamKey, int] = {}
        """Number of the snapshot that Redis has."""
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def behind(self) -> int:
        """Streams not yet up to date in Redis."""
        return len(self._changed)

    def want(self, keys: Iterable[StreamKey]) -> None:
        """Bring these streams up to date: at the start, the ones that are open."""
        for key in keys:
            self._changed[key] = self._known[key] = None
        self._woken.set()

    def on_commit(self, changes: Sequence[Change]) -> None:
        """Told after each commit, in the event loop; it does not wait."""
        for change in changes:
            key = change.stream.key
            if change.published:
                noted = self._noted.setdefault(key, [])
                noted += change.published
                del noted[:-MOST_NOTED]
                self.want([key])
            elif not change.stream.is_open and key in self._known:
                self.want([key])

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="relay")
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._task is not None:
            await end(self._task)
        with suppress(RedisError, OSError):
            await self._redis.aclose()

    async def _run(self) -> None:
        pause, longest = PAUSES
        while True:
            try:
                await self._look()
                while self._changed:
                    await self._bring(next(iter(self._changed)))
            except (RedisError, OSError) as error:
                if self.is_connected or pause == PAUSES[0]:
                    LOG.warning("Redis is away, edges stand still: %s", error)
                self.is_connected = False
                self._positions.clear()
                await asyncio.sleep(pause)
                pause = min(longest, 2 * pause)
                continue
            except Exception:
                LOG.exception("A stream could not be brought to Redis")
                key = next(iter(self._changed), None)
                if key is not None:  # the others go on; its next commit tries again
                    del self._changed[key]
                    self._positions.pop(key, None)
                await asyncio.sleep(pause)
                continue
            pause = PAUSES[0]
            with suppress(TimeoutError):
                async with asyncio.timeout(WATCH_SECONDS):
                    await self._woken.wait()

    async def _look(self) -> None:
        """Whether Redis is there and has lost nothing; else everything is brought again."""
        self._woken.clear()
        has_mark = await self._redis.get(MARK) is not None
        if not self.is_connected:
            LOG.info("Redis is there")
        if not has_mark or not self.is_connected:
            self._positions.clear()
            self._snapshots.clear()
            self.want(self._known)
            await self._redis.set(MARK, self._epoch)
        self.is_connected = True

    # --- one stream ---------------------------------------------------------------------------------------

    async def _bring(self, key: StreamKey) -> None:
        """Append what Redis does not have of a stream, with its snapshot when that is due."""
        stream = await self._feeds.stream(key)
        if stream is None or not stream.number:
            del self._changed[key]
            return
        position = self._positions.get(key)
        if position is None:
            position = await self._position(key, stream)
            if position is None:
                del self._changed[key]
                return
        entries = await self._entries(key, position, stream.number)
        try:
            is_whole = await self._write(key, stream, position, entries)
        except ResponseError as error:
            # Somebody else has written here, or an answer was lost: what Redis holds decides.
            LOG.warning("Redis refused events of %s: %s", key, error)
            self._positions.pop(key, None)
            self._snapshots.pop(key, None)
            await asyncio.sleep(PAUSES[0])
            return
        if not is_whole:
            self._positions.pop(key, None)
            self._snapshots.pop(key, None)
            return
        self._positions[key] = stream.number
        noted = self._noted.get(key, [])
        if noted and noted[-1].number <= stream.number:
            del self._noted[key]
        current = await self._feeds.stream(key)
        if current is None or (current.number == stream.number and current.is_open == stream.is_open):
            self._changed.pop(key, None)

    async def _position(self, key: StreamKey, stream: Stream) -> int | None:
        """Where Redis stands: 0 where it must be written anew, ``None`` where it is not ours to write."""
        last: Any = await self._redis.xrevrange(feed_name(key), count=1)
        if not last or not await self._redis.exists(state_name(key)):
            return 0
        epoch, number = map(int, last[0][0].decode().split("-"))
        if epoch > self._epoch or (epoch == self._epoch and number > stream.number):
            LOG.error(
                "Redis holds %s up to %d-%d, of a later copy of this house: left alone", key, epoch, number
            )
            return None
        return number if epoch == self._epoch else 0

    async def _entries(self, key: StreamKey, position: int, last: int) -> list[Published]:
        """What follows the position, up to ``last``; of very many only as many as a viewer may be behind."""
        after = max(position, last - KEPT_EVENTS)
        noted = [entry for entry in self._noted.get(key, ()) if after < entry.number <= last]
        if len(noted) == last - after:
            return noted
        return [entry for entry in await self._feeds.feed(key, after) if entry.number <= last]

    async def _write(self, key: StreamKey, stream: Stream, position: int, entries: Sequence[Published]) -> bool:
        """In one transaction of Redis. Whether what should have been there before was there."""
        feed, state, boards = feed_name(key), state_name(key), boards_name(key)
        writing = self._redis.pipeline(transaction=True)
        writing.exists(state)
        if not position:
            writing.delete(feed, state, boards)
        for entry in entries:
            id = str(Cursor(self._epoch, entry.number))
            writing.xadd(feed, cast(Any, to_fields(entry)), id=id, maxlen=KEPT_ENTRIES, approximate=True)
        due = self._snapshots.get(key)
        if due is None or not position or key.kind != MATCH or stream.number >= due + SNAPSHOT_EVERY:
            writing.hset(state, mapping=cast(Any, self._state(stream)))
            self._snapshots[key] = stream.number
        if isinstance(stream, MatchStream):
            changed = _boards(stream, None if not position else entries)
            if changed:
                writing.hset(boards, mapping=cast(Any, changed))
        for name in (feed, state, boards):
            if stream.is_open:
                writing.persist(name)
            elif entries or not position:
                writing.expire(name, self._archive_seconds)
        had_state, *_ = await writing.execute()
        return bool(had_state) or not position

    def _state(self, stream: Stream) -> dict[str, bytes]:
        """A snapshot, which an edge begins with."""
        shown = cast(Shown, stream)
        state = {
            "at": str(Cursor(self._epoch, stream.number)).encode(),
            "whole": msgspec.json.encode(shown.snapshot()),
            "hidden": msgspec.json.encode(shown.snapshot(hidden=True)),
        }
        if isinstance(stream, MatchStream):
            state["comments"] = msgspec.json.encode(stream.public.comments())
        return state


def _boards(stream: MatchStream, entries: Sequence[Published] | None) -> dict[str, bytes]:
    """The resources of the boards that the entries concern, or of all, by ``segment.number``."""
    match = stream.public.match
    if match is None:
        return {}
    if entries is None:
        keys = set(match.boards)
    else:
        keys = {
            BoardKey(entry.event.data["segment"], entry.event.data["board"])
            for entry in entries
            if "board" in entry.event.data
        }
    return {str(key): msgspec.json.encode(stream.public.board(key)) for key in keys}

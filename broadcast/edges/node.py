"""An edge's way from Redis to its hub: streams that somebody asks for are followed, folded and fed to channels.

An edge knows the public feed and nothing else. One task waits for Redis, for all followed streams at once; when
Redis is away the edge goes on with what it has, and catches up by the last ids when Redis is back. Where what
comes of a stream does not follow on what is here, that stream begins anew: its viewers are sent away in order
and come back with their cursors.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from broadcast.edges.connection import end
from broadcast.edges.followed import Followed, Misfit, Relayed
from broadcast.edges.layout import Fields, boards_name, feed_name, state_name
from broadcast.feeds.channels import Channel
from broadcast.feeds.cursor import KEPT_EVENTS
from broadcast.feeds.frames import Frame
from broadcast.feeds.hub import Hub
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.publishing import ENCODINGS, Encoding
from broadcast.feeds.streams import StreamKey

LOG = logging.getLogger(__name__)
WAIT_MILLISECONDS: Final = 2_000
"""How long one question to Redis waits for news."""
TIMEOUT_SECONDS: Final = 6.0
"""How long an answer may take; longer than the waiting in it."""
PAUSES: Final = (0.1, 2.0)
"""The first and the longest pause before Redis is tried again, in seconds."""
UNUSED_SECONDS: Final = 600.0
"""A stream without viewers that nobody has asked for this long is followed no more."""
MOST_FOLLOWED: Final = 1_000
"""Streams followed at once; beyond, the one without viewers that was asked for longest ago is let go."""
LONGEST_ID: Final = 64
"""No match or ladder has a longer one: Redis need not be asked."""
Entries = Sequence[tuple[bytes, Fields]]
"""Entries of a stream as Redis gives them."""
TRIES: Final = 5
"""How often a stream is read that is being written anew."""


class Unreachable(Exception):
    """Redis is away, and what was asked for is not here."""


class Node:
    """Belongs to one event loop; ``close`` it."""

    def __init__(
        self, redis: Redis, hub: Hub, on_arrival: Callable[[float], None] = lambda seconds: None
    ) -> None:
        """``on_arrival`` is told how many seconds an event was under way since its release."""
        self.is_connected = True
        self._redis = redis
        self._hub = hub
        self._on_arrival = on_arrival
        self._followed: dict[StreamKey, Followed] = {}
        self._has_more = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._locks: dict[StreamKey, asyncio.Lock] = {}

    @property
    def followed(self) -> int:
        """Streams followed now."""
        return len(self._followed)

    async def follow(self, key: StreamKey) -> Followed | None:
        """The stream as far as it has come here; ``None`` where Redis has none. Raises ``Unreachable``."""
        found = self._followed.get(key)
        if found is None:
            try:
                async with self._locks.setdefault(key, asyncio.Lock()):
                    found = self._followed.get(key)
                    if found is None:
                        found = await self._begin(key)
            finally:
                self._locks.pop(key, None)
        if found is not None:
            found.used_at = asyncio.get_running_loop().time()
        return found

    async def channel(self, key: StreamKey, encoding: Encoding) -> Channel | None:
        """The stream's channel, filled and live; ``None`` where Redis has no such stream."""
        followed = await self.follow(key)
        if followed is None:
            return None
        name = f"{key}/{encoding}"
        return self._hub.find(name) or self._hub.open(
            name,
            epoch=followed.epoch,
            last_number=followed.number,
            floor=followed.entries[0].number - 1 if followed.entries else followed.number,
            frames=encoding.frames(followed.epoch, [entry.published() for entry in followed.entries]),
        )

    def snapshots(self, key: StreamKey, encoding: Encoding) -> Callable[[], Frame]:
        """What makes the whole state of a stream whose channel has just been given, also once it is let go."""
        followed = self._followed[key]

        def snapshot() -> Frame:
            data = followed.encoded(hidden=encoding.hidden)
            return Frame.numbered(followed.epoch, followed.number, "snapshot", data)

        return snapshot

    async def board(self, key: StreamKey, board: str) -> bytes | None:
        """The public resource of a board, as JSON. Raises ``Unreachable``."""
        try:
            found: Any = await self._redis.hget(boards_name(key), board)
        except (RedisError, OSError) as error:
            raise Unreachable(str(error)) from error
        return None if found is None else bytes(found)

    async def close(self) -> None:
        if self._task is not None:
            await end(self._task)
        await self._redis.aclose()

    # --- following ----------------------------------------------------------------------------------------

    async def _begin(self, key: StreamKey) -> Followed | None:
        if len(key.id) > LONGEST_ID:
            return None
        try:
            followed = await self._read_whole(key)
        except (RedisError, OSError, Misfit) as error:
            raise Unreachable(str(error)) from error
        except Exception as error:
            LOG.exception("%s cannot be read", key)
            raise Unreachable(str(error)) from error
        if followed is not None:
            self._make_room()
            self._followed[key] = followed
            self._has_more.set()
            if self._task is None:
                self._task = asyncio.create_task(self._keep_up(), name="following")
        return followed

    async def _read_whole(self, key: StreamKey) -> Followed | None:
        """Snapshot and last entries. Raises ``Misfit`` where they do not fit after several tries."""
        for left in reversed(range(TRIES)):
            state: Any = await self._redis.hgetall(state_name(key))
            if not state:
                return None
            last: Any = await self._redis.xrevrange(feed_name(key), count=KEPT_EVENTS)
            entries = [Relayed.read(id, fields) for id, fields in reversed(last)]
            try:
                return await self._fitted(Followed.begin(key, state, entries))
            except Misfit:
                if not left:
                    raise
                await asyncio.sleep(PAUSES[0])
        raise Misfit(str(key))

    async def _fitted(self, followed: Followed) -> Followed:
        """The folded state of a match stands; a ladder's snapshot must be as of its last entry."""
        if followed.key.kind != MATCH and not await self._with_snapshot(followed):
            raise Misfit(f"{followed.key} is being written")
        return followed

    async def _with_snapshot(self, followed: Followed) -> bool:
        """Give a stream that is not folded its snapshot; False when that is not as of its last entry."""
        state: Any = await self._redis.hgetall(state_name(followed.key))
        if not state:
            return False
        fresh = Followed.begin(followed.key, state, [])
        if (fresh.epoch, fresh.number) != (followed.epoch, followed.number):
            return False
        followed.whole, followed.hidden = fresh.whole, fresh.hidden
        return True

    async def _keep_up(self) -> None:
        """Take what Redis brings of all streams, and let go of those that nobody asks for any more."""
        pause, longest = PAUSES
        while True:
            try:
                for followed, raw in await self._news():
                    await self._take(followed, raw)
            except (RedisError, OSError, ValueError) as error:  # away, or it answers what is no answer
                if self.is_connected:
                    LOG.warning("Redis is away, viewers wait: %s", error)
                self.is_connected = False
                await asyncio.sleep(pause)
                pause = min(longest, 2 * pause)
                continue
            if self.is_connected:
                pause = PAUSES[0]
            for followed in [found for found in self._followed.values() if self._is_unused(found)]:
                self._forget(followed.key)

    async def _news(self) -> list[tuple[Followed, Entries]]:
        """What has come of the streams that are followed; asked anew when there is one more of them.

        All of them are one question on one connection: Redis has ten thousand, and an edge many streams.
        """
        self._has_more.clear()
        asked = {feed_name(followed.key): followed for followed in self._followed.values()}
        if not asked:
            await self._has_more.wait()
            return []
        after: Any = {name: f"{followed.epoch}-{followed.number}" for name, followed in asked.items()}
        reading: Any = self._redis.xread(after, count=500, block=WAIT_MILLISECONDS)
        answer: asyncio.Future[Any] = asyncio.ensure_future(reading)
        more = asyncio.create_task(self._has_more.wait())
        try:
            await asyncio.wait({answer, more}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                return []
            news = [(asked[name.decode()], raw) for name, raw in answer.result()]
            self.is_connected = True
            return news
        finally:
            # A question given up ends its connection. Nothing is lost with it: it is asked again from here.
            await asyncio.shield(end(answer, more))

    async def _take(self, followed: Followed, raw: Entries) -> None:
        """Send what came of one stream on, or begin it anew. Raises ``RedisError`` and ``OSError``."""
        key = followed.key
        if self._followed.get(key) is not followed:
            return
        try:
            taken = followed.take([Relayed.read(id, fields) for id, fields in raw])
            if key.kind != MATCH:
                taken += await self._take_up_to_snapshot(followed)
        except Misfit as error:
            LOG.warning("Beginning anew: %s", error)
            await self._renew(key)
            return
        except (RedisError, OSError):
            self._forget(key)  # it has moved on without its viewers
            raise
        except Exception:
            LOG.exception("%s cannot be followed", key)
            await self._renew(key)
            return
        for encoding in ENCODINGS:
            channel = self._hub.find(f"{key}/{encoding}")
            if channel is not None:
                channel.append(encoding.frames(followed.epoch, taken), last_number=followed.number)
        now = datetime.now(UTC)
        for entry in taken:
            self._on_arrival((now - entry.released_at).total_seconds())

    async def _take_up_to_snapshot(self, followed: Followed) -> list[Any]:
        """What a ladder's snapshot has besides. Raises ``Misfit`` where they never meet."""
        taken: list[Any] = []
        for _ in range(TRIES):
            if await self._with_snapshot(followed):
                return taken
            after = f"({followed.epoch}-{followed.number}"
            raw: Any = await self._redis.xrange(feed_name(followed.key), min=after)
            taken += followed.take([Relayed.read(id, fields) for id, fields in raw])
        raise Misfit(f"the snapshot of {followed.key} is not as of its last entry")

    async def _renew(self, key: StreamKey) -> None:
        """Send the viewers away in order and follow anew; who comes back is answered by cursor."""
        used_at = self._followed[key].used_at
        self._forget(key)
        with suppress(Unreachable):
            if (followed := await self.follow(key)) is not None:
                followed.used_at = used_at

    def _is_unused(self, followed: Followed) -> bool:
        """Whether nobody has followed the stream or asked for it for long."""
        now = asyncio.get_running_loop().time()
        if self._is_used(followed):
            followed.used_at = now
        return now - followed.used_at > UNUSED_SECONDS

    def _is_used(self, followed: Followed) -> bool:
        channels = [self._hub.find(f"{followed.key}/{encoding}") for encoding in ENCODINGS]
        return any(channel is not None and not channel.is_idle for channel in channels)

    def _make_room(self) -> None:
        """Let the longest unused stream go where there are as many as there may be; those in use stay."""
        if len(self._followed) >= MOST_FOLLOWED:
            unused = [followed for followed in self._followed.values() if not self._is_used(followed)]
            for longest in sorted(unused, key=lambda followed: followed.used_at)[:1]:
                self._forget(longest.key)

    def _forget(self, key: StreamKey) -> None:
        self._followed.pop(key, None)
        for encoding in ENCODINGS:
            self._hub.forget(f"{key}/{encoding}")

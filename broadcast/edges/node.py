"""An edge's way from Redis to its hub: streams that somebody asks for are followed, folded and fed to channels.

An edge knows the public feed and nothing else. Each followed stream has a task that waits for Redis; when Redis
is away the edge goes on with what it has, and catches up by the last id when Redis is back. Where what comes
does not follow on what it has, it begins anew: its viewers are sent away in order and come back with their
cursors.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from broadcast.edges.followed import Followed, Misfit, Relayed
from broadcast.edges.layout import boards_name, feed_name, state_name
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
        self._tasks: dict[StreamKey, asyncio.Task[None]] = {}
        self._locks: dict[StreamKey, asyncio.Lock] = {}

    @property
    def followed(self) -> int:
        """Streams followed now."""
        return len(self._followed)

    async def follow(self, key: StreamKey) -> Followed | None:
        """The stream as far as it has come here; ``None`` where Redis has none. Raises ``Unreachable``."""
        found = self._followed.get(key)
        if found is None:
            async with self._locks.setdefault(key, asyncio.Lock()):
                found = self._followed.get(key)
                if found is None:
                    found = await self._begin(key)
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
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await self._redis.aclose()

    # --- following ----------------------------------------------------------------------------------------

    async def _begin(self, key: StreamKey) -> Followed | None:
        try:
            followed = await self._read_whole(key)
        except (RedisError, OSError, Misfit) as error:
            raise Unreachable(str(error)) from error
        if followed is not None:
            self._followed[key] = followed
            if key not in self._tasks:
                self._tasks[key] = asyncio.create_task(self._keep_up(key), name=f"following {key}")
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

    async def _keep_up(self, key: StreamKey) -> None:
        """Take what Redis brings, until nobody asks for the stream any more."""
        pause, longest = PAUSES
        while followed := self._followed.get(key):
            try:
                if not await self._take_next(followed) and self._is_unused(followed):
                    self._forget(key)
            except (RedisError, OSError) as error:
                if self.is_connected:
                    LOG.warning("Redis is away, viewers wait: %s", error)
                self.is_connected = False
                await asyncio.sleep(pause)
                pause = min(longest, 2 * pause)
                continue
            except Misfit as error:
                LOG.warning("Beginning anew: %s", error)
                await self._renew(key)
            except Exception:
                LOG.exception("%s cannot be followed", key)
                await asyncio.sleep(longest)
                await self._renew(key)
            pause, self.is_connected = PAUSES[0], True
        self._tasks.pop(key, None)

    async def _take_next(self, followed: Followed) -> bool:
        """Wait for the next entries and send them on; whether there were any."""
        key, after = followed.key, f"{followed.epoch}-{followed.number}"
        answer: Any = await self._redis.xread({feed_name(key): after}, count=500, block=WAIT_MILLISECONDS)
        if not answer:
            return False
        ((_, raw),) = answer
        taken = followed.take([Relayed.read(id, fields) for id, fields in raw])
        if key.kind != MATCH:
            taken += await self._take_up_to_snapshot(followed)
        for encoding in ENCODINGS:
            channel = self._hub.find(f"{key}/{encoding}")
            if channel is not None:
                channel.append(encoding.frames(followed.epoch, taken), last_number=followed.number)
        now = datetime.now(UTC)
        for entry in taken:
            self._on_arrival((now - entry.released_at).total_seconds())
        return True

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
        try:
            followed = await self._read_whole(key)
        except (RedisError, OSError, Misfit):
            return
        if followed is not None:
            followed.used_at = used_at
            self._followed[key] = followed

    def _is_unused(self, followed: Followed) -> bool:
        channels: Sequence[Channel | None] = [
            self._hub.find(f"{followed.key}/{encoding}") for encoding in ENCODINGS
        ]
        if any(channel is not None and channel.viewers for channel in channels):
            followed.used_at = asyncio.get_running_loop().time()
        return asyncio.get_running_loop().time() - followed.used_at > UNUSED_SECONDS

    def _forget(self, key: StreamKey) -> None:
        self._followed.pop(key, None)
        for encoding in ENCODINGS:
            self._hub.forget(f"{key}/{encoding}")

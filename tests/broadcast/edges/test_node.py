"""An edge's node on a real Redis: many streams by few connections, bounded, and never a gap."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from broadcast.edges import node as node_module
from broadcast.edges.connection import MOST_CONNECTIONS, connect
from broadcast.edges.layout import feed_name, state_name, to_fields
from broadcast.edges.node import LONGEST_ID, Node, Unreachable
from broadcast.feeds.hub import Hub
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.publishing import Encoding
from broadcast.feeds.streams import PublicEvent, Published, StreamKey
from tests.scenarios.edge_nodes import RedisServer, needs_redis

pytestmark = needs_redis
EPOCH = 3
WHOLE = Encoding()
BEGUN = datetime(2026, 5, 1, 18, tzinfo=UTC)


class Forgetting(Hub):
    """A hub that tells of the channels it lets go."""

    def __init__(self) -> None:
        super().__init__()
        self.forgot = asyncio.Event()

    def forget(self, key: str) -> None:
        super().forget(key)
        self.forgot.set()


class Following:
    """A node, its hub, and the hand that writes to its Redis what a house would."""

    def __init__(self, redis: RedisServer) -> None:
        self.arrived = asyncio.Event()
        self.hub = Forgetting()
        self.node = Node(connect(redis.url), self.hub, lambda seconds: self.arrived.set())
        self._hand = connect(redis.url)

    async def writes(self, key: StreamKey, number: int, *, title: str = "Final", epoch: int = EPOCH) -> None:
        event = PublicEvent("match", {"title": title}, {"title": title})
        fields: Any = to_fields(Published(number, 0, BEGUN, event))
        await self._hand.xadd(feed_name(key), fields, id=f"{epoch}-{number}")

    async def begins(self, key: StreamKey, epoch: int = EPOCH) -> None:
        state: Any = {"at": f"{epoch}-0", "whole": b"{}", "hidden": b"{}", "comments": b"[]"}
        await self._hand.delete(feed_name(key))
        await self._hand.hset(state_name(key), mapping=state)

    async def spoils(self, key: StreamKey, number: int) -> None:
        fields: Any = {"name": "match", "room": "attic"}
        await self._hand.xadd(feed_name(key), fields, id=f"{EPOCH}-{number}")

    async def has_heard(self) -> None:
        """An event has come that was not asked for."""
        async with asyncio.timeout(10):
            await self.arrived.wait()
        self.arrived.clear()

    async def connections(self) -> int:
        return len(await self._hand.client_list())

    async def closed(self) -> None:
        await self.node.close()
        await self._hand.aclose()


@asynccontextmanager
async def following(redis: RedisServer) -> AsyncIterator[Following]:
    found = Following(redis)
    try:
        yield found
    finally:
        await found.closed()


def match(number: int) -> StreamKey:
    return StreamKey(MATCH, f"m{number}")


def test_very_many_streams_are_followed_by_few_connections(redis: RedisServer) -> None:
    async def run() -> None:
        async with following(redis) as edge:
            for number in range(150):
                await edge.begins(match(number))
                await edge.writes(match(number), 1)
            channels = [await edge.node.channel(match(number), WHOLE) for number in range(150)]
            assert all(channel is not None and channel.last_number == 1 for channel in channels)
            assert edge.node.followed == 150
            assert await edge.connections() < MOST_CONNECTIONS / 4
            for number in (149, 0):
                await edge.writes(match(number), 2, title="Second half")
                await edge.has_heard()
                channel, followed = channels[number], await edge.node.follow(match(number))
                assert channel is not None and followed is not None
                assert (channel.last_number, followed.whole["title"]) == (2, "Second half")

    asyncio.run(run())


def test_many_who_ask_at_once_for_other_streams_wait_their_turn(redis: RedisServer) -> None:
    async def run() -> None:
        async with following(redis) as edge:
            for number in range(2 * MOST_CONNECTIONS):
                await edge.begins(match(number))
            asking = (edge.node.follow(match(number)) for number in range(2 * MOST_CONNECTIONS))
            assert None not in await asyncio.gather(*asking)

    asyncio.run(run())


def test_longest_unused_stream_goes_first_and_one_with_a_viewer_stays(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "MOST_FOLLOWED", 3)

    async def run() -> None:
        async with following(redis) as edge:
            for number in range(6):
                await edge.begins(match(number))
            watched = await edge.node.channel(match(0), WHOLE)
            assert watched is not None
            watched.awaited += 1  # a response that is about to begin
            for number in (1, 2, 3, 4, 5):
                await edge.node.follow(match(number))
            assert edge.hub.find(f"{match(0)}/{WHOLE}") is watched
            assert edge.node.followed <= 4
            await edge.writes(match(0), 1)
            await edge.has_heard()
            assert watched.last_number == 1

    asyncio.run(run())


def test_addresses_that_nobody_has_leave_nothing_behind(redis: RedisServer) -> None:
    async def run() -> None:
        async with following(redis) as edge:
            for number in range(20):
                assert await edge.node.follow(match(number)) is None
            assert await edge.node.follow(StreamKey(MATCH, "m" * (LONGEST_ID + 1))) is None
            assert (edge.node.followed, edge.node._locks) == (0, {})

    asyncio.run(run())


def test_addresses_asked_for_while_redis_is_away_leave_nothing_behind(redis: RedisServer) -> None:
    redis.stop()

    async def run() -> None:
        async with following(redis) as edge:
            for number in range(20):
                with pytest.raises(Unreachable):
                    await edge.node.follow(match(number))
            assert (edge.node.followed, edge.node._locks) == (0, {})

    try:
        asyncio.run(run())
    finally:
        redis.start()


def test_stream_with_a_gap_begins_anew_and_the_others_go_on(redis: RedisServer) -> None:
    async def run() -> None:
        async with following(redis) as edge:
            for number in (1, 2):
                await edge.begins(match(number))
            torn, whole = [await edge.node.channel(match(number), WHOLE) for number in (1, 2)]
            assert torn is not None and whole is not None
            await edge.writes(match(1), 2)  # number 1 is missing
            await edge.writes(match(2), 1)
            await edge.has_heard()
            assert whole.last_number == 1
            async with asyncio.timeout(10):
                await edge.hub.forgot.wait()
            assert edge.hub.find(f"{match(1)}/{WHOLE}") is None
            assert torn.last_number == 0

    asyncio.run(run())


def test_stream_of_another_epoch_is_taken_whole(redis: RedisServer) -> None:
    """A copy of the house writes what it holds anew, and its viewers are told so."""

    async def run() -> None:
        async with following(redis) as edge:
            await edge.begins(match(1))
            await edge.writes(match(1), 1)
            before = await edge.node.channel(match(1), WHOLE)
            assert before is not None and before.epoch == EPOCH
            await edge.begins(match(1), EPOCH + 1)
            await edge.writes(match(1), 1, title="Again", epoch=EPOCH + 1)
            async with asyncio.timeout(10):
                await edge.hub.forgot.wait()
            assert edge.hub.find(f"{match(1)}/{WHOLE}") is None
            followed = await edge.node.follow(match(1))
            assert followed is not None
            assert (followed.epoch, msgspec.json.decode(followed.encoded(hidden=False))["title"]) == (
                4,
                "Again",
            )

    asyncio.run(run())


def test_entry_that_cannot_be_read_stops_its_stream_alone_and_until_it_is_gone(redis: RedisServer) -> None:
    async def run() -> None:
        async with following(redis) as edge:
            for number in (1, 2):
                await edge.begins(match(number))
                await edge.node.channel(match(number), WHOLE)
            await edge.spoils(match(1), 1)
            async with asyncio.timeout(10):
                await edge.hub.forgot.wait()
            with pytest.raises(Unreachable):
                await edge.node.follow(match(1))
            await edge.writes(match(2), 1)
            await edge.has_heard()
            await edge.begins(match(1))
            followed = await edge.node.follow(match(1))
            await edge.writes(match(1), 1)
            await edge.has_heard()
            assert followed is not None and followed.number == 1

    asyncio.run(run())

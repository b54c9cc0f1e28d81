"""The relay on a real Redis: what the house has committed, once, in order, whatever Redis has lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from broadcast.edges.connection import connect
from broadcast.edges.layout import MARK, feed_name, from_fields, state_name
from broadcast.edges.relay import MOST_NOTED, Relay
from broadcast.feeds.publishing import Feeds
from broadcast.feeds.streams import Change, PublicEvent, Published, Stream, StreamKey
from tests.scenarios.edge_nodes import RedisServer, needs_redis, wait_for

pytestmark = needs_redis
EPOCH = 3
BEGUN = datetime(2026, 5, 1, 18, tzinfo=UTC)
CUP = StreamKey("cup", "c1")


@dataclass
class Cup:
    """A stream with a feed and nothing else; the relay asks no more of one."""

    key: StreamKey = CUP
    number: int = 0
    is_open: bool = True

    def snapshot(self, *, hidden: bool = False) -> dict[str, Any]:
        return {"rounds": None if hidden else self.number}


@dataclass
class House:
    """What the writer's ``stream`` and ``feed`` answer, and the relay that is told of commits."""

    relay: Relay
    cup: Cup
    entries: list[Published] = field(default_factory=list)
    reads: int = 0
    """Times that the stored feed was read."""

    async def stream(self, key: StreamKey) -> Stream | None:
        return cast(Stream, self.cup) if key == CUP else None

    async def feed(self, key: StreamKey, after: int = 0, limit: int = -1) -> list[Published]:
        self.reads += 1
        return self.entries[after:]

    def publishes(self, count: int = 1) -> None:
        """A commit of so many events."""
        made = [
            Published(number, 0, BEGUN + timedelta(seconds=number), PublicEvent("round", {"n": number}, None))
            for number in range(self.cup.number + 1, self.cup.number + 1 + count)
        ]
        self.entries += made
        self.cup.number += count
        self.relay.on_commit([Change(cast(Stream, self.cup), published=tuple(made))])

    async def is_relayed(self) -> None:
        """Redis has all there is."""
        await asyncio.to_thread(wait_for, lambda: not self.relay.behind)


@asynccontextmanager
async def relaying(redis: RedisServer, cup: Cup, epoch: int = EPOCH) -> AsyncIterator[House]:
    house: House

    class Late:
        async def stream(self, key: StreamKey) -> Stream | None:
            return await house.stream(key)

        async def feed(self, key: StreamKey, after: int = 0, limit: int = -1) -> list[Published]:
            return await house.feed(key, after, limit)

    relay = Relay(connect(redis.url), cast(Feeds, Late()), epoch, 3_600)
    house = House(relay, cup)
    async with relay:
        yield house


def held(redis: RedisServer) -> list[str]:
    """Ids of what Redis has of the cup's feed."""
    with redis.client() as client:
        return [id.decode() for id, _ in client.xrange(feed_name(CUP))]


def ids(first: int, last: int, epoch: int = EPOCH) -> list[str]:
    return [f"{epoch}-{number}" for number in range(first, last + 1)]


def test_commits_come_to_redis_in_order_and_without_a_look_into_the_stored_feed(redis: RedisServer) -> None:
    async def run() -> None:
        async with relaying(redis, Cup()) as house:
            for count in (1, 3, 1):
                house.publishes(count)
            await house.is_relayed()
            house.publishes(2)
            await house.is_relayed()
            assert house.reads == 0
        assert held(redis) == ids(1, 7)
        with redis.client() as client:
            ((_, fields),) = client.xrange(feed_name(CUP), min=f"{EPOCH}-7")
            state = client.hgetall(state_name(CUP))
        assert from_fields(7, fields).event.data == {"n": 7}
        assert (state[b"at"], state[b"whole"], state[b"hidden"]) == (
            b"3-7",
            b'{"rounds":7}',
            b'{"rounds":null}',
        )

    asyncio.run(run())


def test_house_that_starts_again_goes_on_where_redis_stands(redis: RedisServer) -> None:
    async def run() -> None:
        cup = Cup()
        async with relaying(redis, cup) as house:
            house.publishes(4)
            await house.is_relayed()
            entries = house.entries
        async with relaying(redis, cup) as house:
            house.entries = entries
            house.relay.want([CUP])
            house.publishes(2)
            await house.is_relayed()
        assert held(redis) == ids(1, 6)

    asyncio.run(run())


def test_what_is_committed_while_redis_is_away_comes_when_it_is_back(redis: RedisServer) -> None:
    async def run() -> None:
        async with relaying(redis, Cup()) as house:
            house.publishes(2)
            await house.is_relayed()
            await asyncio.to_thread(redis.stop)
            house.publishes(MOST_NOTED + 5)
            house.publishes()
            assert house.relay.behind == 1
            await asyncio.to_thread(redis.start)
            await house.is_relayed()
            found = held(redis)
            assert found[-1] == f"{EPOCH}-{MOST_NOTED + 8}"
            last = int(found[0].partition("-")[2]) - 1
            assert found == ids(last + 1, MOST_NOTED + 8), "without a gap"
            assert len(found) >= MOST_NOTED

    asyncio.run(run())


def test_feed_of_a_later_copy_of_the_house_is_left_alone(redis: RedisServer) -> None:
    async def run() -> None:
        async with relaying(redis, Cup(), EPOCH + 1) as later:
            later.publishes(2)
            await later.is_relayed()
        async with relaying(redis, Cup()) as house:
            house.publishes(1)
            await house.is_relayed()
        assert held(redis) == ids(1, 2, EPOCH + 1)

    asyncio.run(run())


def test_feed_of_an_earlier_epoch_is_written_anew(redis: RedisServer) -> None:
    async def run() -> None:
        async with relaying(redis, Cup()) as house:
            house.publishes(5)
            await house.is_relayed()
            entries, cup = house.entries, house.cup
        async with relaying(redis, cup, EPOCH + 1) as copy:
            copy.entries = entries
            copy.relay.want([CUP])
            await copy.is_relayed()
        assert held(redis) == ids(1, 5, EPOCH + 1)

    asyncio.run(run())


def test_stream_that_has_ended_expires_and_one_that_goes_on_does_not(redis: RedisServer) -> None:
    async def run() -> None:
        async with relaying(redis, Cup()) as house:
            house.publishes()
            await house.is_relayed()
            with redis.client() as client:
                assert client.ttl(feed_name(CUP)) == -1
            house.cup.is_open = False
            house.publishes()
            await house.is_relayed()
            with redis.client() as client:
                assert 0 < client.ttl(feed_name(CUP)) <= 3_600
                assert client.get(MARK) == str(EPOCH).encode()

    asyncio.run(run())

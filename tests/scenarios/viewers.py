"""Viewers of a running server's streams: one who stays, one who leaves and comes back with its cursor."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx

from tests.serving import SECONDS, Served
from tests.sse_client import Message, State, cleaned, folded, messages, read_until, without_gap

RETRY_SECONDS = 0.05
"""How soon a viewer tries again when the server is away."""


@dataclass
class Viewer:
    """Follows a stream in a task of its own and keeps all it was sent."""

    path: str
    every: int | None = None
    """Events after which it leaves and comes back; ``None`` stays."""
    read: list[Message] = field(default_factory=list)
    cursor: str | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, client: httpx.AsyncClient) -> None:
        """Until it is cancelled; a server that is lost is tried again."""
        while True:
            try:
                await self._connect(client)
            except httpx.TransportError:
                await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self, client: httpx.AsyncClient) -> None:
        headers = {} if self.cursor is None else {"last-event-id": self.cursor}
        async with client.stream("GET", self.path, headers=headers) as response:
            assert response.status_code == 200
            count = 0
            async for message in messages(response):
                self.read.append(message)
                self.cursor = message.id or self.cursor
                self.news.set()
                count += message.id is not None
                if count == self.every:
                    return

    async def reached(self, last: str) -> None:
        """Wait until it has the event with this id."""
        async with asyncio.timeout(SECONDS):
            while self.cursor != last:
                self.news.clear()
                await self.news.wait()

    def state(self) -> State:
        """What it makes of all it was sent."""
        return cleaned(folded(self.read[0].data, self.read[1:]))

    async def settled(self, snapshot: State) -> None:
        """Wait for what rides behind the last event, if that is what it still lacks."""
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                while self.state() != cleaned(snapshot):
                    self.news.clear()
                    await self.news.wait()

    @property
    def events(self) -> list[Message]:
        """What it has an id for, but for snapshots."""
        return [event for event in self.read if event.id is not None and event.event != "snapshot"]


@asynccontextmanager
async def watching(served: Served, *viewers: Viewer) -> AsyncIterator[httpx.AsyncClient]:
    """Viewers at the server while the context lasts, each with its snapshot when it begins."""
    async with served.async_client() as client:
        tasks = [asyncio.create_task(viewer.follow(client)) for viewer in viewers]
        try:
            for viewer in viewers:
                await viewer.news.wait()
            yield client
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert [end for end in ends if not isinstance(end, asyncio.CancelledError)] == []


async def agree(client: httpx.AsyncClient, last: str, *viewers: Viewer) -> None:
    """All have the same events up to ``last``, without gap or repeat; folded they equal a fresh snapshot."""
    for viewer in viewers:
        await viewer.reached(last)
    latest = max(viewer.read[0].number for viewer in viewers)
    for viewer in viewers:
        snapshots = [event for event in viewer.read if event.event in ("snapshot", "reset")]
        assert snapshots == viewer.read[:1]
        assert without_gap(viewer.read, viewer.read[0].number)
        same = [[event for event in each.events if event.number > latest] for each in (viewers[0], viewer)]
        assert same[0] == same[1]
        (fresh,) = await read_until(client, viewer.path, last)
        assert fresh.event == "snapshot"
        await viewer.settled(fresh.data)
        assert_same(viewer.state(), cleaned(fresh.data))


def assert_same(one: State, other: State) -> None:
    """Equal states; says which board differs."""
    for mine, theirs in zip(one["boards"], other["boards"], strict=True):
        assert mine == theirs
    assert one == other

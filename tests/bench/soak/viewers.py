"""Viewers who come back with their cursor whatever has died, and note what they are told twice or never."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import httpx

from tests.bench.soak.client import Client
from tests.sse_client import Message, messages

RETRY_SECONDS = 0.1


@dataclass
class Follower:
    """Follows a stream in a task of its own; ``faults`` says what was not as promised."""

    name: str
    client: Client
    path: str
    every: int | None = None
    """Events after which it leaves and comes back; ``None`` stays."""
    events: dict[int, tuple[str, object]] = field(default_factory=dict)
    first: int | None = None
    """The number of the snapshot it began with."""
    cursor: str | None = None
    comings: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Of the last event it has."""
        return 0 if self.cursor is None else int(self.cursor.rpartition("-")[2])

    async def follow(self) -> None:
        """Until it is cancelled."""
        while True:
            with suppress(httpx.TransportError):
                await self._connect()
            await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self) -> None:
        headers = {} if self.cursor is None else {"last-event-id": self.cursor}
        async with self.client.stream(self.path, headers) as response:
            if response.status_code != 200:
                if response.status_code not in (404, 502, 503, 307):
                    self.faults.append(f"{self.name} was answered {response.status_code}")
                return
            self.comings += 1
            count = 0
            async for message in messages(response):
                self._take(message)
                count += message.id is not None
                if count == self.every:
                    return

    def _take(self, message: Message) -> None:
        if message.event in ("snapshot", "reset"):
            if self.cursor is not None and (message.event == "reset" or message.number != self.number):
                self.faults.append(f"{self.name} at {self.cursor} was sent a {message.event} {message.id}")
            if message.id is not None:
                self.cursor = message.id
                self.first = message.number if self.first is None else self.first
            return
        if message.id is None:
            return
        if message.number != self.number + 1:
            self.faults.append(f"{self.name} at {self.cursor} was sent {message.id}")
        self.events[message.number] = (message.event, message.data)
        self.cursor = message.id

    def differs(self, told: dict[int, tuple[str, object]]) -> list[str]:
        """Where what it was sent is not what the house tells, from its beginning to the house's last."""
        begun, last = (self.first or 0) + 1, max(told, default=0)
        found = [
            f"{self.name} was told {number} as {self.events.get(number)}, the feed has {told[number]}"
            for number in range(begun, last + 1)
            if self.events.get(number) != told[number]
        ]
        return [*self.faults, *found[:3]]

"""A house for one test: a database in a temporary directory, counters, a clock moved by hand."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from broadcast.feeds.streams import Change, StreamKey
from broadcast.house.kinds import Kinds
from broadcast.house.writer import Writer
from broadcast.storage import event_store
from broadcast.storage.database import Database
from tests.broadcast.house.counters import COUNTER_CODEC, COUNTERS, Counter, HandClock


@dataclass
class House:
    database: Database
    writer: Writer
    clock: HandClock
    told: list[Change] = field(default_factory=list)
    """Every change ``on_commit`` was given."""

    async def amounts(self, key: StreamKey) -> list[int]:
        """What the stored log of a counter counts."""
        log = await self.database.read(lambda connection: event_store.read(connection, key, COUNTER_CODEC))
        return [recorded.event.amount for recorded in log if hasattr(recorded.event, "amount")]

    async def numbers(self, key: StreamKey) -> list[int]:
        return [entry.number for entry in await self.writer.feed(key)]

    async def counter(self, key: StreamKey) -> Counter:
        stream = await self.writer.stream(key)
        assert isinstance(stream, Counter)
        return stream


@asynccontextmanager
async def house(
    directory: Path,
    *,
    clock: HandClock | None = None,
    kinds: Kinds = COUNTERS,
    at: Callable[[str], None] = lambda point: None,
    **options: Any,
) -> AsyncIterator[House]:
    clock = clock or HandClock()
    told: list[Change] = []
    async with await Database.open(directory / "house.db", unix_seconds=lambda: 1_700_000_000) as database:
        writer = Writer(database, kinds, clock, on_commit=told.extend, at=at, keeps_time=False, **options)
        async with writer:
            yield House(database, writer, clock, told)

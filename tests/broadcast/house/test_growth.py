"""A house grows: new kinds of events on a database of old."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from broadcast.feeds.streams import Change
from broadcast.house.kinds import Kind, Kinds
from broadcast.storage.event_codec import Codec
from broadcast.tables.recorded import Recorded
from tests.broadcast.house.counters import COUNTER_CODEC, Begin, Count, Counter, counter
from tests.broadcast.house.houses import house

A = counter("a")


@dataclass(frozen=True, slots=True)
class TeaServed:
    cups: int


@dataclass(frozen=True, slots=True)
class ServeTea:
    cups: int


class TeaCounter(Counter):
    __slots__ = ()

    def handle(self, command: object, now: datetime, by: str) -> Change:
        if isinstance(command, ServeTea):
            return self._recording([TeaServed(command.cups)], now, by)
        return Counter.handle(self, command, now, by)


class TeaCounterKind:
    name = "counter"

    def empty(self, id: str) -> TeaCounter:
        return TeaCounter(id)


def test_new_kind_of_event_needs_no_migration(tmp_path: Path) -> None:
    codec = Codec("counter", [*COUNTER_CODEC.kinds.values(), TeaServed])
    grown = Kinds([Kind(TeaCounterKind(), codec)])

    async def log() -> Sequence[Recorded[Any]]:
        async with house(tmp_path, kinds=grown) as it:
            stream = await it.writer.stream(A)
            assert isinstance(stream, TeaCounter)
            return stream.log

    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.writer.perform(A, Count(1), by="o")
            before = await it.database.read(lambda c: c.execute("SELECT sql FROM sqlite_schema").fetchall())
        async with house(tmp_path, kinds=grown) as it:
            await it.writer.perform(A, ServeTea(4), by="o")
            after = await it.database.read(lambda c: c.execute("SELECT sql FROM sqlite_schema").fetchall())
            assert after == before
        assert [recorded.event for recorded in await log()][-1] == TeaServed(4)

    asyncio.run(story())

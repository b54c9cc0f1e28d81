"""The machine's clock is set back and forward while the house is open, and while it is not.

Entries stay in order, a delay keeps its length, nothing is lost; and a house ahead of its clock says so.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from broadcast.house.check import check
from broadcast.house.writer import Writer
from broadcast.storage.database import Database
from tests.broadcast.house.counters import COUNTERS, Begin, Count, counter
from tests.broadcast.house.test_clock import NOON, Machine

A = counter("a")
DELAY = 60


@asynccontextmanager
async def house(directory: Path, machine: Machine) -> AsyncIterator[Writer]:
    """The house on a machine; in the end it must be sound."""
    async with await Database.open(directory / "house.db") as database:
        async with Writer(database, COUNTERS, machine.clock(), keeps_time=False) as writer:
            yield writer
        assert await check(database, COUNTERS) == []


async def public(writer: Writer) -> list[int]:
    await writer.tick_due()
    return [entry.number for entry in await writer.feed(A)]


@pytest.mark.parametrize("hours", [-1, -24 * 365])
def test_delay_keeps_its_length_when_the_clock_is_set_back(tmp_path: Path, hours: int) -> None:
    async def story() -> None:
        machine = Machine()
        async with house(tmp_path, machine) as writer:
            await writer.perform(A, Begin(DELAY), by="d")
            machine.run(DELAY)
            await writer.perform(A, Count(1), by="o")
            machine.wall += timedelta(hours=hours)
            machine.run(DELAY - 1)
            assert await public(writer) == [1]
            await writer.perform(A, Count(2), by="o")
            machine.run(1)
            assert await public(writer) == [1, 2]
            machine.run(DELAY)
            assert await public(writer) == [1, 2, 3]

    asyncio.run(story())


def test_house_that_was_closed_meanwhile_goes_on_behind_what_it_recorded(tmp_path: Path) -> None:
    async def story() -> None:
        machine = Machine()
        async with house(tmp_path, machine) as writer:
            await writer.perform(A, Begin(DELAY), by="d")
            await writer.perform(A, Count(1), by="o")
        machine.wall -= timedelta(days=2)
        async with house(tmp_path, machine) as writer:
            await writer.perform(A, Count(2), by="o")
            assert await public(writer) == []
            machine.run(DELAY)
            assert await public(writer) == [1, 2, 3]

    asyncio.run(story())


def test_clock_set_forward_by_mistake_and_put_right_keeps_the_order(tmp_path: Path) -> None:
    """What the wrong clock made due is public and stays so; from there time goes on at its own pace."""

    async def story() -> None:
        machine = Machine()
        async with house(tmp_path, machine) as writer:
            await writer.perform(A, Begin(DELAY), by="d")
            machine.wall += timedelta(days=400)
            await writer.perform(A, Count(1), by="o")
            assert await public(writer) == [1]
            machine.wall = NOON + timedelta(seconds=1)
            machine.run(DELAY - 1)
            assert await public(writer) == [1]
            machine.run(1)
            assert await public(writer) == [1, 2]
            moments = [entry.released_at for entry in await writer.feed(A)]
            assert moments == sorted(moments)

    asyncio.run(story())

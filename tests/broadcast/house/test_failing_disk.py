"""When nothing can be stored: the caller is told, reading goes on, and the house recovers by itself."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from broadcast.house.check import check
from broadcast.house.errors import HouseUnavailable
from broadcast.storage.answers import Once
from tests.broadcast.house.counters import COUNTERS, Begin, Count, counter
from tests.broadcast.house.houses import House, house

A = counter("a")
B = counter("b")


async def _fill_disk(it: House) -> None:
    """No page more than there are now (SQLite then says that the disk is full)."""
    await it.database.writing.execute_fetchall("PRAGMA max_page_count = 1")


async def _make_read_only(it: House) -> None:
    await it.database.writing.execute_fetchall("PRAGMA query_only = ON")


@pytest.mark.parametrize("failure", [_fill_disk, _make_read_only])
def test_failed_disk_is_told_and_the_next_command_recovers(
    tmp_path: Path, failure: Callable[[House], Awaitable[None]]
) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.writer.perform(B, Begin(delay=60), by="d")
            await failure(it)
            before = await it.writer.stream(A)
            once = Once("k", b"h")
            with pytest.raises(HouseUnavailable, match="try again"):
                await it.writer.perform(A, Count(1, "x" * 100_000), by="o", once=once)
            assert await it.writer.stream(A) is before
            assert await it.numbers(A) == [1]
            it.clock.advance(60)
            await it.writer.perform(A, Count(1, "x" * 100_000), by="o", once=once)
            assert await it.amounts(A) == [1]
            assert await it.numbers(B) == [1]
            assert await check(it.database, COUNTERS) == []

    asyncio.run(story())


def test_disk_that_stays_broken_keeps_refusing_and_reading_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await _make_read_only(it)
            path, it.database.path = it.database.path, tmp_path / "gone" / "house.db"
            for _ in range(3):
                with pytest.raises(HouseUnavailable):
                    await it.writer.perform(A, Count(1), by="o")
                assert await it.numbers(A) == [1]
            it.database.path = path
            await it.writer.perform(A, Count(1), by="o")
            assert await it.numbers(A) == [1, 2]

    asyncio.run(story())


def test_due_release_waits_for_the_disk_and_is_not_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=60), by="d")
            await _make_read_only(it)
            it.clock.advance(60)
            with pytest.raises(HouseUnavailable):
                await it.writer.tick_due()
            assert await it.numbers(A) == []
            await it.writer.tick_due()
            assert await it.numbers(A) == [1]

    asyncio.run(story())

"""A row that is not as it was written stands for nothing: its stream is served to nobody, all others are."""

import asyncio
from pathlib import Path

import pytest

from broadcast.house.check import check
from broadcast.house.errors import DamagedStream
from tests.broadcast.house.counters import COUNTERS, Begin, Count, counter
from tests.broadcast.house.houses import house

A = counter("a")
B = counter("b")


async def _damaged(directory: Path, damage: str) -> None:
    async with house(directory) as it:
        for key in (A, B):
            await it.writer.perform(key, Begin(), by="d")
            await it.writer.perform(key, Count(5, "tea"), by="o")
        await it.database.writing.execute_fetchall(damage)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE log SET body = replace(body, 'tea', 'tee') WHERE stream = 'a' AND sequence = 2",
        "UPDATE log SET recorded_by = 'p' WHERE stream = 'a' AND sequence = 2",
    ],
)
def test_damaged_log_is_left_out_at_the_start_and_named(tmp_path: Path, damage: str) -> None:
    async def story() -> None:
        await _damaged(tmp_path, damage)
        async with house(tmp_path) as it:
            assert set(it.writer.damaged) == {A}
            for reading in (it.writer.stream(A), it.writer.perform(A, Count(1), by="o")):
                with pytest.raises(DamagedStream, match="counted 2 is not as it was written"):
                    await reading
            await it.writer.perform(B, Count(1), by="o")
            assert await it.numbers(B) == [1, 2, 3]
            (finding,) = await check(it.database, COUNTERS)
            assert str(finding).startswith("counter/a, log 2: counted 2 is not as it was written")

    asyncio.run(story())


def test_damaged_entry_of_a_feed_reaches_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        await _damaged(tmp_path, "UPDATE feed SET released_at = '2025-01-01 00:00Z' WHERE stream = 'a'")
        async with house(tmp_path) as it:
            with pytest.raises(DamagedStream, match="is not as it was written"):
                await it.writer.feed(A)
            assert await it.numbers(B) == [1, 2]
            assert {str(each)[:18] for each in await check(it.database, COUNTERS)} == {
                "counter/a, feed 1:",
                "counter/a, feed 2:",
            }

    asyncio.run(story())

"""A damaged write-ahead log, and a damaged end of the database: told, kept, and no viewer misled."""

import asyncio
import shutil
from pathlib import Path

import pytest

from broadcast.house.check import check
from broadcast.storage.database import Database
from broadcast.storage.migrations import ForeignDatabase
from broadcast.storage.write_ahead import beside, written_commits
from tests.broadcast.house.counters import COUNTERS, Begin, Count, counter
from tests.broadcast.house.houses import house

A = counter("a")
COUNTS = 6
FRAME = 24 + 4096


def died(directory: Path) -> Path:
    """The files of a house that died after some counts, all of them still in the write-ahead log."""
    image = directory / "image"
    image.mkdir()

    async def story() -> None:
        async with house(directory) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.database.writing.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
            for count in range(1, COUNTS + 1):
                await it.writer.perform(A, Count(count), by="o")
            for path in directory.glob("house.db*"):  # noqa: ASYNC240 (a test)
                shutil.copy(path, image)

    asyncio.run(story())
    return image / "house.db"


def damaged(path: Path, commit: int) -> None:
    """Turn a byte over in the page with which a commit ends; the first is 0."""
    place = 32 + (written_commits(path)[commit] - 1) * FRAME + 24 + 2000
    content = bytearray(beside(path).read_bytes())
    content[place] ^= 0x10
    beside(path).write_bytes(content)


def headless(path: Path) -> None:
    """Turn a bit over in a salt of the log's header: SQLite then reads none of it."""
    content = bytearray(beside(path).read_bytes())
    content[17] ^= 0x10
    beside(path).write_bytes(content)


def reopened(path: Path) -> tuple[int, list[int]]:
    """Its epoch and counts; what is there must be sound, and the house goes on."""

    async def story() -> tuple[int, list[int]]:
        async with house(path.parent) as it:
            amounts = await it.amounts(A)
            assert await check(it.database, COUNTERS) == []
            await it.writer.perform(A, Count(9), by="o")
            return it.database.epoch, amounts

    return asyncio.run(story())


def test_log_of_a_house_that_died_is_read_whole_in_the_same_epoch(tmp_path: Path) -> None:
    path = died(tmp_path)
    assert len(written_commits(path)) == COUNTS
    assert reopened(path) == (1, [1, 2, 3, 4, 5, 6])


def test_write_that_death_cut_short_changes_no_epoch(tmp_path: Path) -> None:
    path = died(tmp_path)
    content = beside(path).read_bytes()
    beside(path).write_bytes(content[: 32 + written_commits(path)[-1] * FRAME - 100])
    assert reopened(path) == (1, [1, 2, 3, 4, 5])


@pytest.mark.parametrize("commit", [0, 3, 5])
def test_commits_lost_by_damage_begin_a_new_epoch_and_the_log_is_kept(
    tmp_path: Path, commit: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Else new events would come under numbers that viewers have seen."""
    path = died(tmp_path)
    damaged(path, commit)
    content = beside(path).read_bytes()
    assert reopened(path) == (1_700_000_000, list(range(1, commit + 1)))
    assert f"damaged: {COUNTS - commit} transactions" in caplog.text
    (kept,) = path.parent.glob("*.damaged-*")
    assert kept.read_bytes() == content
    assert reopened(path)[0] == 1_700_000_000


def test_log_with_a_damaged_header_is_no_empty_log(tmp_path: Path) -> None:
    path = died(tmp_path)
    headless(path)
    assert reopened(path) == (1_700_000_000, [])
    assert len(list(path.parent.glob("*.damaged-*"))) == 1


def test_damaged_end_of_the_database_is_found_and_a_cut_one_is_named(tmp_path: Path) -> None:
    async def filled() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.writer.perform(A, Count(1, times=300), by="o")

    async def found() -> list[str]:
        async with await Database.reading(tmp_path / "house.db") as database:
            return [str(finding) for finding in await check(database, COUNTERS)]

    asyncio.run(filled())
    assert asyncio.run(found()) == []
    path = tmp_path / "house.db"
    content = path.read_bytes()
    path.write_bytes(content[: -4 * 4096] + b"\x5a" * 4 * 4096)
    assert asyncio.run(found()) != []
    path.write_bytes(content[: 10 * 4096])
    with pytest.raises(ForeignDatabase, match=r"house\.db is damaged"):
        asyncio.run(found())

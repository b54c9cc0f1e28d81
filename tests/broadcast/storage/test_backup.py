"""A copy made while the house serves goes on where it was taken, in an epoch of its own."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from broadcast.house.check import check
from broadcast.storage.backup import back_up, is_copy
from broadcast.storage.database import Database
from tests.broadcast.house.counters import COUNTERS, Begin, Count, counter
from tests.broadcast.house.houses import house

A = counter("a")


def test_copy_made_under_load_is_whole_and_goes_on_in_a_new_epoch(tmp_path: Path) -> None:
    target = tmp_path / "copy" / "house.db"
    target.parent.mkdir()

    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            load = [asyncio.create_task(it.writer.perform(A, Count(1), by="o")) for _ in range(100)]
            await load[20]
            await back_up(it.database, target)
            await asyncio.gather(*load)
            assert await it.amounts(A) == [1] * 100
        assert is_copy(target)
        assert [path.name for path in target.parent.iterdir()] == ["house.db"]
        async with await Database.reading(target) as copy:
            assert await check(copy, COUNTERS) == []
            assert copy.epoch == 1
        async with house(target.parent) as it:
            assert it.database.epoch == 1_700_000_000
            kept = len(await it.amounts(A))
            assert 20 <= kept <= 100
            await it.writer.perform(A, Count(1), by="o")
            assert await it.numbers(A) == list(range(1, kept + 3))
        assert not is_copy(target)
        async with house(target.parent) as it:
            assert it.database.epoch == 1_700_000_000

    asyncio.run(story())


def test_copy_of_a_copy_opened_in_the_same_second_has_yet_another_epoch(tmp_path: Path) -> None:
    async def story() -> None:
        async def opened(path: Path) -> Database:
            return await Database.open(path, unix_seconds=lambda: 5.0)

        paths = [tmp_path / name for name in ("original.db", "copy.db", "second.db")]
        epochs = []
        for place, path in enumerate(paths):
            async with await opened(path) as database:
                epochs.append(database.epoch)
                if place < 2:
                    await back_up(database, paths[place + 1])
        assert epochs == [1, 5, 6]

    asyncio.run(story())


def test_backup_replaces_an_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "copy.db"

    async def story() -> None:
        async with house(tmp_path) as it:
            await back_up(it.database, target)
            await it.writer.perform(A, Begin(), by="d")
            await back_up(it.database, target)
            async with await Database.reading(target) as copy:
                assert await copy.read(lambda c: c.execute("SELECT count(*) FROM log").fetchone()) == (1,)
            (tmp_path / "letter.txt").write_text("dear captain", "utf-8")
            for other in (tmp_path / "letter.txt", it.database.path):
                with pytest.raises(FileExistsError, match="no earlier backup"):
                    await back_up(it.database, other)

    asyncio.run(story())


def test_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            with pytest.raises((OSError, sqlite3.Error)):
                await back_up(it.database, tmp_path / "nowhere" / "copy.db")
            await it.writer.perform(A, Begin(), by="d")
        assert not list(tmp_path.glob("*.part"))  # noqa: ASYNC240

    asyncio.run(story())


def rights(directory: Path) -> dict[str, int]:
    """What others than the owner may do with each file."""
    return {path.name: path.stat().st_mode & 0o077 for path in directory.iterdir() if path.is_file()}


def test_database_and_copy_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Whoever may log in on the machine must not read the deals of boards to come."""

    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await back_up(it.database, tmp_path / "copy.db")
            found = rights(tmp_path)
            assert len(found) >= 4  # the database, what SQLite keeps beside it, the copy
            assert set(found.values()) == {0}

    before = os.umask(0o022)
    try:
        asyncio.run(story())
    finally:
        os.umask(before)

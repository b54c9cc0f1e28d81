"""Opening, migrating and reading the database, and what it does when several use it at once."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from broadcast.storage.connections import WRITE_AHEAD_BYTES, connect_writing
from broadcast.storage.database import Database
from broadcast.storage.migrations import MIGRATIONS, ForeignDatabase, Migration, migrate


def _create_teams(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE teams (id TEXT PRIMARY KEY)")


def _fail_half_way(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (id TEXT)")
    connection.execute("INSERT INTO nowhere VALUES (1)")


TEAMS = Migration("teams.teams", _create_teams)


def test_new_database_is_durable_and_in_its_first_epoch(tmp_path: Path) -> None:
    async def story() -> None:
        async with await Database.open(tmp_path / "house.db") as database:
            assert database.epoch == 1
            for pragma, value in [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]:
                ((found,),) = await database.writing.execute_fetchall(f"PRAGMA {pragma}")
                assert found == value, pragma

    asyncio.run(story())


def test_migrations_of_other_packages_are_applied_once(tmp_path: Path) -> None:
    async def story() -> None:
        for _ in range(2):
            async with await Database.open(tmp_path / "house.db", migrations=[TEAMS]) as database:
                names = await database.read(lambda c: c.execute("SELECT name FROM migrations").fetchall())
                assert [name for (name,) in names].count("teams.teams") == 1
        async with await Database.open(tmp_path / "house.db") as database:  # a command that knows no teams
            assert database.epoch == 1

    asyncio.run(story())


def test_failing_migration_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    """So that the version that wrote it goes on with it, where the new one cannot."""
    with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS)
        form = connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            migrate(connection, [*MIGRATIONS, TEAMS, Migration("teams.half", _fail_half_way)])
        assert connection.execute("SELECT name, sql FROM sqlite_schema").fetchall() == form
        assert migrate(connection, MIGRATIONS) == []
        assert migrate(connection, [*MIGRATIONS, TEAMS]) == ["teams.teams"]


def test_database_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    async def story() -> None:
        newer = Migration("house.a_later_step", _create_teams)
        async with await Database.open(tmp_path / "house.db", migrations=[newer]):
            pass
        with pytest.raises(ForeignDatabase, match=r"newer version.*house\.a_later_step"):
            await Database.open(tmp_path / "house.db")

    asyncio.run(story())


def test_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "blog.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE posts (id)")

    async def story() -> None:
        with pytest.raises(ForeignDatabase, match="another program"):
            await Database.open(path)
        for wrong in (path, tmp_path / "nothing.db"):
            with pytest.raises(ForeignDatabase):
                await Database.reading(wrong)

    asyncio.run(story())


def test_readers_cannot_write(tmp_path: Path) -> None:
    async def story() -> None:
        async with await Database.open(tmp_path / "house.db") as database:
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                await database.read(lambda connection: connection.execute("DELETE FROM log"))

    asyncio.run(story())


def test_reading_beside_a_server_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            await Database.open(tmp_path / "house.db"),
            await Database.reading(tmp_path / "house.db") as beside,
        ):
            assert beside.epoch == 1
            with pytest.raises(ValueError, match="reading only"):
                _ = beside.writing

    asyncio.run(story())


def test_transaction_that_reads_first_waits_for_the_other_writer(tmp_path: Path) -> None:
    """A transaction that begins with a read and writes later fails at once when another has written meanwhile.

    The busy timeout does not help there: its view of the database is out of date. Beginning as a writer does.
    """

    async def story() -> None:
        async with await Database.open(tmp_path / "house.db", migrations=[TEAMS]) as database:
            first, second = database.writing, await connect_writing(database.path)
            try:
                await first.execute_fetchall("BEGIN")
                await first.execute_fetchall("SELECT count(*) FROM teams")
                await second.execute_fetchall("INSERT INTO teams VALUES ('vihar')")
                with pytest.raises(sqlite3.OperationalError, match="locked"):
                    await first.execute_fetchall("INSERT INTO teams VALUES ('modra')")
                await first.rollback()

                await first.execute_fetchall("BEGIN IMMEDIATE")
                await first.execute_fetchall("SELECT count(*) FROM teams")
                waiting = asyncio.create_task(second.execute_fetchall("INSERT INTO teams VALUES ('roza')"))
                await first.execute_fetchall("INSERT INTO teams VALUES ('modra')")
                await first.commit()
                await waiting
                rows = await database.read(lambda c: c.execute("SELECT id FROM teams ORDER BY id").fetchall())
                assert [id for (id,) in rows] == ["modra", "roza", "vihar"]
            finally:
                await second.close()

    asyncio.run(story())


def test_write_ahead_log_is_emptied_while_spectators_read_on(tmp_path: Path) -> None:
    """A reader that keeps its transaction open stops checkpoints and the log grows; ours end with each read."""

    async def story() -> None:
        async with await Database.open(tmp_path / "house.db", migrations=[TEAMS]) as database:
            done = asyncio.Event()

            async def spectator() -> None:
                while not done.is_set():
                    await database.read(lambda c: c.execute("SELECT count(*) FROM teams").fetchall())

            spectators = [asyncio.create_task(spectator()) for _ in range(10)]
            for number in range(250):
                await database.writing.execute_fetchall(
                    "INSERT INTO teams VALUES (?)", (f"{number}" + "x" * 80_000,)
                )
            done.set()
            await asyncio.gather(*spectators)
            written = database.path.stat().st_size
            assert written > 15_000_000
            assert database.write_ahead_bytes() <= WRITE_AHEAD_BYTES

    asyncio.run(story())


def test_closing_leaves_one_file_and_no_thread(tmp_path: Path) -> None:
    async def story() -> None:
        database = await Database.open(tmp_path / "house.db")
        await database.close()
        assert [path.name for path in tmp_path.iterdir()] == ["house.db"]  # noqa: ASYNC240

    asyncio.run(story())

"""The database of a house: one writing connection, a few for reading, and its epoch.

Reads are functions that fetch all they need and return: no reader holds a transaction while something else is
awaited, so the write-ahead log can always be emptied, however long a spectator stays.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self, TypeVar

from broadcast.storage.connections import Connection, connect_reading, connect_writing
from broadcast.storage.migrations import MIGRATIONS, ForeignDatabase, Migration, migrate
from broadcast.storage.write_ahead import beside, keep_damaged, lost_commits, written_commits

T = TypeVar("T")

DAMAGED = "damaged, put a copy made by backup in its place"
READERS = 2
"""Reading connections. Reads are short; more would only wait for the same disk."""


class Database:
    """Open with ``Database.open`` or ``Database.reading``; close it, or the process does not end."""

    def __init__(
        self, path: Path, epoch: int, writing: Connection | None, readers: Sequence[Connection]
    ) -> None:
        self.path = path
        self.epoch = epoch
        """Part of every public event's id. Changes when this database goes on from a copy."""
        self._writing = writing
        self._readers = tuple(readers)
        self._free: asyncio.Queue[Connection] = asyncio.Queue()
        for reader in self._readers:
            self._free.put_nowait(reader)

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        migrations: Sequence[Migration] = (),
        readers: int = READERS,
        unix_seconds: Callable[[], float] = time.time,
    ) -> Self:
        """Open for writing and reading: make the file or bring it up to date, the house's own steps first.

        A copy made by ``backup`` gets a new epoch at its first opening, and so does a database whose
        write-ahead log has lost commits. Raises ``ForeignDatabase``.
        """
        opened: list[Connection] = []
        written = await asyncio.to_thread(written_commits, path)
        try:
            writing = await connect_writing(path)
            opened.append(writing)
            lost = await writing.run(lambda connection: lost_commits(connection, written))
            if lost:
                await asyncio.to_thread(keep_damaged, path, lost, unix_seconds())
            await writing.run(lambda connection: migrate(connection, (*MIGRATIONS, *migrations)))
            epoch = await writing.run(
                lambda connection: _epoch_at_opening(connection, unix_seconds(), lost > 0)
            )
            for _ in range(readers):
                opened.append(await connect_reading(path))
        except BaseException:
            for connection in opened:
                await connection.close()
            raise
        return cls(path, epoch, opened[0], opened[1:])

    @classmethod
    async def reading(cls, path: Path) -> Self:
        """Open beside a running server, or a copy, for looking only: nothing is changed, no epoch is drawn.

        Raises ``ForeignDatabase`` where there is no database of ours at that path.
        """
        try:
            reader = await connect_reading(path)
        except sqlite3.Error as error:
            raise ForeignDatabase(f"There is no database at {path}: {error}") from error
        try:
            epoch = await reader.run(_epoch)
        except sqlite3.Error as error:
            await reader.close()
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
                raise ForeignDatabase(f"{path} is {DAMAGED}: {error}") from error
            raise ForeignDatabase(f"{path} is not a database of ours: {error}") from error
        return cls(path, epoch, None, [reader])

    @property
    def writing(self) -> Connection:
        """The one writing connection. The house's writer owns it; nobody else may use it."""
        if self._writing is None:
            raise ValueError("The database is open for reading only, or its disk has failed")
        return self._writing

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work on a reading connection, all of it at one moment of the database."""
        async with self.reader() as reader:
            return await reader.run(lambda connection: _at_one_moment(connection, work))

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[Connection]:
        """A reading connection for as long as the context lasts. Keep it short, see above."""
        reader = await self._free.get()
        try:
            yield reader
        finally:
            self._free.put_nowait(reader)

    async def renew_writing(self) -> Connection:
        """A writing connection in place of one that failed. Raises ``sqlite3.Error`` while the disk fails."""
        failed, self._writing = self._writing, None
        if failed is not None:
            await failed.close()
        self._writing = await connect_writing(self.path)
        return self._writing

    def write_ahead_bytes(self) -> int:
        """The size of the write-ahead log, for the health page."""
        log = beside(self.path)
        return log.stat().st_size if log.exists() else 0

    async def close(self) -> None:
        """Close every connection, the writing one last: it leaves one file behind."""
        for connection in (*self._readers, self._writing):
            if connection is not None:
                await connection.close()
        self._writing = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def _at_one_moment(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        connection.execute("ROLLBACK")


def _epoch(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT epoch FROM meta").fetchone()[0])


def _epoch_at_opening(connection: sqlite3.Connection, unix_seconds: float, has_lost: bool) -> int:
    """The epoch; for a copy opened for the first time a new one, so that no cursor of the original fits it.

    The same where commits were lost. Unix seconds keep two copies of one original, opened at different moments,
    apart.
    """
    connection.execute(
        "UPDATE meta SET epoch = max(epoch + 1, ?), restored = 0 WHERE restored = 1 OR ?",
        (int(unix_seconds), has_lost),
    )
    return _epoch(connection)

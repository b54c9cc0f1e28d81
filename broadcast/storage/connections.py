"""Connections to SQLite: what is set on each, and how work is done in a connection's own thread.

Every connection is in autocommit mode: a transaction begins and ends where the code says so. The write-ahead
log lets readers go on while the one writer commits; ``synchronous=FULL`` makes a commit survive the machine.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, cast

import aiosqlite

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""How long a connection waits for a lock held by another process (``backup`` or ``check``)."""

WRITE_AHEAD_BYTES = 16 * 1024 * 1024
"""The write-ahead log is cut back to this size once its content is in the database."""


class Connection(aiosqlite.Connection):
    """An aiosqlite connection that can do a whole piece of work in one change of thread.

    A change of thread costs more than most statements here, so a transaction of ten statements is one
    function and not ten awaits. Such a function cannot be cancelled half way either.
    """

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work in the connection's thread. Once queued it runs to its end, whoever is cancelled.

        Raises what the work raises, and ``ValueError`` when the connection is closed.
        """
        return cast(T, await self._execute(work, self._conn))  # type: ignore[no-untyped-call]

    async def ended(self) -> None:
        """Wait for the thread of a connection that could not be made: aiosqlite only tells it to end."""
        await asyncio.to_thread(self._thread.join)


def make_private(path: Path) -> None:
    """The file, empty, where there is none, for its owner alone: the deals of boards to come stand in it.

    SQLite gives what it makes beside it the same rights. Where it cannot be made SQLite says why.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


async def connect_writing(path: Path) -> Connection:
    """The writing connection; makes the file where there is none."""

    def connector() -> sqlite3.Connection:
        make_private(path)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {WRITE_AHEAD_BYTES}")
        return connection

    return await _connected(connector)


async def connect_reading(path: Path) -> Connection:
    """A connection that cannot write. Raises ``sqlite3.OperationalError`` where there is no database."""

    def connector() -> sqlite3.Connection:
        address = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return await _connected(connector)


async def _connected(connector: Callable[[], sqlite3.Connection]) -> Connection:
    connection = Connection(connector, iter_chunk_size=64)
    try:
        await connection
    except BaseException:
        await connection.ended()
        raise
    return connection


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error tells of damaged content, not of a disk or a lock that fails at the moment.

    Text that is no UTF-8 is found by the Python module, which gives no code of SQLite's.
    """
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

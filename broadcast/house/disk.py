"""The writing connection, and a new one in its place after the disk failed."""

import logging
import os
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from broadcast.house.errors import HouseUnavailable, Unavailable
from broadcast.storage.connections import Connection
from broadcast.storage.database import Database

T = TypeVar("T")

LOG = logging.getLogger(__name__)

FULL_BYTES = 64 * 1024
"""With less space than this any failure is taken for a full disk: SQLite does not call all of them so."""


class Disk:
    """Used by the writer's one task only."""

    def __init__(self, database: Database, on_change: Callable[[], None] = lambda: None) -> None:
        """``on_change`` is called when the disk fails, and when it takes writing again."""
        self._database = database
        self._on_change = on_change
        self.failure: Unavailable | None = None
        """Why the last attempt to write failed; ``None`` where it did not."""

    async def work(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do the work on the writing connection. Raises ``HouseUnavailable`` where the disk fails.

        What the work itself raises goes through, and so do errors of SQLite that are faults of ours.
        """
        try:
            if self.failure is not None:
                await self._database.renew_writing()
            result = await work(self._database.writing)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise
        except sqlite3.Error as error:
            reason = _reason(error, self._database.path)
            if self.failure is None:
                LOG.exception("The database cannot be written: %s", reason)
            else:
                LOG.warning("The database still cannot be written: %s (%s)", reason, error)
            self._became(reason)
            raise HouseUnavailable(reason) from error
        if self.failure is not None:
            LOG.info("The database can be written again")
            self._became(None)
        return result

    async def probe(self) -> None:
        """Write something that changes nothing. Raises ``HouseUnavailable`` where that fails."""
        await self.work(lambda connection: connection.execute_fetchall("UPDATE meta SET one = one"))

    def _became(self, failure: Unavailable | None) -> None:
        has_changed, self.failure = failure is not self.failure, failure
        if has_changed:
            self._on_change()


def _reason(error: sqlite3.Error, path: Path) -> Unavailable:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or free_bytes(path) < FULL_BYTES:
        return Unavailable.DISK_FULL
    if code == sqlite3.SQLITE_READONLY or not os.access(path, os.W_OK):
        return Unavailable.DISK_READ_ONLY
    return Unavailable.DISK_FAILS


def free_bytes(path: Path) -> int:
    """Space left where the database is; 0 where nobody can say."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return 0

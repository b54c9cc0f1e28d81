"""The writing connection, and a new one in its place after the disk failed."""

import logging
import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar

from broadcast.house.errors import HouseUnavailable
from broadcast.storage.connections import Connection
from broadcast.storage.database import Database

T = TypeVar("T")

LOG = logging.getLogger(__name__)


class Disk:
    """Used by the writer's one task only."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.has_failed = False

    async def work(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do the work on the writing connection. Raises ``HouseUnavailable`` where the disk fails.

        What the work itself raises goes through, and so do errors of SQLite that are faults of ours.
        """
        try:
            if self.has_failed:
                await self._database.renew_writing()
                self.has_failed = False
            return await work(self._database.writing)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise
        except sqlite3.Error as error:
            self.has_failed = True
            LOG.exception("The database cannot be written")
            raise HouseUnavailable(
                f"Nothing can be stored now ({error}): it was not done, try again"
            ) from error

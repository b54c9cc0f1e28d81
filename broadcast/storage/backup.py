"""A copy of the database while it is being written, marked as a copy.

The copy is of one moment: readers and the writer go on meanwhile. At its first opening for writing the mark
goes and the epoch is drawn anew (``Database.open``), so that a viewer of the original who comes to the copy
gets a reset and not other events under numbers already seen. Numbers go on.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from broadcast.storage.connections import make_private
from broadcast.storage.database import Database
from broadcast.storage.migrations import APPLICATION_ID


async def back_up(database: Database, target: Path) -> None:
    """Write a copy to ``target``, whole or not at all. A copy made earlier is replaced, nothing else.

    Raises ``FileExistsError`` where something else stands there, ``sqlite3.Error`` or ``OSError`` where the
    copy cannot be written.
    """
    async with database.reader() as reader:
        await reader.run(lambda source: _copy_whole(source, target))


def is_copy(path: Path) -> bool:
    """Whether the file is a backup that has not been opened since it was made."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION_ID:
                return False
            (restored,) = connection.execute("SELECT restored FROM meta").fetchone()
            return bool(restored)
    except sqlite3.Error:
        return False


def _copy_whole(source: sqlite3.Connection, target: Path) -> None:
    if target.exists() and not is_copy(target):
        raise FileExistsError(f"{target} is there and is no earlier backup: choose another name")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    make_private(part)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, to be carried away
            copy.execute("PRAGMA synchronous = FULL")
            copy.execute("UPDATE meta SET restored = 1")
        _make_durable(part)
        part.replace(target)
        _make_durable(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _make_durable(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

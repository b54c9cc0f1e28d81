"""Steps of the database's form: named functions, each applied once, all of an opening in one transaction.

A released step is never edited; what comes later is the next step. To change a form: write a function that
brings a table from its last form to the new one, and append it as ``Migration("house.what_it_does", function)``
to the list of the package whose table it is; leave the functions above it alone. Then ``tests/scenarios/
test_upgrade.py`` opens the database of the first release, kept in ``tests/data``, through every step and
compares all that it held. A form of an event needs no step: ``event_codec`` reads old ones.

Other packages bring steps for tables of their own and pass them to ``Database.open``. A name says whose the
step is before its dot: ``house.log``. Where one step fails all are taken back, and the version that wrote the
database can go on with it.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from broadcast.storage.board_index import create_board_index

APPLICATION_ID = 0x5457524D
"""``TWRM``: marks a file as a database of ours (``PRAGMA application_id``)."""


class ForeignDatabase(Exception):
    """The file belongs to another program, or to a newer version of this one."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step. ``apply`` runs inside a transaction and must not end it (so no ``executescript``)."""

    name: str
    apply: Callable[[sqlite3.Connection], None]

    @property
    def owner(self) -> str:
        return self.name.partition(".")[0]


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> list[str]:
    """Apply what has not been applied, in order, and say what was.

    Raises ``ForeignDatabase`` where the file is not ours or knows steps that we do not.
    """
    _recognise(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        applied = _migrate(connection, migrations)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return applied


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> list[str]:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)"
    )
    done = {str(name) for (name,) in connection.execute("SELECT name FROM migrations")}
    owners = {migration.owner for migration in migrations}
    unknown = {name for name in done if name.partition(".")[0] in owners} - {step.name for step in migrations}
    if unknown:
        raise ForeignDatabase(
            f"This database was written by a newer version ({', '.join(sorted(unknown))}): install that version"
        )
    applied = []
    for migration in migrations:
        if migration.name not in done:
            _apply(connection, migration)
            applied.append(migration.name)
    return applied


def _recognise(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == APPLICATION_ID:
        return
    if application != 0 or tables:
        raise ForeignDatabase("This file is a database of another program")


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    migration.apply(connection)
    connection.execute(
        "INSERT INTO migrations VALUES (?, ?)",
        (migration.name, datetime.now(UTC).isoformat(timespec="seconds")),
    )


def _create_meta(connection: sqlite3.Connection) -> None:
    """One row about the whole: the epoch of all feeds, and whether this file is a copy not yet opened."""
    connection.execute(
        """CREATE TABLE meta (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            epoch INTEGER NOT NULL,
            restored INTEGER NOT NULL
        ) STRICT"""
    )
    connection.execute("INSERT INTO meta VALUES (1, 1, 0)")


def _create_log(connection: sqlite3.Connection) -> None:
    """What happened. ``place`` is the order of the whole house, ``sequence`` that of the stream.

    ``checksum``, here and in the next tables, is that of the other columns but ``place`` (``checksums``).
    """
    connection.execute(
        """CREATE TABLE log (
            place INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            stream TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            recorded_at TEXT NOT NULL,
            recorded_by TEXT NOT NULL,
            event TEXT NOT NULL,
            version INTEGER NOT NULL,
            body TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (kind, stream, sequence)
        ) STRICT"""
    )


def _create_feed(connection: sqlite3.Connection) -> None:
    """What is public. ``data``, ``hidden`` and ``aside`` are JSON; ``hidden`` and ``aside`` may be absent."""
    connection.execute(
        """CREATE TABLE feed (
            place INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            stream TEXT NOT NULL,
            number INTEGER NOT NULL,
            source INTEGER NOT NULL,
            released_at TEXT NOT NULL,
            name TEXT NOT NULL,
            room TEXT,
            data TEXT NOT NULL,
            hidden TEXT,
            aside TEXT,
            checksum INTEGER NOT NULL,
            UNIQUE (kind, stream, number)
        ) STRICT"""
    )


def _create_answers(connection: sqlite3.Connection) -> None:
    """Answers to commands that carried an idempotency key, remembered as long as their stream."""
    connection.execute(
        """CREATE TABLE answers (
            kind TEXT NOT NULL,
            stream TEXT NOT NULL,
            key TEXT NOT NULL,
            body_hash BLOB NOT NULL,
            answer BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (kind, stream, key)
        ) STRICT, WITHOUT ROWID"""
    )


def _create_read_models(connection: sqlite3.Connection) -> None:
    """What is folded from the logs for lists, for uniqueness, and to know which streams wait for time."""
    connection.execute(
        """CREATE TABLE summaries (
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            status TEXT NOT NULL,
            title TEXT NOT NULL,
            sort_at TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (kind, id)
        ) STRICT"""
    )
    connection.execute("CREATE INDEX summaries_newest ON summaries (kind, status, sort_at, id)")
    connection.execute(
        """CREATE TABLE summary_parties (
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            party TEXT NOT NULL,
            PRIMARY KEY (kind, id, party),
            FOREIGN KEY (kind, id) REFERENCES summaries ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX summary_parties_party ON summary_parties (party)")
    connection.execute(
        """CREATE TABLE exclusive (
            key TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            stream TEXT NOT NULL
        ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX exclusive_stream ON exclusive (kind, stream)")
    connection.execute(
        """CREATE TABLE open_streams (
            kind TEXT NOT NULL,
            stream TEXT NOT NULL,
            PRIMARY KEY (kind, stream)
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (
    Migration("house.meta", _create_meta),
    Migration("house.log", _create_log),
    Migration("house.feed", _create_feed),
    Migration("house.answers", _create_answers),
    Migration("house.read_models", _create_read_models),
    Migration("house.board_index", create_board_index),
)
"""The tables of the house itself, in order."""

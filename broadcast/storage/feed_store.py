"""The public feed in the database: append what is released, read it back. Rows are never renumbered.

Functions take the connection they work on and begin no transaction of their own.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from broadcast.bridge.rooms import Room
from broadcast.feeds.streams import PublicEvent, Published, StreamKey
from broadcast.storage.checksums import checksum
from broadcast.storage.moments import from_text, to_text


class UnreadableEntry(ValueError):
    """A stored entry that is not as it was written."""


class Extent(NamedTuple):
    """How far a stream's feed goes."""

    number: int
    """Of its last entry, 0 for none."""
    settled_at: datetime | None
    """The last moment at which something was recorded or released: all that was due then is in the feed."""


def append(connection: sqlite3.Connection, key: StreamKey, entries: Iterable[Published]) -> None:
    """Add entries at the end. Raises ``sqlite3.IntegrityError`` where a number is taken."""
    rows = []
    for entry in entries:
        row = (
            *key,
            entry.number,
            entry.source,
            to_text(entry.released_at),
            entry.event.name,
            entry.event.room,
            _to_json(entry.event.data),
            _to_json(entry.event.hidden),
            _to_json(entry.event.aside),
        )
        rows.append((*row, checksum(*row)))
    connection.executemany(
        """INSERT INTO feed
           (kind, stream, number, source, released_at, name, room, data, hidden, aside, checksum)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        rows,
    )


def read(connection: sqlite3.Connection, key: StreamKey, after: int = 0, limit: int = -1) -> list[Published]:
    """The entries after a number, in order; ``limit`` -1 for all. Raises ``UnreadableEntry``."""
    rows = connection.execute(
        """SELECT number, source, released_at, name, room, data, hidden, aside, checksum FROM feed
           WHERE kind = ? AND stream = ? AND number > ? ORDER BY number LIMIT ?""",
        (*key, after, limit),
    ).fetchall()
    for row in rows:
        if checksum(*key, *row[:-1]) != row[-1]:
            raise UnreadableEntry(f"{row[3]} {row[0]} is not as it was written: its checksum differs")
    return [
        Published(
            number,
            source,
            from_text(released_at),
            PublicEvent(
                name,
                msgspec.json.decode(data),
                _from_json(hidden),
                None if room is None else Room(room),
                _from_json(aside),
            ),
        )
        for number, source, released_at, name, room, data, hidden, aside, _ in rows
    ]


def extent(connection: sqlite3.Connection, key: StreamKey) -> Extent:
    """How far the feed goes, and until when the stream was settled."""
    number, released_at = connection.execute(
        """SELECT number, released_at FROM feed WHERE kind = ? AND stream = ?
           ORDER BY number DESC LIMIT 1""",
        key,
    ).fetchone() or (0, None)
    (recorded_at,) = connection.execute(
        "SELECT recorded_at FROM log WHERE kind = ? AND stream = ? ORDER BY sequence DESC LIMIT 1", key
    ).fetchone() or (None,)
    moments = [from_text(moment) for moment in (released_at, recorded_at) if moment is not None]
    return Extent(number, max(moments, default=None))


def _to_json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _from_json(text: str | None) -> dict[str, Any] | None:
    return None if text is None else msgspec.json.decode(text, type=dict[str, Any])

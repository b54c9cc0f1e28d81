"""The log in the database: append to a stream, read it back. Rows are never changed, and say so themselves.

Functions take the connection they work on and begin no transaction of their own.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from broadcast.feeds.streams import StreamKey
from broadcast.storage.checksums import checksum
from broadcast.storage.event_codec import Codec, UnreadableEvent
from broadcast.storage.moments import from_text, to_text
from broadcast.tables.recorded import Recorded


def append(
    connection: sqlite3.Connection, key: StreamKey, codec: Codec, events: Iterable[Recorded[object]]
) -> None:
    """Add events at the end. Raises ``sqlite3.IntegrityError`` where a sequence is taken."""
    rows = []
    for recorded in events:
        stored = codec.encode(recorded.event)
        row = (
            *key,
            recorded.sequence,
            to_text(recorded.recorded_at),
            recorded.recorded_by,
            stored.event,
            stored.version,
            stored.body,
        )
        rows.append((*row, checksum(*row)))
    connection.executemany(
        """INSERT INTO log (kind, stream, sequence, recorded_at, recorded_by, event, version, body, checksum)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        rows,
    )


def read(
    connection: sqlite3.Connection, key: StreamKey, codec: Codec, after: int = 0, limit: int = -1
) -> list[Recorded[Any]]:
    """The events after a sequence, in order; ``limit`` -1 for all.

    Raises ``UnknownEvent`` or ``UnreadableEvent``; the latter too where a row is not as it was written.
    """
    rows = connection.execute(
        """SELECT sequence, recorded_at, recorded_by, event, version, body, checksum FROM log
           WHERE kind = ? AND stream = ? AND sequence > ? ORDER BY sequence LIMIT ?""",
        (*key, after, limit),
    ).fetchall()
    return [_recorded(key, codec, *row) for row in rows]


def _recorded(
    key: StreamKey,
    codec: Codec,
    sequence: int,
    recorded_at: str,
    recorded_by: str,
    event: str,
    version: int,
    body: str,
    sum_: int,
) -> Recorded[Any]:
    if checksum(*key, sequence, recorded_at, recorded_by, event, version, body) != sum_:
        raise UnreadableEvent(f"{event} {sequence} is not as it was written: its checksum differs")
    return Recorded(sequence, from_text(recorded_at), recorded_by, codec.decode(event, version, body))


def read_closely(
    connection: sqlite3.Connection, key: StreamKey, codec: Codec, sequence: int
) -> tuple[Recorded[Any], list[str]]:
    """One event, and the names of stored members that it does not have or has otherwise: none when all is well.

    Reading passes over members it does not know, so a damaged name would turn into a default unseen.
    """
    (recorded,) = read(connection, key, codec, after=sequence - 1, limit=1)
    stored = connection.execute(
        "SELECT event, version, body FROM log WHERE kind = ? AND stream = ? AND sequence = ?", (*key, sequence)
    ).fetchone()
    lifted = codec.lift(*stored)
    again = msgspec.json.decode(codec.encode(recorded.event).body, type=dict[str, Any])
    return recorded, [name for name, value in lifted.items() if name not in again or again[name] != value]


def last_recorded(connection: sqlite3.Connection) -> datetime | None:
    """The latest moment anything was recorded or released in the house, ``None`` before the first."""
    moments = [
        from_text(moment)
        for statement in (
            "SELECT recorded_at FROM log ORDER BY place DESC LIMIT 1",
            "SELECT released_at FROM feed ORDER BY place DESC LIMIT 1",
        )
        for (moment,) in connection.execute(statement)
    ]
    return max(moments, default=None)


def streams(connection: sqlite3.Connection, kind: str) -> list[StreamKey]:
    """Every stream of a kind that has a log, oldest first."""
    rows = connection.execute(
        "SELECT stream FROM log WHERE kind = ? AND sequence = 1 ORDER BY place", (kind,)
    ).fetchall()
    return [StreamKey(kind, stream) for (stream,) in rows]

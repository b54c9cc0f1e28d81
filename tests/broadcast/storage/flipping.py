"""Stored rows damaged, as a disk, memory or a copy damages them; and sealed again, as a fault of ours would."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from broadcast.storage.checksums import checksum

Row = dict[str, Any]
SEALED = {
    "log": "kind, stream, sequence, recorded_at, recorded_by, event, version, body",
    "feed": "kind, stream, number, source, released_at, name, room, data, hidden, aside",
}


def seal(connection: sqlite3.Connection) -> None:
    """Give every row of log and feed the checksum of what it holds now."""
    connection.create_function("sealed", -1, checksum)
    for table, columns in SEALED.items():
        for (place,) in connection.execute(f"SELECT place FROM {table}").fetchall():  # noqa: S608 (ours)
            with suppress(sqlite3.OperationalError):  # text that is none reaches no function
                connection.execute(
                    f"UPDATE {table} SET checksum = sealed({columns}) WHERE place = ?",  # noqa: S608 (ours)
                    (place,),
                )


def rows_of(connection: sqlite3.Connection, table: str) -> list[Row]:
    found = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 (our own words)
    names = [name for name, *_ in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def flipped(value: Any, place: int, bit: int) -> Any:
    """The value with one bit of it turned over; ``place`` counts bytes, round and round. Text as bytes.

    >>> flipped("ab", 1, 0)
    b'ac'
    >>> flipped(8, 0, 1)
    10
    """
    if isinstance(value, int):
        return value ^ (1 << bit)
    if isinstance(value, float):
        return value + 2.0**-bit
    held = bytearray(value.encode() if isinstance(value, str) else value)
    held[place % len(held)] ^= 1 << bit
    return bytes(held)


@contextmanager
def put_instead(
    connection: sqlite3.Connection, table: str, row: Mapping[str, Any], column: str, value: Any
) -> Iterator[bool]:
    """The row with another value in a column while the context lasts; false where the table refuses it."""
    places = " AND ".join(f"{name} IS :{name}" for name in row)
    held = "CAST(:value_ AS TEXT)" if isinstance(row[column], str) else ":value_"
    connection.execute("BEGIN")
    try:
        try:
            changed = connection.execute(
                f"UPDATE {table} SET {column} = {held} WHERE {places}",  # noqa: S608 (our own words)
                {**row, "value_": value},
            )
        except sqlite3.IntegrityError:
            yield False
        else:
            assert changed.rowcount >= 1
            yield True
    finally:
        connection.execute("ROLLBACK")

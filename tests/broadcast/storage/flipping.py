"""Stored rows damaged, as a disk, memory or a copy damages them; and sealed again, as a fault of ours would."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from broadcast.storage.checksums import checksum

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


def flipped(value: Any, place: int, bit: int) -> Any:
    """The value with one bit of it turned over; ``place`` counts bytes, round and round.

    >>> flipped("ab", 1, 0)
    'ac'
    >>> flipped(8, 0, 1)
    10
    """
    if isinstance(value, int):
        return value ^ (1 << bit)
    if isinstance(value, float):
        return value + 2.0**-bit
    held = bytearray(value.encode() if isinstance(value, str) else value)
    held[place % len(held)] ^= 1 << bit
    return held.decode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(held)


@contextmanager
def put_instead(
    connection: sqlite3.Connection, table: str, row: int, column: str, value: Any
) -> Iterator[None]:
    """The row of a table with another value in a column, while the context lasts."""
    connection.execute("BEGIN")
    try:
        held, cast = value, "?"
        if isinstance(value, str):
            held, cast = value.encode("utf-8", "surrogateescape"), "CAST(? AS TEXT)"
        connection.execute(
            f"UPDATE {table} SET {column} = {cast} WHERE rowid = ?",  # noqa: S608 (our own words)
            (held, row),
        )
        yield
    finally:
        connection.execute("ROLLBACK")

"""The messages of accounts in SQL, and how far each ladder's log has been told.

A message is made once: its account, ladder, place in the ladder's log and team are its key. What stands in no
ladder's log is noted under places that count down from -1.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from teams.captains.messages import Told


@dataclass(frozen=True, slots=True)
class Message:
    number: int
    ladder: str
    kind: str
    facts: dict[str, Any]
    at: datetime
    is_read: bool


def _create_messages(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL REFERENCES accounts,
            ladder TEXT NOT NULL, sequence INTEGER NOT NULL, team TEXT NOT NULL,
            kind TEXT NOT NULL, facts TEXT NOT NULL, at TEXT NOT NULL, read_at TEXT,
            UNIQUE (account, ladder, sequence, team)
        ) STRICT"""
    )
    connection.execute("CREATE INDEX messages_account ON messages (account, number)")
    connection.execute(
        """CREATE TABLE told_ladders (
            ladder TEXT PRIMARY KEY, sequence INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (Migration("members.messages", _create_messages),)


def told_until(connection: sqlite3.Connection, ladder: str) -> int:
    """The last place of the ladder's log of which messages were made."""
    row = connection.execute("SELECT sequence FROM told_ladders WHERE ladder = ?", (ladder,)).fetchone()
    return 0 if row is None else int(row[0])


def tell(
    connection: sqlite3.Connection, ladder: str, sequence: int, told: Iterable[tuple[str, Told]]
) -> list[tuple[str, Told]]:
    """Keep messages by account, and that the log is told up to ``sequence``; those that are new."""
    new = []
    for account, message in told:
        kept = connection.execute(
            "INSERT OR IGNORE INTO messages (account, ladder, sequence, team, kind, facts, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                account,
                ladder,
                message.sequence,
                message.team,
                message.kind.value,
                msgspec.json.encode(message.facts).decode(),
                to_text(message.at),
            ),
        )
        if kept.rowcount:
            new.append((account, message))
    connection.execute(
        "INSERT INTO told_ladders VALUES (?, ?) "
        "ON CONFLICT (ladder) DO UPDATE SET sequence = excluded.sequence",
        (ladder, sequence),
    )
    return new


def note(connection: sqlite3.Connection, account: str, ladder: str, message: Told) -> None:
    """Keep a message of what stands in no log, in the transaction of what it tells of."""
    connection.execute(
        "INSERT INTO messages (account, ladder, sequence, team, kind, facts, at) "
        "SELECT ?, ?, min(coalesce(min(sequence), 0), 0) - 1, ?, ?, ?, ? FROM messages "
        "WHERE account = ? AND ladder = ?",
        (
            account,
            ladder,
            message.team,
            message.kind.value,
            msgspec.json.encode(message.facts).decode(),
            to_text(message.at),
            account,
            ladder,
        ),
    )


def newest(connection: sqlite3.Connection, account: str, limit: int) -> list[Message]:
    """An account's messages, the newest first."""
    rows = connection.execute(
        "SELECT number, ladder, kind, facts, at, read_at IS NOT NULL FROM messages "
        "WHERE account = ? ORDER BY number DESC LIMIT ?",
        (account, limit),
    )
    return [
        Message(number, ladder, kind, msgspec.json.decode(facts), from_text(at), bool(is_read))
        for number, ladder, kind, facts, at, is_read in rows
    ]


def unread(connection: sqlite3.Connection, account: str) -> int:
    (count,) = connection.execute(
        "SELECT count(*) FROM messages WHERE account = ? AND read_at IS NULL", (account,)
    ).fetchone()
    return int(count)


def count_since(connection: sqlite3.Connection, account: str, kind: str, since: datetime, most: int) -> int:
    """How many of an account's last ``most`` messages of a kind are younger."""
    (count,) = connection.execute(
        "SELECT count(*) FROM (SELECT at FROM messages WHERE account = ? AND kind = ? "
        "ORDER BY number DESC LIMIT ?) WHERE at > ?",
        (account, kind, most, to_text(since)),
    ).fetchone()
    return int(count)


def mark_read(connection: sqlite3.Connection, account: str, until: int, now: datetime) -> None:
    """Every message up to this number."""
    connection.execute(
        "UPDATE messages SET read_at = ? WHERE account = ? AND number <= ? AND read_at IS NULL",
        (to_text(now), account, until),
    )

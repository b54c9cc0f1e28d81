"""The mail outbox in SQL: letters wait here until the mail server has taken them.

A letter is put in by the transaction that causes it, so that neither is there without the other. Functions take
the connection they work on and begin no transaction.
"""

import re
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from broadcast.tables.errors import Refusal

LONGEST_ADDRESS: Final = 254
"""In characters (RFC 5321, section 4.5.3.1.3)."""
KEPT: Final = timedelta(days=30)
"""How long a letter that was sent, or given up, stays listed. Its text goes at once."""
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)+"
)


@dataclass(frozen=True, slots=True)
class Letter:
    """What is to be sent to whom."""

    recipient: str
    subject: str
    text: str
    link: str | None = None
    """A signed link that stands in the text as ``{link}``: it is signed when the letter goes out, so that no
    working link is ever stored."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter in the outbox."""

    id: int
    mark: str
    """Tells it from all other letters."""
    recipient: str
    subject: str
    text: str
    link: str | None
    made_at: datetime
    tries: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How the outbox stands."""

    waiting: int
    problem: str | None
    """Why the oldest waiting letter was not taken at its last try."""


def _create_outbox(connection: sqlite3.Connection) -> None:
    """``next_at`` is when to try (again); ``NULL`` once it is sent, or given up with ``problem``."""
    connection.execute(
        """CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            mark TEXT NOT NULL,
            recipient TEXT NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            link TEXT,
            made_at TEXT NOT NULL,
            tries INTEGER NOT NULL,
            next_at TEXT,
            problem TEXT
        ) STRICT"""
    )
    connection.execute("CREATE INDEX outbox_next ON outbox (next_at)")


MIGRATIONS = (Migration("mail.outbox", _create_outbox),)


def clean_address(text: str) -> str:
    """A mail address as it is kept. Raises ``Refusal`` ``bad_address``."""
    address = text.strip()
    if len(address) > LONGEST_ADDRESS or not _ADDRESS.fullmatch(address):
        raise Refusal("bad_address", "This is no mail address: write it like ann@club.example")
    return address


def add(connection: sqlite3.Connection, letter: Letter, now: datetime) -> None:
    """Put a letter into the outbox. Raises ``Refusal`` ``bad_address``."""
    connection.execute(
        "INSERT INTO outbox (mark, recipient, subject, text, link, made_at, tries, next_at) "
        "VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
        (
            secrets.token_hex(12),
            clean_address(letter.recipient),
            " ".join(letter.subject.split())[:200],
            letter.text,
            letter.link,
            to_text(now),
            to_text(now),
        ),
    )


def due(connection: sqlite3.Connection, now: datetime, most: int) -> list[Waiting]:
    """Letters to try now, the longest due first."""
    rows = connection.execute(
        "SELECT id, mark, recipient, subject, text, link, made_at, tries FROM outbox "
        "WHERE next_at <= ? ORDER BY next_at, id LIMIT ?",
        (to_text(now), most),
    )
    return [
        Waiting(id, mark, recipient, subject, text, link, from_text(made_at), tries)
        for id, mark, recipient, subject, text, link, made_at, tries in rows
    ]


def next_due(connection: sqlite3.Connection) -> datetime | None:
    """When the next letter is to be tried."""
    (moment,) = connection.execute("SELECT min(next_at) FROM outbox").fetchone()
    return None if moment is None else from_text(moment)


def done(connection: sqlite3.Connection, id: int, problem: str | None, now: datetime) -> None:
    """The letter was taken, or for good not. Its text is not kept; older ones are forgotten whole."""
    connection.execute(
        "UPDATE outbox SET tries = tries + 1, next_at = NULL, text = '', problem = ? WHERE id = ?",
        (problem, id),
    )
    connection.execute("DELETE FROM outbox WHERE next_at IS NULL AND made_at < ?", (to_text(now - KEPT),))


def put_off(connection: sqlite3.Connection, id: int, problem: str, until: datetime) -> None:
    """The letter was not taken; try again then."""
    connection.execute(
        "UPDATE outbox SET tries = tries + 1, next_at = ?, problem = ? WHERE id = ?",
        (to_text(until), problem, id),
    )


def standing(connection: sqlite3.Connection) -> Standing:
    (waiting,) = connection.execute("SELECT count(*) FROM outbox WHERE next_at IS NOT NULL").fetchone()
    row = connection.execute(
        "SELECT problem FROM outbox WHERE next_at IS NOT NULL AND problem IS NOT NULL ORDER BY id LIMIT 1"
    ).fetchone()
    return Standing(waiting, None if row is None else row[0])

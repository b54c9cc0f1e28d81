"""Sessions of accounts in SQL. Functions take the connection they work on and begin no transaction."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from teams.members.accounts import Account
from teams.storage import account_store

LONGEST: Final = timedelta(days=60)
"""A session ends so long after signing in, whatever happens."""
IDLE: Final = timedelta(days=14)
"""A session ends when nothing came from it for so long."""
SEEN: Final = timedelta(hours=1)
"""How exactly it is kept when a session was last used: a write for every page would be too many."""
MOST: Final = 20
"""Sessions of one account; with one more the one unused for longest ends."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in."""

    id: str
    device: str
    """What the browser says it is, in its own words."""
    made_at: datetime
    seen_at: datetime
    ends_at: datetime

    @property
    def until(self) -> datetime:
        """When it ends if it is not used any more."""
        return min(self.ends_at, self.seen_at + IDLE)


def _create_sessions(connection: sqlite3.Connection) -> None:
    """Of a session's secret only the hash is stored; ``id`` names it to its owner."""
    connection.execute(
        """CREATE TABLE account_sessions (
            hash TEXT PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            account TEXT NOT NULL REFERENCES accounts,
            device TEXT NOT NULL,
            made_at TEXT NOT NULL,
            seen_at TEXT NOT NULL,
            ends_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX account_sessions_account ON account_sessions (account)")


MIGRATIONS = (Migration("members.sessions", _create_sessions),)


def add(
    connection: sqlite3.Connection, hash: str, id: str, account: str, device: str, now: datetime
) -> Session:
    """Begin a session; what is over by now, and what is too many, is forgotten."""
    connection.execute(
        "DELETE FROM account_sessions WHERE ends_at <= ? OR seen_at <= ?", (to_text(now), to_text(now - IDLE))
    )
    connection.execute(
        """DELETE FROM account_sessions WHERE account = ?1 AND hash NOT IN (
               SELECT hash FROM account_sessions WHERE account = ?1 ORDER BY seen_at DESC LIMIT ?2)""",
        (account, MOST - 1),
    )
    made = Session(id, device, now, now, now + LONGEST)
    connection.execute(
        "INSERT INTO account_sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
        (hash, id, account, device, to_text(now), to_text(now), to_text(made.ends_at)),
    )
    return made


def find(connection: sqlite3.Connection, hash: str, now: datetime) -> tuple[Account, Session] | None:
    """The session and whose it is; ``None`` where there is none, or it is over."""
    row = connection.execute(
        """SELECT accounts.id, accounts.name, accounts.password_hash,
                  sessions.id, device, sessions.made_at, seen_at, ends_at
           FROM account_sessions AS sessions JOIN accounts ON accounts.id = sessions.account WHERE hash = ?""",
        (hash,),
    ).fetchone()
    if row is None:
        return None
    account, name, password_hash, *rest = row
    session = _session(*rest)
    if session.until <= now:
        return None
    roles = account_store.roles_of(connection, account)
    return Account(account, name, roles, password_hash is not None), session


def touch(connection: sqlite3.Connection, hash: str, now: datetime) -> None:
    """The session is in use."""
    connection.execute("UPDATE account_sessions SET seen_at = ? WHERE hash = ?", (to_text(now), hash))


def of_account(connection: sqlite3.Connection, account: str, now: datetime) -> list[Session]:
    """The account's sessions, the last used first."""
    rows = connection.execute(
        "SELECT id, device, made_at, seen_at, ends_at FROM account_sessions WHERE account = ? "
        "ORDER BY seen_at DESC, made_at DESC, id",
        (account,),
    )
    return [session for session in (_session(*row) for row in rows) if session.until > now]


def end(connection: sqlite3.Connection, hash: str) -> None:
    connection.execute("DELETE FROM account_sessions WHERE hash = ?", (hash,))


def end_one(connection: sqlite3.Connection, account: str, id: str) -> None:
    """End a session of the account by its id; another account's is left alone."""
    connection.execute("DELETE FROM account_sessions WHERE account = ? AND id = ?", (account, id))


def end_all(connection: sqlite3.Connection, account: str) -> None:
    connection.execute("DELETE FROM account_sessions WHERE account = ?", (account,))


def _session(id: str, device: str, made_at: str, seen_at: str, ends_at: str) -> Session:
    return Session(id, device, from_text(made_at), from_text(seen_at), from_text(ends_at))

"""Links that make an account or a new password, in SQL: each good once, and for so long.

A link itself is not stored: it is signed from its id (``broadcast.house.signing``).
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from broadcast.tables.errors import Refusal
from teams.members.accounts import Role


class Kind(StrEnum):
    """What a link is for. The codes are also what it is signed for, and where it leads."""

    JOIN = "join"
    RESET = "reset"


GOOD_FOR: Final = {Kind.JOIN: timedelta(days=14), Kind.RESET: timedelta(days=1)}
MOST_OPEN: Final = 500
"""Invitations that wait for an answer."""
LONGEST_NOTE: Final = 100
MAIL: Final = "mail"
"""Who made a link that somebody asked for at ``/forgot``."""


@dataclass(frozen=True, slots=True)
class Link:
    id: str
    kind: Kind
    account: str | None
    """Whose password it changes; of an invitation, ``None``."""
    role: Role | None
    team: str | None
    """Id of the team whose captain the invited becomes."""
    note: str
    """For whom it is, in the words of whoever made it."""
    expires_at: datetime
    is_mailed: bool

    @property
    def mark(self) -> str:
        """How a letter names it."""
        return f"{self.kind}/{self.id}"


def _create_links(connection: sqlite3.Connection) -> None:
    """``ended_at`` is when it was used or withdrawn."""
    connection.execute(
        """CREATE TABLE account_links (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            account TEXT REFERENCES accounts,
            role TEXT,
            team TEXT REFERENCES teams,
            note TEXT NOT NULL,
            is_mailed INTEGER NOT NULL,
            made_by TEXT NOT NULL,
            made_at TEXT NOT NULL,
            expires_at TEXT NOT NULL,
            ended_at TEXT
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (Migration("members.links", _create_links),)
_COLUMNS: Final = "id, kind, account, role, team, note, expires_at, is_mailed"


def add(connection: sqlite3.Connection, link: Link, by: str, now: datetime) -> None:
    """Keep a link; of an account's links to a new password only the newest of each maker is good.

    Anybody may ask for a letter to somebody else's account (``MAIL``): that must not end the link that a
    director handed out. Once one of them is used, none is good any more (``end_resets``). Raises ``Refusal``
    ``links_full``.
    """
    if link.kind is Kind.RESET:
        connection.execute(
            "UPDATE account_links SET ended_at = ? WHERE kind = ? AND account = ? AND ended_at IS NULL "
            "AND (made_by = ?) = ?",
            (to_text(now), link.kind, link.account, MAIL, by == MAIL),
        )
    elif len(open_links(connection, link.kind, now)) >= MOST_OPEN:
        raise Refusal(
            "links_full", f"{MOST_OPEN} invitations are open: withdraw some of them first", most=MOST_OPEN
        )
    connection.execute(
        "INSERT INTO account_links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        (
            link.id,
            link.kind,
            link.account,
            link.role,
            link.team,
            link.note,
            link.is_mailed,
            by,
            to_text(now),
            to_text(link.expires_at),
        ),
    )


def good(connection: sqlite3.Connection, kind: Kind, id: str | None, now: datetime) -> Link:
    """The link, which may still be used. Raises ``Refusal`` ``account_link_unknown _used _expired``."""
    row = connection.execute(
        f"SELECT {_COLUMNS}, ended_at FROM account_links WHERE id = ? AND kind = ?",  # noqa: S608
        (id, kind),
    ).fetchone()
    if row is None:
        raise Refusal("account_link_unknown", "This link is not one of ours: open the whole link as you got it")
    *columns, ended_at = row
    link = _link(*columns)
    if ended_at is not None:
        raise Refusal("account_link_used", "This link was used or withdrawn already: ask for a new one")
    if link.expires_at <= now:
        raise Refusal("account_link_expired", "This link has run out: ask for a new one")
    return link


def end(connection: sqlite3.Connection, id: str, now: datetime) -> None:
    """The link was used, or is withdrawn."""
    connection.execute(
        "UPDATE account_links SET ended_at = ? WHERE id = ? AND ended_at IS NULL", (to_text(now), id)
    )


def end_resets(connection: sqlite3.Connection, account: str, now: datetime) -> None:
    """The account has a new password: no link that was made before changes it again."""
    connection.execute(
        "UPDATE account_links SET ended_at = ? WHERE kind = ? AND account = ? AND ended_at IS NULL",
        (to_text(now), Kind.RESET, account),
    )


def open_links(connection: sqlite3.Connection, kind: Kind, now: datetime) -> list[Link]:
    """Links that may still be used, the newest first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM account_links WHERE kind = ? AND ended_at IS NULL "  # noqa: S608
        "AND expires_at > ? ORDER BY made_at DESC, id",
        (kind, to_text(now)),
    )
    return [_link(*row) for row in rows]


def made_or_for(
    connection: sqlite3.Connection, makers: Sequence[str], account: str, now: datetime
) -> tuple[str, ...]:
    """Ids of the good links that one of ``makers`` made (``director:ann``), or that change the account's
    password.
    """
    marks = ", ".join("?" * len(makers))
    rows = connection.execute(
        f"SELECT id FROM account_links WHERE (made_by IN ({marks}) OR account = ?) "  # noqa: S608
        "AND ended_at IS NULL AND expires_at > ?",
        (*makers, account, to_text(now)),
    )
    return tuple(id for (id,) in rows)


def end_powers_made_by(connection: sqlite3.Connection, makers: Sequence[str], now: datetime) -> None:
    """End the invitations that one of ``makers`` made of directors, and of captains of a team."""
    marks = ", ".join("?" * len(makers))
    connection.execute(
        f"UPDATE account_links SET ended_at = ? WHERE kind = ? AND made_by IN ({marks}) "  # noqa: S608
        "AND ended_at IS NULL AND (role = ? OR team IS NOT NULL)",
        (to_text(now), Kind.JOIN.value, *makers, Role.DIRECTOR.value),
    )


def _link(
    id: str,
    kind: str,
    account: str | None,
    role: str | None,
    team: str | None,
    note: str,
    expires_at: str,
    is_mailed: int,
) -> Link:
    held = None if role is None else Role(role)
    return Link(id, Kind(kind), account, held, team, note, from_text(expires_at), bool(is_mailed))

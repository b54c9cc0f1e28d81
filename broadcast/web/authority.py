"""Who sends a request, and what they may do.

A bearer request ignores cookies. A session gives its account the same rights as a token of that account.
Operators' tokens belong to one room of one match and are kept here; all other tokens are accounts', which
another package keeps and tells of through ``Accounts``.
"""

import base64
import hashlib
import hmac
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from broadcast.bridge.rooms import Room, Team
from broadcast.house.relational import raw_job
from broadcast.house.signing import signed
from broadcast.house.writer import Writer
from broadcast.storage.answers import Once
from broadcast.storage.database import Database
from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text

OPERATOR_DAYS = 14
"""How long an operator's link is good, in days from its making."""


@dataclass(frozen=True, slots=True)
class Who:
    """The sender of a request."""

    name: str
    """The account's name, or a short mark of the operator's link."""
    roles: frozenset[str]
    """``director commentator captain player club operator``."""
    account: str | None = None
    room: tuple[str, Room] | None = None
    """The one room of the one match that an operator may enter."""
    teams: frozenset[str] = field(default_factory=frozenset)
    """Ids of the teams of which the account is captain."""
    link_by: str | None = None
    """Who made an operator's link, where a captain did: as ``by`` names them."""
    link_of: Team | None = None
    """The team whose captain that was."""
    until: datetime | None = None
    """When the token or the session ends; ``None`` for one that lasts until it is revoked."""
    time_zone: str | None = None
    """IANA name of the zone that the account has chosen."""

    @property
    def by(self) -> str:
        """How the log names them: ``director:ann``, ``operator:3f9a11c2/captain:ann`` by a captain's link. The
        strongest role speaks."""
        if self.link_by is not None:
            return f"operator:{self.name}/{self.link_by}"
        for role in ("director", "operator", "captain", "club", "commentator", "player"):
            if role in self.roles:
                return f"{role}:{self.name}"
        return self.name

    def may_enter(self, match: str, room: Room) -> bool:
        return "director" in self.roles or self.room == (match, room)


class Accounts(Protocol):
    """The question ``broadcast`` asks of whoever keeps accounts."""

    async def who(self, token: str) -> Who | None:
        """The account a bearer token belongs to; ``None`` for a token that is unknown, expired or revoked."""

    async def session(self, secret: str, now: datetime) -> Who | None:
        """The account that a session's cookie signs in; ``None`` where it is unknown, expired or ended."""


class NoAccounts:
    """A house without accounts: only operators' tokens are good."""

    async def who(self, token: str) -> Who | None:
        return None

    async def session(self, secret: str, now: datetime) -> Who | None:
        return None


SIGNED_IN = "twinroom.signed_in"
"""Where a request's scope holds the account that its cookie signs in (``broadcast.web.sessions``)."""
COMMAND_LINE = Who("local", frozenset({"director"}))
"""Commands of the command line, which reach the server through a socket that only its own user may open."""


def token_hash(token: str) -> str:
    """What is stored of a token. It has 256 random bits, so a plain hash cannot be guessed back."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


def _create_operator_links(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE operator_links (
               hash TEXT PRIMARY KEY, match TEXT NOT NULL, room TEXT NOT NULL,
               made_at TEXT NOT NULL, expires_at TEXT NOT NULL, revoked_at TEXT, made_by TEXT
           ) STRICT"""
    )


def _add_team(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE operator_links ADD COLUMN team TEXT")


MIGRATIONS: Sequence[Migration] = (
    Migration("operators.links", _create_operator_links),
    Migration("operators.team", _add_team),
)


class Authority:
    """Answers who holds a token."""

    def __init__(self, database: Database, accounts: Accounts) -> None:
        self._database = database
        self._accounts = accounts

    async def who(self, token: str, now: datetime) -> Who | None:
        """The holder, or ``None`` for a token that is forged, expired or revoked."""
        hashed = token_hash(token)
        row = await self._database.read(
            lambda connection: connection.execute(
                "SELECT match, room, expires_at, revoked_at, made_by, team FROM operator_links WHERE hash = ?",
                (hashed,),
            ).fetchone()
        )
        if row is None:
            return await self._accounts.who(token)
        match, room, expires_at, revoked_at, made_by, team = row
        if revoked_at is not None or from_text(expires_at) <= now:
            return None
        return link_holder(hashed, match, Room(room), made_by, team, from_text(expires_at))

    async def session(self, secret: str, now: datetime) -> Who | None:
        """The account that a session's cookie signs in, if it still does."""
        return await self._accounts.session(secret, now)


def link_holder(
    hash: str, match: str, room: Room, made_by: str | None, team: str | None, until: datetime
) -> Who:
    """Whoever has the link, of which they know no more than that; ``made_by`` and ``team`` as stored."""
    return Who(
        hash[:8],
        frozenset({"operator"}),
        room=(match, room),
        link_by=made_by,
        link_of=None if team is None else Team(team),
        until=until,
    )


async def add_operator(writer: Writer, match: str, room: Room, by: str | None = None) -> str:
    """Make a token for one room, good for ``OPERATOR_DAYS``; only its hash is stored.

    ``by`` is the captain who makes it, who may play in the match: the log names them with every entry.
    """
    token = new_token()
    await writer.write(raw_job(lambda raw, now: store_operator(raw, now, token, match, room, by)))
    return token


def first_operator_token(secret: bytes, match: str, room: Room) -> str:
    """The room's first token, whether it has been made or not."""
    signed = hmac.new(secret, f"operator/{match}/{room}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(signed).rstrip(b"=").decode()


async def add_operator_once(writer: Writer, secret: bytes, match: str, room: Room, once: Once) -> str:
    """Make a token as ``add_operator`` does; the same key gives the same token again.

    What is remembered by key is stored, so it is not the token but what only the house makes one from.
    """
    drawn = new_token()

    def store(connection: sqlite3.Connection, now: datetime) -> bytes:
        store_operator(connection, now, signed(secret, f"operator/{match}/{room}", drawn), match, room)
        return drawn.encode()

    kept = await writer.write(raw_job(store), once)
    return signed(secret, f"operator/{match}/{room}", kept.decode())


async def add_first_operator(writer: Writer, secret: bytes, match: str, room: Room) -> str:
    """The room's first token, the same however often it is asked for: creating a match again answers it again.

    It follows from the house's secret, so nothing but its hash is stored.
    """
    token = first_operator_token(secret, match, room)
    await writer.write(raw_job(lambda raw, now: store_operator(raw, now, token, match, room)))
    return token


def store_operator(
    connection: sqlite3.Connection,
    now: datetime,
    token: str,
    match: str,
    room: Room,
    by: str | None = None,
    team: Team | None = None,
) -> None:
    """Keep a link's token, as a hash; one that is kept already stays as it is.

    ``by`` and ``team``: the captain who makes it, as the log names them, and of which team.
    """
    expires_at = now + timedelta(days=OPERATOR_DAYS)
    connection.execute(
        "INSERT OR IGNORE INTO operator_links (hash, match, room, made_at, expires_at, made_by, team) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            token_hash(token),
            match,
            room.value,
            to_text(now),
            to_text(expires_at),
            by,
            None if team is None else team.value,
        ),
    )

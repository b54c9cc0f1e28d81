"""Links of a second pair of eyes: like an operators' link, but for looking at results and saying yes or no.

A link is for a match, or for one room of it. Its token opens ``/api/matches/{match}/checks`` as a bearer token
and nothing else; the page at ``/confirm/enter`` exchanges it for a session whose cookie goes to
``/confirm/{match}`` alone. A session lasts as long as its link and falls with it.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from broadcast.bridge.rooms import Room
from broadcast.storage.connections import Connection
from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from broadcast.web.authority import OPERATOR_DAYS, new_token, token_hash
from broadcast.web.house import House
from broadcast.web.problems import Problem

COOKIE: Final = "twinroom_confirmer"
BOTH: Final = ""
"""What is stored for a link to both rooms."""


@dataclass(frozen=True, slots=True)
class Confirmer:
    """Who may say whether results are right."""

    by: str
    """How the log names them: a short mark of the link."""
    match: str
    rooms: tuple[Room, ...]
    ends: datetime


def _create(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE confirmer_links (
               hash TEXT PRIMARY KEY, match TEXT NOT NULL, room TEXT NOT NULL,
               made_at TEXT NOT NULL, expires_at TEXT NOT NULL, revoked_at TEXT
           ) STRICT, WITHOUT ROWID"""
    )
    connection.execute(
        """CREATE TABLE confirmer_sessions (
               hash TEXT PRIMARY KEY, link TEXT NOT NULL REFERENCES confirmer_links (hash),
               made_at TEXT NOT NULL
           ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX confirmer_sessions_link ON confirmer_sessions (link)")


MIGRATIONS: Sequence[Migration] = (Migration("confirmers.links", _create),)


async def add(house: House, match: str, room: Room | None) -> str:
    """The token of a new link, good as long as an operators'; only its hash is stored."""
    token = new_token()

    async def store(connection: Connection, now: datetime) -> None:
        expires_at = now + timedelta(days=OPERATOR_DAYS)
        where = BOTH if room is None else room.value
        await connection.execute(
            "INSERT INTO confirmer_links VALUES (?, ?, ?, ?, ?, NULL)",
            (token_hash(token), match, where, to_text(now), to_text(expires_at)),
        )

    await house.writer.write(store)
    return token


def link_of(house: House, token: str) -> str:
    """The address to hand out. The token stands in its fragment, which reaches no log."""
    return f"{house.origin}/confirm/enter#{token}"


async def good_until(house: House, match: str) -> tuple[datetime, ...]:
    """When each link of a match that is still good runs out, the earliest first."""
    rows = await house.database.read(
        lambda connection: connection.execute(
            "SELECT expires_at FROM confirmer_links WHERE match = ? AND revoked_at IS NULL", (match,)
        ).fetchall()
    )
    now = house.clock.now()
    return tuple(sorted(until for (text,) in rows if (until := from_text(text)) > now))


async def revoke(house: House, match: str) -> int:
    """Withdraw all links of a match, with their sessions; how many links that were."""

    async def withdraw(connection: Connection, now: datetime) -> int:
        updated = await connection.execute(
            "UPDATE confirmer_links SET revoked_at = ? WHERE match = ? AND revoked_at IS NULL",
            (to_text(now), match),
        )
        return updated.rowcount

    return await house.writer.write(withdraw)


async def by_token(house: House, token: str) -> Confirmer | None:
    """The holder of a link's token; ``None`` for a token that is none. Raises ``Problem`` 401."""
    hashed = token_hash(token)
    return await _found(house, "SELECT * FROM confirmer_links WHERE hash = ?", hashed)


async def by_session(house: House, request: Request) -> Confirmer:
    """The holder of the session that a request's cookie brings. Raises ``Problem`` 401."""
    secret = request.cookies.get(COOKIE)
    if secret is None:
        raise Problem(401, "no_confirmer", "Open the link for checking results that the director sent you")
    found = await _found(
        house,
        "SELECT links.* FROM confirmer_sessions JOIN confirmer_links AS links ON links.hash = link "
        "WHERE confirmer_sessions.hash = ?",
        token_hash(secret),
    )
    if found is None or found.match != request.path_params["match"]:
        raise Problem(401, "no_confirmer", "Open the link for checking results that the director sent you")
    return found


async def begin(house: House, token: str) -> tuple[Confirmer, str]:
    """Exchange a link's token for a session: its holder and the session's secret. Raises ``Problem`` 401."""
    holder, secret = await by_token(house, token), new_token()
    if holder is None:
        raise Problem(
            401, "link_unknown", "This link is not one of ours: open the whole link as it was sent to you"
        )

    async def store(connection: Connection, now: datetime) -> None:
        await connection.execute(
            "DELETE FROM confirmer_sessions WHERE link IN "
            "(SELECT hash FROM confirmer_links WHERE expires_at <= ?)",
            (to_text(now),),
        )
        await connection.execute(
            "INSERT INTO confirmer_sessions VALUES (?, ?, ?)",
            (token_hash(secret), token_hash(token), to_text(now)),
        )

    await house.writer.write(store)
    return holder, secret


def set_cookie(response: Response, house: House, holder: Confirmer, secret: str) -> None:
    response.set_cookie(
        COOKIE,
        secret,
        expires=holder.ends,
        path=f"/confirm/{holder.match}",
        secure=house.origin.startswith("https:"),
        httponly=True,
        samesite="strict",
    )


async def _found(house: House, query: str, hashed: str) -> Confirmer | None:
    row = await house.database.read(lambda connection: connection.execute(query, (hashed,)).fetchone())
    if row is None:
        return None
    hash, match, room, _, expires_at, revoked_at = row
    if revoked_at is not None:
        raise Problem(401, "link_revoked", "This link has been withdrawn: ask the director for a new one")
    ends = from_text(expires_at)
    if ends <= house.clock.now():
        raise Problem(401, "link_expired", "This link has run out: ask the director for a new one")
    return Confirmer(f"confirmer:{hash[:8]}", match, tuple(Room) if room == BOTH else (Room(room),), ends)

"""Operators' sessions: a link's token exchanged for a cookie that opens one room and nothing else.

The token stands in the fragment of the link, which no browser sends; the page at ``/operate/enter`` posts it
once and gets a session of its own, stored as a hash. A session lasts as long as its link and falls with it.

The cookie has one name and is set twice, for the two paths that need it: ``/operate/{match}/{room}`` (the
page) and ``/api/matches/{match}/rooms/{room}`` (entries and the room's stream). The only path that both have in
common is ``/``: such a cookie would go to every public page. Two cookies go where they are needed and nowhere
else, and operators of two rooms may share a browser.

Where the cookie authenticates, a change must come from this site's own pages (``broadcast.web.own_site``). A
request with an Authorization header never looks at cookies.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from broadcast.bridge.rooms import Room
from broadcast.feeds.publishing import room_channel
from broadcast.storage.connections import Connection
from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from broadcast.web.authority import Who, link_holder, new_token, token_hash
from broadcast.web.house import House
from broadcast.web.own_site import SAFE, check_own_site
from broadcast.web.problems import Problem

COOKIE = "twinroom_operator"


def _create_sessions(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE operator_sessions (
               hash TEXT PRIMARY KEY, link TEXT NOT NULL REFERENCES operator_links (hash), made_at TEXT NOT NULL
           ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX operator_sessions_link ON operator_sessions (link)")


MIGRATIONS: Sequence[Migration] = (Migration("operators.sessions", _create_sessions),)


async def begin(house: House, token: str) -> tuple[str, Room, str, datetime]:
    """Exchange a link's token for a session: match, room, the session's secret, its end.

    Raises ``Problem`` 401 that says what is wrong with the link; only who holds the token learns it.
    """
    now, hashed, session = house.clock.now(), token_hash(token), new_token()
    row = await house.database.read(
        lambda connection: connection.execute(
            "SELECT match, room, expires_at, revoked_at FROM operator_links WHERE hash = ?", (hashed,)
        ).fetchone()
    )
    if row is None:
        raise Problem(
            401, "link_unknown", "This link is not one of ours: open the whole link as it was sent to you"
        )
    match, room, expires_at, revoked_at = row
    if revoked_at is not None:
        raise Problem(401, "link_revoked", "This link has been withdrawn: ask the director for a new one")
    ends = from_text(expires_at)
    if ends <= now:
        raise Problem(401, "link_expired", "This link has run out: ask the director for a new one")

    async def store(connection: Connection, now: datetime) -> None:
        await connection.execute(
            "DELETE FROM operator_sessions WHERE link IN "
            "(SELECT hash FROM operator_links WHERE expires_at <= ?)",
            (to_text(now),),
        )
        await connection.execute(
            "INSERT INTO operator_sessions VALUES (?, ?, ?)", (token_hash(session), hashed, to_text(now))
        )

    await house.writer.write(store)
    return match, Room(room), session, ends


async def sender(house: House, request: Request) -> Who | None:
    """The operator whose session a room's request brings; ``None`` where it brings none.

    Raises ``Problem`` 403 for a change that does not come from our own pages, 401 for a session that is over.
    """
    session = request.cookies.get(COOKIE)
    match, room = request.path_params.get("match"), request.path_params.get("room")
    if session is None or match is None or room is None:
        return None
    if request.method not in SAFE:
        check_own_site(request, house.origin)
    hashed = token_hash(session)
    row = await house.database.read(
        lambda connection: connection.execute(
            "SELECT links.hash, match, room, expires_at, revoked_at, made_by, team FROM operator_sessions "
            "JOIN operator_links AS links ON links.hash = link WHERE operator_sessions.hash = ?",
            (hashed,),
        ).fetchone()
    )
    if row is None:
        raise Problem(401, "session_over", "This session is over: open the operator's link again")
    link, match, room, expires_at, revoked_at, made_by, team = row
    if revoked_at is not None:
        raise Problem(401, "link_revoked", "This link has been withdrawn: ask the director for a new one")
    if from_text(expires_at) <= house.clock.now():
        raise Problem(401, "link_expired", "This link has run out: ask the director for a new one")
    return link_holder(link, match, Room(room), made_by, team, from_text(expires_at))


async def revoke(house: House, match: str, room: Room) -> int:
    """Withdraw all links of a room, with their sessions and open streams; how many links that were."""

    async def withdraw(connection: Connection, now: datetime) -> int:
        updated = await connection.execute(
            "UPDATE operator_links SET revoked_at = ? WHERE match = ? AND room = ? AND revoked_at IS NULL",
            (to_text(now), match, room.value),
        )
        return updated.rowcount

    withdrawn = await house.writer.write(withdraw)
    house.publishing.hub.forget(room_channel(match, room))
    return withdrawn


def set_cookies(response: Response, house: House, match: str, room: Room, session: str, ends: datetime) -> None:
    """The session's cookie for the paths that need it."""
    for path in (f"/operate/{match}/{room}", f"/api/matches/{match}/rooms/{room}"):
        response.set_cookie(
            COOKIE,
            session,
            expires=ends,
            path=path,
            secure=house.origin.startswith("https:"),
            httponly=True,
            samesite="strict",
        )

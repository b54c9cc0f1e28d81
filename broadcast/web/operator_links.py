"""Operators' links as the director hands them out: what each room has, one more, and a QR code to scan."""

from typing import Any

import segno

from broadcast.bridge.rooms import Room
from broadcast.storage.moments import from_text
from broadcast.web.authority import add_operator, first_operator_token, token_hash
from broadcast.web.house import House

Json = dict[str, Any]


def link_of(house: House, token: str) -> str:
    """The address to hand out. The token stands in its fragment, which reaches no log."""
    return f"{house.origin}/operate/enter#{token}"


def qr_code(link: str) -> Json:
    """The link as a QR code: SVG path data of a square of so many units, with the quiet zone scanners need."""
    code = segno.make(link, error="m", micro=False)
    dark = [
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(code.matrix_iter(border=4))
        for x, is_dark in enumerate(row)
        if is_dark
    ]
    return {"path": "".join(dark), "size": code.symbol_size(border=4)[0]}


async def links_of(house: House, match: str) -> dict[str, Json]:
    """By room: how many links are ``good``, ``until`` when the last is, the ``first`` if it is still good."""
    now = house.clock.now()
    rows = await house.database.read(
        lambda connection: connection.execute(
            "SELECT hash, room, expires_at FROM operator_links WHERE match = ? AND revoked_at IS NULL", (match,)
        ).fetchall()
    )
    links: dict[str, Json] = {}
    for room in Room:
        good = {
            hash: from_text(until) for hash, where, until in rows if where == room and from_text(until) > now
        }
        first = first_operator_token(house.secret, match, room)
        links[room.value] = {
            "good": len(good),
            "until": max(good.values()).isoformat() if good else None,
            "first": link_of(house, first) if token_hash(first) in good else None,
        }
    return links


async def another(house: House, match: str, room: Room) -> str:
    """One more link for the room."""
    return link_of(house, await add_operator(house.writer, match, room))

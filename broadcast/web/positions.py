"""Positions in addresses: so many calls and cards stand on a board of a room.

While a reader looks back on the match page, its address carries the position as ``?at=2.22-open-7-13``. Asked
for with it, the page is the board's page standing there: it opens no stream, and with hidden results it
holds nothing that comes after.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlencode

_AT = re.compile(r"(\d{1,6}\.\d{1,6})-(open|closed)-(\d{1,3})-(\d{1,3})", re.ASCII)


def board_address(match: str, query: Mapping[str, str]) -> str | None:
    """The board's page for a match page's query with ``at``; None where it has none, or one that says nothing.

    >>> board_address("m7k2", {"at": "2.22-open-7-13", "results": "hidden"})
    '/matches/m7k2/boards/2.22?room=open&call=7&card=13&results=hidden'
    """
    found = _AT.fullmatch(query.get("at", ""))
    if found is None:
        return None
    board, room, call, card = found.groups()
    kept = {name: value for name, value in query.items() if name not in ("at", "room", "call", "card")}
    return f"/matches/{match}/boards/{board}?" + urlencode({"room": room, "call": call, "card": card} | kept)

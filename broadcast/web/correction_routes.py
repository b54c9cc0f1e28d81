"""The public correction log as a page and as JSON; it holds released changes only, as all that is public.

Who hides results is shown that there are corrections and none of them, as every one tells a result.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.streams import StreamKey
from broadcast.web.house import House
from broadcast.web.match_routes import is_hidden, last_event, public_match
from broadcast.web.requests import house_of, json_answer
from broadcast.web.templating import page

Json = dict[str, Any]

LADDER = "ladder"
"""The kind of stream that a challenge's match moves."""


async def corrections_of(house: House, found: MatchStream, *, hidden: bool) -> list[Json]:
    """The lines, oldest first, each with the ``rungs`` that moved at its moment because of the match."""
    if hidden:
        return []
    moves = await _moves(house, found)
    lines = []
    for line in found.public.corrections.lines:
        moved = [
            {name: value for name, value in move.items() if name != "at"}
            for move in moves
            if move["at"] == line.at
        ]
        lines.append(line.as_json() | {"rungs": moved})
    return lines


async def _moves(house: House, found: MatchStream) -> list[Json]:
    """Moves on the ladder for which the match was played; none for any other match."""
    match = found.public.match
    if match is None or match.created.challenge is None:
        return []
    ladder = await house.writer.stream(StreamKey(LADDER, match.created.challenge.ladder))
    return [] if ladder is None else house.regulations.moves(ladder, found.id)


async def corrections(request: Request) -> Response:
    """``GET /api/matches/{match}/corrections``."""
    house = house_of(request)
    found = await public_match(house, request.path_params["match"])
    lines = await corrections_of(house, found, hidden=is_hidden(request))
    return json_answer({"match": found.id, "corrections": lines, "last_event": last_event(house, found)})


async def corrections_page(request: Request) -> Response:
    """``GET /matches/{match}/corrections``: the newest first."""
    house, hidden = house_of(request), is_hidden(request)
    found = await public_match(house, request.path_params["match"])
    lines = await corrections_of(house, found, hidden=hidden)
    context = {
        "match": found.public.heading(hidden=hidden),
        "corrections": lines[::-1],
        "last_event": last_event(house, found),
    }
    return page(request, "vugraph/corrections.html", context)


def correction_routes() -> list[Route]:
    """Before the pages of matches, whose addresses would also fit."""
    return [
        Route("/api/matches/{match}/corrections", corrections, name="corrections_json"),
        Route("/matches/{match}/corrections", corrections_page, name="corrections"),
    ]

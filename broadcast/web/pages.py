"""The public's pages: each is the public JSON of an address, put into a template."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState
from broadcast.web.calendar import calendar_routes
from broadcast.web.data_page import data_routes
from broadcast.web.feeds_atom import atom_routes
from broadcast.web.match_routes import (
    STATUSES,
    board_key,
    is_hidden,
    last_event,
    listed,
    public_match,
    shown,
)
from broadcast.web.positions import board_address
from broadcast.web.preview import preview_routes
from broadcast.web.requests import house_of
from broadcast.web.search import search_routes
from broadcast.web.static_files import static_app
from broadcast.web.templating import page

ON_HOME = 12
"""Matches of each kind on the first page."""


async def home(request: Request) -> Response:
    house, hidden = house_of(request), is_hidden(request)
    context: dict[str, Any] = {}
    for name, statuses in (
        ("live", ("live",)),
        ("upcoming", ("upcoming",)),
        ("latest", ("scored", "closed")),
    ):
        rows, _ = await listed(house, statuses, ON_HOME)
        context[name] = [shown(each, hidden) for each in rows]
    context["ladders"] = await house.regulations.ladders()
    return page(request, "vugraph/home.html", context)


async def matches(request: Request) -> Response:
    status = request.query_params.get("status")
    chosen = status if status in STATUSES else None
    rows, following = await listed(
        house_of(request), (chosen,) if chosen else (), 30, request.query_params.get("after")
    )
    hidden = is_hidden(request)
    context = {"matches": [shown(each, hidden) for each in rows], "status": chosen, "next": following}
    return page(request, "vugraph/matches.html", context)


async def match(request: Request) -> Response:
    """The live page; at a position (``?at=``) the board's page instead."""
    house, hidden = house_of(request), is_hidden(request)
    found = await public_match(house, request.path_params["match"])
    if standing := board_address(found.id, request.query_params):
        return RedirectResponse(standing, 302)
    snapshot = found.snapshot(hidden=hidden) or {}
    context = {
        "match": snapshot | {"last_event": last_event(house, found)},
        "comments": found.public.comments(),
    }
    return page(request, "vugraph/match.html", context)


async def board(request: Request) -> Response:
    """A board at a position; a plain number is sent on to its segment and number."""
    found = await public_match(house_of(request), request.path_params["match"])
    asked = request.path_params["board"]
    key = board_key(found, asked)
    if asked != str(key):
        target = request.url.replace(path=f"/matches/{found.id}/boards/{key}")
        return RedirectResponse(f"{target.path}?{target.query}" if target.query else target.path, 308)
    state = found.public.match
    context = {
        "match": found.public.resource(hidden=is_hidden(request)),
        "board": found.public.board(key),
        "room": request.query_params.get("room")
        if request.query_params.get("room") in ("open", "closed")
        else None,
        "call": position(request, "call"),
        "card": position(request, "card"),
        **_neighbours(state, key),
    }
    return page(request, "vugraph/board.html", context)


def position(request: Request, name: str) -> int | None:
    """A number of calls or cards in the address, ``None`` where there is none."""
    value = request.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 4 else None


def _neighbours(state: MatchState | None, key: BoardKey) -> dict[str, str | None]:
    keys = [] if state is None else list(state.boards)
    at = keys.index(key)
    return {
        "previous": str(keys[at - 1]) if at else None,
        "next": str(keys[at + 1]) if at + 1 < len(keys) else None,
    }


def page_routes() -> list[Route | Mount]:
    """Pages, and what stands beside them: pictures, feeds and calendars, whose endings come first."""
    return [
        *preview_routes(),
        *atom_routes(),
        *calendar_routes(),
        Route("/", home, name="home"),
        *search_routes(),
        *data_routes(),
        Route("/matches", matches, name="matches"),
        Route("/matches/{match}/boards/{board}", board, name="board"),
        Route("/matches/{match}", match, name="match"),
        Mount("/static", app=static_app(), name="static"),
    ]

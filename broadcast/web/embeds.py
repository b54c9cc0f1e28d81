"""Pages made to be framed by other sites: matches, boards, and the site's next and last matches.

They hold what the pages of the same address without ``/embed`` hold, are the same for everyone, set no cookie
and keep nothing in the browser (headers: ``broadcast.web.framing``). A live match becomes its archive when
it is over.
``/embed.js`` is what a page of another site loads to frame them by ``<twinroom-embed>``.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from broadcast.web.embed_addresses import choices_of, embeddable
from broadcast.web.embed_look import look_of, style_sheet
from broadcast.web.house import House
from broadcast.web.languages import catalogue, language_of
from broadcast.web.match_routes import board_key, is_hidden, last_event, listed, public_match, shown
from broadcast.web.pages import position
from broadcast.web.requests import house_of
from broadcast.web.static_files import static_address
from broadcast.web.templating import origin_of, page

MOST_LIVE: Final = 6
MOST_LISTED: Final = 5
"""Matches of each kind in a list that is framed."""
SCRIPT_SECONDS: Final = 300
"""For how long a browser may keep ``/embed.js``, which names the present version of what it loads."""
LASTING: Final = {"cache-control": "public, max-age=86400", "access-control-allow-origin": "*"}
OVER: Final = ("scored", "closed", "void")


def embed_page(request: Request, name: str, context: Mapping[str, Any]) -> Response:
    """Answer with a template of ``templates/embed``, looking as its address says."""
    look = look_of(request.query_params)
    shown_here = embeddable(request.url.path)
    return page(
        request,
        f"embed/{name}",
        {
            **context,
            "choices": choices_of(request.query_params),
            "theme": look.shown_theme,
            "colours": f"/embed.css?{urlencode(look.colours)}" if look.colours else None,
            "page_path": shown_here.path if shown_here else "/",
        },
        headers={"cache-control": "no-cache"},
    )


def match_context(match: Mapping[str, Any], show: str) -> dict[str, Any]:
    """What the template of a match takes: the snapshot, and what of it is seen at this stage of the match."""
    status = match.get("status")
    stage = "over" if status in OVER else "live" if status == "live" else "announced"
    view = show if show in ("score", "result") else "result" if stage == "over" else stage
    rooms = (show,) if show in ("open", "closed") else ("open", "closed")
    return {"match": match, "view": "rooms" if view == "live" else view, "stage": stage, "rooms": rooms}


async def match(request: Request) -> Response:
    """``GET /embed/matches/{match}``: ``?show=both|open|closed|score|result``."""
    house, hidden = house_of(request), is_hidden(request)
    found = await public_match(house, request.path_params["match"])
    snapshot = (found.snapshot(hidden=hidden) or {}) | {"last_event": last_event(house, found)}
    return embed_page(request, "match.html", match_context(snapshot, request.query_params.get("show", "")))


async def board(request: Request) -> Response:
    """``GET /embed/matches/{match}/boards/{board}``, at ``?room=&call=&card=``."""
    house = house_of(request)
    found = await public_match(house, request.path_params["match"])
    asked = request.path_params["board"]
    key = board_key(found, asked)
    if asked != str(key):
        target = request.url.replace(path=f"/embed/matches/{found.id}/boards/{key}")
        return RedirectResponse(f"{target.path}?{target.query}" if target.query else target.path, 308)
    room = request.query_params.get("room")
    context = {
        "match": found.public.resource(hidden=is_hidden(request)),
        "board": found.public.board(key),
        "room": room if room in ("open", "closed") else None,
        "call": position(request, "call"),
        "card": position(request, "card"),
        "last_event": last_event(house, found),
    }
    return embed_page(request, "board.html", context)


async def matches(request: Request) -> Response:
    """``GET /embed/matches``: the site's."""
    words = catalogue(language_of(request))
    return embed_page(request, "matches.html", await matches_context(request, words.gettext("Matches")))


async def matches_context(request: Request, heading: str, party: str | None = None) -> dict[str, Any]:
    """Live, next and last matches, of one team or of all."""
    house, hidden = house_of(request), is_hidden(request)
    kinds = {
        "live": (("live",), MOST_LIVE),
        "upcoming": (("upcoming",), MOST_LISTED),
        "latest": (("scored", "closed"), MOST_LISTED),
    }
    return {"heading": heading} | {
        name: await _listed(house, statuses, most, party, hidden=hidden)
        for name, (statuses, most) in kinds.items()
    }


async def _listed(
    house: House, statuses: tuple[str, ...], most: int, party: str | None, *, hidden: bool
) -> list[dict[str, Any]]:
    rows, _ = await listed(house, statuses, most, party=party)
    return [shown(each, hidden) for each in rows]


async def script(request: Request) -> Response:
    """``GET /embed.js``: a plain script without a name of its own, which loads the module of this version."""
    module = static_address("js/embed/host.js")
    text = (
        "// Frames for matches, boards and ladders: <twinroom-embed>. What is loaded makes no globals.\n"
        "(() => {\n"
        f"  const site = document.currentScript?.src ?? {msgspec.json.encode(origin_of(request)).decode()};\n"
        f"  import(new URL('{module}', site));\n"
        "})();\n"
    )
    headers = {
        "cache-control": f"public, max-age={SCRIPT_SECONDS}",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }
    return Response(text, headers=headers, media_type="text/javascript")


async def colours(request: Request) -> Response:
    """``GET /embed.css``: the colours of one embed, which its address says whole."""
    return Response(style_sheet(look_of(request.query_params)), headers=LASTING, media_type="text/css")


def embed_files() -> list[Route]:
    """What other sites and frames load; the same everywhere."""
    return [
        Route("/embed.js", script, name="embed_script"),
        Route("/embed.css", colours, name="embed_colours"),
    ]


def embed_routes() -> list[Route]:
    return [
        *embed_files(),
        Route("/embed/matches", matches, name="embed_matches"),
        Route("/embed/matches/{match}/boards/{board}", board, name="embed_board"),
        Route("/embed/matches/{match}", match, name="embed_match"),
    ]

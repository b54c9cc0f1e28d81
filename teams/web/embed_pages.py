"""Ladders and teams to be framed by other sites, and the page that writes the line for all embeds."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.cursor import Cursor
from broadcast.tables.errors import NoSuchThing
from broadcast.web.embed_addresses import Embeddable, choices_of, embeddable
from broadcast.web.embed_lines import lines_for
from broadcast.web.embeds import embed_page, matches_context
from broadcast.web.languages import language_of
from broadcast.web.match_routes import listed
from broadcast.web.oembed import title_of
from broadcast.web.requests import house_of
from broadcast.web.templating import origin_of, page
from teams.web.authority import members_of
from teams.web.ladder_requests import found_ladder
from teams.web.ladder_routes import listed as listed_ladders
from teams.web.ladder_view import ladder_context

MOST_OFFERED: Final = 40
"""Newest matches that the page offers; any other address can be pasted."""


async def ladder(request: Request) -> Response:
    """``GET /embed/ladders/{ladder}``."""
    house = house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    last_event = str(Cursor(house.publishing.epoch, found.number))
    context = {
        **ladder_context(request, found.state, house.clock.now(), last_event),
        "top": int(choices_of(request.query_params).get("top", "0")) or None,
        "last_event": last_event,
    }
    return embed_page(request, "ladder.html", context)


async def team(request: Request) -> Response:
    """``GET /embed/teams/{team}``: its live, next and last matches."""
    found = await members_of(request).team(request.path_params["team"])
    return embed_page(request, "matches.html", await matches_context(request, found.name, found.id))


async def builder(request: Request) -> Response:
    """``GET /embed?address=&board=&show=...``: what is to be embedded, how it looks, and the line to paste."""
    asked = request.query_params
    here, title = await _chosen(request)
    choices = choices_of({name: value for name, value in asked.items() if name != "lang"})
    if asked.get("language"):
        choices |= choices_of({"lang": asked["language"]})
    for kind, name in (("match", "show"), ("ladder", "top")):
        if here.kind != kind:
            choices.pop(name, None)
    context = {
        "chosen": here,
        "choices": choices,
        "offers": await _offers(request, here, title),
        "lines": lines_for(origin_of(request), here, choices, title),
        "preview": here.frame_address(choices),
        "height": here.height(choices),
        "page_title": title,
        "asked": dict(asked),
    }
    return page(request, "embed/builder.html", context)


async def _chosen(request: Request) -> tuple[Embeddable, str]:
    """What the address names, a path or a whole address; the site's matches where it names nothing we have."""
    site = Embeddable("site", "/matches")
    try:
        path = urlsplit(request.query_params.get("address", "")).path
    except ValueError:  # brackets that hold no address
        path = ""
    found = embeddable(path or "/matches") or site
    board = request.query_params.get("board", "").strip()
    if found.kind == "match" and board:
        found = embeddable(f"{found.path}/boards/{board}") or found
    language = language_of(request)
    for each in (found, embeddable(f"/matches/{found.id}") or site, site):
        try:
            return each, await title_of(request, each, language)
        except NoSuchThing:
            continue
    raise AssertionError("the site always has a title")


async def _offers(request: Request, here: Embeddable, title: str) -> Mapping[str, list[tuple[str, str]]]:
    """Paths and names by kind, the chosen one among them."""
    house = house_of(request)
    rows, _ = await listed(house, (), MOST_OFFERED)
    offers: dict[str, list[tuple[str, str]]] = {
        "matches": [(f"/matches/{row.key.id}", _name(row.summary.body)) for row in rows],
        "ladders": [(f"/ladders/{each['id']}", each["name"]) for each in await listed_ladders(house)],
        "teams": [(f"/teams/{each.id}", each.name) for each in await members_of(request).teams()],
    }
    known = {path for group in offers.values() for path, _ in group}
    if here.kind == "match" and here.path not in known:
        offers["matches"].insert(0, (here.path, title))
    if here.kind == "board" and f"/matches/{here.id}" not in known:
        offers["matches"].insert(0, (f"/matches/{here.id}", title))
    return offers


def _name(match: Mapping[str, Any]) -> str:
    return f"{match['home']['name']} – {match['visitors']['name']} · {match['title']}"


def embed_page_routes() -> list[Route]:
    return [
        Route("/embed", builder, name="embed"),
        Route("/embed/ladders/{ladder}", ladder, name="embed_ladder"),
        Route("/embed/teams/{team}", team, name="embed_team"),
    ]

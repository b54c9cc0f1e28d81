"""oEmbed (https://oembed.com, version 1.0): what another site puts in its page for one of our addresses.

WordPress takes it from pages by their discovery links and, not knowing us, keeps of the HTML a quotation and a
frame, each with few attributes (its ``wp_filter_oembed_result``). So that is what we send. The quotation is
seen without scripts and while the frame loads, and makes WordPress load its own script, which fits the frame.
It names the match and no score, as WordPress keeps it for years.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.etree import ElementTree

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.streams import StreamKey
from broadcast.storage.read_models import read_summary
from broadcast.tables.errors import NoSuchThing
from broadcast.web.bidi import isolated
from broadcast.web.embed_addresses import LINKED, WIDTH, Embeddable, choices_of, embeddable
from broadcast.web.languages import Language, catalogue
from broadcast.web.match_routes import board_key, public_match
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer
from broadcast.web.templating import origin_of

KEPT_SECONDS: Final = 3600
PICTURE: Final = (1200, 630)
"""Width and height of the pictures of matches and boards."""
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, however written."""
_OPEN: Final = {"access-control-allow-origin": "*", "cache-control": f"public, max-age={KEPT_SECONDS}"}


async def oembed(request: Request) -> Response:
    """``GET /oembed?url=&format=json|xml&maxwidth=&maxheight=``."""
    format = request.query_params.get("format", "json")
    if format not in ("json", "xml"):
        raise Problem(501, "no_such_format", "format must be json or xml", formats=["json", "xml"])
    told = await described(request, request.query_params.get("url", ""))
    if format == "json":
        return json_answer(told, headers=_OPEN)
    return Response(_xml(told), headers=_OPEN, media_type="text/xml")


async def described(request: Request, url: str) -> dict[str, Any]:
    """The members of the answer. Raises ``Problem`` 404 for an address that is not ours or shows nothing."""
    origin = origin_of(request)
    try:
        parts = urlsplit(url)
    except ValueError as error:  # brackets that hold no address
        raise _nothing(url) from error
    path = parts.path or "/"
    here = embeddable(path)
    if parts.netloc not in (urlsplit(origin).netloc, request.url.netloc) or not (here or path in LINKED):
        raise _nothing(url)
    told: dict[str, Any] = {
        "version": "1.0",
        "provider_name": "Twinroom",
        "provider_url": origin,
        "cache_age": KEPT_SECONDS,
    }
    if here is None:
        return told | {"type": "link", "title": "Twinroom"}
    choices = choices_of(dict(parse_qsl(parts.query)))
    title = await title_of(request, here, Language(choices.get("lang", Language.ENGLISH)))
    width = _bounded(request, "maxwidth", WIDTH)
    height = _bounded(request, "maxheight", here.height(choices))
    frame = origin + here.frame_address(choices)
    kept = {name: value for name, value in choices.items() if name in ("lang", "results")}
    page = f"{origin}{here.path}{'?' + urlencode(kept) if kept else ''}"
    told |= {"type": "rich", "title": title, "width": width, "height": height}
    told["html"] = html_of(frame, page, title, width, height)
    if here.kind in ("match", "board") and _bounded(request, "maxwidth", PICTURE[0]) == PICTURE[0]:
        query = f"?{urlencode(kept)}" if kept else ""
        told["thumbnail_url"] = f"{origin}{here.path}.png{query}"
        told["thumbnail_width"], told["thumbnail_height"] = PICTURE
    return told


def html_of(frame: str, page: str, title: str, width: int, height: int) -> str:
    """A quotation with a link, and a frame; the frame's content must stay empty for WordPress to find it."""
    return (
        f'<blockquote><a href="{escape(page)}">{escape(title)}</a></blockquote>'
        f'<iframe src="{escape(frame)}" width="{width}" height="{height}" title="{escape(title)}"'
        ' frameborder="0" marginwidth="0" marginheight="0"></iframe>'
    )


async def title_of(request: Request, here: Embeddable, language: Language) -> str:
    """What the page is called. Raises ``NoSuchThing`` or ``Problem`` 404 where there is no such page."""
    house, words = house_of(request), catalogue(language)
    match here.kind, here.id:
        case (("match" | "board"), str(id)):
            found = await public_match(house, id)
            told = found.public.resource(hidden=True) or {}
            teams = f"{isolated(told['home']['name'])} – {isolated(told['visitors']['name'])}"
            if here.board is None:
                return f"{teams} · {isolated(told['title'])}"
            number = board_key(found, here.board).number
            return f"{words.gettext('Board %(number)s') % {'number': number}} · {teams}"
        case "ladder", str(id):
            key = StreamKey("ladder", id)
            ladder = await house.database.read(lambda connection: read_summary(connection, key))
            if ladder is None:
                raise NoSuchThing("no_such_ladder", f"There is no ladder {id}", ladder=id)
            return ladder.title
        case "team", str(id):
            name = await house.regulations.team_name(id)
            if name is None:
                raise NoSuchThing("no_such_team", f"There is no team {id}", team=id)
            return name
        case _:
            return f"Twinroom: {words.gettext('Matches')}"


def _nothing(url: str) -> Problem:
    return Problem(
        404,
        "not_embeddable",
        "Nothing can be embedded from this address: give that of a match, board, ladder or team of this site",
        url=url,
    )


def _bounded(request: Request, name: str, wanted: int) -> int:
    """What we would like, within what the request allows; what is no number allows anything."""
    most = request.query_params.get(name, "")
    return min(wanted, int(most)) if most.isascii() and most.isdecimal() and 0 < len(most) < 6 else wanted


def _xml(told: Mapping[str, Any]) -> bytes:
    root = ElementTree.Element("oembed")
    for name, value in told.items():
        ElementTree.SubElement(root, name).text = _NOT_XML.sub("", str(value))
    declared = b'<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n'
    body: bytes = ElementTree.tostring(root, encoding="utf-8")
    return declared + body


def oembed_routes() -> list[Route]:
    return [Route("/oembed", oembed, name="oembed")]

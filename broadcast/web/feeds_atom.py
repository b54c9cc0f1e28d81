"""Atom feeds (RFC 4287): what began and what ended, for readers of news. ``/matches.atom`` is the site's.

Entries say what the pages say; with hidden results that a match has ended, and not how. An entry keeps its id
for ever; when its score is corrected it is updated.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from xml.etree import ElementTree

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.storage.read_models import Listed
from broadcast.storage.turning_points import TurningPoints, turning_points
from broadcast.web import wording
from broadcast.web.bidi import isolated
from broadcast.web.conditional import document
from broadcast.web.filters import signed, vps
from broadcast.web.languages import catalogue, language_of
from broadcast.web.match_routes import is_hidden, listed, shown
from broadcast.web.match_view import lead_sentence
from broadcast.web.requests import house_of
from broadcast.web.templating import Address

MEDIA_TYPE: Final = "application/atom+xml"
MOST_MATCHES: Final = 30
MOST_ENTRIES: Final = 50
ATOM: Final = "http://www.w3.org/2005/Atom"
NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When a feed without entries changed."""
NEWS: Final = ("live", "scored", "closed", "void")

_UNSPEAKABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot say, not even escaped."""


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    """A path of this site with a fragment; it is made absolute."""
    path: str
    """The page to read, without query."""
    title: str
    text: str
    updated: datetime
    author: str = "Twinroom"


def feed(request: Request, title: str, page: str, entries: Iterable[Entry]) -> Response:
    """The answer that is a feed, the newest entry first; ``page`` is the path of the page it belongs to."""
    language, origin, address = language_of(request), house_of(request).origin, Address(request)
    # Of one moment, what was told last comes first.
    newest = sorted(entries, key=lambda entry: entry.updated)[::-1][:MOST_ENTRIES]
    changed = newest[0].updated if newest else NEVER
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": language.tag})
    _add(root, "id", origin + page)
    _add(root, "title", title)
    _add(root, "updated", _moment(changed))
    _add(root, "generator", "Twinroom")
    _add(_add(root, "author"), "name", "Twinroom")
    _add(root, "link", rel="self", type=MEDIA_TYPE, href=origin + address.here())
    _add(root, "link", rel="alternate", type="text/html", href=origin + address.url(page))
    for entry in newest:
        element = _add(root, "entry")
        _add(element, "id", origin + entry.id)
        _add(element, "title", entry.title)
        _add(element, "updated", _moment(entry.updated))
        _add(element, "link", rel="alternate", type="text/html", href=origin + address.url(entry.path))
        _add(element, "summary", entry.text)
    body = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    headers = {"content-language": language.tag, "vary": "accept-language"}
    return document(request, body, MEDIA_TYPE, changed, headers)


def _add(
    parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str
) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, name, attributes)
    element.text = None if text is None else _UNSPEAKABLE.sub("\ufffd", text)
    return element


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


# --- matches -------------------------------------------------------------------------------------------------


async def match_entries(request: Request, party: str | None = None) -> list[Entry]:
    """Starts and ends of the newest matches, of one team or all."""
    house, hidden = house_of(request), is_hidden(request)
    rows, _ = await listed(house, NEWS, MOST_MATCHES, party=party)
    points = await points_of(request, rows)
    return [
        entry
        for row in rows
        for entry in _entries(shown(row, hidden), points[row.key.id], request, hidden=hidden)
    ]


async def points_of(request: Request, rows: Sequence[Listed]) -> dict[str, TurningPoints]:
    """The turning points of listed matches by id, read at one moment."""
    return await house_of(request).database.read(
        lambda connection: {row.key.id: turning_points(connection, row.key) for row in rows}
    )


def _entries(
    match: Mapping[str, Any], points: TurningPoints, request: Request, *, hidden: bool
) -> Iterable[Entry]:
    language = language_of(request)
    words = catalogue(language)
    path = f"/matches/{match['id']}"
    home, visitors = isolated(match["home"]["name"]), isolated(match["visitors"]["name"])
    pair = f"{home} – {visitors}"
    if points.started_at is not None:
        begun = words.gettext(wording.NEWS["started"])
        yield Entry(f"{path}#start", path, f"{pair}: {begun}", match["title"], points.started_at)
    if match["status"] in ("scored", "closed"):
        totals = None if hidden else match.get("totals")
        if totals is None:
            ended = words.gettext(wording.NEWS["ended"])
            yield Entry(f"{path}#end", path, f"{pair}: {ended}", match["title"], points.heading_at)
        else:
            imps = totals["imps"]
            score = f"{signed(imps['home'])} – {signed(imps['visitors'])}"
            title = f"{home} {score} {visitors}"
            told = [isolated(match["title"]), lead_sentence(language, match)]
            if totals["vps"] is not None:
                unit = words.gettext("VP")
                told.append(f"{unit} {vps(totals['vps']['home'])} – {vps(totals['vps']['visitors'])}")
            text = " · ".join(part for part in told if part)
            yield Entry(f"{path}#end", path, title, text, points.score_at)
    elif match["status"] == "void":
        void = words.gettext(wording.NEWS["void"])
        yield Entry(f"{path}#end", path, f"{pair}: {void}", match["title"], points.heading_at)


async def matches(request: Request) -> Response:
    """``GET /matches.atom``."""
    title = f"Twinroom: {catalogue(language_of(request)).gettext('Matches')}"
    return feed(request, title, "/matches", await match_entries(request))


def atom_routes() -> list[Route]:
    return [Route("/matches.atom", matches, name="matches_atom")]

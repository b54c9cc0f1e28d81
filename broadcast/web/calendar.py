"""Calendar files (RFC 5545) of matches that have a time to start: ``/matches.ics`` is the site's.

An event keeps its UID for ever; when the match is told differently its DTSTAMP is later. How long a match will
last is reckoned from its boards.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.storage.turning_points import TurningPoints
from broadcast.web.bidi import isolated
from broadcast.web.conditional import document
from broadcast.web.feeds_atom import NEVER, points_of
from broadcast.web.filters import moment, signed
from broadcast.web.languages import catalogue, language_of
from broadcast.web.match_routes import is_hidden, listed, shown
from broadcast.web.match_view import lead_sentence
from broadcast.web.requests import house_of
from broadcast.web.templating import Address

MEDIA_TYPE: Final = "text/calendar"
MOST_MATCHES: Final = 100
"""Of those to come and under way, and of those that are over."""
MINUTES_A_BOARD: Final = 8
"""What laws and custom allow a table, moving included: 7.5 to 8.75 minutes."""
OCTETS_A_LINE: Final = 75
_BREAKING: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Categories of characters that end a line or mean nothing in a text."""
_OVERRIDES: Final = frozenset("\u202a\u202b\u202c\u202d\u202e")


async def calendar(request: Request, title: str, party: str | None = None) -> Response:
    """The answer that is a calendar: matches of one team or all, in the order they start."""
    house, hidden = house_of(request), is_hidden(request)
    coming, _ = await listed(house, ("upcoming", "live"), MOST_MATCHES, party=party)
    over, _ = await listed(house, ("scored", "closed", "void"), MOST_MATCHES, party=party)
    rows = [row for row in (*coming, *over) if moment(row.summary.body.get("starts_at"))]
    points = await points_of(request, rows)
    matches = sorted((shown(row, hidden) for row in rows), key=lambda each: (each["starts_at"], each["id"]))
    body = encoded(_lines(request, title, matches, points))
    changed = max((_changed(match, points[match["id"]]) for match in matches), default=NEVER)
    language = language_of(request)
    headers = {"content-language": language.tag, "vary": "accept-language"}
    return document(request, body, MEDIA_TYPE, changed, headers)


def _lines(
    request: Request, title: str, matches: Iterable[Mapping[str, Any]], points: Mapping[str, TurningPoints]
) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//Twinroom//Matches//EN"
    yield "CALSCALE:GREGORIAN"
    yield f"NAME:{escaped(title)}"
    yield f"X-WR-CALNAME:{escaped(title)}"
    yield "REFRESH-INTERVAL;VALUE=DURATION:PT1H"
    yield "X-PUBLISHED-TTL:PT1H"
    for match in matches:
        yield from _event(request, match, points[match["id"]])
    yield "END:VCALENDAR"


def _event(request: Request, match: Mapping[str, Any], points: TurningPoints) -> Iterator[str]:
    starts_at = moment(match["starts_at"])
    if starts_at is None:
        return
    origin, language = house_of(request).origin, language_of(request)
    boards = sum(segment["last"] - segment["first"] + 1 for segment in match["segments"])
    address = origin + Address(request).url(f"/matches/{match['id']}")
    told = [isolated(match["title"]), *_result(match, lead_sentence(language, match)), address]
    yield "BEGIN:VEVENT"
    yield f"UID:match-{match['id']}@{urlsplit(origin).hostname or 'twinroom'}"
    yield f"DTSTAMP:{_utc(_changed(match, points))}"
    yield f"LAST-MODIFIED:{_utc(_changed(match, points))}"
    yield f"DTSTART:{_utc(starts_at)}"
    if boards:
        yield f"DURATION:PT{boards * MINUTES_A_BOARD}M"
    yield f"SUMMARY:{escaped(_summary(match, catalogue(language).gettext('VOID')))}"
    yield f"DESCRIPTION:{escaped(chr(10).join(told))}"
    yield f"URL:{address}"
    yield f"STATUS:{'CANCELLED' if match['status'] == 'void' else 'CONFIRMED'}"
    yield "TRANSP:OPAQUE"
    yield "END:VEVENT"


def _summary(match: Mapping[str, Any], void: str) -> str:
    pair = f"{isolated(match['home']['name'])} – {isolated(match['visitors']['name'])}"
    return f"{pair} ({void})" if match["status"] == "void" else pair


def _result(match: Mapping[str, Any], sentence: str) -> list[str]:
    """The score of a match that is over, where it is shown."""
    if not _tells_score(match):
        return []
    imps = match["totals"]["imps"]
    return [f"{signed(imps['home'])} – {signed(imps['visitors'])}", sentence]


def _tells_score(match: Mapping[str, Any]) -> bool:
    return match.get("totals") is not None and match["status"] in ("scored", "closed")


def _changed(match: Mapping[str, Any], points: TurningPoints) -> datetime:
    """When what the event says last changed."""
    return points.score_at if _tells_score(match) else points.heading_at


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    r"""A TEXT value (section 3.3.11); control characters and overrides are left out.

    >>> escaped("Semifinal; A, B")
    'Semifinal\\; A\\, B'
    """
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\n"), ("\r", "\n")):
        text = text.replace(plain, written)
    kept = (
        each
        for each in text
        if each == "\n" or (unicodedata.category(each) not in _BREAKING and each not in _OVERRIDES)
    )
    return "".join(kept).replace("\n", "\\n")


def encoded(lines: Iterable[str]) -> bytes:
    """Content lines, each folded to 75 octets without cutting a character (section 3.1)."""
    return b"".join(_folded(line) + b"\r\n" for line in lines)


def _folded(line: str) -> bytes:
    pieces: list[bytes] = []
    piece = b""
    for character in line:
        octets = character.encode()
        # A continued line begins with a space, which counts.
        if len(piece) + len(octets) > OCTETS_A_LINE - (1 if pieces else 0):
            pieces.append(piece)
            piece = b""
        piece += octets
    return b"\r\n ".join([*pieces, piece])


async def matches(request: Request) -> Response:
    """``GET /matches.ics``."""
    title = f"Twinroom: {catalogue(language_of(request)).gettext('Matches')}"
    return await calendar(request, title)


def calendar_routes() -> list[Route]:
    return [Route("/matches.ics", matches, name="matches_calendar")]

"""Which pages can be embedded, and the address of each in a frame: the page's own after ``/embed``.

Pure. What an embed may be told stands in ``CHOICES``; the element ``<twinroom-embed>`` has attributes of the
same names. Anything else in an address is left out, and a wrong value is as good as none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode, urlsplit

from broadcast.web.embed_look import THEMES, colour_of, hex_of
from broadcast.web.languages import Language
from broadcast.web.ways import WAYS

SHOWS: Final = ("both", "open", "closed", "score", "result")
"""What of a match: both rooms, one of them, the score alone, or the score with the board table."""
AREA: Final = "playing"
"""A screen where the players see it: nothing that judges or foretells, no comments and no prospects."""
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "show": SHOWS,
    "theme": THEMES,
    "lang": tuple(Language),
    "results": ("hidden",),
    "area": (AREA,),
    "top": ("3", "5", "10", "20"),
    **WAYS,
    "room": ("open", "closed"),
}
COLOURS: Final = ("accent", "background")
PLACES: Final = ("call", "card")
"""A position on a board: so many calls and cards stand."""

MIN_WIDTH: Final = 280
WIDTH: Final = 640
_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "site": re.compile(r"/(?:matches)?"),
    "match": re.compile(r"/matches/(?P<id>[^/.]+)"),
    "board": re.compile(r"/matches/(?P<id>[^/.]+)/boards/(?P<board>\d+\.\d+|\d+)"),
    "ladder": re.compile(r"/ladders/(?P<id>[^/.]+)"),
    "team": re.compile(r"/teams/(?P<id>[^/.]+)"),
}
_HEIGHTS: Final = {"site": 420, "match": 760, "board": 640, "ladder": 560, "team": 420}
_MATCH_HEIGHTS: Final = {"score": 200, "result": 700}


@dataclass(frozen=True, slots=True)
class Embeddable:
    """What can stand in a frame. ``kind`` is ``site match board ladder team``; the site's has no id."""

    kind: str
    path: str
    id: str | None = None
    board: str | None = None

    @property
    def frame_path(self) -> str:
        return f"/embed{'/matches' if self.kind == 'site' else self.path}"

    def frame_address(self, choices: Mapping[str, str]) -> str:
        """Path and query of the frame."""
        return _with_query(self.frame_path, choices)

    def height(self, choices: Mapping[str, str]) -> int:
        """Pixels for a frame that nobody fits, and until somebody does."""
        if self.kind == "match":
            return _MATCH_HEIGHTS.get(choices.get("show", ""), _HEIGHTS["match"])
        return _HEIGHTS[self.kind]


def embeddable(path: str) -> Embeddable | None:
    """What a page's path shows, or a frame's; ``None`` where that cannot be embedded.

    >>> embeddable("/embed/matches/m7k2").frame_path
    '/embed/matches/m7k2'
    >>> embeddable("/calculator") is None
    True
    """
    page = path.removeprefix("/embed") or "/"
    for kind, pattern in _PATTERNS.items():
        found = pattern.fullmatch(page)
        if found:
            named = found.groupdict()
            return Embeddable(kind, page, named.get("id"), named.get("board"))
    return None


def choices_of(query: Mapping[str, str]) -> dict[str, str]:
    """What of a query an embed understands, in one order, so that equal embeds have equal addresses.

    >>> choices_of({"accent": "#FA0", "show": "score", "theme": "pink", "x": "1"})
    {'show': 'score', 'accent': 'ffaa00'}
    """
    chosen = {name: query[name] for name, values in CHOICES.items() if query.get(name) in values}
    for name in COLOURS:
        colour = colour_of(query.get(name, ""))
        if colour is not None:
            chosen[name] = hex_of(colour)
    for name in PLACES:
        value = query.get(name, "")
        if value.isascii() and value.isdecimal() and len(value) < 4:
            chosen[name] = value
    return chosen


LINKED: Final = frozenset({"/ladders", "/calculator", "/embed", "/data", "/search"})
"""Public pages that other sites link to rather than frame."""
_DISCOVERY: Final = (("application/json+oembed", "json"), ("text/xml+oembed", "xml"))


def discovery(page: str) -> list[tuple[str, str]]:
    """Types and addresses of the oEmbed answers about a page, given its whole address; none for private ones.

    >>> discovery("https://club.example/ladders/l1")[0][1]
    'https://club.example/oembed?format=json&url=https%3A%2F%2Fclub.example%2Fladders%2Fl1'
    >>> discovery("https://club.example/operate/enter")
    []
    """
    parts = urlsplit(page)
    if parts.path not in LINKED and embeddable(parts.path) is None:
        return []
    origin = f"{parts.scheme}://{parts.netloc}"
    return [(kind, _with_query(f"{origin}/oembed", {"format": name, "url": page})) for kind, name in _DISCOVERY]


def _with_query(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path

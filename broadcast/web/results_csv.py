"""A match's results as CSV, for spreadsheets: a row for each board, both rooms side by side.

UTF-8 with a byte order mark, by which spreadsheets know it; lines end with CR LF (RFC 4180). What is not public
or not known is an empty cell, never a zero. A name that a spreadsheet would run as a formula gets an apostrophe
before it; figures are figures.
"""

import csv
import io
import unicodedata
from collections.abc import Mapping
from itertools import dropwhile
from typing import Any, Final

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS
from broadcast.feeds.public_records import names_of
from broadcast.feeds.public_state import PublicState
from broadcast.tables.events import BoardKey

_ROOM_MEMBERS: Final = ("state", "contract", "declarer", "tricks", "score_ns")
COLUMNS: Final[Mapping[str, str]] = {
    "match": "the match's id",
    "home": "the home team",
    "visitors": "the visiting team",
    "segment": "number of the segment, from 1",
    "board": "the board's number; it may come again in another segment",
    "dealer": "N, E, S or W",
    "vulnerable": "None, NS, EW or All",
    **{
        f"{room}_{name}": f"{about} in the {room} room"
        for room in Room
        for name, about in (
            ("ns_team", "home or visitors: who sits North-South"),
            *((seat.word.lower(), f"{seat.word}'s name") for seat in SEATS),
            ("state", "not_played, in_play, played, claimed, passed_out, adjusted or cancelled"),
            ("contract", "like 4SX; Pass for a board passed out"),
            ("declarer", "N, E, S or W"),
            ("tricks", "declarer's tricks, 0 to 13"),
            ("score_ns", "points for North-South"),
        )
    },
    "imps_home": "the home team's swing in IMPs, a loss below zero",
    "imps_visitors": "the visitors' swing; the opposite, unless a ruling is split",
    "pending": "why there is no swing yet, as the JSON says it; empty when there is one",
}
"""The columns in order, and what they hold."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def results_csv(public: PublicState, *, hidden: bool = False) -> bytes:
    """The whole file. With hidden results the cells that tell them are empty."""
    resource = public.resource(hidden=hidden) or {}
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for board in resource.get("boards", ()):
        cells = _cells(public, resource, board)
        rows.writerow([safe_cell(cells.get(column)) for column in COLUMNS])
    return b"\xef\xbb\xbf" + written.getvalue().encode()


def _cells(public: PublicState, match: Mapping[str, Any], board: Mapping[str, Any]) -> dict[str, object]:
    cells: dict[str, object] = {
        "match": match["id"],
        "home": match["home"]["name"],
        "visitors": match["visitors"]["name"],
        "board": board["number"],
        **{name: board.get(name) for name in ("segment", "dealer", "vulnerable")},
        **{name: board.get(name) for name in ("imps_home", "imps_visitors", "pending")},
    }
    state = public.match
    segment = next(each for each in match["segments"] if each["number"] == board["segment"])
    for room in Room:
        ns_open = segment["ns_open"]
        other = "visitors" if ns_open == "home" else "home"
        cells[f"{room}_ns_team"] = ns_open if room is Room.OPEN else other
        cells |= {f"{room}_{name}": (board.get(room) or {}).get(name) for name in _ROOM_MEMBERS}
        if state is not None:
            table = state.boards[BoardKey(board["segment"], board["number"])].rooms[room]
            seated = names_of(table.players)
            lineup = (segment.get("lineups") or {}).get(room) or {}
            for seat in SEATS:
                cells[f"{room}_{seat.word.lower()}"] = seated.get(seat) or (lineup.get(seat) or {}).get("name")
    return cells


def _seen(text: str) -> str:
    """The text as spreadsheets look at it: full width counts as plain (East Asian ones), blanks and what cannot
    be seen are passed over."""
    plain = unicodedata.normalize("NFKC", text[:100])
    return "".join(dropwhile(lambda each: unicodedata.category(each)[0] in "ZC", plain))


def safe_cell(value: object) -> object:
    """A cell as it is written: nothing for what is not known, text that no spreadsheet takes for a formula.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell("-Ann"), safe_cell(-420), safe_cell(None), safe_cell("\uff1d1")
    ("'=HYPERLINK(1)", "'-Ann", -420, '', "'\uff1d1")
    """
    if value is None:
        return ""
    if isinstance(value, str) and _seen(value).startswith(_FORMULA):
        return f"'{value}"
    return value

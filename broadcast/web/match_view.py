"""A match as the page's header, table and chart show it: from the public JSON to what a template draws.

Nothing is computed that the public feed does not say: IMPs, VPs and pending states are taken, never worked
out here. With hidden results those members are absent, and every function answers None or leaves the place
empty.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

from broadcast.web.bidi import isolated
from broadcast.web.board_view import Json
from broadcast.web.filters import signed
from broadcast.web.languages import Language, catalogue

ROOMS = ("open", "closed")
COMMENTS_SHOWN = 50
"""On a match's page, and of each room on a board's."""


def board_key(board: Json) -> str:
    """A board's place in addresses: ``segment.number``."""
    return f"{board['segment']}.{board['number']}"


def current_board(match: Json, room: str) -> Json | None:
    """The board on the table of a room: the last one whose auction the snapshot still holds; None before the
    first.
    """
    boards: Sequence[Json] = match.get("boards") or []
    return next((board for board in reversed(boards) if "auction" in (board.get(room) or {})), None)


def spoken(match: Json, comments: Sequence[Json], *, hidden: bool) -> Sequence[Json]:
    """The comments of a match that a page may show; with hidden results those about the boards on the table."""
    if not hidden:
        return comments
    on_table = {room: board_key(board) for room in ROOMS if (board := current_board(match, room)) is not None}
    return [each for each in comments if on_table.get(each["room"]) == f"{each['segment']}.{each['board']}"]


class Said(NamedTuple):
    """Some comments of many, in order."""

    shown: Sequence[Json]
    earlier: int
    """How many come before them."""
    is_newest: bool


def newest(comments: Sequence[Json], until: str = "") -> Said:
    """The last comments, or the last of the first so many, as an address has it: no page shows them all."""
    last = int(until) if until.isascii() and until.isdecimal() and len(until) < 8 else 0
    last = min(last or len(comments), len(comments))
    first = max(0, last - COMMENTS_SHOWN)
    return Said(comments[first:last], first, last == len(comments))


def for_scripts(board: Json) -> Json:
    """A board as its page's scripts know it: comments are in the page, and may be many."""
    rooms = {room: {name: value for name, value in board[room].items() if name != "comments"} for room in ROOMS}
    return {**board, **rooms}


def said_by(comments: Sequence[Json], calls: int, cards: int) -> list[Json]:
    """The comments of a room's board that were made by a position: none speaks of a later call or card."""
    return [
        comment
        for comment in comments
        if (comment.get("call") or 0, comment.get("card") or 0) <= (calls, cards)
    ]


def segment_of(match: Json, number: int) -> Json:
    """A segment by its number; an empty one when the match does not list it."""
    segments: Sequence[Json] = match.get("segments") or []
    return next((segment for segment in segments if segment["number"] == number), {})


def current_segment(match: Json) -> Json:
    """The segment being played, or the last."""
    boards = [board for room in ROOMS if (board := current_board(match, room)) is not None]
    segments: Sequence[Json] = match.get("segments") or []
    if boards:
        return segment_of(match, max(board["segment"] for board in boards))
    return segments[0] if segments else {}


def at_stake(match: Json) -> Json | None:
    """The board that is final in one room and open in the other, whose ``worth`` is public; None when there is
    none. With both rooms waiting for the other it is the later board.
    """
    boards: Sequence[Json] = match.get("boards") or []
    return next((board for board in reversed(boards) if board.get("worth")), None)


def leader(match: Json) -> str | None:
    """``home`` or ``visitors``, whoever has more IMPs; None when level or not known."""
    imps = ((match.get("totals") or {}).get("imps")) or {}
    home, visitors = imps.get("home"), imps.get("visitors")
    if home is None or visitors is None or home == visitors:
        return None
    return "home" if home > visitors else "visitors"


def lead_sentence(language: Language, match: Json) -> str:
    """Who is ahead, as the page's header says it; nothing before a board is compared."""
    words, totals = catalogue(language), match.get("totals")
    ahead = leader(match)
    if not totals:
        return ""
    if ahead is None:
        return str(words.gettext("Level")) if totals["boards_compared"] else ""
    lead = abs(totals["imps"]["home"] - totals["imps"]["visitors"])
    if match["status"] in ("scored", "closed"):
        pair = ("%(team)s wins by %(imps)s IMP", "%(team)s wins by %(imps)s IMPs")
    else:
        pair = ("%(team)s leads by %(imps)s IMP", "%(team)s leads by %(imps)s IMPs")
    return str(words.ngettext(*pair, lead)) % {"team": isolated(match[ahead]["name"]), "imps": signed(lead)}


@dataclass(frozen=True, slots=True)
class SwingBar:
    """One board of the swing chart, in the units of its view box."""

    board: Json
    x: float
    y: float
    height: float
    side: str | None
    """Who gained: ``home`` above the line, ``visitors`` below, None for a level board."""
    imps: float | None


@dataclass(frozen=True, slots=True)
class SwingChart:
    width: float
    height: int
    middle: int
    bar_width: int
    bars: tuple[SwingBar, ...]
    line: str
    """Points of the running lead, home's above the middle, scaled to the largest lead of the match."""
    largest_lead: float
    labelled: bool
    """Whether there is room for figures at the bars and below them."""


STEP = 20
"""Least width of one board in the chart; a few boards share the width of sixteen."""
HALF = 40
"""Height above and below the middle line."""


def swing_chart(match: Json) -> SwingChart | None:
    """The swings board by board with the running score; None with hidden results or before a board is
    compared.
    """
    boards: Sequence[Json] = match.get("boards") or []
    if not any(board.get("imps_home") is not None for board in boards):
        return None
    # Twelve IMPs fill two thirds of the height; a larger swing compresses the chart rather than leave it.
    largest = max([18.0, *(abs(gain) for gain in _gains(boards))])
    bars = []
    step = _step(boards)
    bar_width = 12 if step < 30 else 20
    for place, board in enumerate(boards):
        home = board.get("imps_home")
        size = 0.0 if home is None else abs(home) / largest * HALF
        side = None if not home else ("home" if home > 0 else "visitors")
        bars.append(
            SwingBar(
                board=board,
                x=_tenths((place + 0.5) * step - bar_width / 2),
                y=_tenths(HALF - _tenths(size) if side == "home" else HALF),
                height=_tenths(size),
                side=side,
                imps=None if home is None else abs(home),
            )
        )
    leads = list(_running(match, boards))
    largest_lead = max([12.0, *(abs(lead) for _, lead in leads)])
    return SwingChart(
        width=len(boards) * step,
        height=2 * HALF,
        middle=HALF,
        bar_width=bar_width,
        bars=tuple(bars),
        line=" ".join(f"{x:g},{_tenths(HALF - lead / largest_lead * (HALF - 4)):g}" for x, lead in leads),
        largest_lead=largest_lead,
        labelled=len(boards) <= 36,
    )


def _step(boards: Sequence[Json]) -> float:
    return max(STEP, 16 * STEP / len(boards))


def _tenths(value: float) -> float:
    """To one decimal, halves upwards, as the browser rounds when it draws the chart anew."""
    return floor(value * 10 + 0.5) / 10


BIGGEST = 3
"""Boards that are named beside the chart."""


def biggest_swings(match: Json) -> list[Json]:
    """The boards with the largest swings, the largest first, of equal ones the earlier; none that is level."""
    boards: Sequence[Json] = match.get("boards") or []
    swings = [board for board in boards if board.get("imps_home")]
    return sorted(swings, key=lambda board: -abs(board["imps_home"]))[:BIGGEST]


def _gains(boards: Sequence[Json]) -> Iterator[float]:
    for board in boards:
        if board.get("imps_home") is not None:
            yield float(board["imps_home"])


def _running(match: Json, boards: Sequence[Json]) -> Iterator[tuple[float, float]]:
    """Where the running score stands after each compared board: (x, home's lead in IMPs)."""
    carried = match.get("carry_over") or {}
    lead = float(carried.get("home") or 0) - float(carried.get("visitors") or 0)
    yield 0, lead
    for place, board in enumerate(boards):
        if board.get("imps_home") is not None:
            # Gains count apart: in a split ruling both sides may gain, or both may lose.
            lead += max(board["imps_home"], 0) - max(board.get("imps_visitors") or 0, 0)
            yield _tenths((place + 0.5) * _step(boards)), lead

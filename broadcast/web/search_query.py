"""From an address's query to the boards that are wanted, with a sentence for everything that cannot be read.

Conditions of a table: ``contract=4S,5HX,NT,6`` (contracts or parts of them, any of these; ``Pass`` for a board
passed out), ``declarer=`` (a seat or a name), ``player=``, ``team=``, ``q=`` (any name), ``result=made|down``,
``swing=10-`` (IMPs). Of a hand: ``shape=5-4-3-1`` (any suits) or ``5=4=3=1`` (spades, hearts, diamonds, clubs),
``x`` for any length, ``hcp=15-17``, ``seat=`` whose. Beside them ``match=``,
``order=newest|swing``, ``limit=``, ``after=``.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from broadcast.bridge.hand_figures import MOST_POINTS
from broadcast.bridge.seats import SEATS, Seat
from broadcast.storage.board_index import shape_text
from broadcast.storage.board_search import BoardQuery, Order, Span, WantedContract, query_words
from broadcast.web.problems import Problem

MOST_BOARDS: Final = 100
"""Boards on one page of results."""
USUAL_BOARDS: Final = 20
LONGEST: Final = 100
"""Characters in one condition."""
MOST_WORDS: Final = 8
MOST_CONTRACTS: Final = 20
PARAMETERS: Final = (
    "q", "contract", "declarer", "player", "team", "result", "swing", "shape", "hcp", "seat", "match", "order",
)  # fmt: skip
"""The conditions, as the form has them."""
TELLING: Final = ("swing", "result")
"""What may not be asked while results are hidden, as the answer would tell them."""

_CONTRACT = re.compile(r"([1-7])?(NT|[NSHDC])?(XX|X)?", re.IGNORECASE)
_SPAN = re.compile(r"(?P<least>\d{1,3})?(?P<open>\s*[-+–]\s*(?P<most>\d{1,3})?)?")
_RESULTS: Final = {"made": True, "down": False}


def read_query(parameters: Mapping[str, str], *, hidden: bool) -> BoardQuery:
    """Raises ``Problem`` 400 which names the parameter."""
    given = {name: value.strip() for name, value in parameters.items() if value.strip()}
    for name in PARAMETERS:
        if len(given.get(name, "")) > LONGEST:
            raise _bad("bad_search_text", name, f"{name} may have at most {LONGEST} characters", most=LONGEST)
    order = Order(_choice(given, "order", [*Order]) or Order.NEWEST)
    telling = [name for name in TELLING if name in given] + (["order"] if order is Order.SWING else [])
    if hidden and telling:
        raise Problem(
            400,
            "results_hidden",
            f"While results are hidden {telling[0]} cannot be asked: show results first",
            parameter=telling[0],
        )
    declarer = given.get("declarer", "")
    is_seat = declarer.upper() in [*SEATS]
    shape = given.get("shape")
    exact = "=" in shape if shape else False
    result = _choice(given, "result", [*_RESULTS])
    seat = _choice(given, "seat", [*SEATS])
    return BoardQuery(
        contracts=tuple(_contracts(given.get("contract", ""))),
        declarer_seat=Seat(declarer.upper()) if is_seat else None,
        declarer="" if is_seat else _name(given, "declarer"),
        player=_name(given, "player"),
        team=_name(given, "team"),
        text=_name(given, "q"),
        is_made=None if result is None else _RESULTS[result],
        swing=_span(given, "swing", "10-, for 10 IMPs and more", 100),
        patterns=_patterns(shape) if shape and not exact else None,
        shape=_exact_shape(shape) if shape and exact else None,
        points=_span(given, "hcp", "15-17", MOST_POINTS),
        seat=None if seat is None else Seat(seat),
        match=given.get("match"),
        order=order,
        after=_cursor(given.get("after")),
        limit=_limit(given.get("limit")),
        hidden=hidden,
    )


def unreadable(parameters: Mapping[str, str], *, hidden: bool) -> list[Problem]:
    """All that cannot be read in a query: what is told first is left out, to find what is wrong besides."""
    left, found = dict(parameters), list[Problem]()
    while True:
        try:
            read_query(left, hidden=hidden)
        except Problem as problem:
            found.append(problem)
            name = str(problem.facts.get("parameter"))
            if name not in left:
                return found
            del left[name]
        else:
            return found


def cursor_of(swing: float | None, place: int) -> str:
    """The place of a board among the results, for ``after``."""
    return f"{place}" if swing is None else f"{place}~{swing:g}"


def _bad(code: str, parameter: str, message: str, **facts: object) -> Problem:
    return Problem(400, code, message, parameter=parameter, **facts)


def _choice(given: Mapping[str, str], name: str, choices: list[str]) -> str | None:
    value = given.get(name)
    if value is None:
        return None
    for choice in choices:
        if value.casefold() == choice.casefold():
            return str(choice)
    listed = ", ".join(choices)
    raise _bad("bad_search_choice", name, f"{name} must be one of {listed}", given=value, choices=listed)


def _name(given: Mapping[str, str], name: str) -> str:
    text = given.get(name, "")
    count = len(query_words(text))
    if text and not 1 <= count <= MOST_WORDS:
        raise _bad("bad_search_words", name, f"{name} needs 1 to {MOST_WORDS} words of a name", most=MOST_WORDS)
    return text


def _contracts(text: str) -> Iterator[WantedContract]:
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    if len(parts) > MOST_CONTRACTS:
        raise _bad(
            "bad_search_text",
            "contract",
            f"contract may have at most {MOST_CONTRACTS} parts",
            most=MOST_CONTRACTS,
        )
    for part in parts:
        if part.casefold() in ("pass", "p"):
            yield WantedContract(None, None, None, is_pass=True)
            continue
        found = _CONTRACT.fullmatch(part)
        if found is None:
            raise _bad(
                "bad_search_contract",
                "contract",
                f"{part!r} is no contract: write 4S, 3NT, 5HX, a level like 6, a strain like NT, or Pass",
                given=part,
            )
        level, strain, doubling = found.groups()
        yield WantedContract(
            None if level is None else int(level),
            None if strain is None else {"N": "NT"}.get(strain.upper(), strain.upper()),
            None if doubling is None else doubling.upper(),
        )


def _span(given: Mapping[str, str], name: str, example: str, most: int) -> Span | None:
    text = given.get(name)
    if text is None:
        return None
    found = _SPAN.fullmatch(text)
    if found is None or (found["least"] is None and found["most"] is None):
        raise _bad("bad_search_span", name, f"{name} is a number or a range, like {example}", given=text)
    least = None if found["least"] is None else int(found["least"])
    end = least if found["open"] is None else (None if found["most"] is None else int(found["most"]))
    if (least or 0) > most or (least is not None and end is not None and least > end):
        raise _bad("bad_search_range", name, f"{name} goes from 0 to {most}, the smaller first", most=most)
    return Span(least, end)


def _lengths(text: str, separator: str) -> list[int | None]:
    """Four lengths, ``None`` for any. Raises ``Problem``."""
    parts = [part.strip() for part in text.split(separator)] if separator in text else [*text]
    known = [None if part in ("x", "X", "?") else part for part in parts]
    lengths = [None if part is None else int(part) if re.fullmatch(r"\d{1,2}", part) else 99 for part in known]
    total = sum(length for length in lengths if length is not None)
    is_whole = None not in lengths
    if len(lengths) != 4 or total > 13 or (is_whole and total != 13):
        raise _bad(
            "bad_search_shape",
            "shape",
            f"{text!r} is no shape: write four lengths that make 13, like 5-4-3-1 or 5=4=3=1, x for any length",
            given=text,
        )
    return lengths


def _exact_shape(text: str) -> str:
    return "".join("_" if length is None else f"{length:x}" for length in _lengths(text, "="))


def _patterns(text: str) -> frozenset[str]:
    """All patterns that hold the given lengths."""
    wanted = [length for length in _lengths(text, "-") if length is not None]
    return frozenset(shape_text(pattern) for pattern in PATTERNS if _holds(pattern, wanted))


def _holds(pattern: tuple[int, ...], wanted: list[int]) -> bool:
    return all(pattern.count(length) >= wanted.count(length) for length in wanted)


PATTERNS: Final = tuple(
    lengths
    for lengths in product(range(14), repeat=4)
    if sum(lengths) == 13 and list(lengths) == sorted(lengths, reverse=True)
)
"""The 39 ways in which thirteen cards can lie in four suits."""


def _limit(text: str | None) -> int:
    if text is None:
        return USUAL_BOARDS
    if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= MOST_BOARDS:
        raise Problem(400, "bad_limit", f"limit must be 1 to {MOST_BOARDS}", most=MOST_BOARDS)
    return int(text)


def _cursor(text: str | None) -> tuple[float, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,15})(?:~([0-9]{1,5}(?:\.[0-9]{1,3})?))?", text)
    if found is None:
        raise Problem(400, "bad_cursor", "after must be the next of an earlier answer")
    return float(found[2] or 0), int(found[1])

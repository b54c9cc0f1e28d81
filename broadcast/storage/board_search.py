"""Boards found in the index: a question, the SQL it becomes, and the boards with both their rooms.

Where results are hidden, contract and declarer are those of the auction, and the caller asks for nothing that
depends on a result.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat
from broadcast.storage.board_index import words

MOST_COUNTED: Final = 1000
"""Boards are counted up to this many; counting all of a large archive would cost more than finding a page."""

_WORD = re.compile(r"\w+")


class Span(NamedTuple):
    """From the least to the most; ``None`` is without end."""

    least: int | None
    most: int | None


class WantedContract(NamedTuple):
    """A contract or a part of one; ``None`` stands for any."""

    level: int | None
    strain: str | None
    doubling: str | None
    """``X`` or ``XX``."""
    is_pass: bool = False
    """The board was passed out."""


class Order(StrEnum):
    NEWEST = "newest"
    SWING = "swing"


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """What boards are wanted. Every condition must hold; those of a table in one and the same room."""

    contracts: tuple[WantedContract, ...] = ()
    """Any of these."""
    declarer_seat: Seat | None = None
    declarer: str = ""
    player: str = ""
    team: str = ""
    """Name or id."""
    text: str = ""
    """In any name, of player, team or match."""
    is_made: bool | None = None
    swing: Span | None = None
    patterns: frozenset[str] | None = None
    """Of one hand, whatever the suits: any of these, as ``shape_text`` writes them."""
    shape: str | None = None
    """Of one hand, from spades to clubs; ``_`` stands for any length."""
    points: Span | None = None
    """Of the same hand."""
    seat: Seat | None = None
    """Whose hand; ``None``: anybody's."""
    match: str | None = None
    order: Order = Order.NEWEST
    after: tuple[float, int] | None = None
    """Swing and place of the last board seen."""
    limit: int = 20
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class FoundBoard:
    place: int
    swing: float | None
    board: dict[str, Any]
    """Columns of the index."""
    tables: dict[Room, dict[str, Any]]
    rooms: tuple[Room, ...]
    """Where the conditions of a table hold; with none of them, every room."""
    heading: dict[str, Any]
    """The match as lists show it."""


class Condition(NamedTuple):
    sql: str
    values: tuple[Any, ...]


def query_words(text: str) -> list[str]:
    """The words that a name is looked for by.

    >>> query_words("O'Brien 王小")
    ['O', 'Brien', '王', '小']
    """
    return _WORD.findall(words(text))


def search(connection: sqlite3.Connection, query: BoardQuery) -> tuple[list[FoundBoard], int | None, bool]:
    """A page of boards; how many there are in all, ``None`` for more than are counted; whether more follow."""
    tables = _table_conditions(query)
    conditions = [*_board_conditions(query)]
    if tables:
        joined = _all(tables)
        inside = f"place IN (SELECT board FROM search_tables t WHERE {joined.sql})"  # noqa: S608 (our own words)
        conditions.append(Condition(inside, joined.values))
    wanted = _all(conditions)
    counted = connection.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM search_boards b WHERE {wanted.sql} LIMIT ?)",  # noqa: S608 (ours)
        (*wanted.values, MOST_COUNTED + 1),
    ).fetchone()[0]
    paged = _all([*conditions, *_after(query)])
    order = "swing DESC, place DESC" if query.order is Order.SWING else "place DESC"
    cursor = connection.execute(
        f"SELECT * FROM search_boards b WHERE {paged.sql} ORDER BY {order} LIMIT ?",  # noqa: S608 (our own words)
        (*paged.values, query.limit + 1),
    )
    names = [column for column, *_ in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    page = rows[: query.limit]
    rooms = _rooms(connection, [row["place"] for row in page], tables)
    found = [_found(connection, row, rooms[row["place"]]) for row in page]
    return found, counted if counted <= MOST_COUNTED else None, len(rows) > query.limit


def files_of(connection: sqlite3.Connection, found: Iterable[FoundBoard]) -> list[str]:
    """The games of boards that are over, in the order of the boards."""
    rows = [
        connection.execute("SELECT pbn FROM search_files WHERE board = ?", (each.place,)).fetchone()
        for each in found
    ]
    return [row[0] for row in rows if row is not None]


def _rooms(
    connection: sqlite3.Connection, places: Sequence[int], conditions: Sequence[Condition]
) -> dict[int, tuple[Room, ...]]:
    """Where the conditions of a table hold, by board: one question, as each reads every match of a name."""
    rooms: dict[int, tuple[Room, ...]] = dict.fromkeys(places, ())
    marks = ", ".join("?" * len(places))
    fitting = _all([Condition(f"board IN ({marks})", tuple(places)), *conditions])
    for place, room in connection.execute(
        f"SELECT board, room FROM search_tables t WHERE {fitting.sql} ORDER BY id",  # noqa: S608 (our own words)
        fitting.values,
    ):
        rooms[place] += (Room(room),)
    return rooms


def _found(connection: sqlite3.Connection, row: dict[str, Any], rooms: tuple[Room, ...]) -> FoundBoard:
    cursor = connection.execute("SELECT * FROM search_tables WHERE board = ? ORDER BY id", (row["place"],))
    names = [column for column, *_ in cursor.description]
    tables = {
        Room(table["room"]): table
        for table in (dict(zip(names, values, strict=True)) for values in cursor.fetchall())
    }
    body = connection.execute(
        "SELECT body FROM summaries WHERE kind = 'match' AND id = ?", (row["match"],)
    ).fetchone()
    heading = {} if body is None else msgspec.json.decode(body[0], type=dict[str, Any])
    return FoundBoard(row["place"], row["swing"], row, tables, rooms, heading)


def _all(conditions: Iterable[Condition]) -> Condition:
    return _joined(" AND ", conditions, "1")


def _any(conditions: Iterable[Condition]) -> Condition:
    return _joined(" OR ", conditions, "0")


def _joined(word: str, conditions: Iterable[Condition], none: str) -> Condition:
    parts = [*conditions]
    sql = word.join(f"({part.sql})" for part in parts) or none
    return Condition(sql, tuple(value for part in parts for value in part.values))


def _board_conditions(query: BoardQuery) -> Iterable[Condition]:
    if query.match is not None:
        yield Condition("match = ?", (query.match,))
    if query.swing is not None:
        yield _within("swing", query.swing)
    elif query.order is Order.SWING:
        yield Condition("swing IS NOT NULL", ())
    if query.patterns is not None or query.shape is not None or query.points is not None:
        yield _any(_hand(query, seat) for seat in (SEATS if query.seat is None else (query.seat,)))


def _hand(query: BoardQuery, seat: Seat) -> Condition:
    """All that is asked of a hand, asked of this one."""
    name = seat.value.lower()
    conditions = []
    if query.patterns is not None:
        marks = ", ".join("?" * len(query.patterns))
        conditions.append(Condition(f"pattern_{name} IN ({marks})", tuple(sorted(query.patterns))))
    if query.shape is not None:
        conditions.append(Condition(f"shape_{name} LIKE ?", (query.shape,)))
    if query.points is not None:
        conditions.append(_within(f"hcp_{name}", query.points))
    return _all(conditions)


def _within(column: str, span: Span) -> Condition:
    bounds = [(f"{column} >= ?", span.least), (f"{column} <= ?", span.most)]
    return _all([Condition(sql, (value,)) for sql, value in bounds if value is not None])


def _table_conditions(query: BoardQuery) -> list[Condition]:
    bid = "bid_" if query.hidden else ""
    conditions = []
    if query.contracts:
        conditions.append(_any(_contract(wanted, bid) for wanted in query.contracts))
    if query.declarer_seat is not None:
        conditions.append(Condition(f"{bid}declarer = ?", (query.declarer_seat.value,)))
    if query.is_made is not None:
        conditions.append(Condition("result >= 0" if query.is_made else "result < 0", ()))
    names = _names(query, bid)
    if names:
        chosen = "id IN (SELECT rowid FROM search_names WHERE search_names MATCH ?)"
        conditions.append(Condition(chosen, (names,)))
    return conditions


def _contract(wanted: WantedContract, bid: str) -> Condition:
    if wanted.is_pass:
        return Condition(f"{bid}contract = 'Pass'", ())
    parts = (("level", wanted.level), ("strain", wanted.strain), ("doubling", wanted.doubling))
    return _all([Condition(f"{bid}{name} = ?", (value,)) for name, value in parts if value is not None])


def _names(query: BoardQuery, bid: str) -> str:
    """The question to the index of names: all words of each, by the beginnings of words; empty for none."""
    asked = (
        (f"{bid}declarer", query.declarer),
        ("players", query.player),
        ("teams", query.team),
        ("{players teams title}", query.text),
    )
    return " AND ".join(f"{column} : ({_all_words(text)})" for column, text in asked if text)


def _all_words(text: str) -> str:
    return " AND ".join(f'"{word}"*' for word in query_words(text))


def _after(query: BoardQuery) -> Iterable[Condition]:
    if query.after is None:
        return
    if query.order is Order.SWING:
        yield Condition("(swing, place) < (?, ?)", query.after)
    else:
        yield Condition("place < ?", query.after[1:])

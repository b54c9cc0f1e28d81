"""The index by which boards are searched: lines of the public state, kept in the transaction that changes them.

``search_boards`` has a row for each board with its hands' counts, ``search_tables`` one for each room of it,
``search_names`` (FTS5) its names under the row id of the table, ``search_files`` the board as PBN. All of it
can be made again from the logs (``server.py index``), and ``check`` compares. Functions begin no transaction of
their own.

``place`` counts up as boards become public and stays a board's own, so that pages of a search neither skip nor
repeat a board while others come in.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from broadcast.bridge.seats import SEATS
from broadcast.feeds.board_lines import BidContract, BoardLine, TableLine

_HANDS: Final = tuple(f"{name}_{seat.value.lower()}" for seat in SEATS for name in ("hcp", "shape", "pattern"))
BOARD_COLUMNS: Final = (
    "match", "segment", "number", "dealer", "vulnerable", "deal",
    "imps_home", "imps_visitors", "swing", *_HANDS,
)  # fmt: skip
_BID: Final = ("contract", "level", "strain", "doubling", "declarer")
TABLE_COLUMNS: Final = (
    "board", "room", "state", "tricks", "result", "score_ns", "players",
    *_BID, *(f"bid_{name}" for name in _BID),
)  # fmt: skip
NAME_COLUMNS: Final = ("players", "declarer", "bid_declarer", "teams", "title")

_IDEOGRAPH = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")


def create_board_index(connection: sqlite3.Connection) -> None:
    """A step of the database's form.

    Hands are told by points, exact shape (``5431`` from spades to clubs, ten and more as letters from a) and
    pattern (the same from the longest down).
    """
    hands = ", ".join(f"{name} {'INTEGER' if name.startswith('hcp') else 'TEXT'}" for name in _HANDS)
    connection.execute(
        f"""CREATE TABLE search_boards (
            place INTEGER PRIMARY KEY,
            match TEXT NOT NULL,
            segment INTEGER NOT NULL,
            number INTEGER NOT NULL,
            dealer TEXT NOT NULL,
            vulnerable TEXT NOT NULL,
            deal TEXT,
            imps_home REAL,
            imps_visitors REAL,
            swing REAL,
            {hands},
            UNIQUE (match, segment, number)
        ) STRICT"""
    )
    connection.execute("CREATE INDEX search_boards_swing ON search_boards (swing, place)")
    connection.execute(
        """CREATE TABLE search_tables (
            id INTEGER PRIMARY KEY,
            board INTEGER NOT NULL REFERENCES search_boards ON DELETE CASCADE,
            room TEXT NOT NULL,
            state TEXT NOT NULL,
            tricks INTEGER,
            result INTEGER,
            score_ns INTEGER,
            players TEXT NOT NULL,
            contract TEXT,
            level INTEGER,
            strain TEXT,
            doubling TEXT,
            declarer TEXT,
            bid_contract TEXT,
            bid_level INTEGER,
            bid_strain TEXT,
            bid_doubling TEXT,
            bid_declarer TEXT,
            UNIQUE (board, room)
        ) STRICT"""
    )
    connection.execute(
        """CREATE TABLE search_files (
            board INTEGER PRIMARY KEY REFERENCES search_boards ON DELETE CASCADE,
            pbn TEXT NOT NULL
        ) STRICT"""
    )
    connection.execute(
        f"""CREATE VIRTUAL TABLE search_names USING fts5 (
            {", ".join(NAME_COLUMNS)}, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
        )"""
    )


def write_lines(
    connection: sqlite3.Connection, match: str, names: Iterable[str], title: str, lines: Iterable[BoardLine]
) -> None:
    """Put the lines in place of what the index had of these boards. ``names`` are the teams' names and ids."""
    teams = words(" \n ".join(names))
    for line in lines:
        columns = _board_columns(match, line)
        place = connection.execute(
            f"""INSERT INTO search_boards ({", ".join(columns)}) VALUES ({", ".join("?" * len(columns))})
                ON CONFLICT (match, segment, number) DO UPDATE SET
                {", ".join(f"{name} = excluded.{name}" for name in columns)} RETURNING place""",  # noqa: S608 (ours)
            [*columns.values()],
        ).fetchone()[0]
        _forget_tables(connection, "board = ?", place)
        connection.execute("DELETE FROM search_files WHERE board = ?", (place,))
        if line.pbn is not None:
            connection.execute("INSERT INTO search_files VALUES (?, ?)", (place, line.pbn))
        for table in line.tables:
            _write_table(connection, place, table, teams, words(title))


def forget(connection: sqlite3.Connection, match: str) -> None:
    """Take a match out of the index."""
    _forget_tables(connection, "board IN (SELECT place FROM search_boards WHERE match = ?)", match)
    connection.execute("DELETE FROM search_boards WHERE match = ?", (match,))


def _forget_tables(connection: sqlite3.Connection, where: str, value: object) -> None:
    connection.execute(
        f"DELETE FROM search_names WHERE rowid IN (SELECT id FROM search_tables WHERE {where})",  # noqa: S608
        (value,),
    )
    connection.execute(f"DELETE FROM search_tables WHERE {where}", (value,))  # noqa: S608 (our own words)


def _write_table(connection: sqlite3.Connection, place: int, table: TableLine, teams: str, title: str) -> None:
    columns = {"board": place, **_table_columns(table)}
    id = connection.execute(
        f"""INSERT INTO search_tables ({", ".join(columns)})
            VALUES ({", ".join("?" * len(columns))}) RETURNING id""",  # noqa: S608 (our own words)
        [*columns.values()],
    ).fetchone()[0]
    names = _names(table)
    connection.execute(
        """INSERT INTO search_names (rowid, players, declarer, bid_declarer, teams, title)
           VALUES (?, ?, ?, ?, ?, ?)""",
        (id, *names, teams, title),
    )


def _board_columns(match: str, line: BoardLine) -> dict[str, object]:
    columns: dict[str, object] = {
        "match": match,
        "segment": line.key.segment,
        "number": line.key.number,
        "dealer": line.dealer,
        "vulnerable": line.vulnerable,
        "deal": line.deal,
        "imps_home": line.imps_home,
        "imps_visitors": line.imps_visitors,
        "swing": line.swing,
        **dict.fromkeys(_HANDS),
    }
    for seat, hand in zip(SEATS, line.hands, strict=False):
        name = seat.value.lower()
        columns |= {
            f"hcp_{name}": hand.hcp,
            f"shape_{name}": shape_text(hand.lengths),
            f"pattern_{name}": shape_text(hand.pattern),
        }
    return columns


def _table_columns(table: TableLine) -> dict[str, object]:
    over = None
    if table.official is not None and table.official.contract is not None and table.tricks is not None:
        over = table.tricks - table.official.contract.tricks_needed
    return {
        "room": table.room.value,
        "state": table.state,
        "tricks": table.tricks,
        "result": over,
        "score_ns": table.score_ns,
        "players": msgspec.json.encode(table.players).decode(),
        **_bid("", table.official),
        **_bid("bid_", table.auction),
    }


def _bid(prefix: str, bid: BidContract | None) -> dict[str, object]:
    contract = None if bid is None else bid.contract
    if bid is None or contract is None:
        text = None if bid is None else "Pass"
        values: tuple[object, ...] = (text, None, None, None, None)
    else:
        doubling, declarer = contract.doubling.value, None if bid.declarer is None else bid.declarer.value
        values = (str(contract), contract.level, contract.denomination.value, doubling, declarer)
    return {f"{prefix}{name}": value for name, value in zip(_BID, values, strict=True)}


def _names(table: TableLine) -> tuple[str, str, str]:
    """All players' names, the declarer's, and that of who declared by the auction."""
    players = dict(zip(SEATS, table.players, strict=True))
    declarers = [
        "" if bid is None or bid.declarer is None else players[bid.declarer]
        for bid in (table.official, table.auction)
    ]
    return words(" \n ".join(filter(None, table.players))), words(declarers[0]), words(declarers[1])


def words(text: str) -> str:
    """Text as the names' index takes it: each ideograph is a word, so that any part of a name is found."""
    return _IDEOGRAPH.sub(r" \1 ", text)


def shape_text(lengths: Iterable[int]) -> str:
    """Lengths as one character each: ``5431``, ten to thirteen as a to d."""
    return "".join(f"{length:x}" for length in lengths)


def stored_lines(connection: sqlite3.Connection, match: str) -> dict[tuple[int, int], tuple[object, ...]]:
    """What the index has of a match, by segment and board, for ``check`` to compare."""
    return dict(_stored(connection, match))


def _stored(connection: sqlite3.Connection, match: str) -> Iterator[tuple[tuple[int, int], tuple[object, ...]]]:
    boards = connection.execute(
        f"SELECT place, {', '.join(BOARD_COLUMNS)} FROM search_boards WHERE match = ? ORDER BY place",  # noqa: S608
        (match,),
    ).fetchall()
    for place, *board in boards:
        tables = connection.execute(
            f"""SELECT {", ".join(f"t.{name}" for name in TABLE_COLUMNS[1:])},
                {", ".join(f"n.{name}" for name in NAME_COLUMNS)}
                FROM search_tables t LEFT JOIN search_names n ON n.rowid = t.id
                WHERE board = ? ORDER BY t.id""",  # noqa: S608 (our own words)
            (place,),
        ).fetchall()
        pbn = connection.execute("SELECT pbn FROM search_files WHERE board = ?", (place,)).fetchone()
        yield (board[1], board[2]), (*board, *(pbn or (None,)), *(tuple(table) for table in tables))


def expected_lines(
    match: str, names: Iterable[str], title: str, lines: Iterable[BoardLine]
) -> dict[tuple[int, int], tuple[object, ...]]:
    """The same as it should be."""
    teams = words(" \n ".join(names))
    return {
        (line.key.segment, line.key.number): (
            *_board_columns(match, line).values(),
            line.pbn,
            *(
                (*_in_order(_table_columns(table)), *_names(table), teams, words(title))
                for table in line.tables
            ),
        )
        for line in lines
    }


def _in_order(columns: dict[str, object]) -> list[object]:
    return [columns[name] for name in TABLE_COLUMNS[1:]]

"""The index of boards asked by SQL alone: what a search costs does not grow with the page it fills."""

import sqlite3

from broadcast.bridge.rooms import Room
from broadcast.feeds.board_lines import BoardLine, TableLine
from broadcast.storage.board_index import create_board_index, write_lines
from broadcast.storage.board_search import BoardQuery, search
from broadcast.tables.events import BoardKey

BOARDS = 40


def index() -> sqlite3.Connection:
    """Boards on which Ann sits in the open room, and nobody known in the closed."""
    connection = sqlite3.connect(":memory:")
    create_board_index(connection)
    connection.execute("CREATE TABLE summaries (kind TEXT, id TEXT, body TEXT)")
    names = {Room.OPEN: ("Ann Novak", "Bor", "Cene", "Dana"), Room.CLOSED: ("", "", "", "")}
    lines = [
        BoardLine(
            BoardKey(1, number),
            "N",
            "None",
            None,
            (),
            None,
            None,
            tuple(
                TableLine(room, "played", None, None, None, None, players) for room, players in names.items()
            ),
            None,
        )
        for number in range(1, BOARDS + 1)
    ]
    write_lines(connection, "m1", ["Modra", "Vihar"], "Club final", lines)
    return connection


def test_names_are_looked_up_as_often_for_a_long_page_as_for_a_short_one() -> None:
    asked = []
    for limit in (1, BOARDS):
        connection, statements = index(), list[str]()
        connection.set_trace_callback(statements.append)
        found, _, _ = search(connection, BoardQuery(player="Ann", limit=limit))
        assert [each.rooms for each in found] == [(Room.OPEN,)] * limit
        asked.append(sum("MATCH" in statement and "search_tables" in statement for statement in statements))
    assert asked[0] == asked[1]


def test_every_room_fits_where_nothing_is_asked_of_a_table() -> None:
    found, counted, more = search(index(), BoardQuery(limit=BOARDS))
    assert [each.rooms for each in found] == [(Room.OPEN, Room.CLOSED)] * BOARDS
    assert (counted, more) == (BOARDS, False)
    assert search(index(), BoardQuery(player="Nobody")) == ([], 0, False)

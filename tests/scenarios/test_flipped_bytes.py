"""One flipped bit in what is stored of a played match: ``check`` names the table, the match and the number.

Columns of every table that a match or a ladder is told by, rows and bits by chance, each on its own.
"""

import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from broadcast.feeds.streams import StreamKey
from broadcast.house import check
from broadcast.house.check import Finding
from server import KINDS
from tests.broadcast.storage.flipping import Row, flipped, put_instead, rows_of
from tests.first_release import unpacked

SEED = int(os.environ.get("TWINROOM_SEED", random.SystemRandom().randrange(10**6)))
FLIPS = int(os.environ.get("TWINROOM_FLIPS", "5"))
"""Of each table: so many columns are damaged, each in one row; 99 when asked for."""
TABLES = {
    "log": ("log", "kind", "stream", "sequence"),
    "feed": ("feed", "kind", "stream", "number"),
    "answers": ("answers", "kind", "stream", None),
    "summaries": ("summaries", "kind", "id", None),
    "summary_parties": ("summaries", "kind", "id", None),
    "open_streams": ("open_streams", "kind", "stream", None),
    "search_boards": ("search", None, "match", None),
    "search_tables": ("search", None, None, None),
    "search_files": ("search", None, None, None),
    "search_names": ("search", None, None, None),
}
"""By table: what findings call it, and its columns for kind, stream and number, where it has them."""
ORDER = {"place", "id"}
"""Columns of the log, the feed and the index that tell only where a row stands."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = unpacked(tmp_path_factory.mktemp("played"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def found_in(connection: sqlite3.Connection, key: StreamKey | None = None) -> list[Finding]:
    """As ``check`` finds it, here within the damage's transaction; in one stream, or everywhere."""
    findings = check.check_answers(connection)
    if findings:
        return findings
    if key is not None:
        return check.check_stream(connection, KINDS, key)
    for each in check.all_streams(connection):
        findings += check.check_stream(connection, KINDS, each)
    return findings


def stream_of(connection: sqlite3.Connection, table: str, row: Row, column: str) -> StreamKey | None:
    """The stream that a damaged row concerns; ``None`` where it may now concern another, or none."""
    _, kind, stream, number = TABLES[table]
    if table == "answers" or column in (kind, stream, number):
        return None
    if stream is not None:
        return StreamKey("match" if kind is None else row[kind], row[stream])
    (match,) = connection.execute("SELECT DISTINCT match FROM search_boards").fetchone()
    return StreamKey("match", match)


def test_played_match_is_sound(played: sqlite3.Connection) -> None:
    assert found_in(played) == []


def columns_of(table: str, row: Row) -> list[str]:
    is_list = table.startswith("summar")
    return [
        name for name, value in row.items() if value not in (None, "", b"") and (is_list or name not in ORDER)
    ]


@pytest.mark.parametrize("table", TABLES)
def test_flipped_bit_is_found_and_placed(played: sqlite3.Connection, table: str) -> None:
    print(f"TWINROOM_SEED={SEED}")
    chance = random.Random(f"{SEED} {table}")
    called, _, _, number = TABLES[table]
    rows = rows_of(played, table)
    assert rows
    columns = sorted({name for row in rows for name in columns_of(table, row)})
    for column in chance.sample(columns, min(FLIPS, len(columns))):
        having = [row for row in rows if column in columns_of(table, row)]
        row = chance.choice(having)
        value = flipped(row[column], chance.randrange(10_000), chance.randrange(7))
        key = stream_of(played, table, row, column)
        with put_instead(played, table, row, column, value) as is_damaged:
            if not is_damaged:
                continue
            findings = found_in(played, key)
        told = f"{table}.{column} of {row}: {value!r}, found {[*map(str, findings)]}"
        named = [finding for finding in findings if finding.table == called]
        assert named, told
        if table == "answers" and column not in ("kind", "stream"):
            assert StreamKey(row["kind"], row["stream"]) in {finding.stream for finding in named}, told
        elif key is not None:
            assert {finding.stream for finding in named} == {key}, told
        if key is not None and number is not None:
            assert row[number] in {finding.number for finding in named}, told
        if called == "search":
            assert any("board 1." in finding.message for finding in named), told

"""Lists: newest first, by status and team, page after page."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from broadcast.feeds.streams import StreamKey, Summary
from broadcast.storage import read_models
from broadcast.storage.migrations import MIGRATIONS, migrate
from broadcast.tables.errors import Refusal

EVENING = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection, MIGRATIONS)
        yield connection


def match(name: str) -> StreamKey:
    return StreamKey("match", name)


def line(minute: int, status: str = "live", parties: tuple[str, ...] = ()) -> Summary:
    return Summary(status, f"Minute {minute}", EVENING + timedelta(minutes=minute), parties, {"minute": minute})


def test_list_is_newest_first_and_pages_without_gap_or_repeat(connection: sqlite3.Connection) -> None:
    for number in range(10):
        read_models.write_summary(connection, match(f"m{number}"), line(number // 2))
    seen: list[str] = []
    before = None
    while page := read_models.list_summaries(connection, "match", before=before, limit=3):
        seen += [listed.key.id for listed in page]
        before = (page[-1].summary.sort_at, page[-1].key.id)
    assert seen == [f"m{number}" for number in reversed(range(10))]


def test_list_by_status_and_team(connection: sqlite3.Connection) -> None:
    read_models.write_summary(connection, match("a"), line(1, "live", ("modra", "vihar")))
    read_models.write_summary(connection, match("b"), line(2, "closed", ("modra", "roza")))
    read_models.write_summary(connection, match("c"), line(3, "void", ("roza",)))
    read_models.write_summary(connection, StreamKey("ladder", "a"), line(4, "live", ("modra",)))

    def ids(**wanted: object) -> list[str]:
        return [listed.key.id for listed in read_models.list_summaries(connection, "match", **wanted)]  # type: ignore[arg-type]

    assert ids() == ["c", "b", "a"]
    assert ids(statuses=["live", "closed"]) == ["b", "a"]
    assert ids(party="modra") == ["b", "a"]
    assert ids(party="roza", statuses=["void"]) == ["c"]


def test_line_is_replaced_with_its_teams_and_taken_away(connection: sqlite3.Connection) -> None:
    key = match("a")
    read_models.write_summary(connection, key, line(1, parties=("modra", "vihar")))
    read_models.write_summary(connection, key, line(2, "closed", ("roza",)))
    assert read_models.read_summary(connection, key) == line(2, "closed", ("roza",))
    assert read_models.list_summaries(connection, "match", party="modra") == []
    read_models.write_summary(connection, key, None)
    assert read_models.read_summary(connection, key) is None
    assert connection.execute("SELECT count(*) FROM summary_parties").fetchone() == (0,)


def test_key_held_by_another_stream_is_refused_by_name(connection: sqlite3.Connection) -> None:
    read_models.hold_keys(connection, match("a"), ["table 1", "table 2"])
    with pytest.raises(Refusal, match="table 2 is taken: match/a holds it"):
        read_models.hold_keys(connection, match("b"), ["table 2"])
    read_models.release_keys(connection, match("b"), ["table 1"])
    assert read_models.held_keys(connection, match("a")) == {"table 1", "table 2"}

"""A database of the first released form, opened by the software of today: nothing is lost or told otherwise.

The file was made by ``tests/first_release.py`` and is never made again once it is released.
"""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from broadcast.feeds.streams import StreamKey
from broadcast.house.check import check
from broadcast.storage.database import Database
from broadcast.storage.migrations import MIGRATIONS, migrate
from server import KINDS, STEPS
from tests.broadcast.storage.flipping import rows_of
from tests.first_release import shown, unpacked, was_shown
from tests.scenarios.whole_house import whole_house

KEPT = ("log", "feed", "answers", "accounts", "account_tokens", "teams", "players", "team_players", "clubs")
"""Tables that are truth, or promises given: they hold what they held."""


def stored(path: Path) -> dict[str, list[dict[str, Any]]]:
    with closing(sqlite3.connect(path)) as connection:
        return {table: rows_of(connection, table) for table in KEPT}


def is_told_still(then: Any, now: Any) -> bool:
    """Whether all that was told then is told now; more may be told besides."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(name in now and is_told_still(value, now[name]) for name, value in then.items())
    if isinstance(then, list) and isinstance(now, list):
        return len(then) == len(now) and all(map(is_told_still, then, now))
    return bool(then == now)


def test_first_release_is_opened_with_every_event_and_shown_as_it_was(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    before = stored(path)

    async def story() -> None:
        async with await Database.open(path, migrations=STEPS) as database:
            assert database.epoch == 1, "viewers of before go on with their cursors"
            assert await check(database, KINDS) == []
        async with whole_house(tmp_path, people=False) as house:
            told = await shown(house)
        for address, then in was_shown().items():
            assert is_told_still(then, told[address]), address

    asyncio.run(story())
    after = stored(path)
    for table in KEPT:
        for row, is_now in zip(before[table], after[table], strict=False):
            assert row.items() <= is_now.items(), table
        assert len(after[table]) >= len(before[table]), table
    assert len(after["log"]) == len(before["log"]) > 90
    for row in before["log"]:
        codec = KINDS.codec(StreamKey(row["kind"], row["stream"]))
        event = codec.decode(row["event"], row["version"], row["body"])
        again = msgspec.json.decode(codec.encode(event).body)
        assert is_told_still(codec.lift(row["event"], row["version"], row["body"]), again), row


def test_form_of_a_new_database_is_that_of_an_upgraded_one(tmp_path: Path) -> None:
    """Whoever changes a released step, or a new table in place, learns of it here: add a migration instead.

    Before the first release the file may be made anew: ``python -m tests.first_release``.
    """
    path = unpacked(tmp_path)
    forms = []
    for each in (path, tmp_path / "new.db"):
        with closing(sqlite3.connect(each, isolation_level=None)) as connection:
            migrate(connection, [*MIGRATIONS, *STEPS])
            forms.append(dict(connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()))
    upgraded, new = forms
    assert json.dumps(upgraded, indent=1, sort_keys=True) == json.dumps(new, indent=1, sort_keys=True)

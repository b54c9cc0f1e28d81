"""Many at once, and some of them gone before their answer."""

import asyncio
import random
import sqlite3
import threading
from collections import Counter as Tally
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broadcast.feeds.streams import Stream, StreamKey
from broadcast.house.check import check
from broadcast.house.kinds import Kinds
from broadcast.storage.answers import Once
from broadcast.storage.connections import Connection
from broadcast.storage.database import Database
from broadcast.storage.migrations import Migration
from broadcast.tables.errors import Refusal
from tests.broadcast.house.counters import COUNTERS, Begin, Count, Finish, counter
from tests.broadcast.house.houses import house

A = counter("a")
TABLES = [counter(f"table-{number}") for number in range(5)]


def _create_teams(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE teams (id TEXT PRIMARY KEY)")


TEAMS = Migration("teams.teams", _create_teams)


def test_fifty_operators_at_once_see_no_error(tmp_path: Path) -> None:
    """Writers that begin with a read fail at once with "database is locked", whatever the timeout."""

    async def story() -> None:
        async with house(tmp_path) as it:
            for key in TABLES:
                await it.writer.perform(key, Begin(), by="d")

            async def operator(number: int) -> None:
                for count in range(4):
                    once = Once(f"{number}-{count}", b"h")
                    await it.writer.perform(TABLES[number % 5], Count(number), by=f"o{number}", once=once)
                    await it.writer.feed(TABLES[number % 5])

            await asyncio.gather(*(operator(number) for number in range(50)))
            for place, key in enumerate(TABLES):
                assert Tally(await it.amounts(key)) == dict.fromkeys(range(place, 50, 5), 4)
                assert await it.numbers(key) == list(range(1, 42))
            assert await check(it.database, COUNTERS) == []

    asyncio.run(story())


@pytest.mark.parametrize("seed", range(5))
def test_cancelled_callers_leave_the_house_whole(tmp_path: Path, seed: int) -> None:
    """Transactions belong to a connection, not to a task: a cancelled request must neither leave one open nor
    take back another's write. Every acknowledged count is there once, every other at most once."""
    chance = random.Random(seed)

    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            acknowledged: set[int] = set()

            async def operator(number: int) -> None:
                await it.writer.perform(A, Count(number), by="o", once=Once(str(number), b"h"))
                acknowledged.add(number)

            tasks = []
            for number in range(100):
                tasks.append(asyncio.create_task(operator(number)))
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
                if chance.random() < 0.5:
                    chance.choice(tasks).cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            counted = Tally(await it.amounts(A))
            assert set(counted.values()) <= {1}
            assert acknowledged <= set(counted)
            assert len(acknowledged) < 100
            for number in range(100):
                await operator(number)
            assert Tally(await it.amounts(A)) == dict.fromkeys(range(100), 1)
            assert await it.numbers(A) == list(range(1, 102))
            assert not it.database.writing.in_transaction

    asyncio.run(story())


def test_failing_job_takes_back_its_own_write_only(tmp_path: Path) -> None:
    async def story() -> None:
        async with await Database.open(tmp_path / "house.db", migrations=[TEAMS]):
            pass
        async with house(tmp_path) as it:

            async def enters(connection: Connection, now: datetime) -> str:
                await connection.execute_fetchall("INSERT INTO teams VALUES ('modra')")
                await asyncio.sleep(0)
                return "modra"

            async def fails(connection: Connection, now: datetime) -> None:
                await connection.execute_fetchall("INSERT INTO teams VALUES ('vihar')")
                raise Refusal("no_team", "There is no such team")

            async def waits_for_the_house(connection: Connection, now: datetime) -> None:
                await connection.execute_fetchall("INSERT INTO teams VALUES ('roza')")
                gone.set()
                await asyncio.sleep(0)

            gone = asyncio.Event()
            entering = asyncio.create_task(it.writer.write(enters))
            failing = asyncio.create_task(it.writer.write(fails))
            leaving = asyncio.create_task(it.writer.write(waits_for_the_house))
            await gone.wait()
            leaving.cancel()
            assert await entering == "modra"
            with pytest.raises(Refusal):
                await failing
            await it.writer.perform(A, Begin(), by="d")
            rows = await it.database.read(lambda c: c.execute("SELECT id FROM teams ORDER BY id").fetchall())
            assert [id for (id,) in rows] == ["modra", "roza"]

    asyncio.run(story())


def test_job_with_a_key_is_done_once(tmp_path: Path) -> None:
    async def story() -> None:
        done = []
        once = Once("k", b"h", scope=A._replace(kind="account"))

        async def job(connection: Connection, now: datetime) -> bytes:
            done.append(now)
            return b"made"

        async with house(tmp_path) as it:
            assert [await it.writer.write(job, once=once) for _ in range(3)] == [b"made"] * 3
            assert len(done) == 1
            with pytest.raises(Refusal, match="draw a new key"):
                await it.writer.write(job, once=Once("k", b"other", scope=once.scope))
            with pytest.raises(ValueError, match="scope"):
                await it.writer.write(job, once=Once("k2", b"h"))

    asyncio.run(story())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=20), restart=st.integers(0, 20))
def test_however_often_commands_are_sent_each_is_carried_out_once(
    tmp_path_factory: pytest.TempPathFactory, sent: list[tuple[int, int]], restart: int
) -> None:
    """The first body under a key counts, another is refused; a restart in between makes no difference."""
    tmp_path = tmp_path_factory.mktemp("house")
    expected: dict[int, int] = {}

    async def send(part: list[tuple[int, int]]) -> None:
        async with house(tmp_path) as it:
            if await it.writer.stream(A) is None:
                await it.writer.perform(A, Begin(), by="d")
            for key, amount in part:
                once = Once(str(key), bytes([amount]))
                try:
                    answer = await it.writer.perform(
                        A,
                        Count(amount),
                        by="o",
                        once=once,
                        answer=lambda change: str(change.stream.sequence).encode(),
                    )
                except Refusal as refused:
                    assert refused.rule == "key_reused"
                    assert expected[key] != amount
                else:
                    assert expected.setdefault(key, amount) == amount
                    assert int(answer) == list(expected).index(key) + 2
            assert await it.amounts(A) == list(expected.values())

    asyncio.run(send(sent[:restart]))
    asyncio.run(send(sent[restart:]))


def test_whoever_goes_through_the_archive_leaves_a_reader_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [counter(f"old{number}") for number in range(6)]
    begun, may_end = threading.Event(), threading.Event()
    restore = Kinds.restore

    def slow(kinds: Kinds, connection: sqlite3.Connection, key: StreamKey) -> Stream | None:
        begun.set()
        assert may_end.wait(30)
        return restore(kinds, connection, key)

    async def story() -> None:
        async with house(tmp_path) as it:
            for key in keys:
                await it.writer.perform(key, Begin(), by="d")
                await it.writer.perform(key, Finish(), by="d")
        async with house(tmp_path) as it:
            monkeypatch.setattr(Kinds, "restore", slow)
            crowd = [asyncio.create_task(it.writer.stream(key)) for key in keys for _ in range(2)]
            assert await asyncio.to_thread(begun.wait, 30)
            async with asyncio.timeout(30):
                await it.database.read(lambda connection: connection.execute("SELECT 1").fetchone())
            assert not any(task.done() for task in crowd)
            may_end.set()
            assert None not in await asyncio.gather(*crowd)

    asyncio.run(story())

"""The process is killed (SIGKILL) at every named point of the writer, and at random moments.

After each death the house is opened again. Every acknowledged command must be there once, at most the one that
was under way besides; sent again with its key it must be there once; the feed has no gap; the tally has had
every consequence of what is public once; and ``check`` must find nothing.
"""

import asyncio
import multiprocessing
import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from broadcast.house.check import check
from broadcast.house.transaction import CRASH_POINTS
from tests.broadcast.house.counters import COUNTERS, TALLY, Counted, HandClock
from tests.broadcast.house.dying_house import A, amounts, count_until_killed, key_of
from tests.broadcast.house.houses import house

RANDOM_MOMENTS = 20
SEED = int(os.environ.get("TWINROOM_SEED", random.SystemRandom().randrange(10**6)))

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.broadcast.house.dying_house"])


@contextmanager
def dying(directory: Path, point: str | None, passing: int) -> Iterator[tuple[BaseProcess, Connection]]:
    parent, child = PROCESSES.Pipe()
    process = PROCESSES.Process(target=count_until_killed, args=(directory, point, passing, child))
    process.start()
    child.close()
    try:
        yield process, parent
    finally:
        process.kill()
        process.join()
        process.close()
        parent.close()


def told(parent: Connection) -> list[int]:
    """What the house acknowledged before it died."""
    acknowledged: list[int] = []
    try:
        while True:
            acknowledged.append(parent.recv())
    except (EOFError, ConnectionResetError):
        return acknowledged


async def look_into(directory: Path, acknowledged: list[int]) -> None:
    under_way = len(acknowledged) + 1
    clock = HandClock()
    async with house(directory, clock=clock) as it:
        assert await check(it.database, COUNTERS) == []
        counted = [] if await it.writer.stream(A) is None else (await it.counter(A)).log
        notes = [int(recorded.event.note) for recorded in counted if isinstance(recorded.event, Counted)]
        assert notes in (acknowledged, [*acknowledged, under_way])
        if not counted:
            return
        for amount in [*acknowledged[-2:], under_way]:
            await it.writer.perform(A, amounts(amount), by="o", once=key_of(amount))
        clock.advance(60)
        await it.writer.tick_due()
        log = (await it.counter(A)).log
        assert [int(recorded.event.note) for recorded in log[1:]] == [*acknowledged, under_way]
        assert await it.numbers(A) == list(range(1, under_way + 2))
        assert await it.amounts(TALLY) == [1] * (under_way // 10)
        assert await check(it.database, COUNTERS) == []


@pytest.mark.parametrize("passing", [1, 25])
@pytest.mark.parametrize("point", CRASH_POINTS)
def test_killed_at_a_named_point(tmp_path: Path, point: str, passing: int) -> None:
    with dying(tmp_path, point, passing) as (process, parent):
        acknowledged = told(parent)
        process.join()
        assert process.exitcode == -signal.SIGKILL
    asyncio.run(look_into(tmp_path, acknowledged))


@pytest.mark.parametrize("moment", range(RANDOM_MOMENTS))
def test_killed_at_a_random_moment(tmp_path: Path, moment: int) -> None:
    print(f"TWINROOM_SEED={SEED}")
    chance = random.Random(SEED + moment)
    with dying(tmp_path, None, 0) as (process, parent):
        acknowledged = [parent.recv() for _ in range(chance.randrange(1, 40))]
        for _ in range(chance.randrange(20_000)):  # a little later, within a command
            pass
        process.kill()
        acknowledged += told(parent)
    asyncio.run(look_into(tmp_path, acknowledged))

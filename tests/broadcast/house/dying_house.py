"""A house in a process of its own that is killed: run by ``test_crashes`` and by nothing else.

It counts 1, 2, 3 ... on counter ``a`` (with a consequence on the tally every tenth time), each with an
idempotency key, and tells its parent every count that was acknowledged.
"""

import asyncio
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from broadcast.storage.answers import Once
from tests.broadcast.house.counters import TALLY, Begin, Count, HandClock, counter
from tests.broadcast.house.houses import house

A = counter("a")
DELAY = 3
"""Seconds until a count is public; a second passes with each count."""


def key_of(amount: int) -> Once:
    return Once(str(amount), b"h")


def count_until_killed(directory: Path, point: str | None, passing: int, parent: Connection) -> None:
    """Count until killed: at a point of the writer, passed so many times, or whenever the parent does it."""
    passed = 0

    def at(name: str) -> None:
        nonlocal passed
        if name == point:
            passed += 1
            if passed == passing:
                os.kill(os.getpid(), signal.SIGKILL)

    async def story() -> None:
        clock = HandClock()
        async with house(directory, clock=clock, at=at) as it:
            await it.writer.perform(TALLY, Begin(), by="d", once=Once("begin", b"h"))
            await it.writer.perform(A, Begin(DELAY), by="d", once=Once("begin", b"h"))
            amount = 0
            while True:
                amount += 1
                await it.writer.perform(A, amounts(amount), by="o", once=key_of(amount))
                parent.send(amount)
                clock.advance(1)

    asyncio.run(story())


def amounts(amount: int) -> Count:
    """Every tenth count is big enough for the tally."""
    return Count(amount + 1000 if amount % 10 == 0 else amount % 10, note=str(amount))

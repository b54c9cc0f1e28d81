"""Transactions on tables that are no streams: accounts, sessions, teams and what belongs to them."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar

from broadcast.storage import answers
from broadcast.storage.answers import Once
from broadcast.storage.connections import Connection

T = TypeVar("T")

Job = Callable[[Connection, datetime], Awaitable[T]]
"""Work on the writing connection at a house time. It awaits this connection and nothing else."""


def raw_job(work: Callable[[sqlite3.Connection, datetime], T]) -> Job[T]:
    """Work on the raw connection, done in one change of thread, as a job."""

    async def job(connection: Connection, now: datetime) -> T:
        return await connection.run(lambda raw: work(raw, now))

    return job


LONGEST_SECONDS = 10.0
"""A job that takes longer waits for something it must not wait for."""


async def carry_out(
    connection: Connection, job: Job[Any], now: datetime, once: Once | None, at: Callable[[str], None]
) -> Any:
    """Do the job in one transaction; whatever is raised, nothing of it is stored."""
    at("before begin")
    if connection.in_transaction:
        await connection.rollback()
    await connection.execute_fetchall("BEGIN IMMEDIATE")
    try:
        at("after begin")
        async with asyncio.timeout(LONGEST_SECONDS):
            result = await _answered(connection, job, now, once, at)
        at("before commit")
        await connection.commit()
    except BaseException:
        if connection.in_transaction:
            await connection.rollback()
        raise
    at("after commit")
    return result


async def _answered(
    connection: Connection, job: Job[Any], now: datetime, once: Once | None, at: Callable[[str], None]
) -> Any:
    if once is None:
        return await job(connection, now)
    scope = once.scope
    if scope is None:
        raise ValueError("A job's idempotency key needs a scope")
    given = await connection.run(lambda raw: answers.find(raw, scope, once))
    if given is not None:
        return given
    result = await job(connection, now)
    if not isinstance(result, bytes):
        raise TypeError("A job that is done once returns bytes")
    at("before answer")
    await connection.run(lambda raw: answers.remember(raw, scope, once, result))
    at("after answer")
    return result

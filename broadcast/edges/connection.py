"""Connections to Redis, which tell at once when they break: who uses them knows where to go on."""

import asyncio
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

MOST_CONNECTIONS: Final = 32
"""Who comes when all are in use waits for one, as long as an answer may take."""

AGAIN_SECONDS: Final = 0.1


def connect(url: str, timeout_seconds: float = 5.0) -> Redis:
    """A client of the server at ``redis://host:port/database``; nothing is opened yet.

    ``timeout_seconds`` is how long an answer may take. Raises ``ValueError`` for another kind of address.
    """
    pool: BlockingConnectionPool = BlockingConnectionPool.from_url(
        url,
        max_connections=MOST_CONNECTIONS,
        timeout=timeout_seconds,
        socket_timeout=timeout_seconds,
        socket_connect_timeout=timeout_seconds,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)


async def end(*tasks: asyncio.Future[Any]) -> None:
    """Cancel tasks that ask Redis, and wait until they have ended; what became of them is forgotten.

    Once is not enough: a cancellation that comes in the moment in which a command has been sent is swallowed
    by ``asyncio.wait_for`` of Python 3.11, inside the client.
    """
    while rest := [task for task in tasks if not task.done()]:
        for task in rest:
            task.cancel()
        await asyncio.wait(rest, timeout=AGAIN_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)

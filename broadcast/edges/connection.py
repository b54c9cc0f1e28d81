"""Connections to Redis, which tell at once when they break: who uses them knows where to go on."""

from typing import Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

MOST_CONNECTIONS: Final = 32
"""Who comes when all are in use waits for one, as long as an answer may take."""


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

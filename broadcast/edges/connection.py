"""Connections to Redis, which tell at once when they break: who uses them knows where to go on."""

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff


def connect(url: str, timeout_seconds: float = 5.0) -> Redis:
    """A client of the server at ``redis://host:port/database``; nothing is opened yet.

    ``timeout_seconds`` is how long an answer may take. Raises ``ValueError`` for another kind of address.
    """
    client: Redis = Redis.from_url(
        url,
        socket_timeout=timeout_seconds,
        socket_connect_timeout=timeout_seconds,
        retry=Retry(NoBackoff(), 0),
    )
    return client

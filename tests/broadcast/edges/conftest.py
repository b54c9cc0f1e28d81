"""A Redis for the tests of a module, empty before each of them."""

from collections.abc import Iterator

import pytest

from tests.scenarios.edge_nodes import RedisServer, running_redis


@pytest.fixture(scope="module")
def kept_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis"), keeps=False) as server:
        yield server


@pytest.fixture
def redis(kept_redis: RedisServer) -> RedisServer:
    with kept_redis.client() as client:
        client.flushall()
    return kept_redis

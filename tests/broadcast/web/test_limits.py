"""Places for viewers: in all and to one address, and what who comes beyond is told."""

import asyncio
from pathlib import Path

import pytest
from starlette.types import Scope

from broadcast.web.limits import TooManyViewers, ViewerLimits, network_of
from tests.serving import Served, serving

MATCH = {"title": "Final", "home": "Modra", "visitors": "Vihar", "segments": [{"first": 1, "last": 2}]}


def scope(address: str | None) -> Scope:
    return {"type": "http", "client": None if address is None else (address, 50_000)}


def test_one_address_has_its_share_and_no_more() -> None:
    limits = ViewerLimits(per_address=2)
    taken = [limits.take(scope("192.0.2.1")) for _ in range(2)]
    with pytest.raises(TooManyViewers) as refused:
        limits.take(scope("192.0.2.1"))
    assert refused.value.facts["limit"] == "address"
    limits.take(scope("192.0.2.2"))
    limits.give_back(taken[0])
    limits.take(scope("192.0.2.1"))
    assert limits.taken == 3


def test_all_places_are_shared_by_everybody() -> None:
    limits = ViewerLimits(total=1)
    limits.take(scope("192.0.2.1"))
    with pytest.raises(TooManyViewers) as refused:
        limits.take(scope(None))
    assert refused.value.facts["limit"] == "all"
    assert limits.refused == {"all": 1}


def test_who_is_refused_is_told_different_times_to_come_back() -> None:
    limits, told = ViewerLimits(total=0), []
    for number in range(20):
        with pytest.raises(TooManyViewers) as refused:
            limits.take(scope(f"192.0.2.{number}"))
        told.append(refused.value.retry_after)
    assert len(set(told)) > 10
    assert all(10 <= seconds <= 60 for seconds in told)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/56"),
        ("2001:db8:1:ff::1", "2001:db8:1::/56"),
        ("2001:db8:1:102::1", "2001:db8:1:100::/56"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("a unix socket", ""),
        (None, ""),
    ],
)
def test_addresses_are_counted_by_household(address: str | None, network: str) -> None:
    assert network_of(scope(address)) == network


def test_refused_viewer_gets_503_and_may_come_when_another_has_gone(tmp_path: Path) -> None:
    environment = {"TWINROOM_VIEWERS_PER_ADDRESS": "2", "TWINROOM_PROXIES": "192.0.2.7 127.0.0.0/8"}
    with serving(tmp_path, environment=environment) as served:
        match = served.post("/api/matches", MATCH)["id"]
        asyncio.run(_crowd(served, match))


def test_who_is_no_proxy_is_not_believed_for_whom_it_asks(tmp_path: Path) -> None:
    environment = {"TWINROOM_VIEWERS_PER_ADDRESS": "1", "TWINROOM_PROXIES": "192.0.2.7"}
    with serving(tmp_path, environment=environment) as served:
        path = f"/matches/{served.post('/api/matches', MATCH)['id']}/events"
        said = {"x-forwarded-for": "198.51.100.7"}
        with (
            served.client() as client,
            client.stream("GET", path, headers=said) as first,
            client.stream("GET", path, headers=said) as second,
        ):
            assert (first.status_code, second.status_code) == (200, 200), "it is this machine that asks"


async def _crowd(served: Served, match: str) -> None:
    path, headers = f"/matches/{match}/events", {"x-forwarded-for": "198.51.100.7"}
    async with served.async_client() as client:
        async with client.stream("GET", path, headers=headers) as first:
            assert first.status_code == 200
            async with client.stream("GET", path, headers=headers) as second:
                assert second.status_code == 200
                refused = await client.get(path, headers=headers)
                assert refused.status_code == 503
                assert refused.json()["error"] == "too_many_viewers"
                assert int(refused.headers["retry-after"]) >= 10
                assert refused.headers["access-control-allow-origin"] == "*"
                other = {"x-forwarded-for": "198.51.100.8"}
                async with client.stream("GET", path, headers=other) as elsewhere:
                    assert elsewhere.status_code == 200
        async with asyncio.timeout(10):
            while True:
                async with client.stream("GET", path, headers=headers) as again:
                    if again.status_code == 200:
                        return

"""Many at once at a running server, those who leave in the middle, and what stops it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.scenarios.entered_matches import Entered, claim, entered, one_notrump, opening, tell
from tests.scenarios.viewers import Viewer, agree, watching
from tests.serving import Served, posted, serving
from tests.sse_client import Message, read_until, stream


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("house")) as served:
        yield served
        assert served.errors == []


@pytest.fixture
def match(house: Served) -> Iterator[Entered]:
    with entered(house) as new:
        yield new


def test_fifty_open_streams_do_not_hold_up_a_stop(tmp_path: Path) -> None:
    with serving(tmp_path) as served, entered(served) as match:
        token = served.token("desk", "director")

        async def open_all() -> float:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(served.async_client())
                desk = await stack.enter_async_context(served.async_client(token))
                paths = ["", "/open", "/closed", "?results=hidden"]
                readers = [
                    await stack.enter_async_context(stream(client, f"/matches/{match.id}/events{paths[n % 4]}"))
                    for n in range(48)
                ]
                readers.append(await stack.enter_async_context(stream(desk, f"{match.path}/events")))
                readers.append(await stack.enter_async_context(stream(desk, f"{match.open.path}/events")))
                for reader in readers[:48]:
                    assert (await anext(reader)).event == "snapshot"
                began = time.monotonic()
                status, *ends = await asyncio.gather(
                    asyncio.to_thread(served.stop), *(rest(reader) for reader in readers)
                )
                assert status == 0
                assert len(ends) == 50
                return time.monotonic() - began

        assert asyncio.run(open_all()) < 5
        assert served.errors == []
    with serving(tmp_path) as served:
        assert served.get(f"/api/matches/{match.id}")["status"] == "upcoming"


async def rest(reader: Any) -> int:
    """How many messages still come, up to the stream's proper end."""
    return len([message async for message in reader])


def test_fifty_operators_at_once_are_all_served(house: Served) -> None:
    """Twenty-five matches, both rooms of each, and no error shown."""
    made = [
        house.post(
            "/api/matches",
            {
                "title": f"{n}",
                "home": "A",
                "visitors": "B",
                "segments": [{"first": 1, "last": 1}],
                "deals": "typed",
                "release": {"rule": "live"},
                "no_devices": True,
            },
        )
        for n in range(25)
    ]

    async def room(match: Any, name: str) -> None:
        async with house.async_client(match["rooms"][name]["token"]) as client:
            for number, entry in enumerate([*one_notrump(1), claim(1, 7)]):
                response = await client.post(
                    f"/api/matches/{match['id']}/rooms/{name}/commands",
                    json={"command": entry, "expected": number + (number > 5)},
                    headers={"idempotency-key": f"{number}"},
                )
                assert response.status_code == 201, response.text

    async def all_rooms() -> None:
        await asyncio.gather(*(room(match, name) for match in made for name in ("open", "closed")))

    asyncio.run(all_rooms())
    for match in made:
        assert house.get(f"/api/matches/{match['id']}")["totals"]["boards_compared"] == 1


def test_a_client_that_hangs_up_leaves_nothing_half_done(match: Entered) -> None:
    """The request is broken off as it is sent: its command is carried out whole or not at all."""

    async def hang_up() -> None:
        async with match.served.async_client(token=match.open.client.headers["authorization"][7:]) as client:
            for n in range(20):
                body = {
                    "commands": one_notrump(1)
                    if n == 0
                    else [{"type": "explain", "call_index": 0, "explanation": f"{n}"}]
                }
                sending = client.post(
                    f"{match.open.path}/commands", json=body, headers={"idempotency-key": f"{n}"}
                )
                try:
                    await asyncio.wait_for(sending, 0.002 * n)
                except (TimeoutError, httpx.HTTPError):
                    continue

    asyncio.run(hang_up())
    sequence = match.open.view()["room_sequence"]
    for n in range(20):
        entries = one_notrump(1) if n == 0 else [{"type": "explain", "call_index": 0, "explanation": f"{n}"}]
        body = {"commands": entries}
        answer = posted(match.open.client, f"{match.open.path}/commands", body, key=f"{n}")
        assert answer["room_sequence"] >= 5
    view = match.open.view()
    assert view["room_sequence"] == 5 + 19 >= sequence
    assert len(view["board"]["auction"]) == 4


def test_the_log_of_the_database_stays_small_while_streams_are_open(tmp_path: Path) -> None:
    """No stream holds a transaction: 300 writes of 20 kB beside open streams leave a short write-ahead log."""
    with serving(tmp_path) as served, entered(served) as match:
        match.open.enters(*one_notrump(1))
        desk = replace(match.open, client=match.director)  # an operator's entries of one board are bounded
        explanation = "x" * 480

        async def write() -> None:
            viewers = Viewer(f"/matches/{match.id}/events"), Viewer(f"/matches/{match.id}/events", every=100)
            async with watching(served, *viewers) as client:
                many = [{"type": "explain", "call_index": 0, "explanation": explanation}] * 40
                for _ in range(100):
                    await asyncio.to_thread(desk.enters, *many)
                last = (await client.get(match.path)).json()["last_event"]
                await viewers[0].reached(last)

        asyncio.run(write())
        log = tmp_path / "twinroom.sqlite3-wal"
        assert log.stat().st_size < 16 * 2**20


# --- private streams --------------------------------------------------------------------------------------


def test_private_streams_resume_by_their_own_numbers(match: Entered) -> None:
    async def read(client: httpx.AsyncClient, path: str, last: str, after: str | None = None) -> list[Message]:
        return await read_until(client, path, last, after)

    async def story() -> None:
        served = match.served
        token = match.open.client.headers["authorization"][7:]
        director = match.director.headers["authorization"][7:]
        match.open.enters(*one_notrump(1))
        match.closed.enters(opening(1))
        async with served.async_client(token) as operator, served.async_client(director) as desk:
            room = await read(operator, f"{match.open.path}/events", "5")
            assert [(each.id, each.event) for each in room] == [
                ("1", "board"),
                *[(f"{number}", "call") for number in range(2, 6)],
            ]
            match.open.enters({"type": "undo"})
            assert [each.event for each in await read(operator, f"{match.open.path}/events", "6", "4")] == [
                "call",
                "undo",
            ]
            log = await read(desk, f"{match.path}/events", "9")
            assert [int(each.id or 0) for each in log] == list(range(1, 10))
            assert log[0].event == "created"
            resumed = await read(desk, f"{match.path}/events", "9", "7")
            assert resumed == log[7:]

    asyncio.run(story())


def test_two_viewers_of_a_whole_story_agree(house: Served) -> None:
    async def story() -> None:
        with entered(house) as match:
            path = f"/matches/{match.id}/events"
            viewers = Viewer(path), Viewer(path, every=3)
            async with watching(house, *viewers) as client:
                await asyncio.to_thread(tell, match)
                last = (await client.get(match.path)).json()["last_event"]
                await agree(client, last, *viewers)

    asyncio.run(story())

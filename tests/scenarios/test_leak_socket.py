"""The same search through a real socket: headers and bytes as they leave the machine, and an open stream.

In process a server's own headers, its answer to HEAD and what it does when a viewer goes are not seen.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx

import server
from tests.scenarios.outlets import observed
from tests.scenarios.test_leak_story import Story
from tests.scenarios.whole_house import Answer, WholeHouse, contest
from tests.serving import Served, serving

QUIET_SECONDS = 0.1
"""A stream that says nothing for so long has said everything."""


PLAIN = {"accept-encoding": "identity"}
"""Bytes are searched as they come."""


class SocketHouse(WholeHouse):
    """The house behind a real server; its clock is the world's."""

    def __init__(self, served: Served, client: httpx.AsyncClient) -> None:
        self.application = server.app
        self.clock = cast(Any, SimpleNamespace(now=lambda: datetime.now(UTC), advance=lambda seconds: None))
        people = {"dora": "director", "ann": "captain", "vic": "captain"}
        self.tokens = {name: served.token(name, role) for name, role in people.items()}
        self.links = {"join": "none", "reset": "none", "account": "none"}
        self._client = client

    async def private_addresses(self, team: str) -> tuple[str, str, str]:
        """None: they are made inside the house."""
        return "none", "none", "none"

    async def ask(
        self,
        method: str,
        address: str,
        token: str | None = None,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        local: bool = False,
    ) -> Answer:
        sent = dict(headers or {}) | ({} if token is None else {"Authorization": f"Bearer {token}"})
        async with self._client.stream(method, address, content=body, headers=sent) as response:
            answer = Answer(response.status_code, list(response.headers.multi_items()))
            is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
            pieces = response.aiter_raw()
            with suppress(TimeoutError, StopAsyncIteration):
                while True:
                    async with asyncio.timeout(QUIET_SECONDS if is_stream and answer.body else None):
                        answer.body += await anext(pieces)
        return answer


class Listener:
    """A viewer on a socket of its own."""

    def __init__(self, response: httpx.Response, address: str) -> None:
        self.address = address
        self._heard = b""
        self._reading = asyncio.create_task(self._read(response))

    async def _read(self, response: httpx.Response) -> None:
        async for piece in response.aiter_raw():
            self._heard += piece

    async def received(self) -> str:
        return self._heard.rpartition(b"\n\n")[0].decode()

    async def leave(self) -> None:
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading

    async def until(self, text: bytes) -> None:
        async with asyncio.timeout(20):
            while text not in self._heard:  # noqa: ASYNC110 - what comes over a socket has no event
                await asyncio.sleep(0.01)


async def told(served: Served) -> None:
    async with httpx.AsyncClient(base_url=served.address, timeout=60, headers=PLAIN) as client:
        house = SocketHouse(served, client)
        story = Story(await contest(house, "board", boards=1), "board")
        address = f"/matches/{story.contest.match}/events"
        async with client.stream("GET", address) as stream:
            listener = Listener(stream, address)
            story.viewers.append(cast(Any, listener))
            await listener.until(b"event: snapshot")
            await story.line_ups()
            await story.open("open", 1)
            await story.calls("open", 1, "1C Pass Pass Pass", "o1x")
            await story.card("open", 1)
            await story.open("closed", 1)
            await story.calls("closed", 1, "1NT Pass Pass Pass", "c1x")
            await story.result("closed", 1, "6DXX", "W", 4)
            await story.look()
            await story.result("open", 1, "5SXX", "N", 3)
            story.ledger.finals[1] = [datetime.now(UTC)]
            await listener.until(b"5SXX")
            await story.final(1)
            await listener.leave()
        for asked, answer in (await observed(story.contest, with_head=True)).items():
            assert not (asked.startswith("HEAD") and answer.body), asked
            assert answer.header("set-cookie") is None, asked
        assert all(place in story.seen for place, _ in enumerate(story.ledger.planted))


def test_nothing_leaves_by_the_socket_before_its_moment(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as served:
        asyncio.run(told(served))

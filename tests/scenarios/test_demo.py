"""The demo: somebody who has just cloned the project opens the first page and sees a match moving."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def demo(tmp_path: Path) -> Any:
    """The demo served in its own process; stopped in order."""
    process = subprocess.Popen(
        [sys.executable, "server.py", "demo", "--port", "0", "--data", str(tmp_path / "club")],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    assert found is not None, line
    yield found.group()
    process.send_signal(signal.SIGTERM)
    _, rest = process.communicate(timeout=15)
    assert process.returncode == 0, rest
    assert "Traceback" not in rest


def test_the_first_page_shows_a_live_match_moving_within_ten_seconds(demo: str) -> None:
    started = time.monotonic()
    asyncio.run(_first_cards(demo))
    assert time.monotonic() - started < 10


async def _first_cards(base: str) -> None:
    """From the first page to the live match's stream, until something has moved in both rooms."""
    async with asyncio.timeout(10), httpx.AsyncClient(base_url=base, timeout=10) as client:
        address = None
        while address is None:
            page = ""
            with contextlib.suppress(httpx.TransportError):
                page = (await client.get("/")).text
            found = re.search(r'href="(/matches/[a-z0-9]+)"', page)
            address = found.group(1) if found else None
            await asyncio.sleep(0 if address else 0.05)
        moved: set[str] = set()
        async with client.stream("GET", f"{address}/events") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: ") and '"seat"' in line and '"snapshot"' not in line:
                    moved |= set(re.findall(r'"room":"(open|closed)"', line))
                if moved == {"open", "closed"}:
                    return


def test_the_club_has_a_ladder_with_open_challenges_and_finished_matches(demo: str) -> None:
    asyncio.run(_club(demo))


async def _club(base: str) -> None:
    async with asyncio.timeout(90), httpx.AsyncClient(base_url=base, timeout=60) as client:
        ladder = await _with_waiting_challenges(client)
        assert len(ladder["rungs"]) == 24
        finished = (await client.get("/api/matches?status=closed")).json()["matches"]
        assert len(finished) >= 2
        for match in finished:
            whole = (await client.get(f"/api/matches/{match['id']}")).json()
            assert whole["totals"]["boards_compared"] == whole["totals"]["boards_total"] == 8
            record = (await client.get(f"/api/matches/{match['id']}/boards/1.1")).json()
            assert record["open"]["auction"]
            assert record["closed"]["auction"]


async def _with_waiting_challenges(client: httpx.AsyncClient) -> dict[str, Any]:
    """The ladder, followed by its stream until five challenges wait for an answer."""
    listed: list[Any] = []
    while not listed:
        with contextlib.suppress(httpx.TransportError):
            listed = (await client.get("/api/ladders")).json()["ladders"]
        await asyncio.sleep(0 if listed else 0.05)
    address = f"/ladders/{listed[0]['id']}"
    async with client.stream("GET", f"{address}/events") as stream:
        async for line in stream.aiter_lines():
            if not line.startswith("event: "):
                continue
            ladder: dict[str, Any] = (await client.get(f"/api{address}")).json()
            if sum(one["state"] == "issued" for one in ladder["challenges"]) >= 5:
                return ladder
    raise AssertionError("the ladder's stream ended")

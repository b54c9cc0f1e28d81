"""``server.py replay``: a recorded match goes out live, and no viewer misses or repeats an event of it.

One viewer stays, one leaves and comes back again and again. Both get the same events, folding them onto the
first snapshot equals a fresh snapshot, and the totals are those of importing the same file.
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.recorded_matches import lin_match
from tests.scenarios.viewers import Viewer, agree, watching
from tests.serving import SECONDS, SERVER, Served, command, serving

VUGRAPH = "lin/vugraph"
HARDEST = "sihengz02_74806"
"""Two encodings in one file, comments everywhere, a result unlike its record."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("house")) as served:
        yield served
        assert served.errors == []


@asynccontextmanager
async def replaying(
    served: Served, file: Path, *options: str
) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A replay as it runs, with the address of its match."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *SERVER,
        "replay",
        str(file),
        *options,
        "--data",
        str(served.data),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().strip()
        assert address.startswith("/matches/")
        yield address, process
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def follow(served: Served, file: Path, *options: str, every: int = 50) -> str:
    """Replay a file before two viewers and compare what they have; the address of the match."""
    async with AsyncExitStack() as stack:
        address, process = await stack.enter_async_context(replaying(served, file, *options))
        viewers = Viewer(f"{address}/events"), Viewer(f"{address}/events", every)
        client = await stack.enter_async_context(watching(served, *viewers))
        assert await process.wait() == 0
        last = (await client.get(f"/api{address}")).json()["last_event"]
        await agree(client, last, *viewers)
    return address


def figures(match: dict[str, Any]) -> list[Any]:
    """What a replay and an import of the same file must agree on."""
    names = ("state", "contract", "declarer", "tricks", "score_ns")
    boards = [
        [board[name] for name in ("segment", "number", "imps_home", "imps_visitors", "pending")]
        + [board[room][name] for room in ("open", "closed") for name in names]
        for board in match["boards"]
    ]
    return [match["totals"], *boards]


@pytest.mark.parametrize("name", ["ivannp_38585", HARDEST])
def test_two_viewers_of_an_instant_replay(shared: Path, house: Served, name: str) -> None:
    file = shared / "data" / VUGRAPH / f"{name}.lin"
    address = asyncio.run(follow(house, file, "--instant"))
    imported = command("import", file, data=house.data)
    replayed = house.get(f"/api{address}")
    assert replayed["status"] in ("closed", "scored", "live")
    assert figures(replayed) == figures(house.get(f"/api{imported.stdout.strip()}"))


def test_two_viewers_of_a_replay_at_a_pace(tmp_path: Path, house: Served) -> None:
    """Both rooms at once, a call or card every ten seconds, made six thousand times as fast."""
    file = tmp_path / "final.lin"
    file.write_text(lin_match((7, 9), (8, 8), (6, 7), (10, 7)), encoding="utf-8")
    address = asyncio.run(follow(house, file, "--speed", "6000", every=3))
    imported = command("import", file, data=house.data)
    assert figures(house.get(f"/api{address}")) == figures(house.get(f"/api{imported.stdout.strip()}"))


def test_replay_into_a_match_that_exists(tmp_path: Path, house: Served) -> None:
    """With a director's token at the public address; the boards take the match's places."""
    file = tmp_path / "final.lin"
    file.write_text(lin_match((7, 9), (8, 8)), encoding="utf-8")
    body = {
        "title": "Challenge",
        "home": "Modra",
        "visitors": "Vihar",
        "segments": [{"first": 17, "last": 18}],
        "deals": "typed",
        "correction_minutes": 0,
    }
    match = house.post("/api/matches", body)["id"]
    token = house.token("replay", "director")
    done = command(
        "replay",
        file,
        "--instant",
        "--match",
        match,
        "--server",
        house.address,
        "--token",
        token,
        data=tmp_path,
    )
    assert (done.returncode, done.stdout) == (0, f"/matches/{match}\n")
    found = house.get(f"/api/matches/{match}")
    assert found["status"] == "closed"
    assert [board["number"] for board in found["boards"]] == [17, 18]
    assert found["totals"]["imps"] == {"home": 0, "visitors": 2}
    again = command("replay", file, "--instant", "--match", match, "--server", house.address, data=tmp_path)
    assert again.returncode == 2 and "director's --token" in again.stderr


def test_replay_of_a_file_without_teams_fails(tmp_path: Path) -> None:
    file = tmp_path / "none.lin"
    file.write_text("nothing", encoding="utf-8")
    done = command("replay", file, "--instant", data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")


def test_replay_serves_itself_until_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "final.lin"
    file.write_text(lin_match((7, 9)), encoding="utf-8")
    program = (*SERVER, "replay", str(file), "--instant")
    with serving(tmp_path / "data", program=program) as served:

        async def followed() -> None:
            matches: list[Any] = []
            while not matches:
                matches = served.get("/api/matches")["matches"]
            viewer = Viewer(f"/matches/{matches[0]['id']}/events")
            async with watching(served, viewer):
                while viewer.read[-1].data.get("status", "") != "closed" and viewer.read[-1].event != "closed":
                    viewer.news.clear()
                    await viewer.news.wait()

        asyncio.run(asyncio.wait_for(followed(), SECONDS))

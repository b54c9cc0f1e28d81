"""The server is killed (SIGKILL) at every named point of its writer and at random moments, again and again,
while a recorded match is replayed through its public address and two viewers look on.

In the end every command that was sent is there once, the viewers have every event once, the totals are those of
the import, and log, feed and lists agree.
"""

import asyncio
import os
import random
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from broadcast.house.transaction import CRASH_POINTS
from tests.scenarios.recorded_matches import lin_match
from tests.scenarios.test_replay import figures
from tests.scenarios.viewers import Viewer, agree, watching
from tests.serving import ROOT, Done, Served, command, serving
from tests.sse_client import Message

SEED = int(os.environ.get("TWINROOM_SEED", random.SystemRandom().randrange(10**6)))
RANDOM_MOMENTS = int(os.environ.get("TWINROOM_KILLS", "3"))
"""20 and more when asked for; each takes a start of the server."""
DYING = (str(ROOT / "tests" / "scenarios" / "dying_server.py"),)
PASSINGS = 4
"""Commands between a start and the death at a named point, at least."""


def entered_in(events: list[Message], room: str) -> list[tuple[str, Any]]:
    """What the room entered, as the public heard it."""
    names = ("board", "call", "card", "claim", "claim_answer")
    return [
        (event.event, {name: value for name, value in event.data.items() if name != "at"})
        for event in events
        if event.event in names and event.data["room"] == room
    ]


async def death(served: Served) -> None:
    assert await asyncio.to_thread(served.process.wait, 60) == -signal.SIGKILL


async def kills(data: Path, file: Path, moments: list[str | None]) -> tuple[Done, list[Message]]:
    """A replay through servers that die one after another, the last one living on; what the viewer saw."""
    chance = random.Random(SEED)
    with ExitStack() as stack:
        start = stack.enter_context
        environment = {"PYTHONPATH": str(ROOT)}
        served = start(serving(data))
        port = int(served.address.rpartition(":")[2])
        token = served.token("replay", "director")
        body = {
            "title": "Final",
            "home": "Modra",
            "visitors": "Vihar",
            "segments": [{"first": 1, "last": 20}],
            "deals": "typed",
            "release": {"rule": "live"},
            "no_devices": True,
            "correction_minutes": 0,
        }
        match = served.post("/api/matches", body)["id"]
        stays, returns = Viewer(f"/matches/{match}/events"), Viewer(f"/matches/{match}/events", every=7)
        async with watching(served, stays, returns) as client:
            served.kill()
            arguments = ("--speed", "2000", "--match", match, "--server", served.address, "--token", token)
            replay = asyncio.create_task(
                asyncio.to_thread(command, "replay", file, *arguments, data=data / "none")
            )
            for moment in moments:
                if moment is None:
                    served = start(serving(data, port=port))
                    seen = len(stays.events) + chance.randrange(1, 12)
                    while len(stays.events) < seen and not replay.done():
                        stays.news.clear()
                        await stays.news.wait()
                    await asyncio.sleep(chance.random() / 50)
                    served.process.kill()
                else:
                    dies = {"TWINROOM_DIE_AT": moment, "TWINROOM_DIE_AFTER": str(PASSINGS)}
                    served = start(serving(data, program=DYING, environment=environment | dies, port=port))
                assert not replay.done(), replay.result()
                await death(served)
            served = start(serving(data, port=port))
            done = await replay
            last = (await client.get(f"/api/matches/{match}")).json()["last_event"]
            await agree(client, last, stays, returns)
            assert served.errors == []
            imported = (await asyncio.to_thread(command, "import", file, data=data)).stdout.strip()
            assert figures(served.get(f"/api/matches/{match}")) == figures(served.get(f"/api{imported}"))
    return done, stays.events


def test_killed_at_every_point_and_at_random_moments(tmp_path: Path) -> None:
    print(f"TWINROOM_SEED={SEED}")
    file = tmp_path / "final.lin"
    file.write_text(lin_match(*[(7, 9), (8, 8), (6, 7), (10, 7)] * 5), encoding="utf-8")
    moments = [*CRASH_POINTS, *[None] * RANDOM_MOMENTS]
    data = tmp_path / "data"
    done, events = asyncio.run(asyncio.wait_for(kills(data, file, moments), 600))
    assert (done.returncode, done.stderr) == (0, "")
    for room in ("open", "closed"):
        entered = entered_in(events, room)
        names = [name for name, _ in entered]
        assert names == ["board", "call", "call", "call", "call", "claim", "claim_answer"] * 20
        assert len({str(each) for each in entered}) == len(entered)
    check = command("check", data=data)
    assert (check.returncode, check.stdout) == (0, "")

"""A disk that is full, read-only or broken under a running server: told to all, and over when it is over.

The server is a process of its own, SQLite the system's; ``failing_disk.c`` ends its writes as a kernel does.
"""

import asyncio
import errno
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.edge_nodes import wait_for
from tests.scenarios.entered_matches import Entered, calls, entered, opening
from tests.scenarios.viewers import Viewer, agree, watching
from tests.serving import Served, command, serving

COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


class Disk:
    """The disk of one server."""

    def __init__(self, directory: Path) -> None:
        self._control = directory / "fails"
        library = directory / "failing_disk.so"
        source = Path(__file__).with_suffix(".c").with_name("failing_disk.c")
        words = [str(COMPILER), "-shared", "-fPIC", "-O1", "-o", str(library), str(source)]
        subprocess.run(words, check=True)
        self.environment = {"LD_PRELOAD": str(library), "FAILING_DISK": str(self._control)}

    def fails(self, number: int) -> None:
        self._control.write_text(str(number), encoding="ascii")

    def heals(self) -> None:
        self._control.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


@pytest.fixture
def served(tmp_path: Path, disk: Disk) -> Iterator[Served]:
    with serving(tmp_path / "data", environment=disk.environment) as server:
        yield server


FAILURES = {
    errno.ENOSPC: ("disk_full", "服务器磁盘已满"),
    errno.EROFS: ("disk_read_only", "服务器磁盘无法写入"),
    errno.EIO: ("disk_fails", "服务器磁盘出错"),
}


def health(served: Served) -> tuple[int, Any]:
    with served.client() as client:
        answer = client.get("/health")
        return answer.status_code, answer.json()


def test_failing_disk_is_told_and_nothing_is_lost_or_done_twice(served: Served, disk: Disk) -> None:
    with entered(served) as match:
        match.open.enters(opening(1))
        made = calls(1, "1NT", "Pass", "Pass", "Pass")
        asyncio.run(_evening(served, disk, match, made))
        assert match.open.view()["room_sequence"] == 5
        made_there = [call["call"] for call in match.open.view()["board"]["auction"]]
        assert made_there == ["1NT", "Pass", "Pass", "Pass"]
    served.kill()
    done = command("check", data=served.data)
    assert (done.returncode, done.stdout) == (0, "")


async def _evening(served: Served, disk: Disk, match: Entered, made: list[Any]) -> None:
    """Before each call but the last the disk fails in another way; viewers look on all the time."""
    viewers = Viewer(f"/matches/{match.id}/events"), Viewer(f"/matches/{match.id}/events", every=1)
    async with watching(served, *viewers) as client:
        for count, (number, (reason, chinese)) in enumerate(FAILURES.items()):
            disk.fails(number)
            await asyncio.to_thread(_refused, match, made[count], f"call {count}", reason, chinese)
            assert (await client.get(f"/matches/{match.id}")).status_code == 200
            disk.heals()
            if count == 0:  # without a command: a proxy that leaves the server alone must see it come back
                await asyncio.to_thread(wait_for, lambda: health(served)[0] == 200)
            for _ in range(2):
                answer = await asyncio.to_thread(match.open.send, made[count], key=f"call {count}")
                assert answer.status_code == 201, answer.text
            assert await asyncio.to_thread(health, served) == (200, {"live": True, "ready": True})
        await asyncio.to_thread(match.open.enters, made[3])
        last = (await client.get(match.path)).json()["last_event"]
        await agree(client, last, *viewers)


def _refused(match: Entered, call: Any, key: str, reason: str, chinese: str) -> None:
    for _ in range(2):
        answer = match.open.send(call, key=key)
        told = answer.json()
        assert (answer.status_code, told["error"], told["rule"]) == (503, "unavailable", reason)
        assert "it was not done" in told["message"]
        assert int(answer.headers["retry-after"]) > 0
    language = {"accept-language": "zh", "idempotency-key": key}
    path, body = f"{match.open.path}/commands", {"command": call}
    assert chinese in match.open.client.post(path, json=body, headers=language).json()["message"]
    assert health(match.served) == (503, {"live": True, "ready": False, "reason": reason})

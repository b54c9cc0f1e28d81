"""The README's tour, block by block, in a shell, as its reader would type it."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"<!-- tour(: \w+)? -->\n```sh\n(.*?)```", re.DOTALL)


def blocks() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for kind, text in BLOCK.findall((ROOT / "README.md").read_text()):
        found.setdefault(kind.removeprefix(": ") or "command", []).append(text)
    return found


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder that looks like a clone, with nothing of its own."""
    for name in ("server.py", "broadcast", "teams", "templates"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture
def serving(clone: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    (command,) = blocks()["serve"]
    words = _here(command, port).split()
    process = subprocess.Popen(words, cwd=clone, stderr=subprocess.PIPE, text=True, env=_environment())
    assert process.stderr is not None
    assert f":{port}" in process.stderr.readline()
    yield process
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=15)
    assert process.returncode == 0


def _here(text: str, port: int) -> str:
    return text.replace("8000", str(port)).replace(".venv/bin/python", sys.executable)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("TWINROOM_")}


@pytest.mark.usefixtures("serving")
def test_the_tour_does_what_it_says(clone: Path, port: int) -> None:
    script = "set -e\n" + "\n".join(_here(block, port) for block in blocks()["command"])
    script += '\necho; echo "match $MATCH"\n'
    with httpx.Client(transport=httpx.HTTPTransport(retries=20)) as client:
        assert client.get(f"http://127.0.0.1:{port}/api/matches").status_code == 200
    told = subprocess.run(
        ["bash", "-c", script], cwd=clone, env=_environment(), capture_output=True, text=True, timeout=60
    )
    assert told.returncode == 0, told.stderr
    assert '"event":"board"' in told.stdout
    assert '"call":"1NT"' in told.stdout
    assert "South may not call: it is East's turn" in told.stdout
    match = told.stdout.rsplit("match ", 1)[1].strip()
    (stream,) = blocks()["stream"]
    assert "$MATCH/events" in stream
    with httpx.stream("GET", f"http://127.0.0.1:{port}/matches/{match}/events", timeout=10) as response:
        lines = response.iter_lines()
        assert next(line for line in lines if line.startswith("event:")) == "event: snapshot"

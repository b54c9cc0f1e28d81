"""What whoever starts a server is told when it cannot start: a sentence that says what to do, and status 1."""

import socket
import subprocess
import sys
from pathlib import Path

from broadcast.house.lock import DirectoryLock

ROOT = Path(__file__).resolve().parents[3]


def started(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "server.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_directory_in_use_is_said_in_a_sentence(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path):
        ended = started("--port", "0", "--data", str(tmp_path))
    assert ended.returncode == 1
    assert "Another server uses this data directory" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Twinroom: http" not in ended.stderr  # Nothing is served, so no address is promised.


def test_a_command_says_the_same_of_a_directory_in_use(tmp_path: Path) -> None:
    (tmp_path / "twinroom.sqlite3").touch()
    with DirectoryLock(tmp_path):
        ended = started("user", "token", "ann", "--data", str(tmp_path))
    assert ended.returncode == 1
    assert ended.stderr.startswith("Error: Another server uses this data directory")


def test_a_port_in_use_is_said_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = started("--port", port, "--data", str(tmp_path / "data"))
    assert ended.returncode == 1
    assert ended.stderr == (
        f"Error: cannot listen on 127.0.0.1:{port} (Address already in use): choose another --port\n"
    )
    assert not (tmp_path / "data").exists()


def test_a_setting_that_is_no_number_is_named() -> None:
    ended = started(environment={"TWINROOM_PORT": "eighty"})
    assert ended.returncode == 2
    assert ended.stderr.endswith("Error: in the environment: TWINROOM_PORT is a number, not 'eighty'\n")

"""One server to a data directory, and a lock that dies with its process."""

import subprocess
import sys
from pathlib import Path

import pytest

from broadcast.house.errors import DirectoryInUse
from broadcast.house.lock import DirectoryLock

HOLD = """
import sys
from pathlib import Path
from broadcast.house.lock import DirectoryLock
with DirectoryLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_second_server_is_told_to_stop_the_first_or_use_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with (
        DirectoryLock(data),
        pytest.raises(DirectoryInUse, match="stop it or use its address"),
        DirectoryLock(data),
    ):
        raise AssertionError("held twice")
    with DirectoryLock(data):
        assert (data / "lock").stat().st_mode & 0o777 == 0o600


def test_lock_is_free_again_when_its_process_is_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DirectoryInUse, match=f"process {holder.pid}"):
            DirectoryLock(tmp_path).take()
        holder.kill()
    with DirectoryLock(tmp_path):
        pass

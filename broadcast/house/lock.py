"""One house to a data directory: a lock that the system drops when the process dies, however it dies."""

import fcntl
import os
from pathlib import Path
from typing import Self

from broadcast.house.errors import DirectoryInUse

LOCK_NAME = "lock"


class DirectoryLock:
    """Holds the data directory while entered::

    with DirectoryLock(Path("data")):
        ...
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._descriptor: int | None = None

    def take(self) -> None:
        """Make the directory where there is none and lock it; raises ``DirectoryInUse`` if it is held."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._directory / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise DirectoryInUse(
                f"Another server uses this data directory, {self._directory}"
                + (f" (process {holder})" if holder else "")
                + ": stop it or use its address"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

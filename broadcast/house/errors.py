"""What can go wrong in the house itself, apart from a refused command.

::

    HouseError
    ├── HouseUnavailable       nothing can be written now; reading goes on
    ├── DirectoryInUse         another process writes in this data directory
    ├── DamagedStream          a stream's stored log or feed cannot be gone on from; all others can
    └── UnsoundChange          a stream answered a change that does not fit itself: a fault of ours
"""

from enum import StrEnum

from broadcast.feeds.streams import StreamKey


class HouseError(Exception):
    """The house, not the rules, stands in the way."""


class Unavailable(StrEnum):
    """Why nothing can be stored now."""

    DISK_FULL = "disk_full"
    DISK_READ_ONLY = "disk_read_only"
    DISK_FAILS = "disk_fails"
    """Writing ends in an error, or what is stored cannot be read."""
    STOPPING = "stopping"


_SENTENCES = {
    Unavailable.DISK_FULL: "The server's disk is full: it was not done, try again when there is space",
    Unavailable.DISK_READ_ONLY: "The server's disk takes no writing: it was not done, try again later",
    Unavailable.DISK_FAILS: "The server's disk fails: it was not done, try again later",
    Unavailable.STOPPING: "The server is stopping: it was not done, try again in a moment",
}


class HouseUnavailable(HouseError):
    """The command was not carried out and may be sent again with its key: see ``Unavailable``."""

    def __init__(self, reason: Unavailable) -> None:
        super().__init__(_SENTENCES[reason])
        self.reason = reason


class DirectoryInUse(HouseError):
    """Another process holds the lock on the data directory."""


class DamagedStream(HouseError):
    """What is stored of a stream contradicts itself. It is served to nobody until somebody has looked."""

    def __init__(self, stream: StreamKey, reason: str) -> None:
        super().__init__(f"{stream} is damaged: {reason}")
        self.stream = stream
        self.reason = reason


class UnsoundChange(HouseError):
    """A change whose events or entries do not follow on the stream's own, or that has no end."""

    def __init__(self, stream: StreamKey, reason: str) -> None:
        super().__init__(f"A change of {stream} is unsound: {reason}")
        self.stream = stream
        self.reason = reason

"""What can go wrong in the house itself, apart from a refused command.

::

    HouseError
    ├── HouseUnavailable       nothing can be written now; reading goes on
    ├── DirectoryInUse         another process writes in this data directory
    ├── DamagedStream          a stream's stored log or feed cannot be gone on from; all others can
    └── UnsoundChange          a stream answered a change that does not fit itself: a fault of ours
"""

from broadcast.feeds.streams import StreamKey


class HouseError(Exception):
    """The house, not the rules, stands in the way."""


class HouseUnavailable(HouseError):
    """The command was not carried out and may be sent again: the disk failed, or the house is closing."""


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

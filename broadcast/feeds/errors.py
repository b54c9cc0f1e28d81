"""What can be wrong with a feed that is stored."""

from broadcast.feeds.streams import StreamKey


class BrokenFeed(Exception):
    """The stored public feed is not what the log and the release rule give."""

    def __init__(self, key: StreamKey, *, stored: int, folded: int) -> None:
        super().__init__(f"{key}: the stored feed ends at {stored}, the log gives {folded}")
        self.key = key
        self.stored = stored
        self.folded = folded

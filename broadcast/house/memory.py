"""The streams that the house holds in memory, and when time will change which of them.

Open streams stay; of the others the most recently asked for. Everything here belongs to the event loop, but for
``peek``, which the writer's transaction calls from its thread.
"""

from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from broadcast.feeds.streams import Stream, StreamKey
from broadcast.house.errors import DamagedStream

KEPT = 64
"""How many streams that are not open stay in memory."""


class Memory:
    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._open: dict[StreamKey, Stream] = {}
        self._rest: OrderedDict[StreamKey, Stream] = OrderedDict()
        self._due: dict[StreamKey, datetime] = {}
        self.damaged: dict[StreamKey, DamagedStream] = {}
        """Streams that could not be restored, with the reason."""

    def peek(self, key: StreamKey) -> Stream | None:
        """The stream if it is here."""
        return self._open.get(key) or self._rest.get(key)

    def get(self, key: StreamKey) -> Stream | None:
        """The stream if it is here, from now on the most recently asked for."""
        if key in self._rest:
            self._rest.move_to_end(key)
        return self.peek(key)

    def put(self, streams: Iterable[Stream]) -> None:
        """Hold the streams as they now are, in place of what was held of them."""
        for stream in streams:
            key = stream.key
            self._due.pop(key, None)
            if stream.is_open:
                self._rest.pop(key, None)
                self._open[key] = stream
                due = stream.next_due()
                if due is not None:
                    self._due[key] = due
            else:
                self._open.pop(key, None)
                self._rest[key] = stream
                self._rest.move_to_end(key)
        while len(self._rest) > self._kept:
            self._rest.popitem(last=False)

    @property
    def open_streams(self) -> tuple[StreamKey, ...]:
        """The streams that may still change by themselves."""
        return tuple(self._open)

    def put_off(self, key: StreamKey, until: datetime) -> None:
        """Leave a stream alone for a while that could not be changed when it was due."""
        self._due[key] = until

    def earliest(self) -> datetime | None:
        """The next moment at which time changes a stream."""
        return min(self._due.values(), default=None)

    def due(self, now: datetime) -> list[StreamKey]:
        """The streams that time changes by now, in the order of their moments."""
        found = [(moment, key) for key, moment in self._due.items() if moment <= now]
        return [key for _, key in sorted(found)]

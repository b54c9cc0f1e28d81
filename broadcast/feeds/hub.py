"""The hub: all channels of one server process, their heartbeat, and the end of their streams.

The one writer appends to channels what it has just committed; responses subscribe to them. Nothing here
knows what an event means or who may see it: what is not public never reaches a channel.

How a stream ends, and who wins when several happen at once:

* **The viewer leaves.** The request's task hears ``http.disconnect`` and leaves the subscription, which
  removes the viewer; a write still parked is cancelled. The same on any exception or cancellation.
* **The viewer cannot keep up.** Too many events behind, it is sent no more, and its stream ends in order as
  soon as its connection takes bytes. One write not taken for too long, it is cut off. It comes back with its
  cursor, which is by then answered with a snapshot.
* **The channel is forgotten** (numbered anew, or its match is archived) or **the server stops**. What is
  pending goes out, then a ``retry:`` that differs from viewer to viewer, so that they come back strewn over
  several seconds, then the end of the response.
* **Its send fails.** Only this viewer ends; the error is its request's.

The last body may be written only once, by whoever sets ``Viewer.is_over`` first; the request's task never
writes. Parking and waking run on one event loop, so no lock is needed. There is no state outside the hub:
two applications in two loops have nothing in common.
"""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Final

from broadcast.feeds.channels import Channel
from broadcast.feeds.frames import PING, Frame
from broadcast.feeds.pace import Pace
from broadcast.feeds.pieces import Piece


class Hub:
    """Channels by key. Everything is called from the event loop that serves the streams."""

    def __init__(self, pace: Pace | None = None) -> None:
        self.pace: Final = pace or Pace()
        self._channels: dict[str, Channel] = {}
        self._forgotten: list[Channel] = []
        """Channels some of whose viewers have not yet taken the end of their stream."""
        self._ping: Final = Piece.of(PING, 0)
        self._watch: asyncio.TimerHandle | None = None
        self._is_closed = False
        self._delivered = 0
        self._dropped = 0

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    @property
    def delivered(self) -> int:
        """Times that a broadcast brought a viewer up to date, since the start."""
        return self._delivered + sum(channel.delivered for channel in self._all())

    @property
    def dropped(self) -> int:
        """Viewers let go because they did not keep up, since the start."""
        return self._dropped + sum(channel.dropped for channel in self._all())

    def _all(self) -> Iterator[Channel]:
        """Every channel with viewers or figures of its own."""
        yield from self._channels.values()
        yield from self._forgotten

    @property
    def viewers(self) -> int:
        """Streams now open, in all channels."""
        return sum(channel.viewers for channel in self._all())

    @property
    def channels(self) -> Iterable[Channel]:
        """All of them, the longest unused first."""
        return self._channels.values()

    def find(self, key: str) -> Channel | None:
        return self._channels.get(key)

    def used(self, key: str) -> Channel | None:
        """The channel for somebody who will follow it: from now on the most recently used."""
        channel = self._channels.pop(key, None)
        if channel is not None:
            self._channels[key] = channel
        return channel

    def open(
        self,
        key: str,
        *,
        epoch: int | None,
        last_number: int = 0,
        floor: int | None = None,
        frames: Iterable[Frame] = (),
    ) -> Channel:
        """A new channel under ``key``, see ``Channel``. Raises ``ValueError`` when the key is taken."""
        if key in self._channels:
            raise ValueError(f"Channel {key} is open already")
        channel = Channel(key, self.pace, epoch=epoch, last_number=last_number, floor=floor, frames=frames)
        self._channels[key] = channel
        if self._is_closed:
            channel.close()
        elif self._watch is None:
            self._watch_later()
        return channel

    def forget(self, key: str) -> None:
        """End the channel's streams and drop it; does nothing when there is none."""
        channel = self._channels.pop(key, None)
        if channel is not None:
            channel.close()
            self._forgotten.append(channel)

    def close(self) -> None:
        """End all streams in order, and those that still come. Closing again does nothing."""
        self._is_closed = True
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        for channel in self._channels.values():
            channel.close()

    def _watch_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._watch = loop.call_later(self.pace.watch_seconds, self._watch_viewers)

    def _watch_viewers(self) -> None:
        self._watch = None
        now = asyncio.get_running_loop().time()
        for channel in self._forgotten:
            if not channel.viewers:
                self._delivered += channel.delivered
                self._dropped += channel.dropped
        self._forgotten = [channel for channel in self._forgotten if channel.viewers]
        for channel in self._all():
            channel.watch(self._ping, now)
        if self._channels or self._forgotten:
            self._watch_later()

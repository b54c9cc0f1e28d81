"""From the feed to the hub: committed entries become frames, once per encoding, for whoever watches.

A channel exists while somebody asks for it. It is filled from the stored feed and from then on by
``on_commit``; filling ends in the same step of the event loop in which the stream in memory was found not to
stand beyond the last entry read, so nothing falls between. Between a commit and its being told storage is
ahead: what a channel has read by then, ``on_commit`` does not add again. Private streams of a match's log (an
operator's room, the director's desk) are channels too; their frames are role views.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import msgspec

from broadcast.bridge.rooms import Room
from broadcast.feeds.channels import Channel
from broadcast.feeds.cursor import KEPT_EVENTS, Cursor
from broadcast.feeds.frames import Frame
from broadcast.feeds.hub import Hub
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.role_views import Logged, match_log, room_log
from broadcast.feeds.streams import Change, Published, Stream, StreamKey
from broadcast.tables.events import MatchEvent, rooms_of
from broadcast.tables.recorded import Recorded

LOG = logging.getLogger(__name__)

Log = Sequence[Recorded[MatchEvent]]

PRIVATE = "log"
"""Kind of the private channels of a match."""
MOST_CHANNELS = 60
"""Channels without viewers beyond this number are let go, the longest unused first."""


class Shown(Protocol):
    """A stream with a public state to show."""

    @property
    def number(self) -> int: ...

    def snapshot(self, *, hidden: bool = False) -> dict[str, Any] | None: ...


class Feeds(Protocol):
    """Where stored entries and current streams are read; the writer fulfils it."""

    async def stream(self, key: StreamKey) -> Stream | None: ...

    async def feed(self, key: StreamKey, after: int = 0, limit: int = -1) -> list[Published]: ...


@dataclass(frozen=True, slots=True)
class Encoding:
    """Which of a feed's events a channel shows."""

    hidden: bool = False
    room: Room | None = None

    def __str__(self) -> str:
        return f"{'hidden' if self.hidden else 'whole'}/{self.room or 'both'}"

    def frames(self, epoch: int, entries: Iterable[Published]) -> list[Frame]:
        """The entries as this channel sends them; what it leaves out is not among them."""
        frames: list[Frame] = []
        for entry in entries:
            event = entry.event
            data = event.hidden if self.hidden else event.data
            if data is None or (self.room is not None and event.room not in (None, self.room)):
                continue
            frames.append(Frame.numbered(epoch, entry.number, event.name, msgspec.json.encode(data)))
            if event.aside is not None and not self.hidden:
                frames.append(Frame.rider(entry.number, "worth", msgspec.json.encode(event.aside)))
        return frames


ENCODINGS = tuple(Encoding(hidden, room) for hidden in (False, True) for room in (None, *Room))


class Publishing:
    """The channels of a house and the snapshots that open them."""

    def __init__(self, hub: Hub, epoch: int, feeds: Feeds) -> None:
        self.hub = hub
        self.epoch = epoch
        self._feeds = feeds
        self._streams: dict[StreamKey, Stream] = {}
        """Current streams of the channels that are open."""
        self._snapshots: dict[tuple[StreamKey, bool], tuple[int, bytes]] = {}

    def on_commit(self, changes: Sequence[Change]) -> None:
        """Called by the writer after each commit, in the event loop."""
        for change in changes:
            key = change.stream.key
            if key in self._streams:
                self._streams[key] = change.stream
            try:
                self._append_private(change)
                self._append_public(change)
            except Exception:
                # A channel that missed an entry would leave a gap; refilled from the stored feed it has none.
                LOG.exception("The channels of %s are filled anew", key)
                for name in [channel.key for channel in self.hub.channels if _stream_of(channel.key) == key]:
                    self.hub.forget(name)

    def _append_public(self, change: Change) -> None:
        if not change.published:
            return
        for encoding in ENCODINGS:
            channel = self.hub.find(f"{change.stream.key}/{encoding}")
            if channel is not None:
                new = [entry for entry in change.published if entry.number > channel.last_number]
                channel.append(encoding.frames(self.epoch, new), change.published[-1].number)

    async def channel(self, key: StreamKey, encoding: Encoding) -> Channel | None:
        """The public channel of a stream, filled and live; ``None`` where there is no such stream."""
        name = f"{key}/{encoding}"
        found = self.hub.used(name)
        if found is not None:
            return found
        entries: list[Published] = []
        while True:
            stream = await self._feeds.stream(key)
            if stream is None:
                return None
            known = entries[-1].number if entries else max(0, stream.number - KEPT_EVENTS)
            if stream.number > known:
                entries += await self._feeds.feed(key, known)
                continue
            found = self.hub.find(name)
            if found is not None:
                return found
            self._let_go()
            self._streams[key] = stream
            return self.hub.open(
                name,
                epoch=self.epoch,
                last_number=stream.number,
                floor=entries[0].number - 1 if entries else stream.number,
                frames=encoding.frames(self.epoch, entries),
            )

    def snapshot(self, key: StreamKey, encoding: Encoding) -> Frame:
        """The whole public state as of now, made when somebody asks and kept until something changes."""
        number, data = self.snapshot_data(key, encoding.hidden)
        return Frame.numbered(self.epoch, number, "snapshot", data)

    def snapshot_data(self, key: StreamKey, hidden: bool) -> tuple[int, bytes]:
        """Number and JSON of the current snapshot of a stream whose channel is open."""
        stream = self._streams[key]
        kept = self._snapshots.get((key, hidden))
        if kept is not None and kept[0] == stream.number:
            return kept
        whole = cast(Shown, stream).snapshot(hidden=hidden) or {}
        data = msgspec.json.encode(whole | {"last_event": str(Cursor(self.epoch, stream.number))})
        self._snapshots[key, hidden] = (stream.number, data)
        return stream.number, data

    def current(self, key: StreamKey) -> Stream:
        """The stream as of the last commit, of a channel that is open."""
        return self._streams[key]

    # --- private streams ----------------------------------------------------------------------------------

    async def private_channel(
        self,
        name: str,
        key: StreamKey,
        log: Callable[[int], Awaitable[Log]],
        view: Callable[[Log], Iterable[Logged]],
    ) -> Channel:
        """A channel of log events that one role may see: ``log`` reads them after a sequence, ``view`` shows
        them.

        Its numbers are the room's or the match's sequence; ``room_channel`` and ``desk_channel`` name them.
        What is committed while it is being filled is read on from there, however busy the rooms are.
        """
        recorded: list[Recorded[MatchEvent]] = []
        while True:
            found = self.hub.used(name)
            if found is not None:
                return found
            recorded += await log(recorded[-1].sequence if recorded else 0)
            current = await self._feeds.stream(key)
            known = recorded[-1].sequence if recorded else 0
            if current is not None and current.sequence <= known and self.hub.find(name) is None:
                self._let_go()
                self._streams[key] = current
                frames = [logged_frame(each) for each in view(recorded)]
                return self.hub.open(
                    name,
                    epoch=None,
                    last_number=frames[-1].number if frames else 0,
                    floor=0,
                    frames=frames,
                )

    def _append_private(self, change: Change) -> None:
        stream = change.stream
        if not isinstance(stream, MatchStream) or stream.match is None or not change.recorded:
            return
        recorded = cast(tuple[Recorded[MatchEvent], ...], change.recorded)
        desk = self.hub.find(desk_channel(stream.id))
        if desk is not None:
            _append_new(desk, match_log(recorded))
        for room in Room:
            channel = self.hub.find(room_channel(stream.id, room))
            concerning = [each for each in recorded if room in rooms_of(each.event)]
            if channel is not None and concerning:
                first = stream.match.room_sequences[room] - len(concerning) + 1
                _append_new(channel, room_log(concerning, room, first))

    def _let_go(self) -> None:
        idle = [channel.key for channel in self.hub.channels if channel.is_idle]
        for name in idle[: max(0, len(idle) - MOST_CHANNELS)]:
            self.hub.forget(name)
        held = {tuple(channel.key.split("/")[:2]) for channel in self.hub.channels}
        held |= {(MATCH, id) for kind, id in held if kind == PRIVATE}
        self._streams = {key: stream for key, stream in self._streams.items() if tuple(key) in held}
        self._snapshots = {
            (key, hidden): kept for (key, hidden), kept in self._snapshots.items() if key in self._streams
        }


def _stream_of(channel: str) -> StreamKey:
    """The stream that a channel shows; a private one shows a match."""
    kind, id = channel.split("/")[:2]
    return StreamKey(MATCH if kind == PRIVATE else kind, id)


def room_channel(match: str, room: Room) -> str:
    """The operator's channel of one room."""
    return f"{PRIVATE}/{match}/{room}"


def desk_channel(match: str) -> str:
    """The director's channel of a match."""
    return f"{PRIVATE}/{match}/desk"


def _append_new(channel: Channel, events: Iterable[Logged]) -> None:
    """Add what the channel had not read yet when it was filled."""
    channel.append([logged_frame(each) for each in events if each.number > channel.last_number])


def logged_frame(logged: Logged) -> Frame:
    return Frame.numbered(None, logged.number, logged.name, msgspec.json.encode(logged.data))

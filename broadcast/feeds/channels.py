"""A channel: the frames of one feed in one encoding, and the viewers who follow it.

The frames are an append-only list of bytes made once; a viewer is a position in it. What is pending for one
position is joined once and shared by all who stand there. An append schedules one broadcast, which steps all
viewers in turn: at once when the channel was idle, else after a short hold, so that a burst goes out in one
write. A broadcast to many viewers gives the event loop back between slices.

Numbers may skip: a one-room stream holds a part of the feed's events, yet knows how far the whole feed is.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from starlette.types import Send

from broadcast.feeds.cursor import KEPT_EVENTS, Cursor, Resumption, decide_resume
from broadcast.feeds.frames import Frame, encode_retry
from broadcast.feeds.pace import FAREWELL_RETRY_SECONDS, Pace, spread
from broadcast.feeds.pieces import Direct, Piece
from broadcast.feeds.viewers import Viewer

PIECE_BYTES: Final = 128 * 1024
"""The most that is joined into one write. It bounds what a stalled viewer can hold of the server's memory,
and is enough for 500 events of the usual size."""
SHARED_PIECES: Final = 16
"""How many joined pieces are remembered between two appends."""
SLICE: Final = 500
"""Viewers written to before other work gets its turn, some 5 ms."""
TRIM_EVENTS: Final = 500
"""Old frames are let go of in lots of so many events."""


class Channel:
    """Append-only frames under a key such as ``match/m7k2/whole/both``. Belongs to one event loop."""

    def __init__(
        self,
        key: str,
        pace: Pace,
        *,
        epoch: int | None,
        last_number: int = 0,
        floor: int | None = None,
        frames: Iterable[Frame] = (),
    ) -> None:
        """``frames`` are what of the feed up to ``last_number`` can still be sent, all above ``floor``.

        Without frames nothing up to ``last_number`` can be, so the floor is there; with frames it lies
        just under the first, unless the caller knows that the part below was only filtered out.
        ``epoch`` is ``None`` for a private stream of the log, whose ids are bare numbers.
        """
        self.key = key
        self.epoch = epoch
        self.end = 0
        """The index that the next frame will have; an attribute, as every write to a viewer asks for it."""
        self.delivered = 0
        """Times that a broadcast brought a viewer up to date."""
        self.dropped = 0
        """Viewers let go because they did not keep up."""
        self.awaited = 0
        """Responses that have the channel and whose viewer has not been entered yet."""
        self._pace = pace
        self._frames: list[Frame] = []
        self._first = 0
        """Index, counted from the channel's first frame ever, of the first one still held."""
        self._last_number = 0
        self._floor = 0
        self._pending: dict[int, Piece] = {}
        self._viewers: dict[Viewer, None] = {}
        self._turn = 0
        self._scheduled: asyncio.Handle | None = None
        self._round_end = 0
        self._round_ended = 0.0
        self._is_closed = False
        self._add(frames, last_number)
        if floor is None:
            floor = self._frames[0].number - 1 if self._frames else last_number
        self._floor = floor

    @property
    def last_number(self) -> int:
        """Number of the feed's last event, whether or not this channel shows it; 0 in an empty feed."""
        return self._last_number

    @property
    def last_cursor(self) -> Cursor:
        """The cursor of a viewer who has everything."""
        return Cursor(self.epoch, self._last_number)

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    @property
    def is_idle(self) -> bool:
        """Whether nobody follows the channel or is about to."""
        return not self._viewers and not self.awaited

    def append(self, frames: Iterable[Frame], last_number: int | None = None) -> None:
        """Add events that have just become public and wake the viewers.

        ``last_number`` is how far the feed now is, where this channel leaves its last events out. Raises
        ``ValueError`` when a frame is not above those before it: an event is published once.
        """
        self._add(frames, last_number or 0)
        self._pending.clear()
        self._trim()
        if self._viewers and self._scheduled is None:
            self._schedule()

    def resume(self, cursor: str | Cursor | None) -> Resumption:
        """What a viewer who comes with ``cursor`` is owed."""
        kept = min(KEPT_EVENTS, self._last_number - self._floor)
        return decide_resume(cursor, self.epoch, self._last_number, kept)

    def after(self, number: int) -> Iterator[Frame]:
        """The frames that follow event ``number``, its own riders first."""
        return islice(self._frames, self._index(number) - self._first, None)

    def subscribe(
        self,
        send: Send,
        opening: bytes,
        after: int,
        *,
        with_riders: bool = True,
        connection: Direct | None = None,
    ) -> Viewer:
        """A viewer to be entered by the task of its request; leaving the context removes it for sure.

        It is sent ``opening``, then every frame that follows event ``after`` as it comes. Riders of that
        event are sent again to a viewer who resumes, since the connection may have broken just before
        them; a snapshot has them inside, hence ``with_riders``.
        """
        return Viewer(self, send, opening, self._index(after, past_riders=not with_riders), connection)

    def retry(self, seconds: tuple[float, float]) -> bytes:
        """A ``retry:`` message whose time differs from viewer to viewer."""
        self._turn += 1
        return encode_retry(spread(self._turn, *seconds))

    def admit(self, viewer: Viewer) -> None:
        """Count the viewer in and write what it is owed (called by the viewer as it is entered)."""
        self._viewers[viewer] = None
        now = asyncio.get_running_loop().time()
        viewer.advance(now)
        if self._is_closed:
            viewer.end(self.retry(FAREWELL_RETRY_SECONDS), now)

    def dismiss(self, viewer: Viewer) -> None:
        """Forget the viewer (called by the viewer as it is left)."""
        self._viewers.pop(viewer, None)

    def pending(self, position: int) -> Piece | None:
        """The next piece of what follows ``position``.

        ``None`` where the frames there are no longer held: a viewer left so far behind is dropped.
        """
        piece = self._pending.get(position)
        if piece is None:
            if position < self._first:
                self.dropped += 1
                return None
            piece = self._join(position)
            if len(self._pending) >= SHARED_PIECES:
                self._pending.clear()
            self._pending[position] = piece
        return piece

    def watch(self, ping: Piece, now: float) -> None:
        """Ping the viewers who have heard nothing for long, and cut off the ones who take nothing."""
        silent_before = now - self._pace.heartbeat_seconds
        stalled_before = now - self._pace.slow_seconds
        silent = []
        for viewer in self._viewers:
            if viewer.is_parked:
                if viewer.waiting_since < stalled_before:
                    self.dropped += 1
                    viewer.cut()
            elif viewer.sent_at <= silent_before:
                silent.append(viewer)
        if silent:
            self._in_slices(silent, lambda viewer, at: viewer.ping(ping, at))

    def close(self) -> None:
        """End every stream in order, each viewer told to come back at another moment.

        Whoever still joins is served and sent away likewise. Closing again does nothing.
        """
        self._is_closed = True
        now = asyncio.get_running_loop().time()
        for viewer in list(self._viewers):
            viewer.end(self.retry(FAREWELL_RETRY_SECONDS), now)

    def _add(self, frames: Iterable[Frame], last_number: int) -> None:
        for frame in frames:
            last = self._frames[-1].number if self._frames else self._floor
            if frame.number < last or (frame.number <= self._last_number and not frame.is_rider):
                raise ValueError(f"Event {frame.number} is not after event {self._last_number} of {self.key}")
            self._frames.append(frame)
            self.end += 1
            self._last_number = max(self._last_number, frame.number)
        self._last_number = max(self._last_number, last_number)

    def _join(self, position: int) -> Piece:
        messages: list[bytes] = []
        size = 0
        for frame in islice(self._frames, position - self._first, None):
            size += len(frame.message)
            if messages and size > PIECE_BYTES:
                break
            messages.append(frame.message)
        return Piece.of(b"".join(messages), position + len(messages))

    def _index(self, number: int, *, past_riders: bool = False) -> int:
        """Index of the first frame behind event ``number``."""
        return self._first + bisect_right(self._frames, (number, past_riders), key=_order)

    def _trim(self) -> None:
        """Let go of frames that no cursor can ask for any more."""
        floor = self._last_number - KEPT_EVENTS
        if floor - self._floor >= TRIM_EVENTS:
            index = self._index(floor, past_riders=True)
            del self._frames[: index - self._first]
            self._first = index
            self._floor = floor

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        hold = self._round_ended + self._pace.hold_seconds - loop.time()
        # Even an idle channel waits for the loop's next turn: what one transaction released goes out together.
        self._scheduled = (
            loop.call_later(hold, self._broadcast) if hold > 0 else loop.call_soon(self._broadcast)
        )

    def _broadcast(self) -> None:
        self._round_end = self.end
        self._in_slices(list(self._viewers), self._bring_up_to_date, self._finish_round)

    def _finish_round(self) -> None:
        self._round_ended = asyncio.get_running_loop().time()
        self._scheduled = None
        if self.end > self._round_end:
            self._schedule()

    def _bring_up_to_date(self, viewer: Viewer, now: float) -> None:
        self.delivered += 1
        piece = self._pending.get(viewer.position)
        if piece is not None and piece.write(viewer.direct, viewer.descriptor):
            viewer.position = piece.end
            viewer.sent_at = now
        if viewer.position == self.end:
            return
        if not viewer.is_parked:
            viewer.advance(now)
        elif self.end - viewer.position > self._pace.slow_events and viewer.let_go():
            self.dropped += 1

    def _in_slices(
        self,
        viewers: list[Viewer],
        step: Callable[[Viewer, float], None],
        finish: Callable[[], None] | None = None,
        begin: int = 0,
    ) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for viewer in islice(viewers, begin, begin + SLICE):
            step(viewer, now)
        if begin + SLICE < len(viewers):
            loop.call_soon(self._in_slices, viewers, step, finish, begin + SLICE)
        elif finish is not None:
            finish()


def _order(frame: Frame) -> tuple[int, bool]:
    return frame.number, frame.is_rider

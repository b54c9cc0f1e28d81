"""One viewer of a channel: a connection's ``send``, and a position in the channel's frames.

A viewer has no queue and, while it keeps up, no task of its own: the channel steps its ``send`` coroutine,
which runs through in one step as long as the connection takes bytes. When it suspends (the server's write
buffer is past its mark) the viewer is *parked*: a task of its own waits for the buffer, writes on from the
viewer's position until it has caught up, and ends.
"""

import asyncio
import sys
from collections.abc import Awaitable, Generator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from starlette.types import Message, Send

from broadcast.feeds.pieces import BODY, Direct, Piece

if TYPE_CHECKING:
    from broadcast.feeds.channels import Channel


_NOTHING_MORE: Final = sys.maxsize
"""The position of a viewer that is sent no more frames."""

_Steps = Generator[Any, Any, Any]


class Viewer:
    """Entered by the task of its request, which waits inside for the client to go; leaving removes it.

    Whoever ends the stream from this side (``end``, ``cut``, a failing ``send``) cancels that task, and
    leaving the context swallows this cancellation and no other.
    """

    __slots__ = (
        "_catching_up",
        "_channel",
        "_error",
        "_farewell",
        "_is_woken",
        "_opening",
        "_request",
        "_send",
        "_transport",
        "_waking",
        "descriptor",
        "direct",
        "is_over",
        "is_parked",
        "position",
        "sent_at",
        "waiting_since",
    )

    def __init__(
        self,
        channel: "Channel",
        send: Send,
        opening: bytes,
        position: int,
        connection: Direct | None = None,
    ) -> None:
        self._channel = channel
        self._send = send
        self._transport = None if connection is None else connection.transport
        self.descriptor = None if connection is None else connection.descriptor
        """The socket of ``direct``, where it may be written to past that, too."""
        self._opening = opening
        self._request: asyncio.Task[Any] | None = None
        self._catching_up: asyncio.Task[None] | None = None
        self._farewell: bytes | None = None
        self._error: Exception | None = None
        self._waking: asyncio.Handle | None = None
        self._is_woken = False
        self.direct: asyncio.WriteTransport | None = None
        """The transport, while it may be written to past ``send``: nothing is begun, waiting or ending."""
        self.position = position
        """Index of the next frame to write, counted from the channel's first ever."""
        self.sent_at = 0.0
        """Loop time of the last write."""
        self.waiting_since = 0.0
        """Loop time at which the write that is parked now began."""
        self.is_parked = False
        """Whether a write is waiting for the connection to take it."""
        self.is_over = False
        """Whether nothing may be written any more."""

    def __enter__(self) -> "Viewer":
        self._request = asyncio.current_task()
        self._channel.admit(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.is_over = True
        self.direct = None
        self._channel.dismiss(self)
        if self._catching_up is not None:
            self._catching_up.cancel()
        if self._waking is not None:
            self._waking.cancel()
        if kind is not asyncio.CancelledError or not self._is_woken or self._request is None:
            return False
        if self._request.uncancel() > 0:
            return False
        if self._error is not None and not isinstance(self._error, OSError):
            raise self._error
        # An OSError from send is how a server says that the client has gone.
        return True

    def advance(self, now: float) -> None:
        """Write all that is pending as far as the connection takes it, without waiting."""
        while not (self.is_parked or self.is_over):
            message = self._next_message(now)
            if message is None:
                break
            self.sent_at = now
            if self._step(self._send(message), now) and not message["more_body"]:
                self._wake_request()
        self.direct = None if self.is_parked or self.is_over else self._transport

    def ping(self, ping: Piece, now: float) -> None:
        """Write a heartbeat to a viewer that is silent because nothing happens."""
        if not self.is_parked and not self.is_over:
            self.sent_at = now
            if not ping.write(self.direct, self.descriptor):
                self._step(self._send(ping.message), now)

    def end(self, farewell: bytes, now: float) -> None:
        """Close the stream in order: what is pending, the farewell, and the response is complete.

        A parked viewer gets it when its connection takes bytes again.
        """
        if self._farewell is None:
            self._farewell = farewell
            self.advance(now)

    def let_go(self) -> bool:
        """Close the stream of a viewer too far behind: nothing more that is pending, only the end.

        Whether it had not been let go before.
        """
        is_new = self.position != _NOTHING_MORE
        self.position = _NOTHING_MORE
        self.direct = None
        if self._farewell is None:
            self._farewell = b""
        return is_new

    def cut(self) -> None:
        """Break the stream off: a viewer that takes nothing cannot be told that it is over."""
        self.is_over = True
        self.direct = None
        self._wake_request()

    def _next_message(self, now: float) -> Message | None:
        """What ``send`` has to write: the opening, then pieces, then the farewell; ``None`` when all is done.

        Pieces are written to the connection directly as far as that goes: then the bytes that a stalled one
        does not take are shared with everybody else's.
        """
        if self._opening:
            opening, self._opening = self._opening, b""
            return {"type": BODY, "body": opening, "more_body": True}
        channel = self._channel
        while self.position < channel.end:
            piece = channel.pending(self.position)
            if piece is None:
                self.let_go()
                break
            self.position = piece.end
            if not piece.write(self._transport, self.descriptor):
                return piece.message
            self.sent_at = now
        if self._farewell is None:
            return None
        self.is_over = True
        return {"type": BODY, "body": self._farewell, "more_body": False}

    def _step(self, sending: Awaitable[None], now: float) -> bool:
        """Run ``send`` to its end if it does not wait; else park it. Whether it ended well."""
        steps: _Steps = sending.__await__()
        try:
            waited = next(steps)
        except StopIteration:
            return True
        except Exception as error:
            # One connection's failure is its own: the broadcast goes on to the others.
            self._fail(error)
            return False
        self.is_parked = True
        self.direct = None
        self.waiting_since = now
        self._catching_up = asyncio.get_running_loop().create_task(self._catch_up(steps, waited))
        return False

    async def _catch_up(self, steps: _Steps, waited: object) -> None:
        """Wait for the parked write, then write on until nothing is pending."""
        loop = asyncio.get_running_loop()
        try:
            await _Suspended(steps, waited)
        except Exception as error:
            self._fail(error)
        self.is_parked = False
        self._catching_up = None
        if self.is_over:
            self._wake_request()
        else:
            self.advance(loop.time())

    def _fail(self, error: Exception) -> None:
        self._error = error
        self.is_over = True
        self.direct = None
        self._wake_request()

    def _wake_request(self) -> None:
        # In a turn of its own: cancelled while it runs, the task would carry the cancellation out of the
        # context with it.
        if self._waking is None:
            self._waking = asyncio.get_running_loop().call_soon(self._cancel_request)

    def _cancel_request(self) -> None:
        if self._request is not None:
            self._is_woken = True
            self._request.cancel()


class _Suspended:
    """A coroutine that was stepped outside a task and now waits: awaited, it goes on inside one."""

    __slots__ = ("_steps", "_waited")

    def __init__(self, steps: _Steps, waited: object) -> None:
        self._steps = steps
        self._waited = waited

    def __await__(self) -> _Steps:
        waited = self._waited
        try:
            while True:
                try:
                    answer = yield waited
                except BaseException as error:
                    waited = self._steps.throw(error)
                else:
                    waited = self._steps.send(answer)
        except StopIteration:
            return

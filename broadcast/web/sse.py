"""The response that is a stream: one viewer of one channel, as server-sent events.

sse-starlette's ``EventSourceResponse`` gives the headers, the answer to HEAD and the contract with Starlette.
Its way of running a stream is replaced: four tasks, a lock and a ping per viewer cost three times the memory
and four times the time of what is left here, one task that waits for the client to go while the hub writes.
So the library's pings, send timeout and shutdown watcher play no part; ``broadcast.feeds.hub`` lists how a
stream ends.

The hub steps the server's ``send`` outside a task. That holds for ``send`` as servers give it and for plain
ASGI wrappers around it, and not for wrappers that need a current task (``BaseHTTPMiddleware``, timeouts):
stream routes stay clear of those.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final
from urllib.parse import parse_qs

from sse_starlette.sse import EventSourceResponse
from starlette.types import Receive, Scope, Send

from broadcast.feeds.channels import Channel
from broadcast.feeds.cursor import Reset, Tail
from broadcast.feeds.frames import Frame, encode_reset
from broadcast.feeds.pace import RETRY_SECONDS
from broadcast.feeds.viewers import Viewer
from broadcast.web.direct_writing import connection

PUBLIC_HEADERS: Final = {
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Public streams may be read from any site. ``Cache-Control: no-store`` and ``X-Accel-Buffering: no`` (do not
buffer, nginx) are the library's."""


ASK_AGAIN_SECONDS = 15.0
"""So long at most a private stream outlives the token or session that opened it."""

KEPT: Final = frozenset({"type", "method"})
"""What of a request is held as long as its stream: a server asks again how it was asked."""


def requested_cursor(scope: Scope) -> str | None:
    """The cursor a client sent: the ``Last-Event-ID`` header, else ``?after=``; ``None`` where it sent none.

    The header is what a browser adds when it reconnects, so it is newer than the address it was given.
    """
    for name, value in scope["headers"]:
        if name == b"last-event-id" and value:
            return str(value, "latin-1")
    query: bytes = scope.get("query_string", b"")
    if b"after=" not in query:
        return None
    values = parse_qs(query.decode("latin-1")).get("after", [""])
    return values[-1] or None


class StreamResponse(EventSourceResponse):
    """A channel from a cursor on, or from a snapshot where there is nothing to continue."""

    def __init__(
        self,
        channel: Channel,
        cursor: str | None,
        snapshot: Callable[[], Frame],
        headers: Mapping[str, str] = PUBLIC_HEADERS,
        is_allowed: Callable[[], Awaitable[bool]] | None = None,
        place: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """``snapshot`` makes the whole state as of the channel's last event, when it is needed and not before.

        It is called in the same step of the event loop in which the viewer joins, so that snapshot and tail
        fit without gap or overlap; its frame's number says where the tail begins. ``is_allowed`` is asked every
        ``ASK_AGAIN_SECONDS`` of a private stream whether its viewer may still see it; ``place`` is its place
        among the viewers, taken as long as it runs. A public stream's is taken before it is answered.
        """
        super().__init__(_nothing(), headers=headers, ping=0, sep="\n")
        self._channel = channel
        self._cursor = cursor
        self._snapshot = snapshot
        self._is_allowed = is_allowed
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await super().__call__(scope, receive, send)
            return
        with self._place():
            self._channel.awaited += 1  # or it may be let go, and its stream with it, while the start is sent
            try:
                await send(
                    {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
                )
            finally:
                self._channel.awaited -= 1
            self.raw_headers = []  # sent; of ten thousand viewers they would be twelve megabytes
            if self._is_allowed is None:  # whether somebody still may see a private stream can depend on it
                for heard in scope.keys() - KEPT:  # a browser sends two kilobytes of headers
                    del scope[heard]
            with self._join(send) as viewer:
                asking = (
                    None if self._is_allowed is None else asyncio.create_task(_ask(viewer, self._is_allowed))
                )
                try:
                    message = await receive()
                    while message["type"] != "http.disconnect":
                        message = await receive()
                finally:
                    if asking is not None:
                        asking.cancel()

    def _join(self, send: Send) -> Viewer:
        """Decide what the viewer is owed and place it, without a moment between."""
        channel = self._channel
        opening = channel.retry(RETRY_SECONDS)
        decision = channel.resume(self._cursor)
        direct = connection(send)
        if isinstance(decision, Tail):
            return channel.subscribe(send, opening, decision.after, connection=direct)
        if isinstance(decision, Reset):
            opening += encode_reset(decision.reason)
        snapshot = self._snapshot()
        opening += snapshot.message
        return channel.subscribe(send, opening, snapshot.number, with_riders=False, connection=direct)


async def _ask(viewer: Viewer, is_allowed: Callable[[], Awaitable[bool]]) -> None:
    """End the stream in order once its viewer may not see it any more: coming back, it learns why."""
    while True:
        await asyncio.sleep(ASK_AGAIN_SECONDS)
        if not await is_allowed():
            viewer.end(b"", asyncio.get_running_loop().time())
            return


async def _nothing() -> AsyncIterator[bytes]:
    """The content the library asks for; the hub writes instead."""
    for chunk in tuple[bytes, ...]():
        yield chunk

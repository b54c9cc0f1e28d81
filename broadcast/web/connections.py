"""HTTP connections with bounds: how large a request's head may be, and how long a request may take to come.

uvicorn's protocol bounds neither, as servers behind a proxy need not. Whoever opens connections and says
nothing, a byte now and then, or headers without end, is let go here. Bodies have their sizes where they are
read (``broadcast.web.requests``); answers that nobody takes end in the kernel (``broadcast.web.serving``).

This overrides callbacks of the parser, whose names httptools documents, and reads no more of uvicorn's own
state than whether an answer has started.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_HEAD_BYTES: Final = 32 * 1024
"""Of a request's line and headers together, with what comes after a body in chunks."""
MOST_HEADERS: Final = 100
HEAD_SECONDS: Final = 20.0
"""From opening a connection, or from the first byte of a further request, to the end of its head."""
BODY_SECONDS: Final = 120.0
"""From the end of the head to the end of the body: the largest, 4 MiB, at 35 kB a second."""


class HeadTooLarge(Exception):
    """A request's head goes beyond its bound."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection. The bounds are attributes, for tests to make them small.

    Its own state lies in slots: with more names in it the instance's dictionary would no longer share its keys,
    and each of ten thousand connections would have one kilobyte more.
    """

    __slots__ = (
        "_has_heard",
        "_head_bytes",
        "_headers",
        "_in_body",
        "_in_head",
        "_timed_body",
        "_timer",
        "_unheard",
    )

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._timed_body = False
        """What the timer waits for, a body or a head."""
        self._in_body = False
        self._in_head = True
        self._head_bytes = 0
        self._headers = 0
        self._unheard = 0
        """Bytes in a row that completed nothing: a header, or the size of a chunk, that does not end."""
        self._has_heard = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_heard = False
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._has_heard:
            self._unheard = 0
        else:  # also blank lines between requests, which the parser passes over
            self._in_head = self._in_head or not self._in_body
            self._unheard += len(data)
            if self._unheard > MOST_HEAD_BYTES:
                self._refuse(431, "Request Header Fields Too Large")
        self._watch()

    # What the parser calls

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._has_heard, self._in_head, self._in_body = True, True, False
        self._head_bytes = self._headers = 0

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        self._count(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._has_heard, self._in_head, self._in_body = True, False, True

    def on_chunk_header(self) -> None:
        self._has_heard = True

    def on_body(self, body: bytes) -> None:
        self._has_heard = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._has_heard, self._in_body = True, False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._head_bytes > MOST_HEAD_BYTES or self._headers > MOST_HEADERS:
            self._refuse(431, "Request Header Fields Too Large")
        else:
            super().send_400_response(msg)

    def _count(self, size: int) -> None:
        self._has_heard = True
        self._head_bytes += size
        if self._head_bytes > MOST_HEAD_BYTES or self._headers > MOST_HEADERS:
            raise HeadTooLarge

    def _watch(self) -> None:
        """One timer, for what is still to come; it goes on while that is the same head or the same body."""
        awaited = self._in_head or self._in_body
        if self._timer is not None and (not awaited or self._timed_body != self._in_body):
            self._stop_timer()
        if awaited and self._timer is None and not self.transport.is_closing():
            self._timed_body = self._in_body
            seconds = self.body_seconds if self._in_body else self.head_seconds
            self._timer = self.loop.call_later(seconds, self._too_slow)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        self._refuse(408, "Request Timeout")

    def _refuse(self, status: int, words: str) -> None:
        """Say why, unless an answer has begun, and close; bytes that nobody takes are not waited for."""
        self._stop_timer()
        if self.transport.is_closing():
            return
        if not _is_answering(self.cycle):
            head = f"HTTP/1.1 {status} {words}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode())
        self.transport.close()


def _is_answering(cycle: RequestResponseCycle | None) -> bool:
    """Whether part of an answer is out, so that no other can follow. A connection begins without a cycle."""
    return cycle is not None and cycle.response_started and not cycle.response_complete

"""The server process: uvicorn, told how to stop with streams open and how to treat slow connections.

Three things differ from uvicorn's own server. Streams never end by themselves, so they are ended when it
shuts down, before it waits for its connections. A clean stop by SIGTERM or Ctrl-C exits with status 0, where
uvicorn raises the signal again. And listening sockets bound what a connection that takes nothing can hold.
"""

import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

SEND_BUFFER_BYTES: Final = 64 * 1024
"""Kernel buffer of one connection. With a growing one a stalled viewer could hold megabytes."""
UNACKNOWLEDGED_SECONDS: Final = 20
"""After so long without a sign that bytes are taken, the kernel closes the connection. Longer than a tunnel, as
a phone whose connection was closed in one learns of it late; and the bytes at stake are bounded."""
STOP_SECONDS: Final = 3
"""What open connections get to finish in when the server stops; then they are broken off."""
BACKLOG: Final = 4096
"""Connections the kernel holds while the server is busy: after a restart all viewers come at once."""
COLLECTOR_THRESHOLDS: Final = (50_000, 20, 1_000)
"""Garbage collection made rare. With the default, a full pass over ten thousand viewers' tasks stops the
process for half a second; what streams use is freed by reference counts."""


def listen(
    host: str,
    port: int,
    *,
    send_buffer_bytes: int = SEND_BUFFER_BYTES,
    unacknowledged_seconds: float = UNACKNOWLEDGED_SECONDS,
) -> socket.socket:
    """A listening TCP socket whose limits every accepted connection inherits.

    Port 0 takes a free one. Raises ``OSError`` when the address is in use or unknown.
    """
    family, _, _, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer_bytes)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        milliseconds = int(unacknowledged_seconds * 1000)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    return listener


class StreamServer(uvicorn.Server):
    """Serves one application with streams: ``StreamServer(config, hub.close).run(sockets=[listen(...)])``."""

    def __init__(
        self,
        config: uvicorn.Config,
        end_streams: Callable[[], None],
        on_started: Callable[[], None] = lambda: None,
    ) -> None:
        """``end_streams`` is called on the event loop when the server begins to stop, ``on_started`` when it
        serves."""
        if config.timeout_graceful_shutdown is None:
            config.timeout_graceful_shutdown = STOP_SECONDS
        config.backlog = BACKLOG
        super().__init__(config)
        self._end_streams = end_streams
        self._on_started = on_started

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until SIGTERM, SIGINT or ``should_exit``; returns after a clean stop."""
        with _signals_answered_once(), _rare_collection():
            super().run(sockets=sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # The lifespan's shutdown would be too late: it runs when the last connection has ended.
        self._end_streams()
        await super().shutdown(sockets=sockets)


@contextmanager
def _signals_answered_once() -> Iterator[None]:
    """Let the signal that uvicorn raises again after its clean stop do nothing."""
    try:
        before = {number: signal.signal(number, _ignore) for number in HANDLED_SIGNALS}
    except ValueError:  # Not the main thread: uvicorn leaves signals alone there, too.
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Unlike ``SIG_IGN`` not inherited by worker processes that are started meanwhile."""


@contextmanager
def _rare_collection() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)

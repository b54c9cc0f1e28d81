"""The local socket: how commands of the command line reach a running server.

A Unix socket in the data directory that only its owner may open (mode 0600). Requests that come through it are
the house's own and may do what a director may. The same application answers; its scope is marked.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL = "twinroom.local"
"""Marks in its scope a request that came through the socket."""
LONGEST_NAME = 100
"""Longest path of a socket that is bound as it is, in bytes."""


def marked_local(app: ASGIApp) -> ASGIApp:
    """The application as the local socket serves it."""

    async def local(scope: Scope, receive: Receive, send: Send) -> None:
        scope[LOCAL] = True
        await app(scope, receive, send)

    return local


@asynccontextmanager
async def local_socket(app: ASGIApp, path: Path) -> AsyncIterator[None]:
    """Serve the application on the socket while the context lasts."""
    listener = _listen(path)
    config = uvicorn.Config(marked_local(app), lifespan="off", log_config=None, timeout_graceful_shutdown=2)
    server = _Quiet(config)
    serving = asyncio.create_task(server.serve([listener]), name="local socket")
    try:
        yield
    finally:
        server.should_exit = True
        await serving
        listener.close()
        _remove(path)


class _Quiet(uvicorn.Server):
    """A server beside the public one, which alone answers signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def reachable(path: Path) -> Iterator[str]:
    """A name for the socket short enough for the system (108 bytes), while the context lasts."""
    if len(os.fsencode(path)) < LONGEST_NAME:
        yield str(path)
        return
    directory = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{directory}/{path.name}"
    finally:
        os.close(directory)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _listen(path: Path) -> socket.socket:
    _remove(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        with reachable(path) as name:
            listener.bind(name)
    finally:
        os.umask(before)
    listener.listen(64)
    return listener

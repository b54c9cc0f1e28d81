"""A real server with one stream on a real socket, and a client that reads it; for tests.

Run as a program it serves the stream until a signal comes, and prints its port.
"""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from broadcast.feeds.channels import Channel
from broadcast.feeds.frames import Frame
from broadcast.feeds.hub import Hub
from broadcast.feeds.pace import Pace
from broadcast.web.serving import StreamServer, listen
from broadcast.web.sse import StreamResponse, requested_cursor

EPOCH = 12


@dataclass
class Feed:
    """A feed of counted events: event n is ``{"n": n}``, the state after it ``{"last": n}``."""

    hub: Hub
    channel: Channel
    padding: str = ""

    @classmethod
    def begin(cls, pace: Pace | None = None, key: str = "match/m1/whole/both") -> "Feed":
        hub = Hub(pace)
        return cls(hub, hub.open(key, epoch=EPOCH))

    def publish(self, count: int = 1) -> None:
        first = self.channel.last_number + 1
        self.channel.append([self.event(number) for number in range(first, first + count)])

    def event(self, number: int) -> Frame:
        data = json.dumps({"n": number, "padding": self.padding})
        return Frame.numbered(EPOCH, number, "call", data.encode())

    def snapshot(self) -> Frame:
        number = self.channel.last_number
        return Frame.numbered(EPOCH, number, "snapshot", b'{"last": %d}' % number)

    async def application(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Every address is the stream, dispatched before any middleware."""
        if scope["type"] == "http":
            await StreamResponse(self.channel, requested_cursor(scope), self.snapshot)(scope, receive, send)

    def application_behind_middleware(self) -> Starlette:
        """The same as a Starlette route behind the middleware that such a route can stand behind."""

        async def stream(request: Request) -> Response:
            return StreamResponse(self.channel, requested_cursor(request.scope), self.snapshot)

        layers = [Middleware(CORSMiddleware, allow_origins=["*"]), Middleware(GZipMiddleware)]
        return Starlette(routes=[Route("/", stream)], middleware=layers)


@dataclass
class LiveServer:
    """A server running in a thread; everything about its feed is done on its own loop."""

    feed: Feed
    port: int
    loop: asyncio.AbstractEventLoop

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What ``function`` returns on the server's loop."""
        done: Future[Any] = Future()

        def run() -> None:
            try:
                done.set_result(function(*arguments))
            except BaseException as error:
                done.set_exception(error)

        self.loop.call_soon_threadsafe(run)
        return done.result(timeout=10)

    def publish(self, count: int = 1) -> None:
        self.call(self.feed.publish, count)

    def until(self, condition: Callable[[], bool], seconds: float = 5) -> None:
        """Wait until ``condition`` holds on the server's loop; ``TimeoutError`` when it does not come true."""

        async def wait() -> None:
            async with asyncio.timeout(seconds):
                while not condition():  # noqa: ASYNC110 - there is no event for what a socket does
                    await asyncio.sleep(0.002)

        asyncio.run_coroutine_threadsafe(wait(), self.loop).result()

    def tasks(self) -> int:
        """How many tasks the server's loop has."""
        count: int = self.call(lambda: len(asyncio.all_tasks(self.loop)))
        return count


@contextmanager
def live_server(
    pace: Pace | None = None,
    application: Callable[[Feed], ASGIApp] = lambda feed: feed.application,
    unacknowledged_seconds: float = 20,
) -> Iterator[LiveServer]:
    """A server on a free port, with its own event loop in its own thread."""
    listener = listen("127.0.0.1", 0, unacknowledged_seconds=unacknowledged_seconds)
    started: Future[LiveServer] = Future()
    servers: list[StreamServer] = []

    def serve() -> None:
        config = uvicorn.Config(
            lambda: None, log_level="critical", loop="uvloop", lifespan="off", interface="asgi3"
        )
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(run(config))

    async def run(config: uvicorn.Config) -> None:
        feed = Feed.begin(pace)
        config.app = application(feed)
        server = StreamServer(config, feed.hub.close)
        servers.append(server)
        live = LiveServer(feed, listener.getsockname()[1], asyncio.get_running_loop())
        started.set_result(live)
        await server.serve(sockets=[listener])

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield started.result(timeout=10)
    finally:
        for server in servers:
            server.should_exit = True
        thread.join(timeout=10)
        assert not thread.is_alive()


@dataclass(frozen=True)
class Received:
    """One message as a client reads it; what was not in it is ``None``."""

    id: str | None
    event: str | None
    data: str | None
    retry: str | None
    comment: str | None


class Client:
    """A reader of the stream. ``read`` waits for the next message, ``None`` at the stream's proper end."""

    def __init__(self, port: int, last_id: str | None = None, query: str = "", method: str = "GET") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {} if last_id is None else {"Last-Event-ID": last_id}
        self._connection.request(method, f"/{query}", headers=headers)
        self.response = self._connection.getresponse()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.response.close()
        self._connection.close()

    def read(self) -> Received | None:
        fields: dict[str, list[str]] = {}
        while line := self.response.readline():
            name, _, value = line.decode().rstrip("\n").partition(":")
            if line == b"\n":
                joined = {name: "\n".join(values) for name, values in fields.items()}
                names = ("id", "event", "data", "retry", "")
                return Received(*(joined.get(name) for name in names))
            fields.setdefault(name, []).append(value.removeprefix(" "))
        assert not fields, "the stream broke off inside a message"
        return None

    def read_events(self, count: int) -> list[Received]:
        """The next ``count`` messages that are events: without retry times and pings."""
        events: list[Received] = []
        while len(events) < count:
            message = self.read()
            assert message is not None, "the stream ended"
            if message.event is not None:
                events.append(message)
        return events


def stalled_reader(port: int, query: str = "") -> socket.socket:
    """A connection that asks for the stream and never reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(f"GET /{query} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return connection


def main() -> None:
    """Serve behind middleware, with a feed big enough to fill a stalled reader's buffers."""
    listener = listen("127.0.0.1", 0)
    hub = Hub()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        channel = hub.find("match/m1/whole/both")
        feed = Feed(hub, channel or hub.open("match/m1/whole/both", epoch=EPOCH), padding="x" * 2000)
        if channel is None:
            feed.publish(1500)
        await feed.application_behind_middleware()(scope, receive, send)

    config = uvicorn.Config(application, log_level="critical", loop="uvloop")
    print(listener.getsockname()[1], flush=True)
    StreamServer(config, hub.close).run(sockets=[listener])


if __name__ == "__main__":
    main()

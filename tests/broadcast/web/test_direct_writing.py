"""Direct writing: the same bytes as by the server's ``send``, and only where that is known."""

import socket
from asyncio import WriteTransport
from collections.abc import Callable

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.feeds.pace import Pace
from broadcast.feeds.pieces import Piece
from broadcast.web import direct_writing
from tests.live_streams import EPOCH, Client, Feed, live_server


def wrapped(feed: Feed) -> ASGIApp:
    """The stream behind a ``send`` that is not the server's own."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            await send(message)

        await feed.application(scope, receive, sending)

    return application


def plain(feed: Feed) -> ASGIApp:
    return feed.application


def body_of_a_stream(application: Callable[[Feed], ASGIApp]) -> bytes:
    """All bytes behind the headers: snapshot, events one by one and together, heartbeats, farewell and end."""
    pace = Pace(hold_seconds=0, heartbeat_seconds=0.05, watch_seconds=0.05)
    with (
        live_server(pace, application) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        received = client.recv(1 << 16)
        while b"snapshot" not in received:
            received += client.recv(1 << 16)
        for count in (1, 3, 40):
            server.publish(count)
            last = b"id: 12-%d\n" % server.feed.channel.last_number
            while last not in received:
                received += client.recv(1 << 16)
        while not received.endswith(b"\r\n: ping\n\n\r\n"):
            received += client.recv(1 << 16)
        server.call(server.feed.hub.close)
        while more := client.recv(1 << 16):
            received += more
    return received.partition(b"\r\n\r\n")[2].replace(b"8\r\n: ping\n\n\r\n", b"")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The chunks that are written directly."""
    chunks: list[bytes] = []
    write = Piece.write

    def noted(piece: Piece, direct: WriteTransport | None, descriptor: int | None) -> bool:
        is_written = write(piece, direct, descriptor)
        if is_written:
            chunks.append(piece.chunk)
        return is_written

    monkeypatch.setattr(Piece, "write", noted)
    return chunks


def test_direct_writing_sends_the_same_bytes_as_the_servers_own_way(written: list[bytes]) -> None:
    ours = body_of_a_stream(plain)
    assert any(b"ping" in chunk for chunk in written)
    written.clear()
    theirs = body_of_a_stream(wrapped)
    assert written == [], "a wrapped send is left to its wrapper"
    assert ours == theirs
    assert ours.endswith(b"\r\n0\r\n\r\n")


def test_all_viewers_are_written_to_directly_and_share_the_bytes(written: list[bytes]) -> None:
    with live_server() as server, Client(server.port) as first, Client(server.port) as second:
        first.read_events(1)
        second.read_events(1)
        server.publish()
        assert [client.read_events(1)[0].id for client in (first, second)] == [f"{EPOCH}-1"] * 2
    first_chunk, second_chunk = (chunk for chunk in written if b"event: call" in chunk)
    assert first_chunk is second_chunk


def test_another_version_of_the_server_is_written_to_by_its_send(
    monkeypatch: pytest.MonkeyPatch, written: list[bytes]
) -> None:
    assert uvicorn.__version__ in direct_writing.CHECKED_VERSIONS, (
        "read send() of the new version, then list it"
    )
    monkeypatch.setattr(direct_writing, "CHECKED_VERSIONS", ("0.1.0",))
    assert body_of_a_stream(plain)
    assert written == []

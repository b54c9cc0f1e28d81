"""A piece written past the server: to the kernel while nothing waits, else behind what waits, or not at all."""

import asyncio
import socket
from collections.abc import Iterator

import pytest

from broadcast.feeds.pieces import LOW_WATER_BYTES, Piece

PIECE = Piece.of(b"data: 1\n\n", 1)
LARGE = Piece.of(b"x" * 4_000_000, 1)


class Line(asyncio.WriteTransport):
    """A transport whose buffer is a list."""

    def __init__(self, waiting: int = 0, *, is_closing: bool = False, is_gone: bool = False) -> None:
        super().__init__()
        self.waiting, self._is_closing, self._is_gone = waiting, is_closing, is_gone
        self.written: list[bytes] = []

    def is_closing(self) -> bool:
        return self._is_closing

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_gone:
            raise RuntimeError("the handle is closed")
        self.written.append(bytes(data))


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    near, far = socket.socketpair()
    near.setblocking(False)
    far.settimeout(10)
    with near, far:
        yield near, far


Ends = tuple[socket.socket, socket.socket]


def test_piece_goes_to_the_kernel_while_nothing_waits(ends: Ends) -> None:
    line = Line()
    assert PIECE.write(line, ends[0].fileno())
    assert ends[1].recv(100) == PIECE.chunk
    assert line.written == []


def test_what_the_kernel_does_not_take_waits_in_the_transport(ends: Ends) -> None:
    line = Line()
    assert LARGE.write(line, ends[0].fileno())
    ends[0].shutdown(socket.SHUT_WR)
    taken = b"".join(iter(lambda: ends[1].recv(1 << 20), b""))
    assert 0 < len(taken) < len(LARGE.chunk)
    assert taken + b"".join(line.written) == LARGE.chunk


def test_kernel_that_takes_nothing_leaves_all_to_the_transport(ends: Ends) -> None:
    LARGE.write(Line(), ends[0].fileno())
    line = Line()
    assert PIECE.write(line, ends[0].fileno())
    assert line.written == [PIECE.chunk]


def test_piece_never_overtakes_what_waits(ends: Ends) -> None:
    line = Line(waiting=1)
    assert PIECE.write(line, ends[0].fileno())
    assert line.written == [PIECE.chunk]
    assert not PIECE.write(Line(waiting=LOW_WATER_BYTES + 1), ends[0].fileno())
    ends[0].shutdown(socket.SHUT_WR)
    assert ends[1].recv(100) == b""


def test_socket_of_a_closing_transport_is_not_touched(ends: Ends) -> None:
    """Its number may already be another viewer's."""
    line = Line(is_closing=True)
    assert not PIECE.write(line, ends[0].fileno())
    ends[0].shutdown(socket.SHUT_WR)
    assert (ends[1].recv(100), line.written) == (b"", [])


def test_broken_connection_is_left_to_the_server(ends: Ends) -> None:
    ends[1].close()
    line = Line()
    assert not PIECE.write(line, ends[0].fileno())
    assert line.written == []
    assert not PIECE.write(Line(is_gone=True), None)
    assert not PIECE.write(None, None)


def test_encrypted_connection_is_written_to_by_its_transport() -> None:
    line = Line()
    assert PIECE.write(line, None)
    assert line.written == [PIECE.chunk]

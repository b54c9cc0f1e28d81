"""Connections have bounds: what never ends is refused, and who says nothing is let go; nobody else is."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from broadcast.web.connections import BODY_SECONDS, MOST_HEAD_BYTES, MOST_HEADERS, BoundedProtocol
from broadcast.web.problems import Problem
from broadcast.web.requests import read_body
from broadcast.web.serving import StreamServer, listen

MOST_BODY = 1024


class Impatient(BoundedProtocol):
    head_seconds = 0.2
    body_seconds = 1.5


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how many bytes came; under /begun before it has read them."""
    request = Request(scope, receive)
    response: Response
    if scope["path"] == "/begun":

        async def parts() -> AsyncIterator[bytes]:
            yield b"begun"
            await read_body(request, MOST_BODY)

        response = StreamingResponse(parts())
    else:
        try:
            response = PlainTextResponse(str(len(await read_body(request, MOST_BODY))))
        except Problem as problem:
            response = PlainTextResponse(problem.code, problem.status)
    await response(scope, receive, send)


@contextmanager
def serving(protocol: type[BoundedProtocol]) -> Iterator[int]:
    """A server with this protocol in a thread; its port."""
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        echo,
        http=protocol,
        loop="uvloop",
        lifespan="off",
        log_level="critical",
        access_log=False,
        timeout_keep_alive=60,
    )
    started: Future[None] = Future()
    server = StreamServer(config, lambda: None, lambda: started.set_result(None))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        started.result(30)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(30)


@pytest.fixture(scope="module")
def patient() -> Iterator[int]:
    with serving(BoundedProtocol) as port:
        yield port


@pytest.fixture(scope="module")
def impatient() -> Iterator[int]:
    with serving(Impatient) as port:
        yield port


def said(port: int, *parts: bytes) -> bytes:
    """Everything that comes back until the server closes."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            while more := connection.recv(65536):
                heard += more
        except (BrokenPipeError, ConnectionResetError):  # closed while we were still talking
            pass
    return heard


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


CLOSE = b"Connection: close\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def test_ordinary_requests_are_answered(patient: int) -> None:
    assert status(said(patient, GET + CLOSE)) == 200
    many = b"".join(b"X-%d: y\r\n" % number for number in range(MOST_HEADERS - 2))
    assert status(said(patient, GET + many + CLOSE)) == 200
    body = b"Content-Length: 3\r\n" + CLOSE + b"abc"
    assert said(patient, POST + body).endswith(b"3")
    assert said(patient, POST + CHUNKED + CLOSE + b"2;a=b\r\nab\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n").endswith(b"3")


def test_requests_one_after_the_other_count_apart(patient: int) -> None:
    half = b"X: " + b"y" * (MOST_HEAD_BYTES // 2) + b"\r\n"
    whole = said(patient, (GET + half + b"\r\n") * 4 + GET + half + CLOSE)
    assert whole.count(b"HTTP/1.1 200") == 5


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * MOST_HEAD_BYTES + b" HTTP/1.1\r\n",
        GET + b"X: " + b"y" * MOST_HEAD_BYTES + b"\r\n",
        GET + b"x" * MOST_HEAD_BYTES + b": y\r\n",
        GET + b"X:\r\n" * (MOST_HEADERS + 1),
        POST + CHUNKED + b"\r\n1\r\na\r\n0\r\n" + b"X:\r\n" * (MOST_HEADERS + 1),
    ],
)
def test_head_beyond_its_bound_is_refused(patient: int, head: bytes) -> None:
    assert status(said(patient, head + CLOSE)) == 431


@pytest.mark.parametrize(
    "begin",
    [b"GET /", GET + b"X: ", GET, POST + CHUNKED + b"\r\n1;x=", POST + CHUNKED + b"\r\n0\r\nX: "],
)
def test_what_does_not_end_is_refused_before_it_fills_the_memory(patient: int, begin: bytes) -> None:
    """A header without an end is heard of only at its end: bytes that complete nothing are counted."""
    answer = said(patient, begin, *[b"a" * 16384] * 64)
    assert not answer or status(answer) == 431  # what was still on its way can cost its sender the answer


@pytest.mark.parametrize("sent", [b"", b"\r\n\r\n", b"GE", GET, POST + b"Content-Length: 9\r\n\r\nabc"])
def test_who_says_too_little_is_let_go(impatient: int, sent: bytes) -> None:
    assert status(said(impatient, sent)) == 408


def test_blank_lines_between_requests_keep_no_connection(patient: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_connection(("127.0.0.1", patient), timeout=30) as connection:
        connection.sendall(GET + b"\r\n")
        assert status(connection.recv(65536)) == 200
        monkeypatch.setattr(BoundedProtocol, "head_seconds", 0.05)
        connection.sendall(b"\r\n")
        assert status(connection.recv(65536)) == 408


def test_an_answer_that_has_begun_is_broken_off(impatient: int) -> None:
    begun = POST.replace(b" / ", b" /begun ") + b"Content-Length: 9\r\n\r\nabc"
    answer = said(impatient, begun)
    assert status(answer) == 200 and b"begun" in answer and b"408" not in answer


def test_body_that_breaks_off_is_a_refusal_and_no_fault_of_ours() -> None:
    """It was logged as an error with its traceback, for anybody to fill the log with."""
    scope: Scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    messages: list[Message] = [
        {"type": "http.request", "body": b"abc", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return messages.pop(0)

    with pytest.raises(Problem) as refused:
        asyncio.run(read_body(Request(scope, receive), MOST_BODY))
    assert (refused.value.status, refused.value.code) == (400, "broken_off")


def test_largest_upload_has_the_time_of_a_slow_line() -> None:
    assert 4 * 1024 * 1024 / BODY_SECONDS < 40_000  # bytes in a second

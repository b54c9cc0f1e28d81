"""Compression: what is, what never is, and that a stream's first bytes wait for nothing."""

import asyncio
import gzip
from typing import Any

import pytest
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Message, Scope

from broadcast.web.compression import Compressing, takes_gzip

TEXT = "Board 1, 3NT by South. " * 200


def scope(method: str = "GET", **headers: str) -> Scope:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    place = {"type": "http", "path": "/", "query_string": b"", "asgi": {"spec_version": "2.4"}}
    return {**place, "method": method, "headers": sent}


def asked(application: ASGIApp, given: Scope) -> tuple[dict[str, str], bytes]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(_run(Compressing(application), given, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:])


async def _run(application: ASGIApp, *arguments: Any) -> None:
    await application(*arguments)


def test_text_is_compressed_for_who_takes_it() -> None:
    answer = PlainTextResponse(TEXT, headers={"etag": '"a"', "vary": "accept-language"})
    headers, body = asked(answer, scope(accept_encoding="gzip, br"))
    assert gzip.decompress(body).decode() == TEXT
    assert headers["content-encoding"] == "gzip"
    assert headers["content-length"] == str(len(body))
    assert headers["etag"] == 'W/"a"'
    assert headers["vary"] == "accept-language, accept-encoding"


@pytest.mark.parametrize(
    "given",
    [
        scope(),
        scope(accept_encoding="identity"),
        scope(accept_encoding="gzip;q=0"),
        scope(accept_encoding="gzip", cookie="operator=1"),
        scope(accept_encoding="gzip", authorization="Bearer x"),
        scope("HEAD", accept_encoding="gzip"),
    ],
)
def test_others_get_it_as_it_is(given: Scope) -> None:
    headers, body = asked(PlainTextResponse(TEXT), given)
    assert body.decode() == TEXT
    assert "content-encoding" not in headers


@pytest.mark.parametrize(
    "answer",
    [
        PlainTextResponse("short"),
        Response(TEXT, media_type="image/png"),
        Response(TEXT, media_type="text/html", headers={"content-encoding": "br"}),
        Response(TEXT, 206, media_type="text/html"),
        Response(TEXT),
    ],
)
def test_what_is_short_a_picture_or_a_part_is_left(answer: Response) -> None:
    headers, body = asked(answer, scope(accept_encoding="gzip"))
    assert headers.get("content-encoding") in (None, "br")
    assert body == answer.body


def test_pieces_are_put_together() -> None:
    async def pieces() -> Any:
        for place in range(0, len(TEXT), 1000):
            yield TEXT[place : place + 1000]

    headers, body = asked(StreamingResponse(pieces(), media_type="text/html"), scope(accept_encoding="gzip"))
    assert gzip.decompress(body).decode() == TEXT
    assert headers["content-length"] == str(len(body))


def test_events_go_out_one_by_one_the_start_first() -> None:
    order: list[str] = []

    async def events() -> Any:
        for number in range(3):
            order.append(f"made {number}")
            yield f"data: {number}\n\n"

    async def story() -> None:
        async def receive() -> Message:
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Message) -> None:
            order.append(message["type"].rpartition(".")[2])

        application = Compressing(StreamingResponse(events(), media_type="text/event-stream"))
        await application(scope(accept_encoding="gzip"), receive, send)

    asyncio.run(story())
    assert order == ["start", "made 0", "body", "made 1", "body", "made 2", "body", "body"]


def test_file_that_the_server_sends_itself_is_left_to_it() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/css")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.pathsend", "path": "/site.css"})

    headers, body = asked(application, scope(accept_encoding="gzip"))
    assert headers == {"content-type": "text/css", "vary": "accept-encoding"}
    assert body == b""


def test_same_body_is_compressed_once_and_few_are_kept() -> None:
    compressing = Compressing(PlainTextResponse(TEXT))
    first = compressing.compressed(TEXT.encode())
    assert compressing.compressed(TEXT.encode()) is first
    for number in range(200):
        compressing.compressed(f"{number} {TEXT}".encode())
    assert len(compressing._kept) == 64
    assert compressing.compressed(TEXT.encode()) == first


@pytest.mark.parametrize(
    ("header", "taken"),
    [("gzip", True), ("GZIP ; q=0.1", True), ("*", True), ("br,gzip", True), ("gzip;q=0.000", False)],
)
def test_accept_encoding_is_read(header: str, taken: bool) -> None:
    assert takes_gzip(header) is taken

"""Answers for programs carry a tag of their bytes, and are not sent again to whoever has them."""

import asyncio

import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Message

from broadcast.web.conditional import Conditional, tag_of

BODY = b'{"score":420}'


def asked(application: ASGIApp, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    sent: list[Message] = []
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    place = {"type": "http", "path": "/", "query_string": b"", "asgi": {"spec_version": "2.4"}}
    scope = {**place, "method": method, "headers": raw}

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Conditional(application)(scope, receive, send))
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answered, b"".join(message.get("body", b"") for message in sent[1:])


def json() -> Response:
    return Response(BODY, media_type="application/json", headers={"access-control-allow-origin": "*"})


def test_json_gets_a_tag_of_its_bytes() -> None:
    status, headers, body = asked(json())
    assert (status, headers["etag"], body) == (200, tag_of(BODY), BODY)
    assert headers["content-length"] == str(len(BODY))


@pytest.mark.parametrize("known", [tag_of(BODY), f"W/{tag_of(BODY)}", f'"other", {tag_of(BODY)}', "*"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_who_has_it_is_told_so_without_the_body(method: str, known: str) -> None:
    status, headers, body = asked(json(), method, if_none_match=known)
    assert (status, body) == (304, b"")
    assert headers["etag"] == tag_of(BODY)
    assert headers["access-control-allow-origin"] == "*"
    assert "content-length" not in headers


def test_who_has_another_gets_it() -> None:
    assert asked(json(), if_none_match='"other"')[0] == 200


@pytest.mark.parametrize(
    "answer",
    [
        HTMLResponse("<p>a page</p>"),
        JSONResponse({"error": "no_such_match"}, 404),
        JSONResponse({}, headers={"cache-control": "no-store"}),
        StreamingResponse(iter([b"data: {}\n\n"]), media_type="text/event-stream"),
    ],
)
def test_pages_errors_and_streams_pass_as_they_are(answer: Response) -> None:
    status, headers, _ = asked(answer, if_none_match="*")
    assert status == answer.status_code
    assert "etag" not in headers


@pytest.mark.parametrize("secret", [{"authorization": "Bearer a"}, {"cookie": "a=b"}])
def test_what_a_token_opens_gets_no_tag(secret: dict[str, str]) -> None:
    status, headers, _ = asked(json(), if_none_match="*", **secret)
    assert (status, "etag" in headers) == (200, False)

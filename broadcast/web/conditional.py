"""Answers that need not be sent again: a body with its tag and date, or 304 to whoever has it already.

``Conditional`` tags everything for programs (JSON, LIN, PBN, CSV) by its bytes, whichever handler made it, so
that no handler can forget it; ``document`` is for what also has a date.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TAGGED: Final = frozenset({"application/json", "application/x-pbn", "application/x-lin", "text/csv"})
"""What programs ask for again and again."""


class Conditional:
    """Wraps an application: a tag for what it answers, and 304 without a body to whoever has it already.

    Answers to a token or cookie pass as they are: they are not public and not to be kept.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope) if scope["type"] == "http" else None
        if (
            asked is None
            or scope["method"] not in ("GET", "HEAD")
            or "authorization" in asked
            or "cookie" in asked
        ):
            await self._application(scope, receive, send)
            return
        await self._application(scope, receive, _Tagging(send, asked.get("if-none-match", "")).send)


class _Tagging:
    """One answer on its way: held until whole where it is to be tagged."""

    def __init__(self, send: Send, known: str) -> None:
        self._send = send
        self._known = known
        self._held: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_tagged(message):
            self._held = message
            return
        if self._held is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        start, body = self._held, bytes(self._body)
        headers = MutableHeaders(scope=start)
        headers["etag"] = tag_of(body)
        if is_known(self._known, headers["etag"]):
            start["status"], body = 304, b""
            for name in ("content-length", "content-type"):
                del headers[name]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_tagged(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_kept = "no-store" not in headers.get("cache-control", "")
    return start["status"] == 200 and kind in TAGGED and is_kept and "etag" not in headers


def tag_of(body: bytes) -> str:
    """A strong entity tag of these very bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def knows_tag(request: Request, tag: str) -> bool:
    """Whether the client has what the tag stands for (RFC 9110, section 13.1.2: the comparison is weak)."""
    return is_known(request.headers.get("if-none-match", ""), tag)


def is_known(if_none_match: str, tag: str) -> bool:
    """Whether the header names the tag, weak or strong, or any.

    >>> is_known('W/"a", "b"', '"a"'), is_known("*", '"a"'), is_known("", '"a"')
    (True, True, False)
    """
    known = [each.strip().removeprefix("W/") for each in if_none_match.split(",")]
    return tag in known or known == ["*"]


def document(
    request: Request, body: bytes, media_type: str, changed: datetime, headers: Mapping[str, str]
) -> Response:
    """A document for other programs, readable from any site, with ``ETag`` and ``Last-Modified``.

    ``changed`` is a moment in UTC from the data, never from the clock.
    """
    tag = tag_of(body)
    sent = {
        "etag": tag,
        "last-modified": format_datetime(changed.astimezone(UTC).replace(microsecond=0), usegmt=True),
        "cache-control": "no-cache",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
        **headers,
    }
    if _has_it(request, tag, changed):
        return Response(status_code=304, headers=sent)
    return Response(body, headers=sent, media_type=media_type)


def _has_it(request: Request, tag: str, changed: datetime) -> bool:
    if "if-none-match" in request.headers:
        return knows_tag(request, tag)
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except ValueError:
        return False
    if since.tzinfo is None:
        since = since.replace(tzinfo=UTC)
    return changed.replace(microsecond=0) <= since

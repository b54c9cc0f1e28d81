"""Answers that need not be sent again: a body with its tag and date, or 304 to whoever has it already."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from starlette.requests import Request
from starlette.responses import Response


def tag_of(body: bytes) -> str:
    """A strong entity tag of these very bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def knows_tag(request: Request, tag: str) -> bool:
    """Whether the client has what the tag stands for (RFC 9110, section 13.1.2: the comparison is weak)."""
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
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

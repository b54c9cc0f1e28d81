"""Pages, styles, scripts and JSON sent compressed to whoever takes gzip; streams and pictures as they are.

A plain ASGI wrapper that knows an answer by its content type: what may be compressed is small and made at once,
so it is held until it is whole. A stream's start goes out the moment it comes. What a token or cookie opens is
never compressed, as its size could then tell what is in it.
"""

import gzip
import hashlib
import re
from collections import OrderedDict
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COMPRESSIBLE: Final = frozenset(
    {
        "text/html", "text/css", "text/javascript", "text/calendar", "text/plain", "application/json",
        "application/atom+xml", "application/manifest+json", "image/svg+xml", "application/x-pbn",
        "application/x-lin", "text/csv",
    }
)  # fmt: skip
SMALLEST: Final = 860
"""Bytes from which it is worth it: less goes out in one packet anyway."""
LEVEL: Final = 6
KEPT: Final = 64
"""Compressed bodies kept: files of the site, and pages that many ask for in one moment."""
_GZIP = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*(?P<weight>[0-9.]+)\s*)?(?:,|$)", re.IGNORECASE)


def takes_gzip(accept_encoding: str) -> bool:
    """Whether an ``Accept-Encoding`` header lets gzip through (RFC 9110, section 12.5.3).

    >>> takes_gzip("br, gzip;q=0.5"), takes_gzip("gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    found = _GZIP.search(accept_encoding)
    return found is not None and (found["weight"] is None or found["weight"].strip("0.") != "")


class Compressing:
    """Wraps an application."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope) if scope["type"] == "http" else None
        if asked is None or "authorization" in asked or "cookie" in asked:
            await self._application(scope, receive, send)
            return
        is_wanted = scope["method"] == "GET" and takes_gzip(asked.get("accept-encoding", ""))
        answer = _Answer(self, send, is_wanted)
        await self._application(scope, receive, answer.send)

    def compressed(self, body: bytes) -> bytes:
        """The body in gzip, the same bytes for the same body."""
        key = hashlib.sha256(body).digest()
        found = self._kept.get(key)
        if found is None:
            found = gzip.compress(body, LEVEL, mtime=0)
            self._kept[key] = found
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found


class _Answer:
    """One answer on its way: held until whole where it is to be compressed."""

    def __init__(self, compressing: Compressing, send: Send, is_wanted: bool) -> None:
        self._compressing = compressing
        self._send = send
        self._is_wanted = is_wanted
        self._held: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind in COMPRESSIBLE and "content-encoding" not in headers:
                headers.add_vary_header("accept-encoding")
                if self._is_wanted and message["status"] not in (204, 206, 304):
                    self._held = message
                    return
        elif message["type"] == "http.response.body" and self._held is not None:
            self._body += message.get("body", b"")
            if message.get("more_body"):
                return
            await self._send_whole(self._held, bytes(self._body))
            self._held = None
            return
        elif self._held is not None:
            # Something else than a body, a file that the server itself will send: as it is.
            held, self._held = self._held, None
            await self._send(held)
        await self._send(message)

    async def _send_whole(self, start: Message, body: bytes) -> None:
        if len(body) >= SMALLEST:
            body = self._compressing.compressed(body)
            headers = MutableHeaders(scope=start)
            headers["content-encoding"] = "gzip"
            headers["content-length"] = str(len(body))
            tag = headers.get("etag")
            if tag is not None and not tag.startswith("W/"):
                headers["etag"] = f"W/{tag}"
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

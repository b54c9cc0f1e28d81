"""Which answers other sites may frame: embeds, by anyone or by listed sites; everything else by nobody.

Embeds are a class of their own, errors among them, so that a frame shows what is wrong. They are the same for
everyone: neither a cookie nor a token reaches them, and none leaves with them. Any script may read them, also
one in a sandboxed frame, whose origin is ``null``.

Only ``frame-ancestors`` is sent, never ``X-Frame-Options``, which cannot name a site. Where anyone may frame,
the directive is left out: its ``*`` would still refuse a frame inside a page that was opened from a file.
"""

import re
from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

EMBEDS = "/embed/"
"""Where the addresses begin that are made to be framed."""
_DIRECTIVE = re.compile(r";?\s*frame-ancestors[^;]*")
_PRIVATE = (b"cookie", b"authorization")


def framed(policy: str, sites: Sequence[str]) -> str:
    """A content policy that lets these sites frame the answer, or anyone where none are listed.

    >>> framed("default-src 'self'; frame-ancestors 'none'", ())
    "default-src 'self'"
    >>> framed("default-src 'self'; frame-ancestors 'none'", ("https://club.example",))
    "default-src 'self'; frame-ancestors 'self' https://club.example"
    """
    rest = _DIRECTIVE.sub("", policy)
    return f"{rest}; frame-ancestors 'self' {' '.join(sites)}" if sites else rest


class Embedding:
    """Wraps an application: gives embeds their headers, and keeps cookies and tokens from them."""

    def __init__(self, application: ASGIApp, sites: Sequence[str] = ()) -> None:
        """``sites`` are all that may stand above the frame; none listed: anyone."""
        self._application = application
        self._sites = tuple(sites)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].startswith(EMBEDS):
            await self._application(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", "default-src 'none'")
                headers["content-security-policy"] = framed(policy, self._sites)
                headers["access-control-allow-origin"] = "*"
                del headers["set-cookie"]
            await send(message)

        bare = [(name, value) for name, value in scope["headers"] if name not in _PRIVATE]
        await self._application({**scope, "headers": bare}, receive, sending)

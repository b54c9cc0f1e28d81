"""The application: streams first, then routes; headers by class of route; errors in one shape.

Streams are dispatched ahead of Starlette's middleware, which they must not pass (``broadcast.web.sse``). Public
JSON, files and streams may be read from any site. What is sent with a token, or changes something, is answered
to its own site only. Three cookies are set and read: an operator's room has one
(``broadcast.web.operator_sessions``), so has a link for checking results (``broadcast.web.confirmers``), and
whoever is signed in (``broadcast.web.cookies``).
"""

import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.bridge.errors import BridgeError
from broadcast.house.errors import HouseError
from broadcast.tables.errors import Refusal
from broadcast.web.compression import Compressing
from broadcast.web.conditional import Conditional
from broadcast.web.framing import Embedding
from broadcast.web.limits import ViewerLimits
from broadcast.web.match_routes import stream
from broadcast.web.problems import Problem, answer_error
from broadcast.web.sessions import Recognising

LOG = logging.getLogger(__name__)

_STREAM = re.compile(r"/(?P<kind>matches|ladders)/(?P<id>[^/]+)/events(?:/(?P<room>open|closed))?")
_KINDS = {"matches": "match", "ladders": "ladder"}
_OPEN_DATA = re.compile(r"/api/.*|/openapi\.json|/oembed|/.*\.(?:pbn|lin|csv|atom|ics)")
"""What programs of any site may read, beside the streams."""
_PREFLIGHT = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "Last-Event-ID, Cache-Control, If-None-Match, If-Modified-Since",
    "access-control-max-age": "86400",
}
"""What a browser is told that asks for another site whether it may read: yes, what is public."""
_HANDLED = (HTTPException, Problem, Refusal, BridgeError, HouseError)
"""What a request may be refused by; anything else is an error of ours."""


class Lifespan(Protocol):
    def __call__(self, app: Starlette) -> AbstractAsyncContextManager[None]: ...


class Application:
    """The ASGI application."""

    def __init__(
        self,
        routes: Sequence[BaseRoute],
        lifespan: Lifespan,
        limits: ViewerLimits | None = None,
        streams: Callable[[Request], Awaitable[Response]] = stream,
        framed_by: Sequence[str] = (),
    ) -> None:
        """``streams`` answers the addresses of public streams; their parameters are the request's.

        ``framed_by`` lists the sites that may frame embeds; none listed: any.
        """
        self.limits = limits or ViewerLimits()
        self._streams = streams
        self.routed = Starlette(
            routes=list(routes),
            lifespan=lifespan,
            middleware=[Middleware(Recognising)],
            exception_handlers={Exception: answer_error},
        )
        self.routed.state.limits = self.limits
        self.routed.router.redirect_slashes = False  # it repeats the Host header, which is whatever was sent
        self.routed.router.default = self._without_slash
        self._compressed = Compressing(Conditional(self.routed))
        self._answering = Embedding(self._compressed, framed_by)
        for kind in _HANDLED:
            self.routed.add_exception_handler(kind, answer_error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.routed(scope, receive, send)
            return
        found = _STREAM.fullmatch(scope["path"])
        if scope["method"] == "OPTIONS" and (found or _OPEN_DATA.fullmatch(scope["path"])):
            response = Response(status_code=204, headers=_PREFLIGHT)
            await response(scope, receive, _with_headers(scope, send))
            return
        if found is None:
            await self._answering(scope, receive, _with_headers(scope, send))
            return
        scope["app"] = self.routed
        scope["path_params"] = {**found.groupdict(), "kind": _KINDS[found["kind"]]}
        await self._stream(scope, receive, send)

    async def _without_slash(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An address that is one of ours but for slashes at its end leads there, to a path of this site."""
        path = scope["path"].rstrip("/")
        asked = {**scope, "path": path}
        is_ours = scope["path"] != path and any(
            route.matches(asked)[0] is not Match.NONE for route in self.routed.routes
        )
        if not is_ours or path.startswith("//"):
            await self.routed.router.not_found(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        address = f"{quote(path)}?{query}" if query else quote(path)
        await RedirectResponse(address, 307)(scope, receive, send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        network: str | None = None
        response: ASGIApp
        try:
            try:
                if scope["method"] == "GET":
                    network = self.limits.take(scope)
                # The request is not held while the stream runs: it would be a twentieth of what a viewer costs.
                response = await self._opened(Request(scope, receive))
            except Exception as error:
                if not isinstance(error, _HANDLED):
                    LOG.exception("A stream could not be opened: %s", scope["path"])
                response = await answer_error(Request(scope, receive), error)
                send = _with_headers(scope, send)
            await response(scope, receive, send)
        finally:
            if network is not None:
                self.limits.give_back(network)

    async def _opened(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"allow": "GET, HEAD"})
        if request.path_params["room"] is not None and request.path_params["kind"] != "match":
            raise HTTPException(404)
        return await self._streams(request)


def _with_headers(scope: Scope, send: Send) -> Send:
    """Cross-origin reading of what is public; no framing and no sniffing anywhere.

    A stream brings its own headers, so that nothing stands between it and the server; its errors pass here.
    """
    is_open_data = (
        scope["method"] in ("GET", "HEAD")
        and any(pattern.fullmatch(scope["path"]) for pattern in (_OPEN_DATA, _STREAM))
        and not any(name in (b"authorization", b"cookie") for name, _ in scope["headers"])
    )

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if is_open_data and message["status"] != 401:
                headers.setdefault("access-control-allow-origin", "*")
                headers.setdefault("access-control-expose-headers", "ETag, Retry-After")
            headers.setdefault("x-content-type-options", "nosniff")
            headers.setdefault("referrer-policy", "no-referrer")
            headers.setdefault("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        await send(message)

    return sending

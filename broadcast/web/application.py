"""The application: streams first, then routes; headers by class of route; errors in one shape.

Streams are dispatched ahead of Starlette's middleware, which they must not pass (``broadcast.web.sse``). Public
JSON, files and streams may be read from any site; nothing that needs a token sets or reads a cookie.
"""

import re
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.web.match_routes import stream
from broadcast.web.problems import answer_error

_STREAM = re.compile(r"/(?P<kind>matches|ladders)/(?P<id>[^/]+)/events(?:/(?P<room>open|closed))?")
_KINDS = {"matches": "match", "ladders": "ladder"}
_PREFLIGHT = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
    "access-control-max-age": "86400",
}
MAX_PATH = 2048
"""Longest path, in bytes."""


class Lifespan(Protocol):
    def __call__(self, app: Starlette) -> AbstractAsyncContextManager[None]: ...


class Application:
    """The ASGI application."""

    def __init__(self, routes: Sequence[BaseRoute], lifespan: Lifespan) -> None:
        self.routed = Starlette(
            routes=list(routes), lifespan=lifespan, exception_handlers={Exception: answer_error}
        )
        for kind in _handled():
            self.routed.add_exception_handler(kind, answer_error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.routed(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and scope["path"].startswith("/api/"):
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send)
            return
        found = _STREAM.fullmatch(scope["path"])
        if found is None:
            await self.routed(scope, receive, _with_headers(scope, send))
            return
        scope["app"] = self.routed
        scope["path_params"] = {**found.groupdict(), "kind": _KINDS[found["kind"]]}
        await self._stream(scope, receive, send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response: ASGIApp
        try:
            if scope["method"] not in ("GET", "HEAD"):
                response = Response(status_code=405, headers={"allow": "GET, HEAD"})
            elif found_room(scope) and scope["path_params"]["kind"] != "match":
                response = Response(status_code=404)
            else:
                response = await stream(request)
        except Exception as error:
            response = await answer_error(request, error)
        await response(scope, receive, send)


def found_room(scope: Scope) -> bool:
    return scope["path_params"].get("room") is not None


def _handled() -> tuple[type[Exception], ...]:
    from starlette.exceptions import HTTPException

    from broadcast.bridge.errors import BridgeError
    from broadcast.house.errors import HouseError
    from broadcast.tables.errors import Refusal
    from broadcast.web.problems import Problem

    return (HTTPException, Problem, Refusal, BridgeError, HouseError)


def _with_headers(scope: Scope, send: Send) -> Send:
    """Cross-origin reading of public JSON; no framing and no sniffing anywhere."""
    is_open_data = scope["path"].startswith("/api/")

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if is_open_data and "access-control-allow-origin" not in headers:
                headers["access-control-allow-origin"] = "*"
            headers.setdefault("x-content-type-options", "nosniff")
            headers.setdefault("referrer-policy", "no-referrer")
            headers.setdefault("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        await send(message)

    return sending

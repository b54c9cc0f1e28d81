"""Signed in by cookie: every request is asked once which account its cookie signs in.

Public streams never come here, and a request with an Authorization header is not asked.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from broadcast.web.authority import SIGNED_IN
from broadcast.web.cookies import secret_of
from broadcast.web.house import House


class Recognising:
    """Finds out once for each request which account its cookie signs in, and leaves that in the scope."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            house = getattr(scope["app"].state, "house", None)
            if isinstance(house, House):
                await recognise(house, scope)
        await self._app(scope, receive, send)


async def recognise(house: House, scope: Scope) -> None:
    if any(header == b"authorization" for header, _ in scope["headers"]):
        return
    secret = secret_of(scope, house.origin)
    if secret:
        scope[SIGNED_IN] = await house.authority.session(secret, house.clock.now())

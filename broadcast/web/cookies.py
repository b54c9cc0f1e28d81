"""The cookie that says who is signed in: what it is called, how it is set and read.

The cookie goes to the whole site (``__Host-`` demands that), as the header of every page names who is signed
in. Spectators have none, so what they get is the same for all. Streams of the public never look at it, and a
request with an Authorization header does not either.
"""

from datetime import datetime
from http.cookies import CookieError, SimpleCookie

from starlette.responses import Response
from starlette.types import Scope


def cookie_name(origin: str) -> str:
    """Under TLS a name that no other host, not even a sibling, can set (``__Host-``)."""
    return "__Host-twinroom" if origin.startswith("https:") else "twinroom"


def set_cookie(response: Response, origin: str, secret: str, until: datetime) -> None:
    """Sign the browser in until the session's end."""
    response.set_cookie(
        cookie_name(origin),
        secret,
        expires=until,
        path="/",
        secure=origin.startswith("https:"),
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, origin: str) -> None:
    """Let the browser forget its session."""
    response.delete_cookie(
        cookie_name(origin), path="/", secure=origin.startswith("https:"), httponly=True, samesite="lax"
    )


def secret_of(scope: Scope, origin: str) -> str | None:
    """The session's secret that a request brings."""
    name = cookie_name(origin)
    for header, value in scope["headers"]:
        if header == b"cookie" and name.encode() in value:
            try:
                found = SimpleCookie(value.decode("latin-1")).get(name)
            except CookieError:
                return None
            return None if found is None else found.value
    return None

"""Requests that only this site's own pages may send: forms, and every change that a cookie authenticates.

A browser sends cookies along with what another site makes it send; so the request must say that it comes from
here. Browsers say so in Sec-Fetch-Site, and in Origin, which is all they send to a plain HTTP address. A page
whose Referrer-Policy is ``no-referrer`` sends its forms with ``Origin: null``: pages with forms have ``same-
origin``.
"""

from starlette.requests import Request

from broadcast.web.problems import Problem

SAFE = ("GET", "HEAD")
"""Methods that change nothing."""


def check_own_site(request: Request, origin: str) -> None:
    """Raise ``Problem`` 403 unless one of this site's own pages sent the request.

    Sec-Fetch-Site and Origin must agree where both are there; a request with neither is refused.
    """
    site, sent = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    own = {origin, f"{request.url.scheme}://{request.headers.get('host', '')}"}
    is_ours = site in (None, "same-origin") and (sent in own if sent is not None else site is not None)
    if not is_ours:
        raise Problem(403, "other_site", "This was not sent from a page of this site: open the page here")

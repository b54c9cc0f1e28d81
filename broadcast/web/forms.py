"""Forms of pages: read from the body that browsers send without scripts, and from this site's own pages only.

A form that was understood is answered with 303, so that a page loaded again sends nothing again; one that was
not, with its page, what was typed still there, and a sentence. Uploads are another content type and are not
read here.
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse

from broadcast.web.bidi import without_controls
from broadcast.web.own_site import check_own_site
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, read_body, wrong_content_type

PAGE_HEADERS: Final = {"cache-control": "no-store", "referrer-policy": "same-origin"}
"""Of a page with a form: kept by no cache, and its forms name this site in Origin
(``broadcast.web.own_site``)."""
FORM: Final = "application/x-www-form-urlencoded"
MAX_FORM: Final = 64 * 1024
"""Largest body of a form, in bytes."""
MAX_FIELDS: Final = 1000
_OWN_PATH = re.compile(r"/(?:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*/?)?(?:\?[A-Za-z0-9._~=&%+-]*)?")


async def read_form(request: Request, most: int = MAX_FORM) -> dict[str, str]:
    """The fields of a form sent from one of this site's own pages; of a name given twice, the last.

    Raises ``Problem`` 403 for another site's, 415, 413, or 400 for what is no form.
    """
    return dict(await read_fields(request, most))


async def read_fields(request: Request, most: int = MAX_FORM) -> list[tuple[str, str]]:
    """All fields in their order, also those whose name comes more than once. Raises as ``read_form`` does."""
    check_own_site(request, house_of(request).origin)
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != FORM:
        raise wrong_content_type(FORM)
    body = await read_body(request, most)
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as error:  # not UTF-8, or too many fields
        raise Problem(400, "bad_form", "The form could not be read: go back and send it again") from error
    return [(name, without_controls(value)) for name, value in fields]


def own_path(address: str, otherwise: str) -> str:
    """An address to go on to if it is a plain path of this site, else ``otherwise``.

    Browsers take backslashes, control characters and escaped ones for another host; so only what is plainly a
    path is followed.

    >>> own_path("/ladders/3?x=1", "/"), own_path("//evil.example", "/"), own_path("/%5Cevil.example", "/")
    ('/ladders/3?x=1', '/', '/')
    """
    return address if _OWN_PATH.fullmatch(address) else otherwise


def go_to(request: Request, path: str, **query: str) -> RedirectResponse:
    """Go on to a page of this site after a form (303); the language that the address chose stays."""
    kept: Mapping[str, str] = {
        name: request.query_params[name] for name in ("lang", "results") if name in request.query_params
    }
    asked = {**query, **{name: value for name, value in kept.items() if f"{name}=" not in path}}
    joined = f"{path}{'&' if '?' in path else '?'}{urlencode(asked)}" if asked else path
    return RedirectResponse(joined, 303, {"cache-control": "no-store", "referrer-policy": "same-origin"})

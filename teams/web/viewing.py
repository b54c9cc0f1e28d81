"""Pages that show a captain or a director what others do not see, and have forms: no cache keeps them."""

from collections.abc import Mapping

from starlette.requests import Request

from broadcast.web.forms import PAGE_HEADERS
from broadcast.web.requests import signed_in


def private_if_signed_in(request: Request) -> Mapping[str, str]:
    """Headers of a page that has forms only for whoever is signed in."""
    return {} if signed_in(request) is None else PAGE_HEADERS

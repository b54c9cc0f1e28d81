"""``/data``: how to use the site's data from programs, with examples that name one of its own matches."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.match_routes import listed
from broadcast.web.requests import house_of
from broadcast.web.results_csv import COLUMNS
from broadcast.web.templating import origin_of, page

SOME_MATCH = "m7k2"
"""Named in the examples while the site has no match with boards."""


async def data_page(request: Request) -> Response:
    """The newest match that has begun stands in the examples, so that each can be tried as it is."""
    rows, _ = await listed(house_of(request), ("live", "scored", "closed"), 1)
    match = rows[0].key.id if rows else SOME_MATCH
    return page(
        request, "vugraph/data.html", {"match": match, "origin": origin_of(request), "columns": COLUMNS}
    )


def data_routes() -> list[Route]:
    return [Route("/data", data_page, name="data")]

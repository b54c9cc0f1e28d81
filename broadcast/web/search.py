"""Searching released boards: a page with a form, JSON, and the boards found as PBN.

All three read the query by ``broadcast.web.search_query`` and the index alone, which holds what is public. With
hidden results nothing that tells one may be asked, and nothing that tells one is answered: contracts are those
of the auction.
"""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.streams import StreamKey
from broadcast.notation.pbn_writing import pbn_file
from broadcast.storage import read_models
from broadcast.storage.board_search import BoardQuery, FoundBoard, Order, files_of, search
from broadcast.web import command_json as read
from broadcast.web.field_labels import labelled, search_label
from broadcast.web.languages import catalogue, language_of
from broadcast.web.local import LOCAL
from broadcast.web.match_routes import file_answer, is_hidden
from broadcast.web.problems import Problem, translated
from broadcast.web.requests import house_of, json_answer, read_json
from broadcast.web.search_query import MOST_BOARDS, PARAMETERS, cursor_of, read_query, unreadable
from broadcast.web.templating import page

Json = dict[str, Any]

AT_ONCE = 10
"""Matches that one request indexes anew; a large one takes a second."""


async def search_json(request: Request) -> Response:
    """``GET /api/search``: ``{"boards", "found": how many or null beyond what is counted, "next"}``."""
    query = read_query(request.query_params, hidden=is_hidden(request))
    return json_answer(await answered(request, query))


async def search_page(request: Request) -> Response:
    """``GET /search``: the form, and with a condition what it finds, or why it cannot be read."""
    given = {name: request.query_params[name] for name in PARAMETERS if request.query_params.get(name)}
    language, hidden = language_of(request), is_hidden(request)
    wrong = unreadable(request.query_params, hidden=hidden) if given else []
    context: Json = {
        "given": given,
        "answer": None,
        "problems": {
            str(problem.facts.get("parameter", "")): translated(
                labelled(problem, search_label, catalogue(language).gettext), language
            )
            for problem in wrong
        },
    }
    if given and not wrong:
        context["answer"] = await answered(request, read_query(request.query_params, hidden=hidden))
    return page(request, "vugraph/search.html", context)


async def search_pbn(request: Request) -> Response:
    """``GET /search.pbn``: the boards of one page of results that are over, as one file."""
    if is_hidden(request):
        raise Problem(
            400,
            "results_hidden_file",
            "A file of boards holds their results: show results first",
        )
    house = house_of(request)
    query = read_query({**request.query_params, "limit": _limit(request)}, hidden=False)
    async with house.searching:
        games = await house.database.read(lambda connection: files_of(connection, search(connection, query)[0]))
    return file_answer(pbn_file(games), "boards", "pbn")


def _limit(request: Request) -> str:
    return request.query_params.get("limit") or str(MOST_BOARDS)


async def answered(request: Request, query: BoardQuery) -> Json:
    """The answer to a query, as the JSON has it."""
    house = house_of(request)
    async with house.searching:
        found, counted, more = await house.database.read(lambda connection: search(connection, query))
    following = None
    if more:
        # A cursor by swing stands only where swings are asked for: anywhere else it would tell one.
        last = found[-1]
        following = cursor_of(last.swing if query.order is Order.SWING else None, last.place)
    return {
        "boards": [board_json(each, hidden=query.hidden) for each in found],
        "found": counted,
        "next": following,
    }


def board_json(found: FoundBoard, *, hidden: bool) -> Json:
    """A board found: where it is, its deal, both rooms in short. Hidden results leave their members out."""
    heading, board = found.heading, found.board
    members: Json = {
        "match": {name: heading.get(name) for name in ("id", "title", "home", "visitors")},
        "segment": board["segment"],
        "number": board["number"],
        "dealer": board["dealer"],
        "vulnerable": board["vulnerable"],
        "deal": board["deal"],
        "hcp": None if board["hcp_n"] is None else {seat.value: board[f"hcp_{seat.lower()}"] for seat in SEATS},
        "rooms": [room.value for room in found.rooms],
        **{room.value: _room_json(found.tables.get(room), hidden) for room in Room},
    }
    if not hidden:
        members |= {name: _number(board[name]) for name in ("imps_home", "imps_visitors")}
    return members


def _room_json(table: Json | None, hidden: bool) -> Json | None:
    if table is None:
        return None
    players = zip(SEATS, msgspec.json.decode(table["players"], type=list[str]), strict=True)
    members: Json = {"players": {seat.value: name for seat, name in players if name}}
    if hidden:
        return members | {"contract": table["bid_contract"], "declarer": table["bid_declarer"]}
    return members | {name: table[name] for name in ("state", "contract", "declarer", "tricks", "score_ns")}


def _number(value: float | None) -> float | int | None:
    return None if value is None else int(value) if value == int(value) else value


async def renew_index(request: Request) -> Response:
    """``POST /local/index {"after"}``: the index of some matches made anew, for the command line.

    Answers how many were, and after which to go on; ``null`` when none is left.
    """
    if not request.scope.get(LOCAL):
        raise Problem(404, "not_found", "There is nothing at this address")
    house = house_of(request)
    after = read.optional_text(await read_json(request), "after")
    ids = await house.database.read(lambda connection: read_models.listed_ids(connection, MATCH))
    left = ids[ids.index(after) + 1 :] if after in ids else ids
    for id in left[:AT_ONCE]:
        await house.writer.renew_index(StreamKey(MATCH, id))
    more = len(left) > AT_ONCE
    return json_answer({"matches": len(left[:AT_ONCE]), "next": left[AT_ONCE - 1] if more else None}, 201)


def search_routes() -> list[Route]:
    return [
        Route("/local/index", renew_index, methods=["POST"], name="renew_index"),
        Route("/api/search", search_json, name="search_json"),
        Route("/search.pbn", search_pbn, name="search_pbn"),
        Route("/search", search_page, name="search"),
    ]

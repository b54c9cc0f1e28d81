"""The operator's page and what it asks: the way in by link, the room's table, what a result would score.

Entries themselves go to ``/api/matches/{match}/rooms/{room}/commands`` like everybody's.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.rooms import Room
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.events import BoardKey
from broadcast.tables.lineups import check_may_look
from broadcast.tables.state import MatchState
from broadcast.web import command_json, operator_sessions, operator_view
from broadcast.web.languages import language_of
from broadcast.web.limits import network_of
from broadcast.web.own_site import check_own_site
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, json_answer, read_json, room_of, who, who_with
from broadcast.web.templating import page
from broadcast.web.throttles import Rate

PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


WRONG_LINKS = Rate("wrong links", 60, 900)
"""Links that were no good, from one address. Good ones do not count: a hall's operators share theirs."""


async def enter(request: Request) -> Response:
    """``GET /operate/enter``: takes the link's fragment, which only the browser knows, and posts it."""
    return page(request, "operate/enter.html", {"problem": None}, headers=PRIVATE)


async def session(request: Request) -> Response:
    """``POST /operate/session`` ``{"token"}``: a session for the link's room; answers the room's address."""
    house = house_of(request)
    check_own_site(request, house.origin)
    body = await read_json(request)
    token = command_json.text(body, "token")
    network = network_of(request.scope)
    house.throttles.take(WRONG_LINKS, network, house.clock.now())
    match, room, secret, ends = await operator_sessions.begin(house, token)
    house.throttles.give_back(WRONG_LINKS, network)
    response = json_answer(
        {"match": match, "room": room.value, "address": f"/operate/{match}/{room}"}, 201, PRIVATE
    )
    operator_sessions.set_cookies(response, house, match, room, secret, ends)
    return response


async def room_page(request: Request) -> Response:
    """``GET /operate/{match}/{room}``: the page with the table as it stands; without a session, what to do."""
    try:
        table = await _table(request)
    except (Problem, NoSuchThing, Refusal) as error:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        problem = problem_of(error)
        sentence = translated(problem, language_of(request))
        context = {"problem": sentence, "code": problem.code, "again": request.url.path}
        return page(request, "operate/refused.html", context, status=problem.status, headers=PRIVATE)
    return page(request, "operate/room.html", {"table": table}, headers=PRIVATE)


async def table(request: Request) -> Response:
    """``GET /operate/{match}/{room}/table``: the room as the page draws it."""
    return json_answer(await _table(request), headers=PRIVATE)


async def score(request: Request) -> Response:
    """``GET /operate/{match}/{room}/score?board=1.5&contract=4SX&declarer=S&tricks=9``: what it would score."""
    match, room = await _entered(request)
    asked = dict(request.query_params)
    result = command_json.result(asked | {"tricks": _number(asked.get("tricks", ""))})
    segment, _, number = asked.get("board", "").rpartition(".")
    board = match.boards.get(BoardKey(_number(segment), _number(number)))
    if board is None:
        raise NoSuchThing(
            "no_such_board", f"The match has no board {asked.get('board')}", board=asked.get("board")
        )
    vulnerability = board.rooms[room].vulnerability
    return json_answer(
        {"score_ns": result.score_ns(vulnerability, match.created.penalty_scale)}, headers=PRIVATE
    )


async def revoke(request: Request) -> Response:
    """``DELETE /api/matches/{match}/rooms/{room}/operators``: withdraw all links of the room."""
    await who_with(request, "director")
    house, id, room = house_of(request), request.path_params["match"], room_of(request)
    if await house.match(id) is None:
        raise NoSuchThing("no_such_match", f"There is no match {id}", match=id)
    return json_answer({"revoked": await operator_sessions.revoke(house, id, room)}, headers=PRIVATE)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1


async def _table(request: Request) -> command_json.Fields:
    match, room = await _entered(request)
    table = operator_view.room_table(request.path_params["match"], match, room, language_of(request))
    # The link of a challenge's captain does not leave the order of boards: the page does not offer it.
    return table | {"keeps_order": (await who(request)).link_of is not None}


async def _entered(request: Request) -> tuple[MatchState, Room]:
    """The match and the room that the sender may enter. Raises ``Problem`` 401, 403 or 404, ``Refusal``."""
    sender, id, room = await who(request), request.path_params["match"], room_of(request)
    if not sender.may_enter(id, room):
        raise Problem(403, "other_room", "This token is for another room or another task")
    match = await house_of(request).match(id)
    if match is None or match.match is None:
        raise NoSuchThing("no_such_match", f"There is no match {id}", match=id)
    if sender.link_of is not None:
        check_may_look(match.match, sender.link_of)
    return match.match, room


def operator_routes() -> list[Route]:
    """Addresses of operators; the fixed ones before those with a match in them."""
    return [
        Route("/operate/enter", enter, name="operate_enter"),
        Route("/operate/session", session, methods=["POST"], name="operate_session"),
        Route("/operate/{match}/{room}", room_page, name="operate"),
        Route("/operate/{match}/{room}/table", table, name="operate_table"),
        Route("/operate/{match}/{room}/score", score, name="operate_score"),
        Route(
            "/api/matches/{match}/rooms/{room}/operators", revoke, methods=["DELETE"], name="revoke_operators"
        ),
    ]

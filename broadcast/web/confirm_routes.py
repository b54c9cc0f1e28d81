"""A second pair of eyes: the page and the addresses where finished results are confirmed or said to be wrong.

Whoever checks is shown what has to be compared with the players' own score: contract, declarer, tricks and
score of the boards that are over in the room. No deal, no auction and no card of them, no board in play, and
nothing of the comparison.
"""

import hashlib
import re
import secrets
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.rooms import Room
from broadcast.feeds import role_views
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.streams import Change, StreamKey
from broadcast.storage.answers import Once
from broadcast.tables.commands import CheckResult
from broadcast.tables.errors import Refusal
from broadcast.tables.state import MatchState
from broadcast.web import command_json as read
from broadcast.web import confirmers
from broadcast.web.desk_view import match_of
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.house import House
from broadcast.web.languages import language_of
from broadcast.web.limits import network_of
from broadcast.web.operator_routes import WRONG_LINKS
from broadcast.web.own_site import check_own_site
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, json_answer, once, read_json, who_with
from broadcast.web.templating import page

PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
EVERY_ROOM = tuple(Room)


# --- links -----------------------------------------------------------------------------------------------


async def add(request: Request) -> Response:
    """``POST /api/matches/{match}/confirmers`` ``{"room"}``: a link to check both rooms' results, or one's."""
    await who_with(request, "director")
    house, id = house_of(request), request.path_params["match"]
    await _match(house, id)
    body = await read_json(request)
    token = await confirmers.add(house, id, read.optional_code(body, "room", Room))
    return json_answer({"link": confirmers.link_of(house, token), "token": token}, 201, PRIVATE)


async def revoke(request: Request) -> Response:
    """``DELETE /api/matches/{match}/confirmers``: withdraw all of these links of the match."""
    await who_with(request, "director")
    house, id = house_of(request), request.path_params["match"]
    await _match(house, id)
    return json_answer({"revoked": await confirmers.revoke(house, id)}, headers=PRIVATE)


async def enter(request: Request) -> Response:
    """``GET /confirm/enter``: takes the link's fragment, which only the browser knows, and posts it."""
    return page(request, "confirm/enter.html", headers=PRIVATE)


async def session(request: Request) -> Response:
    """``POST /confirm/session`` ``{"token"}``: a session for the link's match; answers the page's address."""
    house = house_of(request)
    check_own_site(request, house.origin)
    body = await read_json(request)
    token = read.text(body, "token")
    network = network_of(request.scope)
    house.throttles.take(WRONG_LINKS, network, house.clock.now())
    holder, secret = await confirmers.begin(house, token)
    house.throttles.give_back(WRONG_LINKS, network)
    response = json_answer({"match": holder.match, "address": f"/confirm/{holder.match}"}, 201, PRIVATE)
    confirmers.set_cookie(response, house, holder, secret)
    return response


# --- for programs ----------------------------------------------------------------------------------------


async def checks(request: Request) -> Response:
    """``GET /api/matches/{match}/checks``: the finished results, each checked, doubted or neither."""
    _, rooms = await _sender(request)
    id = request.path_params["match"]
    match = await _match(house_of(request), id)
    return json_answer(role_views.confirmer_view(id, match, rooms), headers=PRIVATE)


async def check(request: Request) -> Response:
    """``POST /api/matches/{match}/checks``.

    ``{"segment", "board", "room", "contract", "declarer", "tricks"}`` as they were seen, and ``"wrong"`` with
    what is wrong where something is.
    """
    by, rooms = await _sender(request)
    body = await read_json(request)
    command = CheckResult(
        read.whole(body, "segment", 1),
        read.whole(body, "board"),
        read.code(body, "room", Room),
        read.result(body),
        read.optional_text(body, "wrong"),
    )
    id = request.path_params["match"]
    sent = once(request, body, StreamKey(MATCH, f"{id}/{by}"))
    answer = await _perform(house_of(request), id, command, by, rooms, sent)
    return json_answer(answer, 201, PRIVATE)


# --- the page --------------------------------------------------------------------------------------------


async def confirm(request: Request) -> Response:
    """``GET /confirm/{match}``: the results to check; without a session, what to do."""
    try:
        holder = await _holder(request)
    except Problem as problem:
        return _refused(request, problem)
    return await _page(request, holder)


async def confirm_form(request: Request) -> Response:
    """``POST /confirm/{match}/checks``: one verdict, from the page's form."""
    fields = await read_form(request)
    house = house_of(request)
    try:
        holder = await _holder(request)
    except Problem as problem:
        return _refused(request, problem)
    try:
        command = _typed(fields)
        asked = hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).digest()
        sent = Once(
            fields.get("key", "")[:200] or secrets.token_hex(8),
            asked,
            StreamKey(MATCH, f"{holder.match}/{holder.by}"),
        )
        await _perform(house, holder.match, command, holder.by, holder.rooms, sent)
    except (Problem, Refusal, BridgeError) as error:
        return await _page(request, holder, error)
    done = "checked" if command.wrong is None else "told"
    return go_to(request, f"/confirm/{holder.match}", done=done)


async def _holder(request: Request) -> confirmers.Confirmer:
    """Whose page it is: of a link's session, or a director's. Raises ``Problem``."""
    house, id = house_of(request), request.path_params["match"]
    try:
        return await confirmers.by_session(house, request)
    except Problem as problem:
        try:
            sender = await who_with(request, "director")
        except Problem as other:
            raise (problem if other.status == 401 else other) from None
        return confirmers.Confirmer(sender.by, id, EVERY_ROOM, house.clock.now())


def _typed(fields: dict[str, str]) -> CheckResult:
    numbers = {
        name: int(fields[name])
        for name in ("segment", "board", "tricks")
        if re.fullmatch("[0-9]{1,9}", fields.get(name, ""))
    }
    seen: dict[str, Any] = {**fields, **numbers}
    wrong = fields.get("wrong", "") if fields.get("verdict") == "wrong" else None
    room = read.code(seen, "room", Room)
    return CheckResult(read.whole(seen, "segment"), read.whole(seen, "board"), room, read.result(seen), wrong)


async def _page(request: Request, holder: confirmers.Confirmer, error: Exception | None = None) -> Response:
    match = await _match(house_of(request), holder.match)
    context = {
        "view": role_views.confirmer_view(holder.match, match, holder.rooms),
        "key": secrets.token_urlsafe(9),
        "done": request.query_params.get("done"),
        "problem": None if error is None else translated(problem_of(error), language_of(request)),
    }
    status = 200 if error is None else problem_of(error).status
    return page(request, "confirm/match.html", context, status, headers=PAGE_HEADERS)


def _refused(request: Request, problem: Problem) -> Response:
    if "text/html" not in request.headers.get("accept", ""):
        raise problem
    context = {"problem": translated(problem, language_of(request))}
    return page(request, "confirm/refused.html", context, status=problem.status, headers=PRIVATE)


# --- what both share -------------------------------------------------------------------------------------


async def _sender(request: Request) -> tuple[str, tuple[Room, ...]]:
    """Who sends it, as the log names them, and the rooms they may check. Raises ``Problem``."""
    house, id = house_of(request), request.path_params["match"]
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        holder = await confirmers.by_token(house, token.strip())
        if holder is not None:
            if holder.match != id:
                raise Problem(403, "other_match", "This link is for another match")
            return holder.by, holder.rooms
    sender = await who_with(request, "director")
    return sender.by, EVERY_ROOM


async def _perform(
    house: House, id: str, command: CheckResult, by: str, rooms: tuple[Room, ...], sent: Once
) -> bytes:
    if command.room not in rooms:
        raise Problem(403, "other_room", "This token is for another room or another task")
    await _match(house, id)

    def answer(change: Change) -> bytes:
        return msgspec.json.encode({"events": [role_views.NAMES[type(each.event)] for each in change.recorded]})

    return await house.writer.perform(StreamKey(MATCH, id), command, by=by, once=sent, answer=answer)


async def _match(house: House, id: str) -> MatchState:
    return match_of(await house.match(id), id)[1]


def confirm_routes() -> list[Route]:
    """The fixed addresses before those with a match in them."""
    return [
        Route("/api/matches/{match}/confirmers", add, methods=["POST"], name="add_confirmer"),
        Route("/api/matches/{match}/confirmers", revoke, methods=["DELETE"], name="revoke_confirmers"),
        Route("/api/matches/{match}/checks", checks, name="checks"),
        Route("/api/matches/{match}/checks", check, methods=["POST"], name="check_result"),
        Route("/confirm/enter", enter, name="confirm_enter"),
        Route("/confirm/session", session, methods=["POST"], name="confirm_session"),
        Route("/confirm/{match}", confirm, name="confirm"),
        Route("/confirm/{match}/checks", confirm_form, methods=["POST"], name="confirm_form"),
    ]

"""The director's desk: the list of matches with what needs the director, a match with both its rooms, a board.

Pages for directors alone, kept by no cache. They are complete without scripts; with them a match's page follows
its log and takes the parts that changed from itself.
"""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.rooms import Room
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.streams import StreamKey
from broadcast.storage.operator_link_store import links_taken
from broadcast.tables.commands import ClearAlarm
from broadcast.tables.errors import Refusal
from broadcast.web import confirmers, match_drafts, operator_links, operator_sessions
from broadcast.web.desk_alarms import alarms_of, clearings_of, look_for_alarms
from broadcast.web.desk_view import corrections, match_of, unreleased, whole_board, whole_match
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.house import House
from broadcast.web.languages import language_of
from broadcast.web.match_routes import board_key, listed
from broadcast.web.problems import problem_of, translated
from broadcast.web.requests import house_of, who_with
from broadcast.web.ruling_forms import FORMS
from broadcast.web.templating import page

Json = dict[str, Any]

ON_DESK = 30
"""Matches on one page of the list."""
CHECKING = "check"
"""In place of a room: the links with which results of both rooms are checked."""


async def desk(request: Request) -> Response:
    """``GET /desk``: drafts, and all matches, newest first, with what needs the director."""
    await who_with(request, "director")
    house = house_of(request)
    rows, following = await listed(house, (), ON_DESK, request.query_params.get("after"))
    opened = set(house.writer.open_streams)
    needs = await asyncio.gather(*(_needs(house, row.key) for row in rows if row.key in opened))
    by_match = dict(zip([row.key for row in rows if row.key in opened], needs, strict=True))
    context = {
        "matches": [row.summary.body | {"needs": by_match.get(row.key)} for row in rows],
        "next": following,
        "drafts": await match_drafts.all_drafts(house),
        "done": request.query_params.get("done"),
    }
    return page(request, "desk/list.html", context, headers=PAGE_HEADERS)


async def _needs(house: House, key: StreamKey) -> Json | None:
    """What of an open match needs its director: alarms, and rooms that nobody can enter."""
    stream = await house.match(key.id)
    if stream is None or stream.match is None:
        return None
    alarms = await alarms_of(house, stream)
    links = await operator_links.links_of(house, key.id)
    blocking = sum(alarm["blocking"] for alarm in alarms)
    return {
        "blocking": blocking,
        "notices": len(alarms) - blocking,
        "without_operator": []
        if stream.match.is_complete
        else [room for room, link in links.items() if not link["good"]],
    }


async def match(request: Request) -> Response:
    """``GET /desk/{match}``: alarms, both rooms as they stand, boards, operators, rulings."""
    await who_with(request, "director")
    return await match_page(request)


async def match_page(request: Request, problem: Exception | None = None, **more: object) -> Response:
    house, id = house_of(request), request.path_params["match"]
    stream, state = match_of(await house.match(id), id)
    told = None if problem is None else problem_of(problem)
    alarms = await look_for_alarms(house, stream)
    context = {
        "match": whole_match(stream) | {"closed_for": state.closed, "voided_for": state.voided},
        "alarms": alarms.open,
        "is_analysing": alarms.is_analysing,
        "cleared": clearings_of(state),
        "links": await operator_links.links_of(house, id),
        "unreleased": unreleased(stream),
        "blind": _blind_segments(state.segments, stream),
        "sequence": state.sequence,
        "is_level": _is_level(stream),
        "forms": FORMS,
        "done": request.query_params.get("done"),
        "problem": None if told is None else translated(told, language_of(request)),
        **more,
    }
    return page(request, "desk/match.html", context, 200 if told is None else told.status, PAGE_HEADERS)


def _blind_segments(segments: Any, stream: MatchStream) -> list[Json]:
    """Per segment, how many of its four seats each side has named."""
    told = []
    for segment in segments:
        sides: dict[str, int] = {"home": 0, "visitors": 0}
        for room in Room:
            for seat in segment.lineups.get(room, {}):
                north_south = segment.ns_open if room is Room.OPEN else segment.ns_open.other
                team = north_south if seat in ("N", "S") else north_south.other
                sides[team.value] += 1
        told.append({"number": segment.number, **sides})
    return told


def _is_level(stream: MatchStream) -> bool:
    """Whether every board is final and the teams have the same IMPs: a tie."""
    totals = (whole_match(stream).get("totals") or {}).get("imps") or {}
    match = stream.match
    return match is not None and match.is_complete and totals.get("home") == totals.get("visitors")


async def board(request: Request) -> Response:
    """``GET /desk/{match}/boards/{board}``: a board in both rooms, released or not, and what may be ruled."""
    await who_with(request, "director")
    house, id = house_of(request), request.path_params["match"]
    stream, state = match_of(await house.match(id), id)
    key = board_key(stream, request.path_params["board"])
    keys = list(state.boards)
    at = keys.index(key)
    context = {
        "match": whole_match(stream),
        "board": whole_board(stream, key) | {"swapped": state.boards[key].is_swapped},
        "alarms": [
            alarm
            for alarm in await alarms_of(house, stream)
            if (alarm["segment"], alarm["board"]) == (key.segment, key.number)
        ],
        "corrections": [each for each in corrections(state) if (each["segment"], each["board"]) == tuple(key)],
        "unreleased": str(key) in unreleased(stream),
        "forms": FORMS,
        "previous": str(keys[at - 1]) if at else None,
        "next": str(keys[at + 1]) if at + 1 < len(keys) else None,
    }
    return page(request, "desk/board.html", context, headers=PAGE_HEADERS)


async def clear_alarm(request: Request) -> Response:
    """``POST /desk/{match}/alarms``: clear one with a reason."""
    sender = await who_with(request, "director")
    form = await read_form(request)
    house, id = house_of(request), request.path_params["match"]
    match_of(await house.match(id), id)
    command = ClearAlarm(form.get("alarm", "")[:200], form.get("reason", "")[:1000])
    try:
        await house.writer.perform(StreamKey(MATCH, id), command, by=sender.by)
    except Refusal as refusal:
        return await match_page(request, refusal)
    return go_to(request, f"/desk/{id}", done="alarm")


async def operators(request: Request) -> Response:
    """``GET /desk/{match}/operators``: the rooms' links and those for checking, to copy or to scan."""
    await who_with(request, "director")
    return await _operators_page(request, {})


async def change_operators(request: Request) -> Response:
    """``POST /desk/{match}/operators``: ``make`` a link of a room or for checking, or ``withdraw`` all."""
    await who_with(request, "director")
    form = await read_form(request)
    house, id = house_of(request), request.path_params["match"]
    match_of(await house.match(id), id)
    is_withdrawn = form.get("action") == "withdraw"
    if form.get("room") == CHECKING:
        if is_withdrawn:
            await confirmers.revoke(house, id)
            return go_to(request, f"/desk/{id}/operators")
        link = confirmers.link_of(house, await confirmers.add(house, id, None))
        return await _operators_page(request, {CHECKING: link})
    if form.get("room") not in set(Room):
        raise Refusal("no_such_room", "A match has the rooms open and closed")
    room = Room(form["room"])
    if is_withdrawn:
        await operator_sessions.revoke(house, id, room)
        return go_to(request, f"/desk/{id}/operators")
    # Shown once and never stored: the answer to the form itself is the only page that has it.
    return await _operators_page(request, {room.value: await operator_links.another(house, id, room)})


async def _operators_page(request: Request, made: dict[str, str]) -> Response:
    house, id = house_of(request), request.path_params["match"]
    stream, _ = match_of(await house.match(id), id)
    rooms = {}
    for room, links in (await operator_links.links_of(house, id)).items():
        link = made.get(room) or links["first"]
        code = None if link is None else operator_links.qr_code(link)
        rooms[room] = links | {"link": link, "is_new": room in made, "qr": code}
    context = {
        "match": stream.public.heading() or whole_match(stream),
        "rooms": rooms,
        "checking": await _checking(house, id, made.get(CHECKING)),
        "taken": await house.database.read(lambda connection: links_taken(connection, id, house.clock.now())),
    }
    return page(request, "desk/operators.html", context, headers=PAGE_HEADERS)


async def _checking(house: House, match: str, link: str | None) -> Json:
    """The links for checking results, as a room's operators' links are told; there is no first one."""
    good = await confirmers.good_until(house, match)
    return {
        "good": len(good),
        "until": good[-1].isoformat() if good else None,
        "link": link,
        "is_new": link is not None,
        "qr": None if link is None else operator_links.qr_code(link),
    }


def desk_routes() -> list[Route]:
    """Addresses of the desk but for rulings and setting up; ``/desk/new`` has to stand before them."""
    return [
        Route("/desk", desk, name="desk_list"),
        Route("/desk/{match}", match, name="desk_match"),
        Route("/desk/{match}/boards/{board}", board, name="desk_board"),
        Route("/desk/{match}/alarms", clear_alarm, methods=["POST"], name="desk_alarm"),
        Route("/desk/{match}/operators", operators, name="desk_operators"),
        Route("/desk/{match}/operators", change_operators, methods=["POST"], name="desk_change_operators"),
    ]

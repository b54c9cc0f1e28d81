"""Entering a match: the operator's room and the director's desk, for bearer tokens.

Every command needs an idempotency key and answers after its commit. What is read here is a role view of the
log; the public's addresses are elsewhere.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.rooms import Room
from broadcast.feeds import role_views
from broadcast.feeds.cursor import Cursor
from broadcast.feeds.frames import Frame
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.publishing import desk_channel, room_channel
from broadcast.feeds.role_views import Logged
from broadcast.feeds.streams import Change, StreamKey
from broadcast.storage import event_store
from broadcast.tables.commands import EnterInRoom, EnterResult, Entry
from broadcast.tables.errors import NoSuchThing, StaleTable
from broadcast.tables.events import MatchEvent, rooms_of
from broadcast.tables.lineups import check_may_look
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import TeamName
from broadcast.tables.state import MatchState, boards_of
from broadcast.web import command_json, match_json
from broadcast.web.authority import COMMAND_LINE, Who, add_first_operator, add_operator_once
from broadcast.web.desk_alarms import alarms_of
from broadcast.web.house import House, new_id
from broadcast.web.limits import ViewerLimits
from broadcast.web.operator_links import link_of
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, once, read_json, room_of, who, who_with
from broadcast.web.sessions import recognise
from broadcast.web.sse import StreamResponse, requested_cursor
from broadcast.web.throttles import Rate

PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
COMMENTS = Rate("comments of a match", 1000, 24 * 60 * 60)
"""Of one room, or one commentator; ``broadcast.tables.commenting`` bounds the sum. Directors may bring whole
records."""


async def enter(request: Request) -> Response:
    """``POST /api/matches/{match}/rooms/{room}/commands``."""
    house, id, room = house_of(request), request.path_params["match"], room_of(request)
    sender = await who(request)
    if not sender.may_enter(id, room):
        raise Problem(403, "other_room", "This token is for another room or another task")
    body = dict(await read_json(request))
    waited = command_json.seconds(body, "waited")
    body.pop("waited", None)  # it grows while the same command is sent again
    sent = once(request, body, _told_apart(id, room))
    expected = None if body.get("expected") is None else command_json.whole(body, "expected")
    is_director = "director" in sender.roles
    entries = command_json.entries(body)
    if is_director:
        entries = tuple(_as_director(each) for each in entries)
    command = EnterInRoom(room, entries, expected, waited, is_director, sender.link_of)
    try:
        answer = await house.writer.perform(
            StreamKey(MATCH, id), command, by=sender.by, once=sent, answer=partial(_room_answer, room)
        )
    except StaleTable as stale:
        missed = [each for each in await room_events(house, id, room) if each.number > stale.expected]
        raise StaleTable(stale.expected, stale.sequence, [_event(each) for each in missed[:100]]) from None
    return json_answer(answer, 201, PRIVATE)


def _as_director(entry: Entry) -> Entry:
    """A result says whose it is."""
    return replace(entry, source="director") if isinstance(entry, EnterResult) else entry


def _room_answer(room: Room, change: Change) -> bytes:
    stream = cast(MatchStream, change.stream)
    sequence = 0 if stream.match is None else stream.match.room_sequences[room]
    mine = [
        each for each in cast(tuple[Recorded[MatchEvent], ...], change.recorded) if room in rooms_of(each.event)
    ]
    events = [_event(each) for each in role_views.room_log(mine, room, sequence - len(mine) + 1)]
    return msgspec.json.encode({"room_sequence": sequence, "events": events})


def _event(logged: Logged) -> dict[str, object]:
    return {"id": logged.number, "event": logged.name, "data": logged.data}


async def room(request: Request) -> Response:
    """``GET /api/matches/{match}/rooms/{room}``: the board in progress and what is legal."""
    _, match, id = await _entered(request)
    return json_answer(role_views.operator_view(id, _state(match), room_of(request)), headers=PRIVATE)


async def room_stream(request: Request) -> Response:
    """``GET /api/matches/{match}/rooms/{room}/events``: the room's log as a stream, id = ``room_sequence``."""
    sender, match, id = await _entered(request)
    house, asked = house_of(request), room_of(request)
    channel = await house.publishing.private_channel(
        room_channel(id, asked), match.key, partial(_log, house, id), partial(role_views.room_log, room=asked)
    )
    after = requested_cursor(request.scope) or "0"

    def standing() -> Frame:
        state = _state(cast(MatchStream, house.publishing.current(match.key)))
        view = msgspec.json.encode(role_views.operator_view(id, state, asked))
        return Frame.numbered(None, state.room_sequences[asked], "snapshot", view)

    def may_see(sender: Who) -> bool:
        return sender.may_enter(id, asked)

    place = partial(_place, request, sender)
    return StreamResponse(channel, after, standing, PRIVATE, partial(_still, request, may_see), place)


async def desk_stream(request: Request) -> Response:
    """``GET /api/matches/{match}/desk/events``: the match's log as a stream, id = ``sequence``.

    With a director's token also at ``/api/matches/{match}/events``.
    """
    sender = await who_with(request, "director")
    house, id = house_of(request), request.path_params["match"]
    match = await _found(house, id)
    channel = await house.publishing.private_channel(
        desk_channel(id), match.key, partial(_log, house, id), role_views.match_log
    )
    after = requested_cursor(request.scope) or "0"

    def standing() -> Frame:
        state = _state(cast(MatchStream, house.publishing.current(match.key)))
        view = msgspec.json.encode(role_views.desk_view(id, state))
        return Frame.numbered(None, state.sequence, "snapshot", view)

    def may_see(sender: Who) -> bool:
        return "director" in sender.roles

    place = partial(_place, request, sender)
    return StreamResponse(channel, after, standing, PRIVATE, partial(_still, request, may_see), place)


def _place(request: Request, sender: Who) -> AbstractContextManager[None]:
    """A place among the viewers for a private stream: of one link, or one account, there are only so many."""
    limits: ViewerLimits = request.app.state.limits
    return limits.private("" if sender is COMMAND_LINE else f"{sender.account or sender.name} {sender.room}")


async def _still(request: Request, may_see: Callable[[Who], bool]) -> bool:
    """Whether the sender of a request that was let in is let in now: tokens and sessions end."""
    await recognise(house_of(request), request.scope)
    try:
        return may_see(await who(request))
    except Problem:
        return False


async def desk(request: Request) -> Response:
    """``GET /api/matches/{match}/desk``: alarms, and both rooms as their operators see them."""
    await who_with(request, "director")
    house, id = house_of(request), request.path_params["match"]
    match = await _found(house, id)
    view = role_views.desk_view(id, _state(match)) | {"alarms": await alarms_of(house, match)}
    return json_answer(view, headers=PRIVATE)


async def create(request: Request) -> Response:
    """``POST /api/matches``: a match, and a link and token for each room's operator."""
    sender = await who_with(request, "director")
    house = house_of(request)
    body = await read_json(request)
    sent = once(request, body, StreamKey("matches", sender.name))
    names = {side: await _team(house, body, side) for side in ("home", "visitors")}
    command = match_json.create_match(body, names, house.deal)
    boards = sum(1 for _ in boards_of(command.segments)) + (command.carry_over.boards or 0)
    if boards > 0:  # else there is something wrong with the segments, which the match itself will say
        house.regulations.check_scales(command.scale, command.imp_scale, boards)
    id = new_id()
    created = await house.writer.perform(
        StreamKey(MATCH, id),
        command,
        by=sender.by,
        once=sent,
        answer=lambda change: msgspec.json.encode({"id": id}),
    )
    made = msgspec.json.decode(created)["id"]
    rooms = {}
    for each in Room:
        token = await add_first_operator(house.writer, house.secret, made, each)
        rooms[each.value] = _link(house, token)
    return json_answer({"id": made, "rooms": rooms}, 201, PRIVATE)


def _link(house: House, token: str) -> dict[str, str]:
    """``link`` for people, ``token`` for programs."""
    return {"link": link_of(house, token), "token": token}


async def operator(request: Request) -> Response:
    """``POST /api/matches/{match}/rooms/{room}/operators``: another link for the room; it takes no body."""
    sender = await who_with(request, "director")
    house, id, room = house_of(request), request.path_params["match"], room_of(request)
    await _found(house, id)
    sent = once(request, {}, _told_apart(id, f"operators of {room}, {sender.by}"))
    token = await add_operator_once(house.writer, house.secret, id, room, sent)
    return json_answer(_link(house, token), 201, PRIVATE)


async def rule(request: Request) -> Response:
    """``POST /api/matches/{match}/rulings``; ``"preview": true`` answers what would change and does nothing."""
    sender = await who_with(request, "director")
    house, id = house_of(request), request.path_params["match"]
    body = await read_json(request)
    command = match_json.ruling(body, house.deal)
    key = StreamKey(MATCH, id)
    if body.get("preview") is True:
        change = await house.writer.preview(key, command, sender.by)
        return json_answer(_ruling_answer(change, preview=True), headers=PRIVATE)
    sent = once(request, body)
    answer = await house.writer.perform(
        key, command, by=sender.by, once=sent, answer=partial(_ruling_answer, preview=False)
    )
    return json_answer(answer, 201, PRIVATE)


def _ruling_answer(change: Change, *, preview: bool) -> bytes:
    stream = cast(MatchStream, change.stream)
    recorded = cast(tuple[Recorded[MatchEvent], ...], change.recorded)
    public = [{"event": each.event.name, "data": each.event.data} for each in change.published]
    events = [_event(logged) for logged in role_views.match_log(recorded)]
    return msgspec.json.encode(
        {"preview": preview, "sequence": stream.sequence, "events": events, "public": public}
    )


async def comment(request: Request) -> Response:
    """``POST /api/matches/{match}/comments``.

    Any position of the log is for those who see it: directors, and operators in their own room. The others'
    answers, refusals too, tell nothing of the log. Directors name an author, and operators with a director's
    link; with a captain's link, and without a name, an operator writes as the room.
    """
    sender = await who(request)
    house, id = house_of(request), request.path_params["match"]
    is_director = "director" in sender.roles
    of_room = sender.room[1] if sender.room is not None and sender.room[0] == id else None
    if of_room is None and not sender.roles.intersection(("director", "commentator")):
        raise Problem(403, "not_allowed", "Comments are for commentators", roles=["commentator"])
    body = await read_json(request)
    may_name = is_director or (of_room is not None and sender.link_by is None)
    command = match_json.comment(body, sender.name, is_director=is_director, of_room=of_room, may_name=may_name)
    command = replace(command, any_position=sender.may_enter(id, command.room))
    if not is_director:
        house.throttles.take(COMMENTS, f"{id} {sender.room or sender.by}", house.clock.now())

    def answer(change: Change) -> bytes:
        told: dict[str, object] = {"last_event": str(Cursor(house.publishing.epoch, change.stream.number))}
        return msgspec.json.encode(told | ({"sequence": change.stream.sequence} if is_director else {}))

    sent = once(request, body, _told_apart(id, sender.by))
    given = await house.writer.perform(StreamKey(MATCH, id), command, by=sender.by, once=sent, answer=answer)
    return json_answer(given, 201, PRIVATE)


def _told_apart(match: str, whose: str) -> StreamKey:
    """Where idempotency keys of one room, or one commentator, are kept: nobody meets, or tries, another's."""
    return StreamKey(MATCH, f"{match}/{whose}")


# --- reading the log --------------------------------------------------------------------------------------


async def room_events(house: House, id: str, asked: Room) -> list[Logged]:
    return list(role_views.room_log(await _log(house, id), asked))


async def _log(house: House, id: str, after: int = 0) -> list[Recorded[MatchEvent]]:
    key = StreamKey(MATCH, id)
    read = await house.database.read(
        lambda connection: event_store.read(connection, key, house.match_codec, after)
    )
    return cast(list[Recorded[MatchEvent]], read)


async def _team(house: House, body: command_json.Fields, side: str) -> TeamName:
    name, id = match_json.team_field(body, side)
    if id is None:
        return TeamName(name or "")
    registered = await house.regulations.team_name(id)
    if registered is None:
        raise Problem(404, "no_such_team", f"There is no team {id}", team=id)
    return TeamName(name or registered, id)


async def _entered(request: Request) -> tuple[Who, MatchStream, str]:
    sender, id = await who(request), request.path_params["match"]
    if not sender.may_enter(id, room_of(request)):
        raise Problem(403, "other_room", "This token is for another room or another task")
    found = await _found(house_of(request), id)
    if sender.link_of is not None:
        check_may_look(_state(found), sender.link_of)
    return sender, found, id


async def _found(house: House, id: str) -> MatchStream:
    match = await house.match(id)
    if match is None:
        raise NoSuchThing("no_such_match", f"There is no match {id}", match=id)
    return match


def _state(stream: MatchStream) -> MatchState:
    if stream.match is None:
        raise NoSuchThing("no_such_match", f"There is no match {stream.id}")
    return stream.match


def room_routes() -> list[Route]:
    """Addresses for those with a task in a match. Streams are dispatched ahead of these."""
    post: Callable[..., Route] = partial(Route, methods=["POST"])
    return [
        post("/api/matches", create, name="create_match"),
        post("/api/matches/{match}/rooms/{room}/commands", enter, name="enter"),
        post("/api/matches/{match}/rooms/{room}/operators", operator, name="add_operator"),
        post("/api/matches/{match}/rulings", rule, name="rule"),
        post("/api/matches/{match}/comments", comment, name="comment"),
        Route("/api/matches/{match}/rooms/{room}", room, name="room"),
        Route("/api/matches/{match}/rooms/{room}/events", room_stream, name="room_stream"),
        Route("/api/matches/{match}/desk", desk, name="desk"),
        Route("/api/matches/{match}/desk/events", desk_stream, name="desk_stream"),
    ]

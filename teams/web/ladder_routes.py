"""Ladders over HTTP: read by everyone, made by directors, entered and left by captains."""

from datetime import datetime
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.cursor import Cursor
from broadcast.feeds.polling import poll
from broadcast.feeds.publishing import Encoding
from broadcast.feeds.streams import Change, StreamKey
from broadcast.storage.read_models import list_summaries
from broadcast.web import command_json as read
from broadcast.web.house import House, new_id
from broadcast.web.languages import language_of
from broadcast.web.match_routes import is_hidden
from broadcast.web.requests import house_of, json_answer, once, read_json, who, who_with
from broadcast.web.sse import requested_cursor
from teams.ladder.commands import CreateLadder, LeaveLadder
from teams.ladder.eligibility import MayRest, may_rest
from teams.ladder.past import order_at
from teams.ladder.rules import LadderKind, rules_from
from teams.ladder.state import LadderState
from teams.ladder.stream import KIND
from teams.ladder.views import JsonObject, history_json, moment_json, row_json, targets_json, team_json
from teams.members.names import clean_name
from teams.web.authority import members_of
from teams.web.contestants import contestant, entry, require_leader
from teams.web.ladder_requests import (
    asked_moment,
    found_ladder,
    no_ladder,
    own_team,
    perform,
    require_captain,
    stream_of,
    with_status,
)
from teams.web.ladder_words import Words
from teams.web.roster_routes import sender_scope

# --- for everyone ------------------------------------------------------------------------------------------


async def ladders(request: Request) -> Response:
    """``GET /api/ladders``: each with its top rungs and newest moves."""
    return json_answer({"ladders": await listed(house_of(request))})


async def listed(house: House) -> list[JsonObject]:
    """Ladders as lists show them, the newest first."""
    lines = await house.database.read(partial(list_summaries, kind=KIND))
    return [line.summary.body for line in lines]


async def ladder(request: Request) -> Response:
    """``GET /api/ladders/{ladder}``."""
    house = house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    last = str(Cursor(house.publishing.epoch, found.number))
    return json_answer({**found.snapshot(hidden=is_hidden(request)), "last_event": last})


async def history(request: Request) -> Response:
    """``GET /api/ladders/{ladder}/history``: every move, the oldest first.

    With ``?at=``, a moment or a day of the club, only those until then, and the ``rungs`` as they stood.
    """
    state = (await found_ladder(house_of(request), request.path_params["ladder"])).state
    at, moves = asked_moment(request, state), history_json(state, hidden=is_hidden(request))
    if at is None:
        return json_answer({"moves": moves})
    until = sum(told.at <= at for told in state.history)
    order = order_at(state.history, at)
    rungs = [{"rung": rung, "team": team_json(state, team)} for rung, team in enumerate(order, 1)]
    return json_answer({"at": moment_json(at), "rungs": rungs, "moves": moves[:until]})


async def events(request: Request) -> Response:
    """``GET /api/ladders/{ladder}/events``: polling by the stream's cursor."""
    house = house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    channel = await house.publishing.channel(found.key, Encoding(is_hidden(request)))
    if channel is None:
        raise no_ladder(found.state.id)
    return json_answer(msgspec.json.encode(poll(channel, requested_cursor(request.scope))))


# --- directors and entries ---------------------------------------------------------------------------------


async def create(request: Request) -> Response:
    """``POST /api/ladders {"name", "kind", "rules"}``: directors."""
    sender = await who_with(request, "director")
    house = house_of(request)
    body = await read_json(request)
    sent = once(request, body, sender_scope(sender))
    name = clean_name(read.text(body, "name"), "ladder's name")
    kind = read.optional_code(body, "kind", LadderKind) or LadderKind.TEAMS
    rules = rules_from(read.table(body, "rules"))
    house.regulations.check_scales(rules.scale, "1962", rules.boards)
    answer = await house.writer.perform(
        StreamKey(KIND, new_id()),
        CreateLadder(name, kind, rules),
        by=sender.by,
        once=sent,
        answer=lambda change: msgspec.json.encode(stream_of(change).snapshot()),
    )
    return json_answer(answer, 201)


async def enter(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/entries {"team"}``, on a ladder of clubs ``{"club"}``: at the bottom.

    Directors, or who answers for the team or club.
    """
    sender, body = await who(request), await read_json(request)
    state = (await found_ladder(house_of(request), request.path_params["ladder"])).state
    name = "team" if state.kind is LadderKind.TEAMS or "club" not in body else "club"
    team = await contestant(request, state.kind, read.text(body, name))
    require_captain(sender, team.id)
    return await perform(request, sender, body, entry(state, team), partial(row_answer, team.id))


async def leave(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/leave {"team"}``: always possible; a director, or the captain, not a deputy.

    ``"at_once": true`` forfeits a match under way, too: a team that is deleted, by a director.
    """
    sender, body = await who(request), await read_json(request)
    team = read.text(body, "team")
    require_captain(sender, team)
    if "director" not in sender.roles:
        require_leader(sender, await members_of(request).side(team))
    at_once = read.truth(body, "at_once", False)
    if at_once:
        await who_with(request, "director")
    return await perform(request, sender, body, LeaveLadder(team, at_once), partial(row_answer, team))


def row_answer(team: str, change: Change) -> bytes:
    """The team's row, ``null`` once it is off the ladder. Always 201: the first answer stands."""
    state = stream_of(change).state
    row = row_json(state, team) if team in state.order else None
    return with_status(201, {"ladder": state.id, "version": state.version, "row": row})


# --- captains ----------------------------------------------------------------------------------------------


async def targets(request: Request) -> Response:
    """``GET /api/ladders/{ladder}/targets?team=``: for each rung, may the sender's team challenge it?

    Each target says it in words, too, in the language of the request; of teams that stand below there are none.
    ``team`` is needed only by who is captain of several teams on the ladder, and by directors.
    """
    sender = await who(request)
    house = house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    state, now = found.state, house.clock.now()
    team = own_team(state, sender, request.query_params.get("team"))
    words = Words(language_of(request), state.rules.time_zone)
    body = {
        "ladder": state.id,
        "version": state.version,
        "team": team,
        "targets": [target | {"words": words.target(target)} for target in targets_json(state, team, now)],
        "rest": rest_json(state, team, now),
    }
    return json_answer(body, headers={"cache-control": "no-store"})


def rest_json(state: LadderState, team: str, now: datetime) -> JsonObject:
    """May the team rest now: for how many days, or which rule refuses until when."""
    answer = may_rest(state, team, now)
    if isinstance(answer, MayRest):
        return {"allowed": True, "most_days": answer.most_days}
    return {"allowed": False, "rule": answer.rule.value, "until": moment_json(answer.until)}


def ladder_routes() -> list[Route]:
    """The addresses of ladders; the longer before the shorter that would also fit."""
    return [
        Route("/api/ladders", ladders, name="ladders_json"),
        Route("/api/ladders", create, methods=["POST"], name="create_ladder"),
        Route("/api/ladders/{ladder}/history", history, name="ladder_history_json"),
        Route("/api/ladders/{ladder}/events", events, name="ladder_events_json"),
        Route("/api/ladders/{ladder}/targets", targets, name="ladder_targets_json"),
        Route("/api/ladders/{ladder}/entries", enter, methods=["POST"], name="enter_ladder"),
        Route("/api/ladders/{ladder}/leave", leave, methods=["POST"], name="leave_ladder"),
        Route("/api/ladders/{ladder}", ladder, name="ladder_json"),
    ]

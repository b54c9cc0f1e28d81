"""Ladders and challenges: read by everyone, moved by captains and directors.

The answer to every step holds the challenge as it then stands, with what the sender's team may do next.
"""

from collections.abc import Callable
from functools import partial
from typing import cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.cursor import Cursor
from broadcast.feeds.polling import poll
from broadcast.feeds.publishing import Encoding
from broadcast.feeds.streams import Change, StreamKey
from broadcast.storage.read_models import list_summaries
from broadcast.tables.errors import NoSuchThing
from broadcast.web import command_json as read
from broadcast.web.authority import Who
from broadcast.web.house import House, new_id
from broadcast.web.match_routes import is_hidden
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, once, read_json, who, who_with
from broadcast.web.sse import requested_cursor
from teams.ladder.challenges import Challenge
from teams.ladder.commands import (
    AcceptChallenge,
    CreateLadder,
    DeclineChallenge,
    EnterTeam,
    IssueChallenge,
    LadderCommand,
    LeaveLadder,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.errors import NotThatSide
from teams.ladder.rules import DealsFrom, LadderKind, Schedule, rules_from
from teams.ladder.state import LadderState
from teams.ladder.stream import KIND, LadderStream
from teams.ladder.views import JsonObject, challenge_json, history_json, row_json, steps_of, targets_json
from teams.members.names import clean_name
from teams.web.authority import members_of
from teams.web.challenge_match import confirm_score, name_lineup
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
    """``GET /api/ladders/{ladder}/history``: every move, the oldest first."""
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    return json_answer({"moves": history_json(found.state, hidden=is_hidden(request))})


async def events(request: Request) -> Response:
    """``GET /api/ladders/{ladder}/events``: polling by the stream's cursor."""
    house = house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    channel = await house.publishing.channel(found.key, Encoding(is_hidden(request)))
    if channel is None:
        raise _no_ladder(found.state.id)
    return json_answer(msgspec.json.encode(poll(channel, requested_cursor(request.scope))))


async def challenge(request: Request) -> Response:
    """``GET /api/challenges/{challenge}``."""
    state, found = await found_challenge(house_of(request), request.path_params["challenge"])
    return json_answer(challenge_json(state, found, hidden=is_hidden(request)))


async def found_ladder(house: House, id: str) -> LadderStream:
    """The ladder as of the last commit. Raises ``NoSuchThing``."""
    stream = await house.writer.stream(StreamKey(KIND, id))
    if not isinstance(stream, LadderStream):
        raise _no_ladder(id)
    return stream


async def found_challenge(house: House, id: str) -> tuple[LadderState, Challenge]:
    """A challenge and its ladder, which is part of its id. Raises ``NoSuchThing``."""
    stream = await house.writer.stream(StreamKey(KIND, id.rpartition("-")[0]))
    found = stream.state.challenge(id) if isinstance(stream, LadderStream) else None
    if found is None:
        raise NoSuchThing("no_such_challenge", f"There is no challenge {id}", challenge=id)
    return cast(LadderStream, stream).state, found


def _no_ladder(id: str) -> NoSuchThing:
    return NoSuchThing("no_such_ladder", f"There is no ladder {id}", ladder=id)


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
        answer=lambda change: msgspec.json.encode(_stream(change).snapshot()),
    )
    return json_answer(answer, 201)


async def enter(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/entries {"team"}``: at the bottom; directors, or the team's captain."""
    sender, body = await who(request), await read_json(request)
    team = await members_of(request).team(read.text(body, "team"))
    _require_captain(sender, team.id)
    captain = None if team.captain is None else team.captain.account
    command = EnterTeam(team.id, team.name, captain, team.club)
    return await _perform(request, sender, body, command, partial(_row_answer, team.id))


async def leave(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/leave {"team"}``: always possible; directors, or the team's captain."""
    sender, body = await who(request), await read_json(request)
    team = read.text(body, "team")
    _require_captain(sender, team)
    return await _perform(request, sender, body, LeaveLadder(team), partial(_row_answer, team))


def _row_answer(team: str, change: Change) -> bytes:
    """The team's row, ``null`` once it is off the ladder. Always 201: the first answer stands."""
    state = _stream(change).state
    row = row_json(state, team) if team in state.order else None
    return _with_status(201, {"ladder": state.id, "version": state.version, "row": row})


# --- captains ----------------------------------------------------------------------------------------------


async def targets(request: Request) -> Response:
    """``GET /api/ladders/{ladder}/targets?team=``: for each rung, may the sender's team challenge it?

    ``team`` is needed only by who is captain of several teams on the ladder, and by directors.
    """
    sender = await who(request)
    house = house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    team = _own_team(found.state, sender, request.query_params.get("team"))
    body = {
        "ladder": found.state.id,
        "version": found.state.version,
        "team": team,
        "targets": targets_json(found.state, team, house.clock.now()),
    }
    return json_answer(body, headers={"cache-control": "no-store"})


async def issue(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/challenges {"opponent", "ladder_version"}``.

    201 with the new challenge; 200 with the open one that the two teams have already; 409 ``ladder_changed``.
    """
    sender, body = await who(request), await read_json(request)
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    team = _own_team(found.state, sender, read.optional_text(body, "team"))
    opponent = read.text(body, "opponent")
    command = IssueChallenge(team, opponent, read.whole(body, "ladder_version"))

    def answer(change: Change) -> bytes:
        state = _stream(change).state
        open_one = state.of_pair(team, opponent)
        assert open_one is not None  # noqa: S101 - issued just now or before, else the command is refused
        return _challenge_answer(state, open_one, team, 201 if change.recorded else 200)

    return await _perform(request, sender, body, command, answer)


async def act(request: Request) -> Response:
    """``POST /api/challenges/{challenge}/{accept|decline|withdraw|lineup|confirm|void}``.

    ``void`` is for directors. ``confirm`` also answers who has ``confirmed`` the score so far.
    """
    sender, body = await who(request), await read_json(request)
    house, action = house_of(request), request.path_params["action"]
    state, found = await found_challenge(house, request.path_params["challenge"])
    command: LadderCommand
    if action == "void":
        await who_with(request, "director")
        team, command = found.defender, VoidChallenge(found.id, read.text(body, "reason"))
    else:
        team = _acting_team(sender, found, action, read.optional_text(body, "team"))
        if action in ("lineup", "confirm"):
            return await _in_match(request, sender, body, found, team)
        command = _step(house, state, found, action, team)

    def answer(change: Change) -> bytes:
        after = _stream(change).state
        changed = after.challenge(found.id)
        assert changed is not None  # noqa: S101 - challenges are never forgotten
        return _challenge_answer(after, changed, team, 201)

    return await _perform(request, sender, body, command, answer, state.id)


async def _in_match(request: Request, sender: Who, body: JsonObject, found: Challenge, team: str) -> Response:
    """A step that is taken in the challenge's match. Taken twice it changes nothing more."""
    once(request, body)
    house, side = house_of(request), found.side_of(team)
    if side is None:
        raise Problem(403, "not_your_challenge", "This challenge is between two other teams", team=team)
    more: JsonObject = {}
    if request.path_params["action"] == "lineup":
        roster = await members_of(request).team(team)
        await name_lineup(house, found, side, roster, body, sender.by)
    else:
        more["confirmed"] = sorted(await confirm_score(house, found, side, sender.by))
    state, after = await found_challenge(house, found.id)
    answer = {**challenge_json(state, after), "version": state.version, "steps": steps_of(after, side)}
    return json_answer(answer | more, 201)


def _step(house: House, state: LadderState, found: Challenge, action: str, team: str) -> LadderCommand:
    match action:
        case "accept":
            rules = state.rules
            deals = {}
            if rules.schedule is Schedule.AT_ONCE and rules.deals is DealsFrom.RANDOM:
                deals = {f"1.{number}": house.deal() for number in range(1, rules.boards + 1)}
            return AcceptChallenge(found.id, team, new_id(), deals)
        case "decline":
            return DeclineChallenge(found.id, team)
        case "withdraw":
            return WithdrawChallenge(found.id, team)
        case _:
            raise Problem(404, "no_such_step", f"A challenge has no step {action}", step=action)


def _challenge_answer(state: LadderState, challenge: Challenge, team: str, status: int) -> bytes:
    side = challenge.side_of(team)
    steps = [] if side is None else steps_of(challenge, side)
    return _with_status(status, {**challenge_json(state, challenge), "version": state.version, "steps": steps})


# --- who speaks for which team -----------------------------------------------------------------------------


def _require_captain(sender: Who, team: str) -> None:
    if "director" not in sender.roles and team not in sender.teams:
        raise Problem(403, "not_captain", "Only the team's captain or a director may do that", team=team)


def _own_team(state: LadderState, sender: Who, named: str | None) -> str:
    """The team that the sender speaks for on this ladder. Raises ``Problem`` 403 or 422."""
    if named is not None:
        _require_captain(sender, named)
        return named
    own = [team for team in state.order if team in sender.teams]
    if len(own) > 1 or (not own and "director" in sender.roles):
        raise Problem(422, "which_team", "Name the team for which you speak: team", teams=own)
    if not own:
        raise Problem(403, "not_captain", "You are captain of no team on this ladder")
    return own[0]


def _acting_team(sender: Who, found: Challenge, action: str, named: str | None) -> str:
    """The team for which a step is taken: the captain's, or the one that a director names."""
    if named is not None:
        _require_captain(sender, named)
        return named
    # Who is captain of both teams takes the step of the side that has it.
    first, second = found.challenger, found.defender
    order = (first, second) if action == "withdraw" else (second, first)
    own = [team for team in order if team in sender.teams]
    if not own and "director" in sender.roles:
        raise Problem(422, "which_team", "Name the team for which you speak: team", teams=[first, second])
    if not own:
        raise Problem(403, "not_captain", "You are captain of neither team", challenge=found.id)
    return own[0]


# --- writing and answering ---------------------------------------------------------------------------------


async def _perform(
    request: Request,
    sender: Who,
    body: JsonObject,
    command: LadderCommand,
    answer: Callable[[Change], bytes],
    ladder: str | None = None,
) -> Response:
    """Carry the command to the ladder; the remembered answer begins with a line that holds its status."""
    try:
        given = await house_of(request).writer.perform(
            StreamKey(KIND, ladder or request.path_params["ladder"]),
            command,
            by=sender.by,
            once=once(request, body, sender_scope(sender)),
            answer=answer,
        )
    except NotThatSide as refused:
        raise Problem(403, refused.rule, refused.message, **refused.facts) from None
    status, _, encoded = given.partition(b"\n")
    return json_answer(encoded, int(status))


def _with_status(status: int, body: JsonObject) -> bytes:
    return str(status).encode() + b"\n" + msgspec.json.encode(body)


def _stream(change: Change) -> LadderStream:
    return cast(LadderStream, change.stream)


def ladder_routes() -> list[Route]:
    """The addresses of ladders and challenges; the longer before the shorter that would also fit."""
    return [
        Route("/api/ladders", ladders, name="ladders_json"),
        Route("/api/ladders", create, methods=["POST"], name="create_ladder"),
        Route("/api/ladders/{ladder}/history", history, name="ladder_history_json"),
        Route("/api/ladders/{ladder}/events", events, name="ladder_events_json"),
        Route("/api/ladders/{ladder}/targets", targets, name="ladder_targets_json"),
        Route("/api/ladders/{ladder}/entries", enter, methods=["POST"], name="enter_ladder"),
        Route("/api/ladders/{ladder}/leave", leave, methods=["POST"], name="leave_ladder"),
        Route("/api/ladders/{ladder}/challenges", issue, methods=["POST"], name="issue_challenge"),
        Route("/api/ladders/{ladder}", ladder, name="ladder_json"),
        Route("/api/challenges/{challenge}/{action}", act, methods=["POST"], name="challenge_step"),
        Route("/api/challenges/{challenge}", challenge, name="challenge_json"),
    ]

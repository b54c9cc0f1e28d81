"""The forms of ``/captain``: every step of a challenge, its match, rest, entering and leaving.

A form carries the same command as the JSON beside it. What is refused is told on the page, at its challenge;
what is done leads back there.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.rooms import Room
from broadcast.feeds.streams import StreamKey
from broadcast.notation.time_zones import moment_from
from broadcast.storage.answers import Once
from broadcast.tables.commands import DisputeScore
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.web.authority import Who
from broadcast.web.forms import read_form
from broadcast.web.problems import Problem, problem_of
from broadcast.web.requests import house_of
from teams.ladder.challenges import Challenge, Side
from teams.ladder.commands import EndRest, LadderCommand, LeaveLadder, RestTeam
from teams.ladder.state import LadderState
from teams.ladder.stream import KIND
from teams.members.rosters import Team
from teams.web.captain_links import end_links_of_players, take_link
from teams.web.captain_page import captain_page, settings_of, sides_of, signed_in_captain
from teams.web.challenge_match import agree_on_alarm, confirm_score, dispute, named_lineup
from teams.web.challenge_routes import step_command
from teams.web.contestants import entry, require_leader
from teams.web.ladder_requests import found_challenge, found_ladder
from teams.web.party_forms import back_to

Form = Mapping[str, str]
STEPS = ("accept", "decline", "offer", "choose", "refuse", "withdraw")
"""Steps of the ladder; the others are the match's."""
MOST_DATE_FIELDS = 20


async def challenge_step(request: Request) -> Response:
    """``POST /captain/challenges/{challenge}/{action}``."""
    sender = await signed_in_captain(request)
    state, found = await found_challenge(house_of(request), request.path_params["challenge"])
    team = acting_team(sender, found)
    action, form = request.path_params["action"], await read_form(request)

    async def done() -> Response:
        if action == "operator":
            return await _operator(request, sender, state, found, team, form)
        await _carry_out(request, sender, state, found, team, action, form)
        return back_to(request, "/captain", action, f"challenge-{found.id}")

    return await or_refused(request, sender, done, found.id, form if action == "lineup" else None)


def acting_team(sender: Who, found: Challenge) -> str:
    """The sender's team of a challenge. Raises ``Problem`` 403."""
    own = [team for team in (found.defender, found.challenger) if team in sender.teams]
    if not own:
        raise Problem(403, "not_captain", "You are captain of neither team", challenge=found.id)
    return own[0]


async def _carry_out(
    request: Request, sender: Who, state: LadderState, found: Challenge, team: str, action: str, form: Form
) -> None:
    house, side = house_of(request), found.side_of(team)
    assert side is not None  # noqa: S101 - the team is one of the two
    team = form.get("team", team)
    if team in found.pair and team in sender.teams:
        side = found.side_of(team) or side
    match action:
        case "lineup":
            await _lineup(request, sender, found, side, form)
        case "confirm":
            await confirm_score(house, found, side, sender.by)
        case "dispute":
            segment, _, board = form.get("board", "").partition(".")
            command = DisputeScore(_whole(segment), _whole(board), form.get("reason", ""))
            await dispute(house, found, command, sender.by)
        case "clear":
            await agree_on_alarm(house, found, side, form.get("alarm", ""), sender.by)
        case _ if action in STEPS:
            body = await _body(request, sender, action, form)
            ladder_command = step_command(house, state, found, action, found.team(side), body)
            await perform_form(request, sender, state.id, ladder_command, form)
        case _:
            raise Problem(404, "no_such_step", f"A challenge has no step {action}", step=action)


async def _body(request: Request, sender: Who, action: str, form: Form) -> dict[str, Any]:
    """A form's fields as the JSON of the same step has them."""
    if action == "offer":
        zone = form.get("zone") or (await settings_of(request, sender)).time_zone or "UTC"
        given = [form.get(f"date{place}", "").strip() for place in range(MOST_DATE_FIELDS)]
        return {"dates": [moment_from(text, zone).isoformat() for text in given if text]}
    if action == "choose":
        return {"date": form.get("date", "")}
    if action == "accept" and form.get("boards"):
        return {"boards": _whole(form["boards"])}
    return {}


async def _lineup(request: Request, sender: Who, found: Challenge, side: Side, form: Form) -> None:
    """Both rooms at once; a seat left empty is named later."""
    house = house_of(request)
    (roster,) = [team for team in await sides_of(request, sender) if team.id == found.team(side)]
    rooms: dict[str, dict[str, Any]] = {}
    for room in Room:
        rooms[room.value] = {}
        for seat in "NESW":
            player = form.get(f"{room}_{seat}", "")
            if player.startswith("substitute"):
                rooms[room.value][seat] = form.get(player, "")
            elif player:
                rooms[room.value][seat] = {"id": player}
    command = await named_lineup(house, found, side, roster, {"rooms": rooms})
    await perform_form(request, sender, _ladder_of(found), command, form)
    await end_links_of_players(house, found.id)


async def _operator(
    request: Request, sender: Who, state: LadderState, found: Challenge, team: str, form: Form
) -> Response:
    """A link for who enters one room, shown this once."""
    room = Room(form["room"]) if form.get("room") in set(Room) else Room.OPEN
    side = found.side_of(team)
    assert side is not None  # noqa: S101 - the team is one of the two
    address = await take_link(house_of(request), state, found, side, sender, room)
    link = {"challenge": found.id, "room": room.value, "address": address}
    return await captain_page(request, sender, link=link)


# --- ladders ------------------------------------------------------------------------------------------------


async def ladder_step(request: Request) -> Response:
    """``POST /captain/ladders/{ladder}/{action}``: ``rest back leave enter``."""
    sender = await signed_in_captain(request)
    ladder, action = request.path_params["ladder"], request.path_params["action"]
    found = await found_ladder(house_of(request), ladder)
    form = await read_form(request)
    side = await own_side(request, sender, form.get("team", ""))

    async def done() -> Response:
        command = _ladder_command(found.state, sender, side, action, form)
        await perform_form(request, sender, ladder, command, form)
        return back_to(request, "/captain", action, f"team-{side.id}")

    return await or_refused(request, sender, done)


async def own_side(request: Request, sender: Who, id: str) -> Team:
    """The team or club of that id, for which the sender must act. Raises ``Problem`` 403."""
    for each in await sides_of(request, sender):
        if each.id == id:
            return each
    raise Problem(403, "not_captain", "Only the team's captain or a director may do that", team=id)


def _ladder_command(state: LadderState, sender: Who, side: Team, action: str, form: Form) -> LadderCommand:
    match action:
        case "rest":
            return RestTeam(side.id, _whole(form.get("days", "")))
        case "back":
            return EndRest(side.id)
        case "leave":
            require_leader(sender, side)
            return LeaveLadder(side.id)
        case "enter":
            return entry(state, side)
        case _:
            raise Problem(404, "no_such_step", f"A ladder has no step {action}", step=action)


# --- what all forms share -----------------------------------------------------------------------------------


async def or_refused(
    request: Request,
    sender: Who,
    work: Callable[[], Awaitable[Response]],
    about: str | None = None,
    lineup: Form | None = None,
) -> Response:
    """The answer of ``work``; where a rule refuses, the page that says so and keeps the ``lineup`` chosen."""
    try:
        return await work()
    except (Refusal, NoSuchThing, BridgeError, Problem) as error:
        problem = problem_of(error)
        if problem.status in (401, 403) or problem.status >= 500:
            raise
        return await captain_page(request, sender, problem, about, lineup=lineup)


async def perform_form(request: Request, sender: Who, ladder: str, command: LadderCommand, form: Form) -> None:
    """Carry a command to the ladder. The form's key makes a second press harmless."""
    scope = StreamKey("account", sender.account or sender.name)
    sent = hashlib.sha256(msgspec.json.encode([request.url.path, dict(form)], order="deterministic")).digest()
    # The key drawn for the page, with all that is sent: another form of the same page is another command.
    once = Once(f"form {sent.hex()}", sent, scope)
    where = StreamKey(KIND, ladder)
    await house_of(request).writer.perform(
        where, command, by=sender.by, once=once, answer=lambda change: b"done"
    )


def _ladder_of(found: Challenge) -> str:
    return found.id.rpartition("-")[0]


def _whole(text: str) -> int:
    """A whole number of a form; what is none is 0, which every rule refuses."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0

"""Challenges over HTTP: issued, answered and played by captains, read by everyone.

The answer to every step holds the challenge as it then stands, with what the sender's team may do next.
"""

from dataclasses import replace
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.deals import Deal
from broadcast.feeds.streams import Change
from broadcast.tables.commands import DisputeScore
from broadcast.tables.decide import MAX_COMMENT
from broadcast.web import command_json as read
from broadcast.web.authority import Who
from broadcast.web.house import House, new_id
from broadcast.web.match_routes import is_hidden
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, once, read_json, who, who_with
from teams.ladder.challenges import Challenge, Side
from teams.ladder.commands import (
    AcceptChallenge,
    ChooseDate,
    DeclineChallenge,
    IssueChallenge,
    LadderCommand,
    OfferDates,
    RefuseDates,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.dates import MOST_DATES
from teams.ladder.fixture import boards_of
from teams.ladder.rules import DealsFrom, Schedule
from teams.ladder.state import LadderState
from teams.ladder.views import JsonObject, challenge_json, steps_of
from teams.web.authority import members_of
from teams.web.captain_links import end_links_of_players
from teams.web.challenge_match import agree_on_alarm, confirm_score, dispute, named_seats
from teams.web.ladder_requests import (
    found_challenge,
    found_ladder,
    own_team,
    perform,
    require_captain,
    stream_of,
    with_status,
)


async def challenge(request: Request) -> Response:
    """``GET /api/challenges/{challenge}``."""
    state, found = await found_challenge(house_of(request), request.path_params["challenge"])
    return json_answer(challenge_json(state, found, hidden=is_hidden(request)))


async def issue(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/challenges {"opponent", "ladder_version", "boards"}``.

    201 with the new challenge; 200 with the open one that the two teams have already; 409 ``ladder_changed``.
    """
    sender, body = await who(request), await read_json(request)
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    team = own_team(found.state, sender, read.optional_text(body, "team"))
    opponent = read.text(body, "opponent")
    boards = None if body.get("boards") is None else read.whole(body, "boards")
    house_of(request).regulations.check_scales(
        found.state.rules.scale, "1962", boards or found.state.rules.boards
    )
    command = IssueChallenge(team, opponent, read.whole(body, "ladder_version"), boards)

    def answer(change: Change) -> bytes:
        state = stream_of(change).state
        open_one = state.of_pair(team, opponent)
        assert open_one is not None  # noqa: S101 - issued just now or before, else the command is refused
        return _challenge_answer(state, open_one, team, 201 if change.recorded else 200)

    return await perform(request, sender, body, command, answer)


async def act(request: Request) -> Response:
    """``POST /api/challenges/{challenge}/{action}``.

    ``accept decline offer choose refuse withdraw lineup confirm dispute clear``, and ``void`` for directors.
    ``confirm`` also answers who has ``confirmed`` the score so far, ``clear`` who has ``agreed``.
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
        if action in ("confirm", "dispute", "clear"):
            return await _in_match(request, sender, body, found, team)
        if action == "lineup":
            roster = await members_of(request).side(team)
            command = await named_seats(house, found, _own_side(found, team), roster, body)
        else:
            command = step_command(house, state, found, action, team, body)

    def answer(change: Change) -> bytes:
        after = stream_of(change).state
        changed = after.challenge(found.id)
        assert changed is not None  # noqa: S101 - challenges are never forgotten
        return _challenge_answer(after, changed, team, 201)

    answered = await perform(request, sender, body, command, answer, state.id)
    if action == "lineup":
        await end_links_of_players(house, found.id)
    return answered


def _own_side(found: Challenge, team: str) -> Side:
    side = found.side_of(team)
    if side is None:
        raise Problem(403, "not_your_challenge", "This challenge is between two other teams", team=team)
    return side


async def _in_match(request: Request, sender: Who, body: JsonObject, found: Challenge, team: str) -> Response:
    """Agreeing with the score, disputing a board's ``{"segment", "board", "reason"}``, wanting an ``{"alarm"}``
    cleared. Done twice it changes nothing more.
    """
    once(request, body)
    house, side = house_of(request), _own_side(found, team)
    told: JsonObject = {}
    match request.path_params["action"]:
        case "confirm":
            told = {"confirmed": sorted(await confirm_score(house, found, side, sender.by))}
        case "clear":
            agreed = await agree_on_alarm(house, found, side, read.text(body, "alarm"), sender.by)
            told = {"agreed": sorted(each.value for each in agreed)}
        case _:
            words = read.text(body, "reason", most=MAX_COMMENT, lines=True)
            command = DisputeScore(read.whole(body, "segment", 1), read.whole(body, "board"), words)
            await dispute(house, found, command, sender.by)
    state, after = await found_challenge(house, found.id)
    answer = {**challenge_json(state, after), "version": state.version, "steps": steps_of(after, side)}
    return json_answer({**answer, **told}, 201)


def step_command(
    house: House, state: LadderState, found: Challenge, action: str, team: str, body: read.Fields
) -> LadderCommand:
    match action:
        case "accept":
            at_once = state.rules.schedule is Schedule.AT_ONCE
            agreed = replace(
                found, boards=read.whole(body, "boards") if body.get("boards") is not None else found.boards
            )
            return AcceptChallenge(
                found.id, team, new_id(), _deals(house, state, agreed) if at_once else {}, agreed.boards
            )
        case "offer":
            return OfferDates(found.id, team, _dates(body))
        case "choose":
            return ChooseDate(found.id, team, read.moment(body, "date"), new_id(), _deals(house, state, found))
        case "refuse":
            return RefuseDates(found.id, team, new_id(), _deals(house, state, found))
        case "decline":
            return DeclineChallenge(found.id, team)
        case "withdraw":
            return WithdrawChallenge(found.id, team)
        case _:
            raise Problem(404, "no_such_step", f"A challenge has no step {action}", step=action)


def _deals(house: House, state: LadderState, found: Challenge) -> dict[str, Deal]:
    """Shuffled for every board, where the ladder's deals are not typed; they stay shut."""
    if state.rules.deals is DealsFrom.TYPED:
        return {}
    return {f"1.{number}": house.deal() for number in range(1, boards_of(state, found) + 1)}


def _dates(body: read.Fields) -> tuple[datetime, ...]:
    given = body.get("dates")
    if not isinstance(given, list):
        raise read.bad_field("dates", "a list of dates, ISO 8601 with their offset")
    return tuple(read.moment({"dates": date}, "dates") for date in given[: MOST_DATES + 1])


def _challenge_answer(state: LadderState, challenge: Challenge, team: str, status: int) -> bytes:
    side = challenge.side_of(team)
    steps = [] if side is None else steps_of(challenge, side)
    return with_status(status, {**challenge_json(state, challenge), "version": state.version, "steps": steps})


def _acting_team(sender: Who, found: Challenge, action: str, named: str | None) -> str:
    """The team for which a step is taken: the captain's, or the one that a director names."""
    if named is not None:
        require_captain(sender, named)
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


def challenge_routes() -> list[Route]:
    """The addresses of challenges."""
    return [
        Route("/api/ladders/{ladder}/challenges", issue, methods=["POST"], name="issue_challenge"),
        Route("/api/challenges/{challenge}/{action}", act, methods=["POST"], name="challenge_step"),
        Route("/api/challenges/{challenge}", challenge, name="challenge_json"),
    ]

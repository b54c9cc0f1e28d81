"""A ladder's terms over HTTP: rest, taken by captains; rules and seasons, set by directors; past seasons."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.streams import Change
from broadcast.web import command_json as read
from broadcast.web.match_routes import is_hidden
from broadcast.web.requests import house_of, json_answer, read_json, who, who_with
from teams.ladder.commands import ChangeRules, EndRest, RestTeam, StartSeason
from teams.ladder.rules import rules_from
from teams.ladder.views import announced_json, archive_json, season_json
from teams.members.names import clean_name
from teams.web.ladder_requests import found_ladder, own_team, perform, stream_of, with_status
from teams.web.ladder_routes import row_answer


async def rest(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/rest {"days"}``: from now on; 0 ends a rest before its time.

    ``team`` is needed only by who is captain of several teams on the ladder, and by directors.
    """
    sender, body = await who(request), await read_json(request)
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    team = own_team(found.state, sender, read.optional_text(body, "team"))
    days = read.whole(body, "days")
    command = RestTeam(team, days) if days else EndRest(team)
    return await perform(request, sender, body, command, partial(row_answer, team))


async def rules(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/rules {"rules", "holds_from"}``: directors; by name, the others stay.

    Without ``holds_from`` they hold at once. What was announced before and does not hold yet is replaced.
    """
    sender = await who_with(request, "director")
    body, house = await read_json(request), house_of(request)
    found = await found_ladder(house, request.path_params["ladder"])
    changed = rules_from(read.table(body, "rules"), base=found.state.rules)
    house.regulations.check_scales(changed.scale, "1962", changed.boards)
    command = ChangeRules(changed, read.optional_moment(body, "holds_from"))
    return await perform(request, sender, body, command, _terms_answer)


async def season(request: Request) -> Response:
    """``POST /api/ladders/{ladder}/season {"name", "ends_at", "order"}``: directors.

    ``order`` holds the id of every team from rung 1 down; without it the order is kept.
    """
    sender = await who_with(request, "director")
    body = await read_json(request)
    name = clean_name(read.text(body, "name"), "season's name")
    order = body.get("order")
    if order is not None and not (isinstance(order, list) and all(isinstance(team, str) for team in order)):
        raise read.bad_field("order", "a list of team ids from rung 1 down")
    command = StartSeason(name, read.optional_moment(body, "ends_at"), None if order is None else tuple(order))
    return await perform(request, sender, body, command, _terms_answer)


def _terms_answer(change: Change) -> bytes:
    state = stream_of(change).state
    told = {
        "ladder": state.id,
        "version": state.version,
        "rules": stream_of(change).snapshot()["rules"],
        "announced": announced_json(state),
        "season": season_json(state.season),
    }
    return with_status(201, told)


async def seasons(request: Request) -> Response:
    """``GET /api/ladders/{ladder}/seasons``: the present one, and those that are over with order and moves."""
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    archive = archive_json(found.state, hidden=is_hidden(request))
    return json_answer({"season": season_json(found.state.season), "archive": archive})


def ladder_terms_routes() -> list[Route]:
    """Before the ladders' own addresses, of which one would also fit."""
    return [
        Route("/api/ladders/{ladder}/rest", rest, methods=["POST"], name="rest_team"),
        Route("/api/ladders/{ladder}/rules", rules, methods=["POST"], name="change_rules"),
        Route("/api/ladders/{ladder}/season", season, methods=["POST"], name="start_season"),
        Route("/api/ladders/{ladder}/seasons", seasons, name="ladder_seasons_json"),
    ]

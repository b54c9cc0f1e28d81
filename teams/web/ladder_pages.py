"""Pages of ladders: the rungs, how they came about, past seasons."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from broadcast.feeds.cursor import Cursor
from broadcast.notation.time_zones import zone_named
from broadcast.tables.errors import NoSuchThing
from broadcast.web.match_routes import is_hidden
from broadcast.web.requests import house_of
from broadcast.web.templating import page
from teams.ladder.past import changes_beside, order_at, season_moves, season_numbered, turns
from teams.ladder.state import LadderState
from teams.ladder.stream import LadderStream
from teams.ladder.views import moment_json, season_json
from teams.web.bump_chart import bump_chart
from teams.web.ladder_requests import asked_moment, found_ladder
from teams.web.ladder_routes import listed as listed_ladders
from teams.web.ladder_view import Json, head, ladder_context, mine_on, steps
from teams.web.viewing import private_if_signed_in

MOVES_A_PAGE = 100


async def ladders(request: Request) -> Response:
    return page(request, "teams/ladders.html", {"ladders": await listed_ladders(house_of(request))})


async def ladder(request: Request) -> Response:
    """A ladder as it stands; ``?team=`` marks one; with ``?at=`` as it stood on a day or at a moment."""
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    at = asked_moment(request, found.state)
    if at is not None:
        return page(request, "teams/ladder_past.html", _past(request, found.state, at))
    return shown_ladder(request, found)


def shown_ladder(
    request: Request, found: LadderStream, problem: str | None = None, status: int = 200
) -> HTMLResponse:
    """The ladder's page, with what went wrong with a form of it."""
    house = house_of(request)
    last_event = str(Cursor(house.publishing.epoch, found.number))
    context = ladder_context(request, found.state, house.clock.now(), last_event)
    headers = private_if_signed_in(request)
    return page(request, "teams/ladder.html", {**context, "problem": problem}, status, headers)


def _past(request: Request, state: LadderState, at: datetime) -> Json:
    order = order_at(state.history, at)
    before, after = changes_beside(state.history, at)
    hidden = is_hidden(request)
    until = [told for told in state.history if told.at <= at]
    last = [told for told in until if told.at == until[-1].at]
    mine = mine_on(state, request)
    return {
        **head(request, state, page="history"),
        "at": moment_json(at),
        "day": at.astimezone(zone_named(state.rules.time_zone)).date().isoformat(),
        "rows": [
            {"rung": rung, "team": {"id": team, "name": state.entrants[team].name}}
            for rung, team in enumerate(order, 1)
        ],
        "steps": steps(state, last, hidden=hidden),
        "before": moment_json(before),
        "after": moment_json(after),
        "mine": None if mine is None else mine.team,
    }


async def history(request: Request) -> Response:
    """How the ladder came to stand as it does: a chart, a day to go back to, and every move in sentences."""
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    state, hidden = found.state, is_hidden(request)
    number = _page_number(request)
    total = len(state.history)
    end = max(0, total - (number - 1) * MOVES_A_PAGE)
    told = state.history[max(0, end - MOVES_A_PAGE) : end]
    context = {
        **head(request, state, page="history"),
        **_chart(request, state, state.season.first_move, None),
        "steps": steps(state, told, hidden=hidden),
        "number": number,
        "older": end > MOVES_A_PAGE,
        "first_day": _day(state, state.created_at),
        "last_day": _day(state, house_of(request).clock.now()),
    }
    return page(request, "teams/ladder_history.html", context)


def _day(state: LadderState, at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(zone_named(state.rules.time_zone)).date().isoformat()


def _page_number(request: Request) -> int:
    text = request.query_params.get("page", "1")
    return max(1, int(text)) if text.isdecimal() and len(text) < 7 else 1


def _chart(request: Request, state: LadderState, since: int, until: int | None) -> Mapping[str, Any]:
    mine = mine_on(state, request)
    names = {team: entrant.name for team, entrant in state.entrants.items()}
    changes = turns(state.history, since, until)
    return {"chart": bump_chart(changes, names, None if mine is None else mine.team)}


async def seasons(request: Request) -> Response:
    """The present season and those that are over, each with its top."""
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    return shown_seasons(request, found.state)


def shown_seasons(
    request: Request,
    state: LadderState,
    problem: str | None = None,
    typed: Mapping[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    """The page, with what went wrong with its form, and what was typed."""
    archive = [
        {
            **season_json(season),
            "ended_at": moment_json(season.ended_at),
            "top": [{"id": team, "name": season.names[team]} for team in season.order[:3]],
            "teams": len(season.order),
        }
        for season in reversed(state.archive)
    ]
    context = {
        **head(request, state, page="seasons"),
        "archive": archive,
        "top": [{"id": team, "name": state.entrants[team].name} for team in state.order[:3]],
        "names": [state.entrants[team].name for team in state.order],
        "problem": problem,
        "typed": {"name": "", "ends_at": "", "order": "keep", "teams": ""} | dict(typed or {}),
    }
    return page(request, "teams/ladder_seasons.html", context, status, private_if_signed_in(request))


async def season(request: Request) -> Response:
    """A season that is over: its last order, its chart and its moves."""
    state, hidden = (
        (await found_ladder(house_of(request), request.path_params["ladder"])).state,
        is_hidden(request),
    )
    text = request.path_params["number"]
    found = season_numbered(state, int(text)) if text.isdecimal() and len(text) < 7 else None
    if found is None:
        raise NoSuchThing("no_such_season", f"This ladder has no season {text}", season=text)
    since, until = season_moves(state, found)
    names = found.names if found.ended_at is not None else {id: state.entrants[id].name for id in state.order}
    context = {
        **head(request, state, page="seasons"),
        **_chart(request, state, since, until),
        "shown": {**season_json(found), "ended_at": moment_json(found.ended_at)},
        "rows": [
            {"rung": rung, "team": {"id": team, "name": names[team]}}
            for rung, team in enumerate(found.order or state.order, 1)
        ],
        "steps": steps(state, state.history[since:until], hidden=hidden),
    }
    return page(request, "teams/ladder_season.html", context)


def ladder_page_routes() -> list[Route]:
    return [
        Route("/ladders", ladders, name="ladders"),
        Route("/ladders/{ladder}/history", history, name="ladder_history"),
        Route("/ladders/{ladder}/seasons", seasons, name="ladder_seasons"),
        Route("/ladders/{ladder}/seasons/{number}", season, name="ladder_season"),
        Route("/ladders/{ladder}", ladder, name="ladder"),
    ]

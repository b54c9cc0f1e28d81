"""Pages of teams: the public JSON of their addresses, put into templates."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.match_routes import is_hidden, listed, shown
from broadcast.web.requests import house_of
from broadcast.web.templating import page
from teams.ladder.views import JsonObject, history_json
from teams.web.authority import members_of
from teams.web.ladder_requests import found_ladder
from teams.web.roster_routes import standings_of

MOST_MATCHES = 30


async def team(request: Request) -> Response:
    house, hidden = house_of(request), is_hidden(request)
    found = await members_of(request).team(request.path_params["team"])
    rows, _ = await listed(house, (), MOST_MATCHES, party=found.id)
    standings = await standings_of(request, found.id)
    history: list[JsonObject] = []
    for standing in standings:
        ladder = await found_ladder(house, standing["ladder"]["id"])
        moves = history_json(ladder.state, hidden=hidden)
        history += [move | {"ladder": standing["ladder"]} for move in moves if move["team"]["id"] == found.id]
    context = {
        "team": found.json(),
        "matches": [shown(each, hidden) for each in rows],
        "standings": standings,
        "history": sorted(history, key=lambda move: str(move["at"])),
    }
    return page(request, "teams/team.html", context)


def team_page_routes() -> list[Route]:
    return [
        Route("/teams/{team}", team, name="team"),
    ]

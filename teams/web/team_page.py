"""A team's page: form, what is next, matches, head to head, players, and how it has moved on the ladders."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.match_routes import is_hidden, listed, shown
from broadcast.web.requests import house_of, signed_in
from broadcast.web.templating import page
from teams.ladder.views import JsonObject, history_json
from teams.web.authority import members_of
from teams.web.ladder_requests import found_ladder
from teams.web.roster_routes import standings_of
from teams.web.team_record import FORM_LENGTH, head_to_head, played_by

MOST_MATCHES = 30
"""On the page."""
MOST_COUNTED = 300
"""Newest matches that form and head to head are made of."""
TO_COME = ("upcoming", "live")


async def team(request: Request) -> Response:
    """``GET /teams/{team}``."""
    house, hidden, viewer = house_of(request), is_hidden(request), signed_in(request)
    found = await members_of(request).team(request.path_params["team"])
    rows, _ = await listed(house, (), MOST_COUNTED, party=found.id)
    matches = [shown(each, hidden) for each in rows]
    over = [match for match in matches if match["status"] not in TO_COME]
    played = played_by(found.id, over)
    standings = await standings_of(request, found.id)
    history: list[JsonObject] = []
    for standing in standings:
        ladder = await found_ladder(house, standing["ladder"]["id"])
        moves = history_json(ladder.state, hidden=hidden)
        history += [move | {"ladder": standing["ladder"]} for move in moves if move["team"]["id"] == found.id]
    context = {
        "team": found.json(),
        "coming": [match for match in matches if match["status"] in TO_COME][::-1],
        "matches": over[:MOST_MATCHES],
        "form": played[:FORM_LENGTH][::-1],
        "versus": head_to_head(played),
        "standings": standings,
        "history": sorted(history, key=lambda move: str(move["at"])),
        "may_edit": viewer is not None and ("director" in viewer.roles or found.id in viewer.teams),
    }
    return page(request, "teams/team.html", context)


def team_page_routes() -> list[Route]:
    return [Route("/teams/{team}", team, name="team")]

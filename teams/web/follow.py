"""What to follow a team or a ladder by: Atom feeds of both, and a team's calendar."""

from collections.abc import Iterable
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.calendar import calendar
from broadcast.web.feeds_atom import MOST_ENTRIES, Entry, feed, match_entries
from broadcast.web.languages import language_of
from broadcast.web.match_routes import is_hidden
from broadcast.web.requests import house_of
from teams.ladder.stream import LadderStream
from teams.ladder.views import history_json
from teams.web.authority import members_of
from teams.web.ladder_requests import found_ladder
from teams.web.ladder_words import move_sentence
from teams.web.roster_routes import standings_of


async def team_feed(request: Request) -> Response:
    """``GET /teams/{team}.atom``: its matches, and its moves on every ladder where it stands."""
    house = house_of(request)
    found = await members_of(request).team(request.path_params["team"])
    entries = await match_entries(request, found.id)
    for standing in await standings_of(request, found.id):
        ladder = await found_ladder(house, standing["ladder"]["id"])
        entries += _moves(request, ladder, team=found.id)
    return feed(request, f"Twinroom: {found.name}", f"/teams/{found.id}", entries)


async def team_calendar(request: Request) -> Response:
    """``GET /teams/{team}.ics``."""
    found = await members_of(request).team(request.path_params["team"])
    return await calendar(request, f"Twinroom: {found.name}", found.id)


async def ladder_feed(request: Request) -> Response:
    """``GET /ladders/{ladder}.atom``: the newest moves."""
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    state = found.state
    return feed(request, f"Twinroom: {state.name}", f"/ladders/{state.id}", _moves(request, found))


def _moves(request: Request, ladder: LadderStream, team: str | None = None) -> Iterable[Entry]:
    """Newest moves as entries. A move's place in the history is its name: moves are only ever added."""
    state, language = ladder.state, language_of(request)
    moves = list(enumerate(history_json(state, hidden=is_hidden(request)), 1))
    for place, move in [pair for pair in moves if team in (None, pair[1]["team"]["id"])][-MOST_ENTRIES:]:
        page = f"/ladders/{state.id}"
        path = f"/matches/{move['match']}" if move["match"] else page
        at = datetime.fromisoformat(move["at"])
        yield Entry(f"{page}#move-{place}", path, move_sentence(move, language), state.name, at)


def follow_routes() -> list[Route]:
    """Before the pages, whose addresses would also fit."""
    return [
        Route("/teams/{team}.atom", team_feed, name="team_atom"),
        Route("/teams/{team}.ics", team_calendar, name="team_calendar"),
        Route("/ladders/{ladder}.atom", ladder_feed, name="ladder_atom"),
    ]

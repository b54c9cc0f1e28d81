"""A challenge's page: what was promised, where it stands on its way, every exit and what the clock does."""

from collections.abc import Container

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.match_routes import is_hidden
from broadcast.web.requests import house_of, signed_in
from broadcast.web.templating import page
from teams.ladder.challenges import Challenge, Side
from teams.ladder.views import challenge_json, steps_of
from teams.web.challenge_words import ChallengeWords
from teams.web.ladder_requests import found_challenge
from teams.web.ladder_view import head, steps, words_of
from teams.web.viewing import private_if_signed_in


async def challenge(request: Request) -> Response:
    """``GET /challenges/{challenge}``."""
    house, hidden = house_of(request), is_hidden(request)
    state, found = await found_challenge(house, request.path_params["challenge"])
    words = ChallengeWords(words_of(request, state), state, found, hidden)
    sender = signed_in(request)
    side = None if sender is None else _own_side(found, sender.teams)
    moves = [told for told in state.history if told.challenge == found.id]
    context = {
        **head(request, state),
        "challenge": challenge_json(state, found, hidden=hidden),
        "way": words.way(house.clock.now()),
        "is_open": found.is_open,
        "my_steps": [] if side is None else steps_of(found, side),
        "steps": [] if hidden else steps(state, moves, hidden=False),
        "rungs": {team: state.order.index(team) + 1 for team in found.pair if team in state.order},
    }
    return page(request, "teams/challenge.html", context, headers=private_if_signed_in(request))


def _own_side(found: Challenge, teams: Container[str]) -> Side | None:
    """The viewer's side; of a captain of both the defender's, as the first step is there."""
    if found.defender in teams:
        return Side.DEFENDER
    return Side.CHALLENGER if found.challenger in teams else None


def challenge_page_routes() -> list[Route]:
    return [Route("/challenges/{challenge}", challenge, name="challenge")]

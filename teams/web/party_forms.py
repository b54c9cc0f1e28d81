"""What the pages of teams and clubs share: who may, colours, names one to a line, where a form leads."""

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from broadcast.bridge.errors import BridgeError
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.web.authority import Who
from broadcast.web.forms import go_to
from broadcast.web.languages import language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, who
from teams.members.colours import Colour
from teams.members.rosters import Captain
from teams.storage.parties import Parties

Form = Mapping[str, str]
MOST_NAMES = 60
"""Names in one form."""


def parties_of(request: Request) -> Parties:
    house = house_of(request)
    return Parties(house.database, house.writer)


async def account_of(request: Request) -> tuple[Who, Captain]:
    """The sender, who must be an account. Raises ``Problem`` 401 or 403."""
    sender = await who(request)
    if sender.account is None:
        raise Problem(
            403, "accounts_only", "This page belongs to an account: sign in with its name and password"
        )
    return sender, Captain(sender.account, sender.name)


async def leader_of(request: Request, party: str) -> Who:
    """The sender, who must act for the team or club. Raises ``Problem`` 401 or 403."""
    sender = await who(request)
    if "director" not in sender.roles and party not in sender.teams:
        raise Problem(403, "not_captain", "Only the team's captain or a director may do that", team=party)
    return sender


def colour_from(form: Form) -> Colour:
    try:
        return Colour(form.get("colour", Colour.PINE))
    except ValueError:
        raise Refusal("bad_colour", "Choose one of the colours shown") from None


def names_from(form: Form) -> list[str]:
    """Names, one to a line or parted by commas."""
    text = form.get("players", "").replace("，", ",").replace("、", ",").replace(",", "\n")
    return [name.strip() for name in text.splitlines() if name.strip()][: MOST_NAMES + 1]


def back_to(request: Request, path: str, done: str, fragment: str = "") -> RedirectResponse:
    """Go on to the page of a form that was carried out."""
    response = go_to(request, path, done=done)
    if fragment:
        response.headers["location"] += f"#{fragment}"
    return response


async def or_again(
    request: Request,
    work: Callable[[], Awaitable[Response]],
    again: Callable[[str, int], Awaitable[Response]],
) -> Response:
    """The answer of ``work``; where a rule refuses, the page of the form with a sentence and a status."""
    try:
        return await work()
    except (Refusal, NoSuchThing, BridgeError, Problem) as error:
        problem = problem_of(error)
        if problem.status in (401, 403) or problem.status >= 500:
            raise
        return await again(translated(problem, language_of(request)), problem.status)

"""Taking an invitation to a team or a club: a link for one use.

Who holds the link may join, and learns nothing but the name of the team. A player or member needs no
account and gives a name; who is signed in joins as the player that the account is. A deputy or an officer
must be signed in.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.house.relational import raw_job
from broadcast.web.forms import PAGE_HEADERS, read_form
from broadcast.web.languages import language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, signed_in
from broadcast.web.templating import page
from teams.members.names import clean_name
from teams.members.rosters import Captain
from teams.storage.parties import take as taking
from teams.web.party_forms import or_again, parties_of
from teams.web.roster_routes import roster_of, with_ladders


async def invitation(request: Request) -> Response:
    """``GET /invitations/{invitation}``."""
    return await _page(request)


async def take(request: Request) -> Response:
    """``POST /invitations/{invitation} {"name"}``; a session's account needs no name."""
    form = await read_form(request)
    token, house = request.path_params["invitation"], house_of(request)
    parties, sender = parties_of(request), signed_in(request)

    async def done() -> Response:
        invited = await parties.invited(token, house.clock.now())
        post, party = invited.invitation.post, invited.invitation.party
        account = None if sender is None else sender.account
        if post.needs_account and account is None:
            raise Problem(422, "account_needed", "Sign in first: this invitation is for an account")
        if post.needs_account:
            await house.writer.write(raw_job(lambda raw, now: taking(raw, token, None, account, now)))
        else:
            named = clean_name(form.get("name", ""), "player's name") if account is None else ""
            player = named if account is None or sender is None else Captain(account, sender.name)
            by = "invited" if sender is None else sender.by
            await with_ladders(
                request, by, party, lambda raw, now: taking(raw, token, player, account, now), roster_of
            )
        context = {"invited": invited, "taken": True, "problem": None, "name": "", "needs_account": False}
        return page(request, "teams/invitation.html", context, headers=PAGE_HEADERS)

    async def again(sentence: str, status: int) -> Response:
        return await _page(request, sentence, status, form.get("name", ""))

    return await or_again(request, done, again)


async def _page(request: Request, problem: str | None = None, status: int = 200, name: str = "") -> Response:
    """The invitation; where it is not good, what to do."""
    token, house = request.path_params["invitation"], house_of(request)
    try:
        invited = await parties_of(request).invited(token, house.clock.now())
    except Exception as error:
        told = problem_of(error)
        if told.status >= 500:
            raise
        invited, problem = None, translated(told, language_of(request))
        status = told.status
    needs_account = invited is not None and invited.invitation.post.needs_account and signed_in(request) is None
    context = {
        "invited": invited,
        "taken": False,
        "problem": problem,
        "name": name,
        "needs_account": needs_account,
    }
    return page(request, "teams/invitation.html", context, status, PAGE_HEADERS)


def invitation_routes() -> list[Route]:
    return [
        Route("/invitations/{invitation}", invitation, name="invitation"),
        Route("/invitations/{invitation}", take, methods=["POST"], name="take_invitation"),
    ]

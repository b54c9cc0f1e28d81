"""Signing in and out with name and password, on a page that needs no script.

Tries are counted by name and by address. Somebody who is told to wait is told for how long, and the same
whether the name exists or not; a name that does not takes as long to refuse as a wrong password.
"""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.cookies import clear_cookie, secret_of, set_cookie
from broadcast.web.forms import PAGE_HEADERS, go_to, own_path, read_form
from broadcast.web.languages import language_of
from broadcast.web.limits import network_of
from broadcast.web.problems import SIGN_IN, Problem, translated
from broadcast.web.requests import house_of, signed_in
from broadcast.web.templating import page
from broadcast.web.throttles import Rate, TooManyTries
from teams.members.names import name_key
from teams.web.authority import members_of, sessions_of

AFTER: Final = "/account"
"""Where signing in leads if it was asked for by itself."""
BY_NAME_HERE: Final = Rate("sign in, name and address", 10, 900)
"""Wrong passwords for one name from one address."""
BY_NAME: Final = Rate("sign in, name", 100, 900)
"""Wrong passwords for one name from everywhere: so many more that nobody can lock a director out from one
desk."""
BY_ADDRESS: Final = Rate("sign in, address", 100, 900)
"""Wrong passwords from one address: a club's guests all have the same."""


class Tries:
    """The tries to know an account's password, by its name and by the sender's address."""

    def __init__(self, request: Request, name: str) -> None:
        self._house = house_of(request)
        network, key = network_of(request.scope), name_key(name[:100])
        self._counted = ((BY_NAME_HERE, f"{key}@{network}"), (BY_NAME, key), (BY_ADDRESS, network))

    def take(self) -> None:
        """Count one before the password is looked at. Raises ``TooManyTries``."""
        now = self._house.clock.now()
        for rate, key in self._counted:
            self._house.throttles.check(rate, key, now)
        for rate, key in self._counted:
            self._house.throttles.take(rate, key, now)

    def succeeded(self) -> None:
        """It was the right password: only wrong ones count."""
        for rate, key in self._counted:
            self._house.throttles.give_back(rate, key)
        self._house.throttles.forget(*self._counted[0])


async def sign_in_page(request: Request) -> Response:
    """``GET /sign-in``: name and password; ``?next=`` is a path of this site to go on to."""
    going_on = own_path(request.query_params.get("next", ""), AFTER)
    if signed_in(request) is not None:
        return go_to(request, going_on)
    return _page(request, "", going_on)


async def sign_in(request: Request) -> Response:
    """``POST /sign-in``: a new session, whatever session the browser brought."""
    form = await read_form(request)
    name, going_on = form.get("name", ""), own_path(form.get("next", ""), AFTER)
    tries = Tries(request, name)
    try:
        tries.take()
    except TooManyTries as problem:
        return _page(request, name, going_on, problem)
    account = await members_of(request).check_password(name, form.get("password", ""))
    if account is None:
        wrong = Problem(422, "wrong_password", "No account has this name with this password: check both")
        return _page(request, name, going_on, wrong)
    tries.succeeded()
    return await begun(request, account.id, going_on)


async def begun(request: Request, account: str, going_on: str) -> Response:
    """The answer that signs an account in and goes on; the session that the browser brought ends."""
    origin = house_of(request).origin
    device = request.headers.get("user-agent", "")
    secret, session = await sessions_of(request).begin(account, device, secret_of(request.scope, origin))
    response = go_to(request, going_on)
    set_cookie(response, origin, secret, session.ends_at)
    return response


async def sign_out(request: Request) -> Response:
    """``POST /sign-out``: the session ends here and in the database."""
    await read_form(request)
    origin = house_of(request).origin
    secret = secret_of(request.scope, origin)
    if secret is not None:
        await sessions_of(request).end(secret)
    response = go_to(request, "/")
    clear_cookie(response, origin)
    return response


def _page(request: Request, name: str, going_on: str, problem: Problem | None = None) -> Response:
    context = {
        "name": name,
        "next": going_on,
        "is_open": house_of(request).sign_up_is_open,
        "problem": None if problem is None else translated(problem, language_of(request)),
    }
    headers = dict(PAGE_HEADERS)
    if isinstance(problem, TooManyTries):
        headers["retry-after"] = str(problem.facts["retry_after"])
    status = 200 if problem is None else problem.status
    return page(request, "accounts/sign_in.html", context, status=status, headers=headers)


def signing_in_routes() -> list[Route]:
    return [
        Route(SIGN_IN, sign_in_page, name="sign_in"),
        Route(SIGN_IN, sign_in, methods=["POST"], name="sign_in_form"),
        Route("/sign-out", sign_out, methods=["POST"], name="sign_out"),
    ]

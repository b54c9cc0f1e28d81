"""Coming in by a link: an invitation to an account, or a new password; and asking for one by mail.

Looking at a link uses nothing up; sending its form does, once.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.house.signing import opened
from broadcast.tables.errors import Refusal
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.languages import language_of
from broadcast.web.limits import network_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, signed_in
from broadcast.web.templating import page
from broadcast.web.throttles import Rate
from teams.members.accounts import Role
from teams.members.names import name_key
from teams.storage.account_links import AccountLinks
from teams.storage.link_store import Kind, Link
from teams.web.authority import members_of
from teams.web.letters import letter
from teams.web.signing_in import AFTER, begun

LINKS: Final = Rate("links", 60, 900)
"""Links opened or used from one address: none can be guessed, but each try costs."""
SIGN_UPS: Final = Rate("sign up", 20, 3600)
"""Accounts made from one address where signing up is open."""
ASKED_BY_NAME: Final = Rate("forgotten, name", 5, 3600)
"""Letters asked for one name."""
ASKED_BY_ADDRESS: Final = Rate("forgotten, address", 30, 3600)


def links_of(request: Request) -> AccountLinks:
    """The links of the house that serves this request."""
    house = house_of(request)
    return AccountLinks(house.database, house.writer, house.mail)


async def join_page(request: Request) -> Response:
    """``GET /join/{join}``: what the invitation is for; name and password to choose."""
    return await _join(request)


async def join(request: Request) -> Response:
    """``POST /join/{join} {name, password}``, or ``{as: me}`` for the account that is signed in."""
    form, links, id = await read_form(request), links_of(request), _id(request, Kind.JOIN)
    _throttle(request, LINKS)
    account = signed_in(request)
    try:
        if form.get("as") == "me" and account is not None and account.account is not None:
            await links.join_as(id, account.account)
            return go_to(request, AFTER, done="joined")
        now = house_of(request).clock.now()
        made = await links.join(id, form.get("name", ""), form.get("password", ""), now)
    except Refusal as refused:
        return await _join(request, form, refused)
    return await begun(request, made.id, f"{AFTER}?done=welcome")


async def _join(
    request: Request, form: Mapping[str, str] | None = None, refused: Refusal | None = None
) -> Response:
    link, gone = await _found(request, Kind.JOIN)
    team = None if link is None or link.team is None else (await members_of(request).team(link.team)).name
    context = {
        "link": None if link is None else {"role": link.role, "note": link.note, "team": team},
        "name": (form or {}).get("name", ""),
        "is_open": False,
    }
    return _page(request, "accounts/join.html", context, gone or refused)


async def sign_up_page(request: Request) -> Response:
    """``GET /sign-up``: an account of a player for anybody, where this house allows that."""
    return _sign_up(request)


async def sign_up(request: Request) -> Response:
    """``POST /sign-up {name, password}``."""
    form = await read_form(request)
    if not house_of(request).sign_up_is_open:
        return _sign_up(request, form)
    try:
        _throttle(request, SIGN_UPS)
        made = await members_of(request).add_account(
            form.get("name", ""), [Role.PLAYER], form.get("password", "")
        )
    except (Refusal, Problem) as refused:
        return _sign_up(request, form, refused)
    return await begun(request, made.id, f"{AFTER}?done=welcome")


def _sign_up(
    request: Request, form: Mapping[str, str] | None = None, refused: Exception | None = None
) -> Response:
    context = {"name": (form or {}).get("name", ""), "link": None, "is_open": house_of(request).sign_up_is_open}
    if not house_of(request).sign_up_is_open:
        status = 200 if form is None else 403  # the page may be looked at
        refused = Problem(
            status, "by_invitation", "Accounts are made by invitation here: ask a director for one"
        )
    return _page(request, "accounts/join.html", context, refused)


async def reset_page(request: Request) -> Response:
    """``GET /reset/{reset}``: a new password."""
    return await _reset(request)


async def reset(request: Request) -> Response:
    """``POST /reset/{reset} {password}``: signs in too, everywhere else out."""
    form = await read_form(request)
    _throttle(request, LINKS)
    try:
        now, id = house_of(request).clock.now(), _id(request, Kind.RESET)
        account = await links_of(request).new_password(id, form.get("password", ""), now)
    except Refusal as refused:
        return await _reset(request, refused)
    return await begun(request, account, f"{AFTER}?done=password")


async def _reset(request: Request, refused: Refusal | None = None) -> Response:
    link, gone = await _found(request, Kind.RESET)
    context = {"name": None if link is None else link.note}
    return _page(request, "accounts/reset.html", context, gone or refused)


async def forgot_page(request: Request) -> Response:
    """``GET /forgot``: how to come by a new password."""
    house = house_of(request)
    context = {"mail_is_on": house.mail.is_on, "is_sent": request.query_params.get("done") == "asked"}
    return _page(request, "accounts/forgot.html", context, None)


async def forgot(request: Request) -> Response:
    """``POST /forgot {name}``: a letter, if there is such an account with an address; the answer is always the
    same."""
    form, house = await read_form(request), house_of(request)
    name, now = form.get("name", ""), house.clock.now()
    try:
        _throttle(request, ASKED_BY_ADDRESS)
        house.throttles.take(ASKED_BY_NAME, name_key(name[:100]), now)
    except Problem as refused:
        context = {"mail_is_on": house.mail.is_on, "is_sent": False}
        return _page(request, "accounts/forgot.html", context, refused)
    answer = go_to(request, "/forgot", done="asked")
    if house.mail.is_on:  # after the answer, whose time would tell whether a letter was stored
        answer.background = BackgroundTask(links_of(request).reset_by_mail, name, partial(letter, house))
    return answer


def _id(request: Request, kind: Kind) -> str | None:
    return opened(house_of(request).secret, kind, request.path_params[kind.value])


async def _found(request: Request, kind: Kind) -> tuple[Link | None, Refusal | None]:
    """The link of the address, or why it is no good."""
    try:
        return await links_of(request).good(kind, _id(request, kind), house_of(request).clock.now()), None
    except Refusal as refused:
        return None, refused


def _throttle(request: Request, rate: Rate) -> None:
    house = house_of(request)
    house.throttles.take(rate, network_of(request.scope), house.clock.now())


def _page(request: Request, name: str, context: Mapping[str, object], error: Exception | None) -> Response:
    problem = None if error is None else problem_of(error)
    sentence = None if problem is None else translated(problem, language_of(request))
    headers = dict(PAGE_HEADERS)
    if problem is not None and "retry_after" in problem.facts:
        headers["retry-after"] = str(problem.facts["retry_after"])
    status = 200 if problem is None else problem.status
    return page(request, name, {**context, "problem": sentence}, status=status, headers=headers)


def joining_routes() -> list[Route]:
    return [
        Route("/join/{join}", join_page, name="join"),
        Route("/join/{join}", join, methods=["POST"], name="join_form"),
        Route("/sign-up", sign_up_page, name="sign_up"),
        Route("/sign-up", sign_up, methods=["POST"], name="sign_up_form"),
        Route("/reset/{reset}", reset_page, name="reset"),
        Route("/reset/{reset}", reset, methods=["POST"], name="reset_form"),
        Route("/forgot", forgot_page, name="forgot"),
        Route("/forgot", forgot, methods=["POST"], name="forgot_form"),
    ]

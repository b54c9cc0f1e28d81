"""My account: who I am, my password, and the browsers in which I am signed in."""

import re
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.tables.errors import Refusal
from broadcast.web.authority import Who
from broadcast.web.cookies import secret_of
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.languages import language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, who
from broadcast.web.templating import page
from teams.storage.session_store import Session
from teams.web.authority import members_of, sessions_of
from teams.web.joining import links_of
from teams.web.signing_in import Tries, begun

DONE: Final = ("password", "ended", "address", "welcome", "joined")
"""What the page may be told that was done."""


async def account(request: Request) -> Response:
    """``GET /account``."""
    sender = await _account(request)
    return await _page(request, sender)


async def change_password(request: Request) -> Response:
    """``POST /account/password {now, new}``: ends all sessions and tokens, and begins this session anew."""
    sender, form = await _account(request), await read_form(request)
    try:
        await _check_password_now(request, sender, form)
        await members_of(request).set_password(sender.name, form.get("new", ""))
    except (Problem, Refusal) as error:
        return await _page(request, sender, problem_of(error))
    return await begun(request, sender.account or "", "/account?done=password")


async def _check_password_now(request: Request, sender: Who, form: Mapping[str, str]) -> None:
    """For what would hand the account to whoever sits at a browser left signed in. Raises ``Problem``."""
    tries = Tries(request, sender.name)
    tries.take()
    if await members_of(request).check_password(sender.name, form.get("now", "")) is None:
        raise Problem(
            422, "wrong_password_now", "This is not your password now: type the one you signed in with"
        )
    tries.succeeded()


async def change_address(request: Request) -> Response:
    """``POST /account/address {address, now}``: where mail goes, in the language of this page; empty for
    nowhere. It needs the password, as a new one can be had by mail.
    """
    sender, form = await _account(request), await read_form(request)
    try:
        await _check_password_now(request, sender, form)
        await links_of(request).change_address(
            sender.account or "", form.get("address", ""), language_of(request)
        )
    except (Problem, Refusal) as error:
        return await _page(request, sender, problem_of(error))
    return go_to(request, "/account", done="address")


async def end_sessions(request: Request) -> Response:
    """``POST /account/sessions {session}``: end one of one's sessions; ``session=others`` all but this one."""
    sender, form = await _account(request), await read_form(request)
    sessions, house = sessions_of(request), house_of(request)
    account, ended = sender.account or "", form.get("session", "")
    if ended == "others":
        current = await _current(request)
        for each in await sessions.of_account(account, house.clock.now()):
            if each.id != current:
                await sessions.end_one(account, each.id)
    else:
        await sessions.end_one(account, ended)
    return go_to(request, "/account", done="ended")


async def _account(request: Request) -> Who:
    """The sender, who has an account. Raises ``Problem`` 401, or 403 for one without an account."""
    sender = await who(request)
    if sender.account is None:
        raise Problem(403, "no_account", "This is for accounts: sign in with name and password")
    return sender


async def _current(request: Request) -> str | None:
    """The id of the session that the request came in, ``None`` for a token."""
    house = house_of(request)
    secret = secret_of(request.scope, house.origin)
    if secret is None or "authorization" in request.headers:
        return None
    found = await sessions_of(request).find(secret, house.clock.now())
    return None if found is None else found.session.id


async def _page(request: Request, sender: Who, problem: Problem | None = None) -> Response:
    house, members = house_of(request), members_of(request)
    sessions = await sessions_of(request).of_account(sender.account or "", house.clock.now())
    current = await _current(request)
    teams = [await members.side(id) for id in sorted(sender.teams)]
    done = request.query_params.get("done")
    context = {
        "name": sender.name,
        "roles": sorted(sender.roles),
        "teams": [{"id": team.id, "name": team.name, "is_club": team.club == team.id} for team in teams],
        "mail_is_on": house.mail.is_on,
        "address": await links_of(request).address(sender.account or ""),
        "sessions": [_shown(each, each.id == current) for each in sessions],
        "done": done if done in DONE and problem is None else None,
        "problem": None if problem is None else translated(problem, language_of(request)),
    }
    status = 200 if problem is None else problem.status
    return page(request, "accounts/account.html", context, status=status, headers=PAGE_HEADERS)


def _shown(session: Session, is_current: bool) -> dict[str, object]:
    browser, system = device_name(session.device)
    return {
        "id": session.id,
        "browser": browser,
        "system": system,
        "made_at": session.made_at.isoformat(),
        "seen_at": session.seen_at.isoformat(),
        "is_current": is_current,
    }


_BROWSERS: Final = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
_SYSTEMS: Final = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("Windows", r"Windows"),
    ("Mac", r"Mac OS X|Macintosh"),
    ("Linux", r"Linux|X11"),
)


def device_name(agent: str) -> tuple[str | None, str | None]:
    """Browser and system as people call them, from what the browser says it is.

    >>> device_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    ('Firefox', 'Linux')
    """
    browser = next((name for name, mark in _BROWSERS if re.search(mark, agent)), None)
    system = next((name for name, mark in _SYSTEMS if re.search(mark, agent)), None)
    return browser, system


def account_page_routes() -> list[Route]:
    return [
        Route("/account", account, name="account"),
        Route("/account/password", change_password, methods=["POST"], name="change_password"),
        Route("/account/address", change_address, methods=["POST"], name="change_address"),
        Route("/account/sessions", end_sessions, methods=["POST"], name="end_sessions"),
    ]

"""The director's page of accounts: who has one, invitations, links to a new password. Links are shown to be
copied."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.house.signing import link_address
from broadcast.tables.errors import Refusal
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.languages import Language, language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, who_with
from broadcast.web.templating import page
from teams.members.accounts import Role
from teams.members.names import name_key
from teams.storage import standing
from teams.storage.address_store import Address
from teams.storage.link_store import Kind, Link
from teams.web.account_standing import ROLES
from teams.web.authority import members_of
from teams.web.joining import links_of
from teams.web.letters import letter

MOST_SHOWN: Final = 200
"""Accounts on the page; more are found by name."""


async def accounts(request: Request) -> Response:
    """``GET /accounts?q=``: the accounts, and the links that are open."""
    await who_with(request, "director")
    return await _page(request)


async def invite(request: Request) -> Response:
    """``POST /accounts/invitations {role, team, note, address, language}``."""
    sender, form, house = await who_with(request, "director"), await read_form(request), house_of(request)
    try:
        made = await links_of(request).invite(
            _role(form),
            form.get("team") or None,
            form.get("note", ""),
            _address(request, form),
            sender.by,
            partial(letter, house),
        )
    except (Problem, Refusal) as refused:
        return await _page(request, form, problem_of(refused))
    return go_to(request, "/accounts", made=made.id)


async def reset(request: Request) -> Response:
    """``POST /accounts/resets {name}``: a link to a new password for somebody."""
    sender, form, house = await who_with(request, "director"), await read_form(request), house_of(request)
    try:
        made = await links_of(request).reset_by_director(
            form.get("name", ""), sender.by, partial(letter, house)
        )
    except Refusal as refused:
        return await _page(request, form, problem_of(refused))
    return go_to(request, "/accounts", made=made.id)


async def withdraw(request: Request) -> Response:
    """``POST /accounts/links {link}``: the link is good no more."""
    await who_with(request, "director")
    form = await read_form(request)
    await links_of(request).withdraw(form.get("link", ""))
    return go_to(request, "/accounts")


def _role(form: Mapping[str, str]) -> Role:
    try:
        return Role(form.get("role", ""))
    except ValueError:
        raise Problem(422, "bad_role", "Choose a role for the account") from None


def _address(request: Request, form: Mapping[str, str]) -> Address | None:
    """Where the invitation goes by mail, in the language of the page or the one chosen."""
    text = form.get("address", "").strip()
    chosen = form.get("language", "")
    language = Language(chosen) if chosen in set(Language) else language_of(request)
    return Address(text, language) if text and house_of(request).mail.is_on else None


async def _page(
    request: Request, form: Mapping[str, str] | None = None, problem: Problem | None = None
) -> Response:
    house, links = house_of(request), links_of(request)
    asked, now = request.query_params.get("q", ""), house.clock.now()
    everyone = await links.accounts()
    found = [pair for pair in everyone if name_key(asked) in name_key(pair[0].name)]
    open_links = [_shown(request, each) for kind in Kind for each in await links.open_links(kind, now)]
    teams = {team.id: team.name for team in await members_of(request).teams()}
    made = request.query_params.get("made")
    context = {
        "accounts": [
            {
                "id": account.id,
                "name": account.name,
                "is_closed": account.is_closed,
                "roles": sorted(account.roles),
                "has_password": account.has_password,
                "address": None if address is None else address.text,
            }
            for account, address in found[:MOST_SHOWN]
        ],
        "asked": asked,
        "left_out": max(0, len(found) - MOST_SHOWN),
        "links": open_links,
        "made": next((each for each in open_links if each["id"] == made), None),
        "roles": [role.value for role in ROLES],
        "leaderless": await house.database.read(standing.without_leader),
        "teams": [{"id": id, "name": name} for id, name in teams.items()],
        "team_names": teams,
        "mail_is_on": house.mail.is_on,
        "mail": await house.mail.standing(),
        "form": dict(form or {"team": request.query_params.get("team", "")}),
        "problem": None if problem is None else translated(problem, language_of(request)),
    }
    status = 200 if problem is None else problem.status
    return page(request, "accounts/accounts.html", context, status=status, headers=PAGE_HEADERS)


def _shown(request: Request, link: Link) -> dict[str, object]:
    house = house_of(request)
    return {
        "id": link.id,
        "kind": link.kind.value,
        "role": link.role,
        "team": link.team,
        "note": link.note,
        "address": link_address(house.origin, house.secret, link.mark),
        "expires_at": link.expires_at.isoformat(),
        "is_mailed": link.is_mailed,
    }


def accounts_desk_routes() -> list[Route]:
    return [
        Route("/accounts", accounts, name="accounts"),
        Route("/accounts/invitations", invite, methods=["POST"], name="invite_account"),
        Route("/accounts/resets", reset, methods=["POST"], name="reset_account"),
        Route("/accounts/links", withdraw, methods=["POST"], name="withdraw_account_link"),
    ]

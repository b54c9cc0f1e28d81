"""Roles given and taken, accounts closed: the director's page of one account, the command line's two requests.

Both show what would change before it is done. What is done ends in one transaction all that the account could
do by what it lost: sessions, tokens, links to accounts and rooms. Streams that are open end as they ask again
who may see them (``broadcast.web.sse.ASK_AGAIN_SECONDS``).
"""

import sqlite3
from datetime import datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.house.relational import raw_job
from broadcast.storage import operator_link_store
from broadcast.tables.errors import Refusal
from broadcast.web import command_json as read
from broadcast.web.forms import PAGE_HEADERS, go_to, read_fields
from broadcast.web.house import House
from broadcast.web.languages import Language, language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, json_answer, who_with
from broadcast.web.templating import page
from teams.captains.messages import MessageKind, Told
from teams.members.accounts import Account, Role
from teams.storage import account_store, inbox_store, standing, team_store
from teams.storage.standing import Change, Effects
from teams.web.account_routes import PRIVATE, local_body
from teams.web.messages_by_mail import MessagesByMail
from teams.web.standing_words import sentences

ROLES: Final = (Role.CAPTAIN, Role.PLAYER, Role.COMMENTATOR, Role.CLUB, Role.DIRECTOR)
"""In the order in which pages offer them."""


async def preview(house: House, name: str, change: Change, language: Language) -> list[str]:
    """What the change would do, in sentences. Raises as ``standing.effects_of`` does."""
    now = house.clock.now()

    def read_it(connection: sqlite3.Connection) -> list[str]:
        effects = standing.effects_of(connection, name, change, now)
        return sentences(effects, operator_link_store.made_by(connection, effects.makers, now), language)

    return await house.database.read(read_it)


async def carry_out(house: House, name: str, change: Change, language: Language) -> list[str]:
    """Make the change: what it did, in sentences. Raises as ``standing.carry_out`` does."""

    def store(connection: sqlite3.Connection, now: datetime) -> list[str]:
        effects = standing.effects_of(connection, name, change, now)
        told = sentences(effects, operator_link_store.made_by(connection, effects.makers, now), language)
        standing.carry_out(connection, name, change, now)
        operator_link_store.end_made_by(connection, effects.makers, now)
        _tell_deputies(house, connection, effects, now)
        return told

    told = await house.writer.write(raw_job(store))
    house.mail.wake()
    return told


def _tell_deputies(house: House, connection: sqlite3.Connection, effects: Effects, now: datetime) -> None:
    """Whoever goes on as captain learns it, by mail too."""
    for each in effects.handed:
        team = team_store.read(connection, each.team.id)
        if team.captain is not None:
            facts = {"ladder": team.name, "team": team.name, "before": effects.account.name}
            told = Told(team.id, MessageKind.CAPTAIN_NOW, facts, 0, now)
            inbox_store.note(connection, team.captain.account, team.id, told)
            MessagesByMail(house.mail, house.origin).put(connection, now, [(team.captain.account, told)])


# --- the director's page -----------------------------------------------------------------------------------


async def account_page(request: Request) -> Response:
    """``GET /accounts/{account}``: its roles, and what it answers for."""
    await who_with(request, "director")
    return await _page(request, await _account(request))


async def change(request: Request) -> Response:
    """``POST /accounts/{account} {do, role..., sure}``: ``do`` is ``roles`` or ``close``.

    Without ``sure`` the page says what would change and asks.
    """
    await who_with(request, "director")
    fields = await read_fields(request)
    account, house, language = await _account(request), house_of(request), language_of(request)
    form = dict(fields)
    chosen = frozenset(role for role in Role if ("role", role.value) in fields)
    wanted = (
        Change(closes=True)
        if form.get("do") == "close"
        else Change(give=chosen - account.roles, take=account.roles - chosen)
    )
    try:
        if form.get("sure") == "yes":
            await carry_out(house, account.name, wanted, language)
            return go_to(request, f"/accounts/{account.id}", done="closed" if wanted.closes else "changed")
        return await _page(
            request,
            account,
            chosen=chosen,
            asked={
                "closes": wanted.closes,
                "roles": sorted(chosen),
                "told": await preview(house, account.name, wanted, language),
            },
        )
    except Refusal as refused:
        return await _page(request, account, chosen=chosen, problem=problem_of(refused))


async def _account(request: Request) -> Account:
    """Raises ``NoSuchThing``."""
    id = request.path_params["account"]
    return await house_of(request).database.read(lambda connection: account_store.with_id(connection, id))


async def _page(
    request: Request,
    account: Account,
    *,
    chosen: frozenset[Role] | None = None,
    asked: dict[str, object] | None = None,
    problem: Problem | None = None,
) -> Response:
    done = request.query_params.get("done")
    context = {
        "account": {"id": account.id, "name": account.name, "is_closed": account.is_closed},
        "roles": [role.value for role in ROLES],
        "held": sorted(account.roles),
        "chosen": sorted(account.roles if chosen is None else chosen),
        "asked": asked,
        "done": done if done in ("changed", "closed") and problem is None and asked is None else None,
        "problem": None if problem is None else translated(problem, language_of(request)),
    }
    status = 200 if problem is None else problem.status
    return page(request, "accounts/standing.html", context, status=status, headers=PAGE_HEADERS)


# --- the command line --------------------------------------------------------------------------------------


async def change_roles(request: Request) -> Response:
    """``POST /api/accounts/roles {"name", "give", "take", "preview"}``: what changes, in sentences."""
    body = await local_body(request)
    return await _answer(request, body, Change(give=_roles(body, "give"), take=_roles(body, "take")))


async def close(request: Request) -> Response:
    """``POST /api/accounts/close {"name", "preview"}``."""
    return await _answer(request, await local_body(request), Change(closes=True))


async def _answer(request: Request, body: read.Fields, wanted: Change) -> Response:
    house, name = house_of(request), read.text(body, "name")
    work = preview if read.truth(body, "preview", default=False) else carry_out
    return json_answer({"changes": await work(house, name, wanted, Language.ENGLISH)}, headers=PRIVATE)


def _roles(body: read.Fields, name: str) -> frozenset[Role]:
    given = body.get(name, [])
    if not isinstance(given, list) or not set(given) <= {role.value for role in Role}:
        raise read.bad_field(name, "a list of roles")
    return frozenset(Role(role) for role in given)


def account_standing_routes() -> list[Route]:
    return [
        Route("/accounts/{account}", account_page, name="account_standing"),
        Route("/accounts/{account}", change, methods=["POST"], name="change_account_standing"),
        Route("/api/accounts/roles", change_roles, methods=["POST"], name="change_account_roles"),
        Route("/api/accounts/close", close, methods=["POST"], name="close_account"),
    ]

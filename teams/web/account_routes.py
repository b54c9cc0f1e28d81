"""Accounts: what the holder of a token is told, and what the house's own command line does.

Making accounts, passwords and tokens is open to the local socket only. These requests take no idempotency key:
what is remembered by key is stored, and a password or token must not be.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web import command_json as read
from broadcast.web.local import LOCAL
from broadcast.web.problems import Problem
from broadcast.web.requests import json_answer, read_json, who
from teams.members.accounts import LONGEST_PASSWORD, Role
from teams.web.authority import members_of

PRIVATE = {"cache-control": "no-store"}


async def account(request: Request) -> Response:
    """``GET /api/account``: name, roles, the teams and clubs for which the holder acts."""
    sender = await who(request)
    teams = []
    for id in sorted(sender.teams):
        team = await members_of(request).side(id)
        teams.append({"id": team.id, "name": team.name})
    body = {"name": sender.name, "roles": sorted(sender.roles), "teams": teams}
    return json_answer(body, headers=PRIVATE)


async def give_up(request: Request) -> Response:
    """``DELETE /api/account/token``: the token that authorises this request is good no more.

    A session has no token to give up, nor has an operator's link, which directors withdraw. Raises
    ``Problem`` 422.
    """
    sender = await who(request)
    if "authorization" not in request.headers or sender.account is None:
        raise Problem(
            422,
            "no_token_to_give_up",
            "This gives up an account's bearer token: send it as Authorization: Bearer ..., or sign out to end "
            "a session",
        )
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    await members_of(request).revoke_token(token)
    return Response(status_code=204, headers=PRIVATE)


async def add(request: Request) -> Response:
    """``POST /api/accounts {"name", "role", "password"}``; without a password only tokens open the account."""
    body = await local_body(request)
    role = read.code(body, "role", Role)
    password = _password(body) if body.get("password") is not None else None
    made = await members_of(request).add_account(read.text(body, "name"), [role], password)
    return json_answer({"name": made.name, "roles": sorted(made.roles)}, 201, PRIVATE)


async def set_password(request: Request) -> Response:
    """``POST /api/accounts/password {"name", "password"}``: a new one; all tokens of the account end."""
    body = await local_body(request)
    password = _password(body)
    account = await members_of(request).set_password(read.text(body, "name"), password)
    return json_answer({"name": account.name}, 201, PRIVATE)


async def add_token(request: Request) -> Response:
    """``POST /api/accounts/tokens {"name"}``: a new bearer token, told once."""
    body = await local_body(request)
    token = await members_of(request).add_token(read.text(body, "name"))
    return json_answer({"token": token}, 201, PRIVATE)


def _password(body: read.Fields) -> str:
    return read.verbatim(body, "password", most=LONGEST_PASSWORD)


async def local_body(request: Request) -> read.Fields:
    """The body of a request of the command line. Raises ``Problem`` 403 for every other."""
    if not request.scope.get(LOCAL):
        raise Problem(403, "local_only", "Accounts are kept with the command line: server.py user")
    return await read_json(request)


def account_routes() -> list[Route]:
    """The addresses of accounts."""
    return [
        Route("/api/account", account, name="account_json"),
        Route("/api/accounts", add, methods=["POST"], name="add_account"),
        Route("/api/accounts/password", set_password, methods=["POST"], name="set_password"),
        Route("/api/accounts/tokens", add_token, methods=["POST"], name="add_token"),
        Route("/api/account/token", give_up, methods=["DELETE"], name="give_up_token"),
    ]

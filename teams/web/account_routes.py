"""The holder of a token asks about themselves, and gives the token up."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.requests import json_answer, who
from teams.web.authority import members_of

PRIVATE = {"cache-control": "no-store"}


async def account(request: Request) -> Response:
    """``GET /api/account``: name, roles, the teams of which the holder is captain."""
    sender = await who(request)
    teams = []
    for id in sorted(sender.teams):
        team = await members_of(request).team(id)
        teams.append({"id": team.id, "name": team.name})
    body = {"name": sender.name, "roles": sorted(sender.roles), "teams": teams}
    return json_answer(body, headers=PRIVATE)


async def give_up(request: Request) -> Response:
    """``DELETE /api/account/token``: the token that authorises this request is good no more."""
    await who(request)
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    await members_of(request).revoke_token(token)
    return Response(status_code=204, headers=PRIVATE)


def account_routes() -> list[Route]:
    """The addresses of the token's holder."""
    return [
        Route("/api/account", account, name="account_json"),
        Route("/api/account/token", give_up, methods=["DELETE"], name="give_up_token"),
    ]

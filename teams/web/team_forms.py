"""Registering a team, and keeping it: name, colour, roster, invitations, deputy."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.authority import Who
from broadcast.web.forms import PAGE_HEADERS, read_form
from broadcast.web.languages import language_of
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of
from broadcast.web.templating import page
from teams.captains.zones import told
from teams.ladder.commands import RenameTeam
from teams.members.colours import Colour
from teams.members.rosters import FEWEST_PLAYERS, MOST_PLAYERS, KnownPlayer, Team
from teams.storage import club_store, team_store
from teams.storage.invitation_store import Post
from teams.storage.members import new_id
from teams.web.authority import members_of
from teams.web.contestants import require_leader
from teams.web.party_forms import (
    Form,
    account_of,
    back_to,
    colour_from,
    leader_of,
    names_from,
    or_again,
    parties_of,
)
from teams.web.roster_routes import roster_of, standings_of, with_ladders


async def new_team(request: Request) -> Response:
    """``GET /teams/new``; ``?club=`` chooses the club that fields it."""
    sender, _ = await account_of(request)
    return await _new_page(request, sender, {"club": request.query_params.get("club", ""), "plays": "yes"})


async def register(request: Request) -> Response:
    """``POST /teams/new {"name", "colour", "club", "plays", "players"}``: the sender becomes captain."""
    sender, captain = await account_of(request)
    form = await read_form(request)

    async def done() -> Response:
        team = await parties_of(request).register(
            form.get("name", ""),
            captain,
            names_from(form),
            colour_from(form),
            form.get("club") or None,
            plays=form.get("plays") == "yes",
        )
        return back_to(request, f"/teams/{team.id}/edit", "registered")

    async def again(sentence: str, status: int) -> Response:
        return await _new_page(request, sender, form, sentence, status)

    return await or_again(request, done, again)


async def _new_page(
    request: Request, sender: Who, form: Form, problem: str | None = None, status: int = 200
) -> Response:
    account = sender.account or ""
    clubs = await house_of(request).database.read(
        lambda connection: club_store.officered_by(connection, account)
    )
    context = {
        "kind": "team",
        "form": dict(form),
        "clubs": clubs,
        "colours": tuple(Colour),
        "problem": problem,
        "least": FEWEST_PLAYERS,
        "most": MOST_PLAYERS,
    }
    return page(request, "teams/new.html", context, status, PAGE_HEADERS)


async def edit(request: Request) -> Response:
    """``GET /teams/{team}/edit``: for its captain, deputy and directors."""
    team = await members_of(request).team(request.path_params["team"])
    sender = await leader_of(request, team.id)
    return await _edit_page(request, sender, team)


async def change(request: Request) -> Response:
    """``POST /teams/{team}/edit {"do"}``: ``describe add remove invite withdraw dismiss hand_over``."""
    team = await members_of(request).team(request.path_params["team"])
    sender = await leader_of(request, team.id)
    form = await read_form(request)
    action = form.get("do", "")

    async def done() -> Response:
        if action == "invite":
            post = Post.DEPUTY if form.get("post") == Post.DEPUTY else Post.PLAYER
            if post is Post.DEPUTY:
                require_leader(sender, team)
            secret = await parties_of(request).invite(team.id, post, sender.account)
            return await _edit_page(request, sender, team, link=_link(request, secret), post=post)
        await _carry_out(request, sender, team, action, form)
        gone = action == "hand_over" and "director" not in sender.roles and sender.account is None
        return back_to(request, f"/teams/{team.id}" if gone else f"/teams/{team.id}/edit", action)

    async def again(sentence: str, status: int) -> Response:
        now = await members_of(request).team(team.id)
        return await _edit_page(request, sender, now, sentence, status)

    return await or_again(request, done, again)


async def _carry_out(request: Request, sender: Who, team: Team, action: str, form: Form) -> None:
    parties = parties_of(request)
    match action:
        case "describe":
            name, colour = form.get("name", ""), colour_from(form)
            await with_ladders(
                request,
                sender.by,
                team.id,
                lambda connection, now: team_store.describe(connection, team.id, name, colour),
                named,
            )
        case "add":
            await _set_roster(request, sender, team, [*_kept(team), *names_from(form)])
        case "remove":
            await _set_roster(request, sender, team, [k for k in _kept(team) if k.id != form.get("player")])
        case "withdraw":
            await parties.withdraw_invitation(team.id, form.get("mark", ""))
        case "dismiss":
            require_leader(sender, team)
            await parties.dismiss_deputy(team.id)
        case "hand_over":
            require_leader(sender, team)
            await parties.hand_over(team.id)
        case _:
            raise Problem(404, "no_such_step", f"A team has no step {action}", step=action)


def _kept(team: Team) -> list[KnownPlayer]:
    return [KnownPlayer(player.id) for player in team.players]


async def _set_roster(request: Request, sender: Who, team: Team, players: Sequence[str | KnownPlayer]) -> None:
    """A team that stands on a ladder keeps its four players."""
    fewest = FEWEST_PLAYERS if await standings_of(request, team.id) else 0

    await with_ladders(
        request,
        sender.by,
        team.id,
        lambda connection, now: team_store.replace_roster(connection, team.id, players, new_id, fewest),
        roster_of,
    )


def named(side: Team) -> RenameTeam:
    """What tells a ladder how the team or club is called now."""
    return RenameTeam(side.id, side.name)


async def _edit_page(
    request: Request,
    sender: Who,
    team: Team,
    problem: str | None = None,
    status: int = 200,
    link: str | None = None,
    post: Post | None = None,
) -> Response:
    house = house_of(request)
    invitations = await parties_of(request).invitations(team.id, house.clock.now())
    language = language_of(request).value
    context = {
        "team": team,
        "invitations": [
            {"mark": each.mark, "post": each.post.value, "until": told(each.expires_at, "UTC", language)}
            for each in invitations
        ],
        "colours": tuple(Colour),
        "is_captain": "director" in sender.roles
        or (team.captain is not None and team.captain.account == sender.account),
        "problem": problem,
        "done": request.query_params.get("done"),
        "link": link,
        "post": post,
        "least": FEWEST_PLAYERS,
        "most": MOST_PLAYERS,
        "on_ladder": bool(await standings_of(request, team.id)),
    }
    return page(request, "teams/edit.html", context, status, PAGE_HEADERS)


def _link(request: Request, secret: str) -> str:
    return f"{house_of(request).origin}/invitations/{secret}"


def team_form_routes() -> list[Route]:
    """Before ``/teams/{team}``, which would also fit."""
    return [
        Route("/teams/new", new_team, name="new_team"),
        Route("/teams/new", register, methods=["POST"], name="register_team"),
        Route("/teams/{team}/edit", edit, name="edit_team"),
        Route("/teams/{team}/edit", change, methods=["POST"], name="change_team"),
    ]

"""Clubs: the list, a club's page, founding one, and keeping its members, officers and teams."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.tables.errors import Refusal
from broadcast.web.authority import Who
from broadcast.web.forms import PAGE_HEADERS, read_form
from broadcast.web.languages import language_of
from broadcast.web.match_routes import is_hidden, listed, shown
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, signed_in
from broadcast.web.templating import page
from teams.captains.zones import told
from teams.members.clubs import MOST_MEMBERS, Club
from teams.members.colours import Colour
from teams.storage import club_store
from teams.storage.invitation_store import Post
from teams.storage.members import new_id
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
from teams.web.team_forms import named

MOST_MATCHES = 30


async def clubs(request: Request) -> Response:
    """``GET /clubs``."""
    found = await parties_of(request).clubs()
    rows = [
        {"id": id, "name": name, "colour": colour, "members": members} for id, name, colour, members in found
    ]
    return page(request, "teams/clubs.html", {"clubs": rows})


async def club_json(request: Request) -> Response:
    """``GET /api/clubs/{club}``."""
    found = await parties_of(request).club(request.path_params["club"])
    body = {
        "id": found.id,
        "name": found.name,
        "colour": found.colour.value,
        "officers": [{"name": officer.name} for officer in found.officers],
        "members": [{"id": member.id, "name": member.name} for member in found.members],
        "teams": [{"id": team.id, "name": team.name} for team in found.teams],
        "standings": await standings_of(request, found.id),
    }
    return json_answer(body)


async def club(request: Request) -> Response:
    """``GET /clubs/{club}``."""
    house, hidden = house_of(request), is_hidden(request)
    found = await parties_of(request).club(request.path_params["club"])
    rows, _ = await listed(house, (), MOST_MATCHES, party=found.id)
    viewer = signed_in(request)
    context = {
        "club": found,
        "teams": [{"team": team, "standings": await standings_of(request, team.id)} for team in found.teams],
        "standings": await standings_of(request, found.id),
        "matches": [shown(row, hidden) for row in rows],
        "may_edit": viewer is not None and ("director" in viewer.roles or found.id in viewer.teams),
    }
    return page(request, "teams/club.html", context)


async def new_club(request: Request) -> Response:
    """``GET /clubs/new``."""
    await account_of(request)
    return _new_page(request, {"plays": "yes"})


async def found_club(request: Request) -> Response:
    """``POST /clubs/new {"name", "colour", "plays", "players"}``: the sender becomes its first officer."""
    _, officer = await account_of(request)
    form = await read_form(request)

    async def done() -> Response:
        made = await parties_of(request).found(
            form.get("name", ""),
            colour_from(form),
            officer,
            names_from(form),
            plays=form.get("plays") == "yes",
        )
        return back_to(request, f"/clubs/{made.id}/edit", "registered")

    async def again(sentence: str, status: int) -> Response:
        return _new_page(request, form, sentence, status)

    return await or_again(request, done, again)


def _new_page(request: Request, form: Form, problem: str | None = None, status: int = 200) -> Response:
    context = {
        "kind": "club",
        "form": dict(form),
        "clubs": (),
        "colours": tuple(Colour),
        "problem": problem,
        "least": 0,
        "most": MOST_MEMBERS,
    }
    return page(request, "teams/new.html", context, status, PAGE_HEADERS)


async def edit(request: Request) -> Response:
    """``GET /clubs/{club}/edit``: for its officers and directors."""
    found = await parties_of(request).club(request.path_params["club"])
    sender = await leader_of(request, found.id)
    return await _edit_page(request, sender, found)


async def change(request: Request) -> Response:
    """``POST /clubs/{club}/edit {"do"}``: ``describe add remove invite withdraw resign``."""
    found = await parties_of(request).club(request.path_params["club"])
    sender = await leader_of(request, found.id)
    form = await read_form(request)
    action = form.get("do", "")

    async def done() -> Response:
        if action == "invite":
            post = Post.OFFICER if form.get("post") == Post.OFFICER else Post.MEMBER
            secret = await parties_of(request).invite(found.id, post, sender.account)
            link = f"{house_of(request).origin}/invitations/{secret}"
            return await _edit_page(request, sender, found, link=link, post=post)
        await _carry_out(request, sender, found, action, form)
        return back_to(request, f"/clubs/{found.id}/edit", action)

    async def again(sentence: str, status: int) -> Response:
        now = await parties_of(request).club(found.id)
        return await _edit_page(request, sender, now, sentence, status)

    return await or_again(request, done, again)


async def _carry_out(request: Request, sender: Who, found: Club, action: str, form: Form) -> None:
    parties = parties_of(request)
    tell = partial(with_ladders, request, sender.by, found.id)
    match action:
        case "describe":
            name, colour = form.get("name", ""), colour_from(form)
            await tell(lambda raw, now: club_store.describe(raw, found.id, name, colour), named)
        case "add":
            names = names_from(form)
            if not names:
                raise Refusal("no_names", "Write at least one name")
            await tell(lambda raw, now: club_store.add_members(raw, found.id, names, new_id, now), roster_of)
        case "remove":
            player = form.get("player", "")
            await tell(lambda raw, now: club_store.remove_member(raw, found.id, player), roster_of)
        case "withdraw":
            await parties.withdraw_invitation(found.id, form.get("mark", ""))
        case "resign":
            await parties.remove_officer(found.id, form.get("account", ""))
        case _:
            raise Problem(404, "no_such_step", f"A club has no step {action}", step=action)


async def _edit_page(
    request: Request,
    sender: Who,
    found: Club,
    problem: str | None = None,
    status: int = 200,
    link: str | None = None,
    post: Post | None = None,
) -> Response:
    invitations = await parties_of(request).invitations(found.id, house_of(request).clock.now())
    language = language_of(request).value
    context = {
        "club": found,
        "invitations": [
            {"mark": each.mark, "post": each.post.value, "until": told(each.expires_at, "UTC", language)}
            for each in invitations
        ],
        "colours": tuple(Colour),
        "own_account": sender.account,
        "problem": problem,
        "done": request.query_params.get("done"),
        "link": link,
        "post": post,
    }
    return page(request, "teams/club_edit.html", context, status, PAGE_HEADERS)


def club_routes() -> list[Route]:
    """The addresses of clubs; the fixed ones first."""
    return [
        Route("/clubs", clubs, name="clubs"),
        Route("/clubs/new", new_club, name="new_club"),
        Route("/clubs/new", found_club, methods=["POST"], name="found_club"),
        Route("/clubs/{club}/edit", edit, name="edit_club"),
        Route("/clubs/{club}/edit", change, methods=["POST"], name="change_club"),
        Route("/clubs/{club}", club, name="club"),
        Route("/api/clubs/{club}", club_json, name="club_json"),
    ]

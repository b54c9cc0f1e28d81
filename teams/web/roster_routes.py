"""Teams: made by a director or by their captain, read by everyone."""

import sqlite3
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.streams import StreamKey
from broadcast.house.transaction import Transaction
from broadcast.storage.answers import Once
from broadcast.storage.read_models import list_summaries
from broadcast.web import command_json as read
from broadcast.web.authority import Who
from broadcast.web.match_routes import is_hidden
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, once, read_json, who, who_with
from teams.ladder.commands import ChangeRoster, LadderCommand
from teams.ladder.stream import KIND, LadderStream
from teams.ladder.views import JsonObject, row_json
from teams.members.rosters import MOST_PLAYERS, KnownPlayer, Team
from teams.storage import team_store
from teams.storage.members import new_id, side_of
from teams.web.authority import members_of

Stored = TypeVar("Stored")

PLAYERS = 'a list of players: names of new ones, {"id"} of known ones'


async def teams(request: Request) -> Response:
    """``GET /api/teams``: every team, by name."""
    found = await members_of(request).teams()
    return json_answer({"teams": [{"id": team.id, "name": team.name} for team in found]})


async def team(request: Request) -> Response:
    """``GET /api/teams/{team}``: the team, its players, and where it stands on each ladder."""
    found = await members_of(request).team(request.path_params["team"])
    return json_answer({**found.json(), "standings": await standings_of(request, found.id)})


async def standings_of(request: Request, team: str) -> list[JsonObject]:
    """The team's row on every ladder, each with its ``ladder``."""
    house = house_of(request)
    listed = await house.database.read(partial(list_summaries, kind=KIND, party=team))
    standings = []
    for line in listed:
        ladder = await house.writer.stream(line.key)
        if isinstance(ladder, LadderStream) and team in ladder.state.order:
            row = row_json(ladder.state, team, hidden=is_hidden(request))
            standings.append({"ladder": {"id": ladder.state.id, "name": ladder.state.name}, **row})
    return standings


async def create(request: Request) -> Response:
    """``POST /api/teams {"name", "captain", "players"}``: ``captain`` is the name of an account.

    A captain who names none makes the team their own; for another captain it takes a director.
    """
    sender = await who_with(request, "director", "captain")
    body = await read_json(request)
    sent = once(request, body, sender_scope(sender))
    captain = read.optional_text(body, "captain")
    if "director" not in sender.roles:
        if captain is not None and (await members_of(request).account(captain)).id != sender.account:
            raise Problem(403, "not_allowed", "A captain makes teams of their own", roles=["director"])
        captain = sender.name
    answer = await members_of(request).add_team(
        read.text(body, "name"),
        captain,
        _players(body),
        read.optional_text(body, "club"),
        once=sent,
        answer=_answer,
        is_own="director" not in sender.roles,
    )
    return json_answer(answer, 201)


def _answer(team: Team) -> bytes:
    return msgspec.json.encode(team.json())


def sender_scope(sender: Who) -> StreamKey:
    """Where a sender's idempotency keys are told apart from everybody else's."""
    return StreamKey("account", sender.account or sender.name)


async def change_roster(request: Request) -> Response:
    """``POST /api/teams/{team}/players {"players"}``: the whole roster; the team's captain, or a director."""
    sender, body = await who(request), await read_json(request)
    team = await members_of(request).team(request.path_params["team"])
    if "director" not in sender.roles and team.id not in sender.teams:
        raise Problem(403, "not_captain", "Only the team's captain or a director may do that", team=team.id)
    sent = once(request, body, sender_scope(sender))
    players = _players(body)

    def store(connection: sqlite3.Connection, now: datetime) -> bytes:
        return _answer(team_store.replace_roster(connection, team.id, players, new_id))

    return json_answer(await with_ladders(request, sender.by, team.id, store, roster_of, sent), 201)


def roster_of(side: Team) -> ChangeRoster:
    return ChangeRoster(side.id, tuple(player.id for player in side.players))


async def with_ladders(
    request: Request,
    by: str,
    side: str,
    store: Callable[[sqlite3.Connection, datetime], Stored],
    command: Callable[[Team], LadderCommand],
    once: Once | None = None,
) -> Stored:
    """Store what changes a team or a club, and carry the ``command`` of its new state to every ladder on which
    it stands: all in one transaction, so that no ladder knows another roster or name than the team has.

    A ladder may refuse (rule 9: nobody plays in two teams of one, and a roster stands still from the acceptance
    of a challenge to its end); then nothing is stored. Raises ``Refusal``.
    """

    def work(house: Transaction) -> Stored:
        stored = store(house.connection, house.now)
        after = side_of(house.connection, side)
        for line in list_summaries(house.connection, KIND, party=side, limit=-1):
            ladder = house.stream(line.key)
            if isinstance(ladder, LadderStream) and side in ladder.state.order:
                house.command(line.key, command(after), by)
        return stored

    return await house_of(request).writer.together(work, once)


def _players(body: read.Fields) -> list[str | KnownPlayer]:
    """Names of new players, and ``{"id"}`` of known ones."""
    given = body.get("players")
    if not isinstance(given, list):
        raise read.bad_field("players", PLAYERS)
    if len(given) > 10 * MOST_PLAYERS:
        raise read.bad_field("players", f"a list of at most {MOST_PLAYERS} names")
    return [_player(each) for each in given]


def _player(given: object) -> str | KnownPlayer:
    if isinstance(given, str):
        return given
    if isinstance(given, dict) and isinstance(given.get("id"), str):
        return KnownPlayer(given["id"])
    raise read.bad_field("players", PLAYERS)


def roster_routes() -> list[Route]:
    """The addresses of teams."""
    return [
        Route("/api/teams", teams, name="teams_json"),
        Route("/api/teams", create, methods=["POST"], name="create_team"),
        Route("/api/teams/{team}/players", change_roster, methods=["POST"], name="change_roster"),
        Route("/api/teams/{team}", team, name="team_json"),
    ]

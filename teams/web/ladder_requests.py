"""What every request to a ladder shares: finding it, who speaks for which team, carrying a command to it."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from broadcast.feeds.streams import Change, StreamKey
from broadcast.notation.time_zones import zone_named
from broadcast.tables.errors import NoSuchThing
from broadcast.web.authority import Who
from broadcast.web.house import House
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, once
from teams.ladder.challenges import Challenge
from teams.ladder.commands import LadderCommand
from teams.ladder.errors import NotThatSide
from teams.ladder.state import LadderState
from teams.ladder.stream import KIND, LadderStream
from teams.ladder.views import JsonObject
from teams.web.roster_routes import sender_scope


async def found_ladder(house: House, id: str) -> LadderStream:
    """The ladder as of the last commit. Raises ``NoSuchThing``."""
    stream = await house.writer.stream(StreamKey(KIND, id))
    if not isinstance(stream, LadderStream):
        raise no_ladder(id)
    return stream


def no_ladder(id: str) -> NoSuchThing:
    return NoSuchThing("no_such_ladder", f"There is no ladder {id}", ladder=id)


async def found_challenge(house: House, id: str) -> tuple[LadderState, Challenge]:
    """A challenge and its ladder, which is part of its id. Raises ``NoSuchThing``."""
    stream = await house.writer.stream(StreamKey(KIND, id.rpartition("-")[0]))
    found = stream.state.challenge(id) if isinstance(stream, LadderStream) else None
    if found is None:
        raise NoSuchThing("no_such_challenge", f"There is no challenge {id}", challenge=id)
    return cast(LadderStream, stream).state, found


def asked_moment(request: Request, state: LadderState) -> datetime | None:
    """The moment that ``?at=`` names, or ``None``: a date is the end of that day of the club."""
    text = request.query_params.get("at", "").replace(" ", "+")
    if not text:
        return None
    zone = zone_named(state.rules.time_zone)
    try:
        if len(text) == len("2026-05-01"):
            day = datetime.combine(date.fromisoformat(text) + timedelta(days=1), time(), zone)
            return day.astimezone(UTC) - timedelta(microseconds=1)
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo is not None else at.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


# --- who speaks for which team -----------------------------------------------------------------------------


def require_captain(sender: Who, team: str) -> None:
    if "director" not in sender.roles and team not in sender.teams:
        raise Problem(403, "not_captain", "Only the team's captain or a director may do that", team=team)


def own_team(state: LadderState, sender: Who, named: str | None) -> str:
    """The team that the sender speaks for on this ladder. Raises ``Problem`` 403 or 422."""
    if named is not None:
        require_captain(sender, named)
        return named
    own = [team for team in state.order if team in sender.teams]
    if len(own) > 1 or (not own and "director" in sender.roles):
        raise Problem(422, "which_team", "Name the team for which you speak: team", teams=own)
    if not own:
        raise Problem(403, "not_captain", "You are captain of no team on this ladder")
    return own[0]


# --- writing and answering ---------------------------------------------------------------------------------


async def perform(
    request: Request,
    sender: Who,
    body: JsonObject,
    command: LadderCommand,
    answer: Callable[[Change], bytes],
    ladder: str | None = None,
) -> Response:
    """Carry the command to the ladder; the remembered answer begins with a line that holds its status."""
    try:
        given = await house_of(request).writer.perform(
            StreamKey(KIND, ladder or request.path_params["ladder"]),
            command,
            by=sender.by,
            once=once(request, body, sender_scope(sender)),
            answer=answer,
        )
    except NotThatSide as refused:
        raise Problem(403, refused.rule, refused.message, **refused.facts) from None
    status, _, encoded = given.partition(b"\n")
    return json_answer(encoded, int(status))


def with_status(status: int, body: JsonObject) -> bytes:
    return str(status).encode() + b"\n" + msgspec.json.encode(body)


def stream_of(change: Change) -> LadderStream:
    return cast(LadderStream, change.stream)

"""The public JSON of matches and their streams: what everyone may read, and nothing else.

Everything here comes from the public state, so that it cannot tell what is not released.
"""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.rooms import Room
from broadcast.feeds.cursor import Cursor
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.polling import poll
from broadcast.feeds.publishing import Encoding
from broadcast.feeds.streams import StreamKey
from broadcast.storage.moments import from_text
from broadcast.storage.read_models import Listed, list_summaries
from broadcast.tables.errors import NoSuchThing
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState
from broadcast.web.export import export_lin, export_pbn
from broadcast.web.house import House
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer
from broadcast.web.results_csv import results_csv
from broadcast.web.room_routes import desk_stream
from broadcast.web.sse import StreamResponse, requested_cursor

STATUSES = ("upcoming", "live", "scored", "closed", "void")
MOST_LISTED = 100


def is_hidden(request: Request) -> bool:
    """Whether the address asks to be spared results."""
    return request.query_params.get("results") == "hidden"


async def public_match(house: House, id: str) -> MatchStream:
    """The match, which has something public. Raises ``NoSuchThing``."""
    match = await house.match(id)
    if match is None or match.public.match is None:
        raise NoSuchThing("no_such_match", f"There is no match {id}", match=id)
    return match


def last_event(house: House, match: MatchStream) -> str:
    return str(Cursor(house.publishing.epoch, match.number))


async def listed(
    house: House, statuses: tuple[str, ...], limit: int, after: str | None = None, party: str | None = None
) -> tuple[list[Listed], str | None]:
    """Matches newest first, and the cursor of the next page."""
    before = _list_cursor(after)
    rows = await house.database.read(
        lambda connection: list_summaries(
            connection, MATCH, statuses=statuses, party=party, before=before, limit=limit + 1
        )
    )
    page = rows[:limit]
    more = len(rows) > limit
    return page, f"{page[-1].summary.sort_at.isoformat()}~{page[-1].key.id}" if more else None


def _list_cursor(after: str | None) -> tuple[datetime, str] | None:
    if not after:
        return None
    at, _, id = after.rpartition("~")
    try:
        return from_text(at).astimezone(UTC), id
    except (ValueError, OverflowError):
        raise Problem(400, "bad_cursor", "after must be the next of an earlier answer") from None


def shown(listed: Listed, hidden: bool) -> dict[str, Any]:
    """A match in a list; without what tells results where they are hidden."""
    body = listed.summary.body
    return (
        {name: value for name, value in body.items() if name not in ("totals", "penalties")} if hidden else body
    )


async def matches(request: Request) -> Response:
    """``GET /api/matches?status=&limit=&after=``."""
    status = request.query_params.get("status")
    if status is not None and status not in STATUSES:
        raise Problem(
            400, "bad_status", "status must be one of " + ", ".join(STATUSES), statuses=list(STATUSES)
        )
    limit = request.query_params.get("limit", "20")
    if not limit.isdecimal() or len(limit) > 3 or not 1 <= int(limit) <= MOST_LISTED:
        raise Problem(400, "bad_limit", f"limit must be 1 to {MOST_LISTED}", most=MOST_LISTED)
    page, following = await listed(
        house_of(request), (status,) if status else (), int(limit), request.query_params.get("after")
    )
    hidden = is_hidden(request)
    return json_answer({"matches": [shown(each, hidden) for each in page], "next": following})


async def match(request: Request) -> Response:
    """``GET /api/matches/{match}``."""
    house = house_of(request)
    found = await public_match(house, request.path_params["match"])
    body = found.public.resource(hidden=is_hidden(request)) or {}
    return json_answer(body | {"last_event": last_event(house, found)})


async def board(request: Request) -> Response:
    """``GET /api/matches/{match}/boards/{segment}.{board}``."""
    found = await public_match(house_of(request), request.path_params["match"])
    key = board_key(found, request.path_params["board"])
    return json_answer(found.public.board(key) or {})


def board_key(match: MatchStream, text: str) -> BoardKey:
    """``2.17``, or a plain number where it is unique. Raises ``NoSuchThing``."""
    state = match.public.match
    segment, dot, number = text.rpartition(".")
    if state is not None and number.isdecimal() and len(number) < 9:
        if dot and segment.isdecimal() and len(segment) < 9:
            key = BoardKey(int(segment), int(number))
            if key in state.boards:
                return key
        elif not dot:
            keys = [key for key in state.boards if key.number == int(number)]
            if len(keys) == 1:
                return keys[0]
    raise NoSuchThing("no_such_board", f"The match has no board {text}", board=text)


async def events(request: Request) -> Response:
    """``GET /api/matches/{match}/events``: polling by cursor; with a director's token, the log's stream."""
    if "authorization" in request.headers:
        return await desk_stream(request)
    house = house_of(request)
    found = await public_match(house, request.path_params["match"])
    channel = await house.publishing.channel(found.key, Encoding(is_hidden(request)))
    if channel is None:
        raise NoSuchThing("no_such_match", "There is no such match")
    return json_answer(msgspec.json.encode(poll(channel, requested_cursor(request.scope))))


async def stream(request: Request) -> Response:
    """``GET /{matches|ladders}/{id}/events``: the public stream; of a match also ``/open`` and ``/closed``."""
    house, kind, id = house_of(request), request.path_params["kind"], request.path_params["id"]
    room = request.path_params.get("room")
    encoding = Encoding(is_hidden(request), Room(room) if room else None)
    key = StreamKey(kind, id)
    channel = await house.publishing.channel(key, encoding)
    if channel is None:
        raise NoSuchThing(f"no_such_{kind}", f"There is no {kind} {id}")
    return StreamResponse(
        channel, requested_cursor(request.scope), partial(house.publishing.snapshot, key, encoding)
    )


async def pbn(request: Request) -> Response:
    """A match, one segment or one board as PBN."""
    return await _file(request, "pbn")


async def lin(request: Request) -> Response:
    """A match, one segment or one board as LIN."""
    return await _file(request, "lin")


async def _file(request: Request, kind: str) -> Response:
    found = await public_match(house_of(request), request.path_params["match"])
    state = found.public.match
    if state is None:
        raise NoSuchThing("no_such_match", "There is no such match")
    key = board_key(found, request.path_params["board"]) if "board" in request.path_params else None
    segment = (
        segment_number(state, request.path_params["segment"]) if "segment" in request.path_params else None
    )
    write = export_pbn if kind == "pbn" else export_lin
    part = key or (f"segment-{segment}" if segment is not None else None)
    return file_answer(write(state, key, segment), found.id if part is None else f"{found.id}-{part}", kind)


async def results(request: Request) -> Response:
    """``GET /matches/{match}.csv``: a match's results as a table."""
    found = await public_match(house_of(request), request.path_params["match"])
    return file_answer(results_csv(found.public, hidden=is_hidden(request)), found.id, "csv")


FILE_TYPES = {"pbn": "application/x-pbn", "lin": "application/x-lin", "csv": "text/csv"}


def file_answer(body: str | bytes, name: str, kind: str) -> Response:
    """A file to keep, for programs of any site."""
    return Response(
        body,
        media_type=FILE_TYPES[kind],
        headers={
            "content-disposition": f'attachment; filename="{name}.{kind}"',
            "access-control-allow-origin": "*",
            "x-content-type-options": "nosniff",
            "cache-control": "no-cache",
        },
    )


def segment_number(match: MatchState, text: str) -> int:
    """A segment of the match by its number. Raises ``NoSuchThing``."""
    if text in {str(segment.number) for segment in match.segments}:
        return int(text)
    raise NoSuchThing("no_such_segment", f"The match has no segment {text}", segment=text)


def match_routes() -> list[Route]:
    """Public addresses of matches; the longer before the shorter that would also fit."""
    return [
        Route("/api/matches", matches, name="matches_json"),
        Route("/api/matches/{match}/events", events, name="match_events_json"),
        Route("/api/matches/{match}/boards/{board}", board, name="board_json"),
        Route("/api/matches/{match}", match, name="match_json"),
        Route("/matches/{match}/boards/{board}.pbn", pbn, name="board_pbn"),
        Route("/matches/{match}/boards/{board}.lin", lin, name="board_lin"),
        Route("/matches/{match}/segments/{segment}.pbn", pbn, name="segment_pbn"),
        Route("/matches/{match}/segments/{segment}.lin", lin, name="segment_lin"),
        Route("/matches/{match}.csv", results, name="match_csv"),
        Route("/matches/{match}.pbn", pbn, name="match_pbn"),
        Route("/matches/{match}.lin", lin, name="match_lin"),
    ]

"""Recording from elsewhere: a LIN or PBN file sent into a running match again and again as it grows.

What is new or different is entered at once. What would change something public is answered as a list with a
digest; sent again with that digest, the file's changes are made, and those alone.

The file is compared beside the writer, as that takes a while. What came of it is carried out only where the
match stands as it was compared: under a delay a call may become public in between, which then nobody has agreed
to take back. Otherwise the file is compared again.
"""

import asyncio
import base64
import binascii
import hashlib
import secrets
from collections.abc import Iterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.rooms import Room, Team
from broadcast.feeds.match_stream import MATCH, Batch, MatchMovedOn, MatchStream
from broadcast.feeds.streams import StreamKey
from broadcast.imports.following import Following, follow
from broadcast.imports.plan import PlannedBoard, plan_board
from broadcast.imports.readers import read_record
from broadcast.notation.records import BoardRecord, MatchRecord, Reading
from broadcast.storage.answers import Once
from broadcast.tables.errors import Refusal
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState
from broadcast.web import command_json as read
from broadcast.web.authority import Who
from broadcast.web.desk_view import match_of
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.house import House
from broadcast.web.languages import Language, language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, json_answer, once, read_json, who_with
from broadcast.web.templating import page

Json = dict[str, Any]

PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
MAX_FILE = 4 * 1024 * 1024
"""Largest file, in bytes."""
TRIES = 10
"""How often a file is compared with a match that goes on meanwhile."""
MOST_PROBLEMS = 100
"""Problems of a file that are listed."""


async def record(request: Request) -> Response:
    """``POST /api/matches/{match}/record`` ``{"data": base64, "segment", "room", "accept": digest}``.

    ``segment`` tells boards apart whose numbers come twice in the match, ``room`` says where the boards of a
    file belong that names no room.
    """
    sender = await who_with(request, "director")
    body = await read_json(request, 2 * MAX_FILE)
    sent = once(request, body)
    data = _decoded(body)
    segment = None if body.get("segment") is None else read.whole(body, "segment")
    room = read.optional_code(body, "room", Room)
    accept = read.optional_text(body, "accept")
    house, id = house_of(request), request.path_params["match"]
    answer = await _record(house, id, data, segment, room, accept, sender, sent, language_of(request))
    return json_answer(answer, 201 if answer["entered"] else 200, PRIVATE)


def _decoded(body: read.Fields) -> bytes:
    try:
        data = base64.b64decode(read.verbatim(body, "data", most=2 * MAX_FILE), validate=True)
    except (binascii.Error, ValueError) as error:
        raise read.bad_field("data", "the file in base64") from error
    if len(data) > MAX_FILE:
        raise Problem(413, "too_large", f"The body may have at most {MAX_FILE} bytes", most=MAX_FILE)
    return data


async def _record(
    house: House,
    id: str,
    data: bytes,
    segment: int | None,
    room: Room | None,
    accept: str | None,
    sender: Who,
    sent: Once,
    language: Language,
) -> Json:
    """What came of the file: boards entered, changes held with their digest, what does not fit."""
    reading = await asyncio.to_thread(read_record, data)
    for tries_left in reversed(range(TRIES)):
        stream, match = match_of(await house.match(id), id)
        placed, problems = _placed(match, reading, segment, room)
        followed = await _followed(house, stream, match, placed, accept)
        if not followed.commands:
            break
        batch = Batch(followed.commands, stands_at=(stream.sequence, stream.number))
        try:
            await house.writer.perform(StreamKey(MATCH, id), batch, by=f"record:{sender.name}", once=sent)
            break
        except MatchMovedOn:
            if not tries_left:
                raise
    misfits = [
        {**_where(misfit.place), "error": problem.code, "message": translated(problem, language)}
        for misfit in followed.misfits
        for problem in [problem_of(misfit.error)]
    ]
    return {
        "entered": [
            {**_where(change.place), "entries": len(change.entries), "comments": len(change.comments)}
            for change in followed.entered
        ],
        "held": [change.as_json() for change in followed.held],
        "digest": followed.digest,
        "refused": misfits,
        "problems": [*problems, *map(str, reading.problems)][:MOST_PROBLEMS],
    }


def _where(place: tuple[BoardKey, Room]) -> Json:
    key, room = place
    return {"segment": key.segment, "board": key.number, "room": room.value}


async def _followed(
    house: House,
    stream: MatchStream,
    match: MatchState,
    placed: list[tuple[BoardKey, PlannedBoard]],
    accept: str | None,
) -> Following:
    public, now = stream.public.match, house.clock.now()
    followed = await asyncio.to_thread(follow, match, public, placed, now)
    if accept is None:
        return followed
    if accept != followed.digest:
        raise Problem(
            409,
            "changes_differ",
            "The changes are not those that were shown: look at them again",
            digest=followed.digest,
            held=[change.as_json() for change in followed.held],
        )
    accepted = frozenset(change.place for change in followed.held)
    return await asyncio.to_thread(follow, match, public, placed, now, accepted)


# --- which boards of the file are which of the match -----------------------------------------------------


def _placed(
    match: MatchState, reading: Reading, segment: int | None, room: Room | None
) -> tuple[list[tuple[BoardKey, PlannedBoard]], list[str]]:
    """The file's boards with their places in the match, and what has none. Raises ``Problem`` 422."""
    placed: dict[tuple[BoardKey, Room], tuple[BoardKey, PlannedBoard]] = {}
    problems: list[str] = []
    boards = list(_boards(match, reading, problems))
    if not boards:
        raise Problem(422, "no_boards", "The file has no boards that could be read as LIN or PBN")
    for board in boards:
        where = room or board.room
        keys = [key for key in match.boards if key.number == board.number and segment in (None, key.segment)]
        if where is None:
            problems.append(f"board {board.number}: the file does not say in which room it was played")
        elif not keys:
            problems.append(f"board {board.number}: the match has no such board")
        elif len(keys) > 1:
            problems.append(f"board {board.number}: several segments have one, say which")
        else:
            planned = plan_board(board, where)
            if planned is not None:
                placed[keys[0], where] = (keys[0], planned)
    return list(placed.values()), problems


def _boards(match: MatchState, reading: Reading, problems: list[str]) -> Iterator[BoardRecord]:
    """The boards of the one match that the file is about, or its boards without teams."""
    records = list(reading.matches)
    if len(records) > 1:
        names = {match.created.home.name.casefold(), match.created.visitors.name.casefold()}
        records = [each for each in records if {each.home.casefold(), each.visitors.casefold()} == names]
        if len(records) != 1:
            raise Problem(
                422, "several_matches", "The file holds several matches: send that of this match alone"
            )
    for record in records:
        problems += _turned(match, record)
        for part in record.segments:
            yield from part.boards
    yield from reading.boards


def _turned(match: MatchState, record: MatchRecord) -> Iterator[str]:
    """Where the file has the teams of a segment the other way round."""
    names = {Team.HOME: match.created.home.name, Team.VISITORS: match.created.visitors.name}
    for part in record.segments:
        for ours in match.segments:
            overlaps = ours.first <= part.last and part.first <= ours.last
            if overlaps and part.team1.casefold() == names[ours.ns_open.other].casefold():
                yield f"the file has {part.team1} North-South in the open room, the match {names[ours.ns_open]}"


# --- the page --------------------------------------------------------------------------------------------


async def record_page(request: Request) -> Response:
    """``GET /desk/{match}/record``."""
    await who_with(request, "director")
    return await _page(request, {})


async def record_form(request: Request) -> Response:
    """``POST /desk/{match}/record``: the text of a file, pasted or read by the page; then what was accepted."""
    sender = await who_with(request, "director")
    fields = await read_form(request, 3 * MAX_FILE)
    house, id = house_of(request), request.path_params["match"]
    asked = hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).digest()
    sent = Once(fields.get("key", "")[:200] or secrets.token_hex(8), asked)
    segment = fields.get("segment", "")
    try:
        answer = await _record(
            house,
            id,
            fields.get("text", "").encode(),
            int(segment) if segment.isdecimal() and len(segment) < 9 else None,
            Room(fields["room"]) if fields.get("room") in set(Room) else None,
            fields.get("accept") or None,
            sender,
            sent,
            language_of(request),
        )
    except (Problem, Refusal, BridgeError) as error:
        return await _page(request, fields, error=error)
    if not (answer["held"] or answer["refused"] or answer["problems"]):
        return go_to(request, f"/desk/{id}/record", entered=str(len(answer["entered"])))
    return await _page(request, fields, answer)


async def _page(
    request: Request, fields: dict[str, str], answer: Json | None = None, error: Exception | None = None
) -> Response:
    house, id = house_of(request), request.path_params["match"]
    _, match = match_of(await house.match(id), id)
    entered = request.query_params.get("entered", "")
    context = {
        "match": {
            "id": id,
            "title": match.created.title,
            "segments": [{"number": each.number, "title": each.title} for each in match.segments],
        },
        "fields": fields,
        "key": secrets.token_urlsafe(9),
        "answer": answer,
        "entered": int(entered) if entered.isdecimal() and len(entered) < 9 else None,
        "problem": None if error is None else translated(problem_of(error), language_of(request)),
    }
    status = 200 if error is None else problem_of(error).status
    return page(request, "desk/record.html", context, status, headers=PAGE_HEADERS)


def record_routes() -> list[Route]:
    return [
        Route("/api/matches/{match}/record", record, methods=["POST"], name="record"),
        Route("/desk/{match}/record", record_page, name="desk_record"),
        Route("/desk/{match}/record", record_form, methods=["POST"], name="desk_record_form"),
    ]

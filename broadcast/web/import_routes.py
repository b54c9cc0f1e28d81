"""Importing files: for the house's own command line, through its local socket.

One match is one transaction. What a file could not give is listed, problem by problem; nothing of a match is
stored unless all of its plan could be.
"""

import asyncio
import base64
import binascii
from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.scoring import PenaltyScale
from broadcast.feeds.match_stream import MATCH, Batch, MatchStream
from broadcast.feeds.streams import Change, StreamKey
from broadcast.imports.plan import as_import, plan_match
from broadcast.imports.readers import read_record
from broadcast.notation.joining import join_segments
from broadcast.notation.records import MatchRecord, Reading
from broadcast.tables.errors import Refusal
from broadcast.web import command_json as read
from broadcast.web.command_json import bad_field
from broadcast.web.house import House, new_id
from broadcast.web.local import LOCAL
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, json_answer, read_json

MAX_FILES = 64 * 1024 * 1024
"""Most bytes of files in one import."""
MOST_PROBLEMS = 500
"""Problems that are listed of one file."""


async def imports(request: Request) -> Response:
    """``POST /local/imports`` ``{"files": [{"name", "data": base64}], "join", "imp_scale", "penalty_scale"}``.

    Answers for each file its matches and its problems; of files joined, the match and what does not chain after
    them.
    """
    if not request.scope.get(LOCAL):
        raise Problem(404, "not_found", "There is nothing at this address")
    body = await read_json(request, MAX_FILES)
    given = body.get("files")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise bad_field("files", "a list of files, each with name and data")
    files = [(read.text(each, "name", most=4096), _decoded(each)) for each in given]
    readings = [(name, await asyncio.to_thread(read_record, data)) for name, data in files]
    penalties = read.optional_code(body, "penalty_scale", PenaltyScale) or PenaltyScale.SINCE_1987
    scales = (read.text(body, "imp_scale", "1962"), penalties)
    house = house_of(request)
    told: list[dict[str, Any]] = []
    if read.truth(body, "join", False) and any(reading.matches for _, reading in readings):
        told = [_told(name, [], reading) for name, reading in readings]
        readings = [_joined(house, readings, *scales)]
    told += [await _imported(house, name, reading, *scales) for name, reading in readings]
    return json_answer({"files": told}, 201)


def _joined(
    house: House, readings: list[tuple[str, Reading]], imp_scale: str, penalty_scale: PenaltyScale
) -> tuple[str, Reading]:
    """One match of the files' segments, in the order given; what does not chain is its problem."""
    found = [match for _, reading in readings for match in reading.matches]
    joining = join_segments(found, lambda points: house.regulations.imps(points, imp_scale), penalty_scale)
    name = readings[0][0] if len(readings) == 1 else f"{readings[0][0]} and {len(readings) - 1} more"
    return name, Reading(matches=(joining.match,), problems=joining.problems)


def _decoded(fields: dict[str, Any]) -> bytes:
    try:
        return base64.b64decode(read.verbatim(fields, "data", most=2 * MAX_FILES), validate=True)
    except binascii.Error as error:
        raise bad_field("data", "the file in base64") from error


async def _imported(
    house: House, name: str, reading: Reading, imp_scale: str, penalty_scale: PenaltyScale
) -> dict[str, Any]:
    problems = []
    matches = []
    for record in reading.matches:
        try:
            matches.append(await _store(house, record, imp_scale, penalty_scale))
        except (Refusal, BridgeError) as error:
            problems.append(f"{record.home} - {record.visitors}: {error}")
    if not matches:
        found = f"{len(reading.boards)} boards, but " if reading.boards else ""
        problems.append(f"{found}no match of two teams could be imported")
    return _told(name, matches, reading, problems)


def _told(
    name: str, matches: list[dict[str, Any]], reading: Reading, more: Sequence[str] = ()
) -> dict[str, Any]:
    """What a file gave and what it could not."""
    problems = [*map(str, reading.problems), *more]
    left = len(problems) - MOST_PROBLEMS
    shown = problems[:MOST_PROBLEMS] + ([f"and {left} more problems"] if left > 0 else [])
    return {"name": name, "matches": matches, "problems": shown}


async def _store(
    house: House, record: MatchRecord, imp_scale: str, penalty_scale: PenaltyScale
) -> dict[str, Any]:
    plan = plan_match(record, imp_scale=imp_scale, penalty_scale=penalty_scale)
    id = new_id()

    def answer(change: Change) -> bytes:
        stream = change.stream
        heading = stream.public.heading() if isinstance(stream, MatchStream) else None
        return msgspec.json.encode({"id": id, "totals": (heading or {}).get("totals")})

    stored: dict[str, Any] = msgspec.json.decode(
        await house.writer.perform(StreamKey(MATCH, id), Batch(as_import(plan)), by="import", answer=answer)
    )
    return stored | {"title": plan.create.title, "home": record.home, "visitors": record.visitors}


def import_routes() -> list[Route]:
    return [Route("/local/imports", imports, methods=["POST"], name="imports")]

"""Setting up a match on one page that can be left and resumed: a draft is kept, and becomes the match.

Every button of the page sends the whole form; whatever it does, the draft is saved first. A match may be copied
into a new draft.
"""

import asyncio
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import BridgeError
from broadcast.bridge.rooms import Room
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.streams import StreamKey
from broadcast.house.transaction import Transaction
from broadcast.imports.readers import read_record
from broadcast.notation.records import BoardRecord
from broadcast.notation.time_zones import city, zone_names
from broadcast.tables.commands import CreateMatch
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import TeamName
from broadcast.tables.state import boards_of
from broadcast.web import match_drafts, match_json, setup_form
from broadcast.web.authority import first_operator_token, store_operator
from broadcast.web.desk_routes import match_page
from broadcast.web.desk_view import match_of
from broadcast.web.field_labels import labelled, setup_label
from broadcast.web.forms import PAGE_HEADERS, go_to
from broadcast.web.house import House, new_id
from broadcast.web.languages import catalogue, language_of
from broadcast.web.match_drafts import Draft
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, who_with
from broadcast.web.templating import page
from broadcast.web.uploads import Uploaded, read_upload

Json = dict[str, Any]

UTC_NAME = "UTC"
MAX_FIELD = 300
"""Longest field that a draft keeps, in characters."""


async def new_page(request: Request) -> Response:
    """``GET /desk/new``: an empty form; a draft is kept from the first time it is sent."""
    sender = await who_with(request, "director")
    blank = setup_form.BLANK | {"zone": sender.time_zone or UTC_NAME}
    return await _page(request, Draft("", sender.by, blank))


async def setup_page(request: Request) -> Response:
    """``GET /desk/{match}/setup``: a draft as it was left; of a match that is made, its desk."""
    await who_with(request, "director")
    draft = await match_drafts.read(house_of(request), request.path_params["match"])
    return await match_page(request) if draft is None else await _page(request, draft)


async def setup(request: Request) -> Response:
    """``POST /desk/new``, ``POST /desk/{match}/setup``: keep what was typed, do what the button says."""
    sender = await who_with(request, "director")
    fields, files = await read_upload(request)
    house = house_of(request)
    id = request.path_params.get("match")
    kept = Draft(new_id(), sender.by, {}) if id is None else await match_drafts.read(house, id)
    if kept is None:
        match_of(await house.match(str(id)), str(id))
        return go_to(request, f"/desk/{id}")
    action, _, at = fields.pop("action", "save").partition(":")
    draft = replace(kept, fields={name: value[:MAX_FIELD] for name, value in fields.items()})
    problem: Problem | None = None
    if "deals_file" in files:
        draft, problem = await _with_deals(draft, files["deals_file"])
    if action == "add_segment":
        draft = replace(draft, fields=setup_form.with_segment(draft.fields))
    elif action == "remove_segment":
        draft = replace(
            draft,
            fields=setup_form.without_segment(draft.fields, int(at) if re.fullmatch("[0-9]{1,4}", at) else 0),
        )
    elif action == "give_up":
        await match_drafts.drop(house, draft.id)
        return go_to(request, "/desk", done="given_up")
    await match_drafts.save(house, draft)
    if problem is None and action == "create":
        try:
            await _create(house, draft, sender.by)
        except (Problem, Refusal, BridgeError) as error:
            return await _page(request, draft, problem_of(error))
        return go_to(request, f"/desk/{draft.id}", done="made")
    if problem is not None:
        return await _page(request, draft, problem)
    return go_to(request, f"/desk/{draft.id}/setup", saved="1")


async def copy(request: Request) -> Response:
    """``POST /desk/{match}/copy``: a new draft, filled in like the match."""
    sender = await who_with(request, "director")
    await read_upload(request)
    house, id = house_of(request), request.path_params["match"]
    _, state = match_of(await house.match(id), id)
    fields = setup_form.copied(state) | {"zone": sender.time_zone or UTC_NAME}
    draft = Draft(new_id(), sender.by, fields)
    await match_drafts.save(house, draft)
    return go_to(request, f"/desk/{draft.id}/setup", copied="1")


async def _create(house: House, draft: Draft, by: str) -> None:
    """The draft becomes the match with the first links of its operators, in one transaction."""
    command = await _command(house, draft)

    def work(transaction: Transaction) -> None:
        transaction.command(StreamKey(MATCH, draft.id), command, by)
        match_drafts.forget(transaction.connection, draft.id)
        for room in Room:
            token = first_operator_token(house.secret, draft.id, room)
            store_operator(transaction.connection, transaction.now, token, draft.id, room)

    await house.writer.together(work)


async def _command(house: House, draft: Draft) -> CreateMatch:
    teams = {team["id"]: team for team in await house.regulations.teams()}
    body = setup_form.body_of(draft.fields, teams, "typed")
    names = {}
    for side in ("home", "visitors"):
        name, id = match_json.team_field(body, side)
        if id is not None and id not in teams:
            raise Problem(404, "no_such_team", f"There is no team {id}", team=id)
        names[side] = TeamName(name or ("" if id is None else teams[id]["name"]), id)
    command = match_json.create_match(body, names, house.deal)
    boards = sum(1 for _ in boards_of(command.segments)) + (command.carry_over.boards or 0)
    if boards > 0:  # else there is something wrong with the segments, which the match itself will say
        house.regulations.check_scales(command.scale, command.imp_scale, boards)
    if draft.fields.get("deals") != "file":
        return command
    deals, missing = {}, []
    for key in boards_of(command.segments):
        text = draft.deals.get(str(key)) or draft.deals.get(str(key.number))
        if text is None:
            missing.append(str(key))
        else:
            deals[str(key)] = Deal.parse(text)
    if missing:
        raise Problem(
            422, "deals_missing", f"The file has no readable deal for board {missing[0]}", boards=missing
        )
    return replace(command, deals=deals)


async def _with_deals(draft: Draft, file: Uploaded) -> tuple[Draft, Problem | None]:
    """The draft with the deals of a PBN or LIN file; without change where the file has none."""
    reading = await asyncio.to_thread(read_record, file.data)
    records: list[tuple[int | None, BoardRecord]] = [(None, board) for board in reading.boards]
    for match in reading.matches:
        several = len(match.segments) > 1
        for segment in match.segments:
            records += [(segment.number if several else None, board) for board in segment.boards]
    deals = {
        str(board.number) if segment is None else f"{segment}.{board.number}": str(board.deal)
        for segment, board in records
        if board.deal is not None
    }
    if not deals:
        return draft, Problem(
            422, "no_deals", "This file has no deals that can be read: choose a PBN or LIN file"
        )
    fields = draft.fields | {"deals": "file"}
    return replace(draft, fields=fields, deals=deals, deals_name=re.sub(r"[^\w .()-]", "_", file.name)), None


async def _page(request: Request, draft: Draft, problem: Problem | None = None) -> Response:
    house, fields = house_of(request), draft.fields
    boards = setup_form.board_count(fields)
    carried = fields.get("carry_boards", "")
    played = boards + (int(carried) if carried.isascii() and carried.isdecimal() and len(carried) < 5 else 0)
    numbers = [
        f"{number}.{board}"
        for number in range(1, setup_form.segment_count(fields) + 1)
        for board in _range(fields, number)
    ]
    dealt = [key for key in numbers if key in draft.deals or key.partition(".")[2] in draft.deals]
    context = {
        "draft": draft,
        "fields": fields,
        "segments": range(1, setup_form.segment_count(fields) + 1),
        "can_add": setup_form.segment_count(fields) < setup_form.SEGMENTS,
        "boards": boards,
        "dealt": len(dealt),
        "teams": await house.regulations.teams(),
        "scales": house.regulations.scales(played) if 0 < played <= 1000 else [],
        "team_at": lambda number, room, seat: setup_form.team_at(fields, number, room, seat),
        "streams": range(1, setup_form.STREAMS + 1),
        "zones": zone_names(),
        "city": city(fields.get("zone") or UTC_NAME, language_of(request)),
        "starts_at": _starts_at(fields),
        "saved": request.query_params.get("saved"),
        "is_copy": request.query_params.get("copied"),
        "problem": None if problem is None else _told(request, problem),
        "bad": None if problem is None else problem.facts.get("field"),
    }
    return page(request, "desk/setup.html", context, 200 if problem is None else problem.status, PAGE_HEADERS)


def _told(request: Request, problem: Problem) -> str:
    language = language_of(request)
    return translated(labelled(problem, setup_label, catalogue(language).gettext), language)


def _starts_at(fields: setup_form.Fields) -> datetime | None:
    """When play starts, where that can be read."""
    try:
        return setup_form.starts_at(fields) if fields.get("starts_at") else None
    except Refusal:
        return None


def _range(fields: setup_form.Fields, number: int) -> range:
    first, last = fields.get(f"seg{number}_first", ""), fields.get(f"seg{number}_last", "")
    if re.fullmatch(r"\d{1,4}", first, re.ASCII) and re.fullmatch(r"\d{1,4}", last, re.ASCII):
        return range(int(first), min(int(last), int(first) + 1000) + 1)
    return range(0)


def setup_routes() -> list[Route]:
    return [
        Route("/desk/new", new_page, name="desk_new"),
        Route("/desk/new", setup, methods=["POST"], name="desk_begin"),
        Route("/desk/{match}/setup", setup_page, name="desk_setup"),
        Route("/desk/{match}/setup", setup, methods=["POST"], name="desk_save"),
        Route("/desk/{match}/copy", copy, methods=["POST"], name="desk_copy"),
    ]

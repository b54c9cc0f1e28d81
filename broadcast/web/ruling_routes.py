"""Rulings at the desk: a form, what would change, and then doing it.

What is previewed and what is done are one command to one writer. Between the two the match may move on; then
the ruling is done only if it still changes exactly what was shown, else it is shown anew.
"""

import secrets
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.rooms import Room
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.streams import Change, StreamKey
from broadcast.storage.answers import Once
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.state import MatchState
from broadcast.web import match_json
from broadcast.web.desk_view import match_of, whole_match
from broadcast.web.field_labels import labelled, ruling_label
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.house import House
from broadcast.web.languages import catalogue, language_of
from broadcast.web.match_routes import board_key
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, who_with
from broadcast.web.ruling_effects import Effects, effects_of
from broadcast.web.ruling_forms import FORMS, PARTS, Form, RulingForm, fields_of
from broadcast.web.templating import page

Json = dict[str, Any]

TRIES = 3
"""How often a ruling is looked at again while the rooms go on."""


class MovedOn(Exception):
    """The match has gone on since the ruling was previewed."""


async def form_page(request: Request) -> Response:
    """``GET /desk/{match}/rulings/{ruling}``: the form, with the board and room of the address filled in."""
    await who_with(request, "director")
    form = _form(request)
    stream, state = await _match(request)
    return _page(request, stream, form, _prefilled(form, dict(request.query_params), stream, state))


async def rule(request: Request) -> Response:
    """``POST /desk/{match}/rulings/{ruling}``: show what would change; with ``step=do`` do what was shown."""
    sender = await who_with(request, "director")
    form, given = _form(request), await read_form(request)
    house = house_of(request)
    stream, state = await _match(request)
    try:
        command = match_json.ruling(fields_of(form, given, state), house.deal)
        for _ in range(TRIES):
            stream, state = await _match(request)
            change = await house.writer.preview(stream.key, command, sender.by)
            effects = await effects_of(house, stream, change)
            if given.get("step") != "do":
                return _page(request, stream, form, given, effects=effects)
            if given.get("digest") != effects.digest:
                return _page(request, stream, form, given, effects=effects, has_moved=True)
            try:
                await _do(house, stream.key, command, sender.by, given, change.recorded[0].sequence)
            except MovedOn:
                continue
            return go_to(request, f"/desk/{stream.id}", done=form.name)
        return _page(request, stream, form, given, effects=effects, has_moved=True)
    except (Problem, Refusal, BridgeError) as error:
        return _page(request, stream, form, given, problem=problem_of(error))


async def _do(house: House, key: StreamKey, command: object, by: str, given: Form, sequence: int) -> None:
    """Carry the ruling out, if it becomes this event of the log. Raises ``MovedOn``."""

    def answer(change: Change) -> bytes:
        if change.recorded[0].sequence != sequence:
            raise MovedOn  # nothing of it is stored
        return b"done"

    once = Once(f"desk-{given.get('key', '')}"[:200], given.get("digest", "").encode())
    await house.writer.perform(key, command, by=by, once=once, answer=answer)


def _form(request: Request) -> RulingForm:
    form = FORMS.get(request.path_params["ruling"])
    if form is None:
        raise NoSuchThing("no_such_ruling", "There is no such ruling: choose one on the desk")
    return form


async def _match(request: Request) -> tuple[MatchStream, MatchState]:
    id = request.path_params["match"]
    return match_of(await house_of(request).match(id), id)


def _prefilled(form: RulingForm, asked: Json, stream: MatchStream, state: MatchState) -> Json:
    """The fields of the address, and what stands now where the form would change it."""
    given: Json = {name: str(value)[:100] for name, value in asked.items()}
    if form.name == "release":
        release = state.release
        given = {"rule": release.rule.value, "minutes": str(release.seconds // 60 or 15)} | given
    if form.of != "room" or not given.get("board"):
        return given
    try:
        key = board_key(stream, given["board"])
        table = state.boards[key].rooms[Room(given.get("room", "open"))]
    except (NoSuchThing, ValueError):
        return given
    result = None if table.ending is None else table.ending.result
    if form.name == "correct_result" and result is not None:
        known = (
            {"passed_out": "1"}
            if result.contract is None
            else {
                "contract": str(result.contract),
                "declarer": str(result.declarer),
                "tricks": str(result.tricks),
            }
        )
        given = known | given
    return given


def _page(
    request: Request,
    stream: MatchStream,
    form: RulingForm,
    given: Form,
    *,
    effects: Effects | None = None,
    problem: Problem | None = None,
    has_moved: bool = False,
) -> Response:
    context = {
        "match": whole_match(stream),
        "form": form,
        "given": given,
        "parts": range(1, PARTS + 1),
        "effects": effects,
        "has_moved": has_moved,
        "key": given.get("key") or secrets.token_urlsafe(12),
        "problem": None if problem is None else _told(request, problem),
        "bad": None if problem is None else problem.facts.get("field"),
    }
    status = 200 if problem is None else problem.status
    return page(request, "desk/ruling.html", context, status, PAGE_HEADERS)


def _told(request: Request, problem: Problem) -> str:
    language = language_of(request)
    return translated(labelled(problem, ruling_label, catalogue(language).gettext), language)


def ruling_routes() -> list[Route]:
    return [
        Route("/desk/{match}/rulings/{ruling}", form_page, name="desk_ruling"),
        Route("/desk/{match}/rulings/{ruling}", rule, methods=["POST"], name="desk_rule"),
    ]

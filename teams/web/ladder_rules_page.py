"""The page of a ladder's rules: each explained with this ladder's numbers, and the director's form for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from broadcast.web.languages import language_of
from broadcast.web.requests import house_of
from broadcast.web.templating import page
from teams.ladder.rules import DealsFrom, LadderRules, Movement, Schedule, rules_from, rules_json
from teams.ladder.state import LadderState
from teams.ladder.views import moment_json
from teams.scales.victory_points import SCALES
from teams.web.ladder_requests import found_ladder
from teams.web.ladder_view import head
from teams.web.regulation_words import CHOICES, LABELS, regulation
from teams.web.viewing import private_if_signed_in

RELEASED = ("board", "match")
"""Releases that the form offers; one by which a second device sees the other room is set by JSON alone."""
CHOSEN: Mapping[str, Iterable[str]] = {
    "movement": Movement,
    "schedule": Schedule,
    "deals": DealsFrom,
    "release": RELEASED,
    "scale": SCALES,
}
"""Rules with a choice of codes."""


async def rules(request: Request) -> Response:
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    return shown_rules(request, found.state)


def shown_rules(
    request: Request,
    state: LadderState,
    problem: str | None = None,
    typed: Mapping[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    """The page, with what went wrong with its form, and what was typed."""
    language = language_of(request)
    explained = regulation(state.rules, state.kind, language)
    coming: Sequence[Any] = [None] * len(explained)
    if state.announced is not None:
        coming = regulation(state.announced[1], state.kind, language)
    base = state.rules if state.announced is None else state.announced[1]
    context = {
        **head(request, state, page="rules"),
        "rules": [
            {
                "now": now,
                "coming": [told for told in then.sentences if told not in now.sentences] if then else [],
                "fields": [_field(name, base, typed or {}) for name in now.fields],
            }
            for now, then in zip(explained, coming, strict=True)
        ],
        "holds_from": None if state.announced is None else moment_json(state.announced[0]),
        "problem": problem,
        "typed": {"holds_from": ""} | dict(typed or {}),
    }
    return page(request, "teams/ladder_rules.html", context, status, private_if_signed_in(request))


def _field(name: str, rules: LadderRules, typed: Mapping[str, str]) -> dict[str, Any]:
    """How the form asks for a rule: its label, kind, choices and present value."""
    value = getattr(rules, name)
    kind, choices = "text" if name == "time_zone" else "number", list[tuple[str, str]]()
    if isinstance(value, bool):
        kind, value = "yes", name in typed if typed else value
    elif name in CHOSEN:
        kind, value = "choice", value.rule.value if name == "release" else str(value)
        codes = dict.fromkeys((*map(str, CHOSEN[name]), value))
        choices = [(code, CHOICES.get(code, code)) for code in codes]
    shown = value if kind == "yes" else typed.get(name, value)
    return {"name": name, "label": LABELS[name], "kind": kind, "choices": choices, "value": shown}


def changed_rules(rules: LadderRules, form: Mapping[str, str]) -> LadderRules:
    """The rules as the form has them; what it does not name stays. Raises ``Refusal`` ``bad_rule``."""
    overrides: dict[str, object] = {}
    shown = rules_json(rules)
    for each in fields(LadderRules):
        name, was = each.name, shown[each.name]
        if isinstance(was, bool):
            overrides[name] = name in form
        elif name == "release":
            if form.get(name, "") in RELEASED:
                overrides[name] = {"rule": form[name]}
        elif name in form:
            text = form[name].strip()
            is_number = isinstance(was, int) and text.isdecimal() and len(text) < 10
            overrides[name] = int(text) if is_number else text
    return rules_from(overrides, base=rules)


def ladder_rules_routes() -> list[Route]:
    return [Route("/ladders/{ladder}/rules", rules, name="ladder_rules")]

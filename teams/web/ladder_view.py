"""A ladder as its page shows it: rows in words, the viewer's team, what a captain may do with each row."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.requests import Request

from broadcast.web.authority import Who
from broadcast.web.languages import language_of
from broadcast.web.match_routes import is_hidden
from broadcast.web.requests import signed_in
from teams.ladder.eligibility import Allowed, Outcome
from teams.ladder.state import HistoryMove, LadderState
from teams.ladder.views import ladder_json, moment_json, move_json, season_json, targets_json
from teams.web.contestants import ADDRESSES
from teams.web.ladder_words import Words, together

Json = dict[str, Any]
SHOWN_MOVES = 40
"""Newest moves beside the rungs; the history has all."""


@dataclass(frozen=True, slots=True)
class Mine:
    """The team whose eyes the page has."""

    team: str
    is_captain: bool
    """Its captain is signed in and may challenge."""


def words_of(request: Request, state: LadderState) -> Words:
    return Words(language_of(request), state.rules.time_zone)


def mine_on(state: LadderState, request: Request) -> Mine | None:
    """The viewer's team: the captain's own, of several the one ``?team=`` names; else what ``?team=`` says."""
    sender, named = signed_in(request), request.query_params.get("team")
    own = [team for team in state.order if sender is not None and team in sender.teams]
    if own:
        return Mine(named if named in own else own[0], True)
    return Mine(named, False) if named in state.order else None


def is_director(sender: Who | None) -> bool:
    return sender is not None and "director" in sender.roles


def head(request: Request, state: LadderState, *, page: str = "") -> Json:
    """What the head of every page of a ladder shows; ``page`` is the one that is open."""
    return {
        "ladder": {"id": state.id, "name": state.name, "kind": state.kind.value, "teams": len(state.order)},
        "season": season_json(state.season),
        "open_page": page,
        "address": f"/ladders/{state.id}",
        "team_address": ADDRESSES[state.kind],
        "words": words_of(request, state),
        "zone": state.rules.time_zone,
        "is_director": is_director(signed_in(request)),
    }


def steps(state: LadderState, history: Sequence[HistoryMove], *, hidden: bool) -> list[list[Mapping[str, Any]]]:
    """Moves by the steps they belong to: the newest step first, the moves of each in order."""
    told = [move_json(state, each, hidden=hidden) for each in history]
    return together(told)[::-1]


def _promised(target: Mapping[str, Any]) -> str:
    """What a form brings back of a target that may be challenged: what the page says of it."""
    if not target["allowed"]:
        return ""
    return Allowed(Outcome(**target["win"]), Outcome(**target["loss"]), target["unrestricted"]).code


def ladder_context(request: Request, state: LadderState, now: datetime, last_event: str) -> Json:
    """Everything of a ladder's page as it stands; ``last_event`` is where its stream goes on."""
    hidden, mine = is_hidden(request), mine_on(state, request)
    words = words_of(request, state)
    shown = ladder_json(state, hidden=hidden)
    targets: Sequence[Json | None] = [None] * len(state.order)
    if mine is not None and mine.is_captain:
        targets = [
            {"allowed": target["allowed"], "words": words.target(target), "promised": _promised(target)}
            for target in targets_json(state, mine.team, now)
        ]
    rows = [
        {
            **row,
            "news": words.row_news(row, now),
            "is_new": words.is_new(row["change"], now),
            "target": target,
        }
        for row, target in zip(shown["rungs"], targets, strict=True)
    ]
    return {
        **head(request, state),
        "rows": rows,
        "steps": steps(state, state.history[-SHOWN_MOVES:], hidden=hidden),
        "mine": None if mine is None else mine.team,
        "my_rung": None if mine is None else state.order.index(mine.team) + 1,
        "is_captain": mine is not None and mine.is_captain,
        "version": state.version,
        "form_key": secrets.token_urlsafe(9),
        "announced": None if state.announced is None else moment_json(state.announced[0]),
        "live": {
            "id": state.id,
            "team": None if mine is None else mine.team,
            "is_captain": mine is not None and mine.is_captain,
            "team_address": ADDRESSES[state.kind],
            "last_event": last_event,
            **words.live(),
        },
    }

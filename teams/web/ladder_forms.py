"""Forms of a ladder's pages, which work without scripts: challenge a team, change the rules, begin a season.

They ask the writer for the same commands as the JSON does. What a rule refuses is told on the form's own page.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.feeds.streams import Change, StreamKey
from broadcast.notation.time_zones import zone_named
from broadcast.storage.answers import Once
from broadcast.tables.errors import Refusal
from broadcast.web.authority import Who
from broadcast.web.forms import go_to, read_form
from broadcast.web.languages import language_of
from broadcast.web.problems import problem_of, translated
from broadcast.web.requests import house_of, who, who_with
from teams.ladder.commands import ChangeRules, IssueChallenge, LadderCommand, StartSeason
from teams.ladder.state import LadderState
from teams.ladder.stream import KIND
from teams.members.names import clean_name
from teams.web.ladder_pages import shown_ladder, shown_seasons
from teams.web.ladder_requests import found_ladder, own_team, stream_of
from teams.web.ladder_rules_page import changed_rules, shown_rules
from teams.web.roster_routes import sender_scope

Form = Mapping[str, str]


async def challenge(request: Request) -> Response:
    """``POST /ladders/{ladder}/challenge``: team, opponent, version and outcomes that were looked at, a key.

    A page without scripts grows old on a busy ladder; it is good while what it promised is what would happen.
    """
    sender, form = await who(request), await read_form(request)
    found = await found_ladder(house_of(request), request.path_params["ladder"])
    team = own_team(found.state, sender, form.get("team"))
    opponent, version = form.get("opponent", ""), form.get("version", "")
    number = int(version) if version.isdecimal() and len(version) < 10 else -1
    command = IssueChallenge(team, opponent, number, promised=form.get("promised"))

    def answer(change: Change) -> bytes:
        made = stream_of(change).state.of_pair(team, opponent)
        assert made is not None  # noqa: S101 - issued just now or before, else the command is refused
        return made.id.encode()

    try:
        id = await _perform(request, sender, command, form.get("key"), f"{opponent}/{version}", answer)
    except Refusal as refused:
        found = await found_ladder(house_of(request), found.state.id)
        return shown_ladder(request, found, _told(request, refused), problem_of(refused).status)
    return go_to(request, f"/challenges/{id.decode()}")


async def rules(request: Request) -> Response:
    """``POST /ladders/{ladder}/rules``: every rule by its name, and from when they hold; empty is at once."""
    sender, form = await who_with(request, "director"), await read_form(request)
    house = house_of(request)
    state = (await found_ladder(house, request.path_params["ladder"])).state
    try:
        changed = changed_rules(state.rules, form)
        house.regulations.check_scales(changed.scale, "1962", changed.boards)
        command = ChangeRules(changed, _moment(state, form.get("holds_from", "")))
        await _perform(request, sender, command)
    except Refusal as refused:
        return shown_rules(request, state, _told(request, refused), form, problem_of(refused).status)
    return go_to(request, f"/ladders/{state.id}/rules")


async def season(request: Request) -> Response:
    """``POST /ladders/{ladder}/season``: its name, its last day, and the order kept or written anew."""
    sender, form = await who_with(request, "director"), await read_form(request)
    state = (await found_ladder(house_of(request), request.path_params["ladder"])).state
    try:
        name = clean_name(form.get("name", ""), "season's name")
        order = _order(state, form.get("teams", "").splitlines()) if form.get("order") == "new" else None
        command = StartSeason(name, _end_of_day(state, form.get("ends_at", "")), order)
        await _perform(request, sender, command)
    except Refusal as refused:
        return shown_seasons(request, state, _told(request, refused), form, problem_of(refused).status)
    return go_to(request, f"/ladders/{state.id}/seasons")


async def _perform(
    request: Request,
    sender: Who,
    command: LadderCommand,
    key: str | None = None,
    asked: str = "",
    answer: Any = lambda change: b"",
) -> bytes:
    once = None
    if key and len(key) <= 100:
        once = Once(key, f"{request.url.path} {asked}".encode(), sender_scope(sender))
    stream = StreamKey(KIND, request.path_params["ladder"])
    given: bytes = await house_of(request).writer.perform(
        stream, command, by=sender.by, once=once, answer=answer
    )
    return given


def _told(request: Request, refused: Refusal) -> str:
    return translated(problem_of(refused), language_of(request))


def _order(state: LadderState, lines: Sequence[str]) -> tuple[str, ...]:
    """Team ids by the names on the lines. Raises ``Refusal`` ``bad_order`` for a name that is none."""
    ids = {state.entrants[team].name: team for team in state.order}
    names = [line.strip() for line in lines if line.strip()]
    unknown = [name for name in names if name not in ids]
    if unknown:
        raise Refusal("unknown_name", f"No team of this ladder is called {unknown[0]}", name=unknown[0])
    return tuple(ids[name] for name in names)


def _moment(state: LadderState, text: str) -> datetime | None:
    """``2026-05-01T19:30`` as a browser sends it, in the club's time. Raises ``Refusal`` ``bad_date``."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=zone_named(state.rules.time_zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refusal("bad_date", f"{text} is no date: choose one", text=text) from None


def _end_of_day(state: LadderState, text: str) -> datetime | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text) + timedelta(days=1)
        return datetime.combine(day, time(), zone_named(state.rules.time_zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refusal("bad_date", f"{text} is no date: choose one", text=text) from None


def ladder_form_routes() -> list[Route]:
    return [
        Route("/ladders/{ladder}/challenge", challenge, methods=["POST"], name="challenge_form"),
        Route("/ladders/{ladder}/rules", rules, methods=["POST"], name="rules_form"),
        Route("/ladders/{ladder}/season", season, methods=["POST"], name="season_form"),
    ]

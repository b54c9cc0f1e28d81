"""``/captain``: what needs me now, in order of urgency; my teams; my messages; the same elsewhere."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from broadcast.notation.time_zones import city, zone_names
from broadcast.storage.read_models import list_summaries
from broadcast.web.authority import Who
from broadcast.web.forms import PAGE_HEADERS
from broadcast.web.languages import language_of
from broadcast.web.problems import Problem, translated
from broadcast.web.requests import house_of, who
from broadcast.web.templating import page
from teams.captains.zones import Times
from teams.ladder.eligibility import MayRest, may_rest
from teams.ladder.state import LadderState
from teams.ladder.stream import KIND, LadderStream
from teams.ladder.views import row_json
from teams.members.rosters import Team
from teams.members.tokens import token_hash
from teams.storage import captain_settings, club_store, inbox_store, team_store
from teams.storage.captain_settings import CaptainSettings, address_of
from teams.storage.inbox_store import Message
from teams.web.captain_cards import Card, card_key, card_of, with_refused_lineup
from teams.web.message_words import told_facts

UTC_NAME = "UTC"
MESSAGES_SHOWN = 8
"""On the captain's page; the inbox has more."""
INBOX_LENGTH = 100


async def captain(request: Request) -> Response:
    """``GET /captain``."""
    return await captain_page(request, await signed_in_captain(request))


async def inbox(request: Request) -> Response:
    """``GET /captain/inbox``: the messages, the newest first."""
    sender = await signed_in_captain(request)
    settings = await settings_of(request, sender)
    times = Times(settings.time_zone or UTC_NAME, language_of(request).value)
    messages = await _messages(request, sender, times, INBOX_LENGTH)
    return page(request, "captain/inbox.html", {"messages": messages}, headers=PAGE_HEADERS)


async def signed_in_captain(request: Request) -> Who:
    """The sender, who must be an account. Raises ``Problem`` 401 or 403."""
    sender = await who(request)
    if sender.account is None:
        raise Problem(
            403, "accounts_only", "This page belongs to an account: sign in with its name and password"
        )
    return sender


async def captain_page(
    request: Request,
    sender: Who,
    problem: Problem | None = None,
    about: str | None = None,
    link: Mapping[str, str] | None = None,
    lineup: Mapping[str, str] | None = None,
) -> Response:
    """The page; with a ``problem`` what was refused, ``about`` which challenge; with ``link`` an operator's.

    A ``lineup`` that was refused stays in its form.
    """
    settings = await settings_of(request, sender)
    times = Times(settings.time_zone or UTC_NAME, language_of(request).value)
    sides = await sides_of(request, sender)
    cards: list[Card] = []
    versions: list[str] = []
    teams = []
    for side in sides:
        ladders = await ladders_of(request, side.id)
        versions += [f"{state.id}:{state.version}" for state in ladders]
        for state in ladders:
            cards += [
                await card_of(house_of(request), state, one, side, times) for one in state.open_of(side.id)
            ]
        teams.append({"team": side, "standings": [_standing(request, state, side, times) for state in ladders]})
    if lineup is not None:
        cards = [with_refused_lineup(card, lineup) if card.id == about else card for card in cards]
    cards.sort(key=card_key)
    account = sender.account or ""
    shared = settings.address if settings.is_shared else None
    house = house_of(request)
    context = {
        "cards": cards,
        "teams": teams,
        "open_ladders": await _open_ladders(request, sides),
        "messages": await _messages(request, sender, times, MESSAGES_SHOWN),
        "unread": await house.database.read(lambda connection: inbox_store.unread(connection, account)),
        "zone": times.zone,
        "city": city(times.zone, times.language),
        "has_zone": settings.time_zone is not None,
        "zones": zone_names(),
        "personal": None
        if shared is None
        else f"{house.origin}/personal/{address_of(house.secret, account, shared)}",
        "problem": None if problem is None else translated(problem, language_of(request)),
        "about": about,
        "done": request.query_params.get("done"),
        "link": link,
        "key": page_key(versions),
    }
    return page(
        request, "captain/captain.html", context, 200 if problem is None else problem.status, PAGE_HEADERS
    )


def page_key(versions: Sequence[str]) -> str:
    """The key of the page's forms: another one as soon as a ladder has changed.

    A form sent twice is the same command; the same form of a later page is another one.
    """
    return token_hash("/".join(versions))[:24]


async def settings_of(request: Request, sender: Who) -> CaptainSettings:
    account = sender.account or ""
    return await house_of(request).database.read(lambda connection: captain_settings.read(connection, account))


async def sides_of(request: Request, sender: Who) -> tuple[Team, ...]:
    """The teams and clubs for which the sender acts, by name."""

    def read(connection: Any) -> tuple[Team, ...]:
        account = sender.account or ""
        teams = [team_store.read(connection, mark.id) for mark in team_store.led_by(connection, account)]
        clubs = [
            club_store.read(connection, mark.id).side() for mark in club_store.officered_by(connection, account)
        ]
        return (*teams, *clubs)

    return await house_of(request).database.read(read)


async def ladders_of(request: Request, team: str) -> list[LadderState]:
    """The ladders on which a team or club stands."""
    house = house_of(request)
    listed = await house.database.read(lambda connection: list_summaries(connection, KIND, party=team))
    found = [await house.writer.stream(line.key) for line in listed]
    return [each.state for each in found if isinstance(each, LadderStream) and team in each.state.order]


def _standing(request: Request, state: LadderState, side: Team, times: Times) -> dict[str, Any]:
    now = house_of(request).clock.now()
    rest, entrant = may_rest(state, side.id, now), state.entrants[side.id]
    return {
        "ladder": {"id": state.id, "name": state.name},
        "row": row_json(state, side.id),
        "rests_until": times.tell(entrant.rests_until),
        "is_leaving": entrant.is_leaving,
        "most_rest": rest.most_days if isinstance(rest, MayRest) else None,
    }


async def _open_ladders(request: Request, sides: tuple[Team, ...]) -> list[dict[str, Any]]:
    """Ladders that one of the sides may still enter."""
    house = house_of(request)
    listed = await house.database.read(lambda connection: list_summaries(connection, KIND))
    found = []
    for line in listed:
        ladder = await house.writer.stream(line.key)
        if isinstance(ladder, LadderStream):
            state = ladder.state
            may = [
                side
                for side in sides
                if side.id not in state.order and (side.club == side.id) == (state.kind.value == "clubs")
            ]
            if may:
                found.append({"id": state.id, "name": state.name, "sides": may})
    return found


async def _messages(request: Request, sender: Who, times: Times, most: int) -> list[dict[str, Any]]:
    account = sender.account or ""
    found = await house_of(request).database.read(
        lambda connection: inbox_store.newest(connection, account, most)
    )
    return [shown(message, times) for message in found]


def shown(message: Message, times: Times) -> dict[str, Any]:
    """A message as the templates take it: its moments told in the captain's zone."""
    return {
        "number": message.number,
        "kind": message.kind,
        "ladder": message.ladder,
        "at": message.at.isoformat(),
        "told_at": times.tell(message.at),
        "is_read": message.is_read,
        "facts": told_facts(message.facts, times),
    }

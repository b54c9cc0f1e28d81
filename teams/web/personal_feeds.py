"""A captain's deadlines, matches and messages elsewhere: a calendar and an Atom feed at a secret address.

Who knows the address reads along, and does nothing else. It may be renewed and withdrawn; it tells nothing
that is not public, only what of it is meant for one captain.
"""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.tables.errors import NoSuchThing
from broadcast.web.authority import Who
from broadcast.web.calendar import MEDIA_TYPE, MINUTES_A_BOARD, encoded, escaped
from broadcast.web.feeds_atom import Entry, feed
from broadcast.web.languages import Language, catalogue, language_of
from broadcast.web.requests import house_of
from teams.captains.needs import MatchFacts, deadline_of, needs_of
from teams.captains.zones import Times
from teams.ladder.challenges import Challenge, Playing, Side
from teams.ladder.fixture import boards_of
from teams.ladder.state import LadderState
from teams.storage import captain_settings, inbox_store
from teams.storage.inbox_store import Message
from teams.web.captain_page import ladders_of, settings_of, sides_of
from teams.web.message_words import sentence, told_facts

PRIVATE = {"cache-control": "private, no-cache", "x-robots-tag": "noindex"}
MOST_ENTRIES = 50
REMINDER = timedelta(minutes=15)
"""How long a deadline is shown in the calendar."""
NEEDS = {
    "answer": "Answer the challenge",
    "offer": "Offer dates",
    "choose": "Choose a date",
    "lineup": "Name your line-up",
}
"""What a deadline is for; the phrases stand in the templates, too."""


async def atom(request: Request) -> Response:
    """``GET /personal/{secret}.atom``: the account's messages."""
    owner = await _owner(request)
    times, language = await _times(request, owner), language_of(request)
    account = owner.account or ""
    messages = await house_of(request).database.read(
        lambda connection: inbox_store.newest(connection, account, MOST_ENTRIES)
    )
    entries = [_entry(message, times, language) for message in messages]
    title = f"Twinroom: {catalogue(language).gettext('Messages')}"
    answer = feed(request, title, "/captain/inbox", entries)
    answer.headers.update(PRIVATE)
    return answer


def _entry(message: Message, times: Times, language: Language) -> Entry:
    text = sentence(message.kind, told_facts(message.facts, times), language)
    return Entry(
        f"/captain/inbox#message-{message.number}", "/captain", text, message.facts["ladder"], message.at
    )


async def calendar(request: Request) -> Response:
    """``GET /personal/{secret}.ics``: what needs the captain by when, and the matches to come."""
    owner = await _owner(request)
    lines = [line async for line in _events(request, owner)]
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Twinroom//Captain//EN", "CALSCALE:GREGORIAN"]
    named = ["NAME:Twinroom", "X-WR-CALNAME:Twinroom", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    body = encoded([*head, *named, *lines, "END:VCALENDAR"])
    return Response(body, headers=PRIVATE, media_type=MEDIA_TYPE)


async def _events(request: Request, owner: Who) -> AsyncIterator[str]:
    house, language = house_of(request), language_of(request)
    for side in await sides_of(request, owner):
        for state in await ladders_of(request, side.id):
            for challenge in state.open_of(side.id):
                # What the ladder tells everybody, and not what only the rooms know yet.
                playing = challenge.state
                facts = MatchFacts(is_started=isinstance(playing, Playing) and playing.has_begun)
                role = challenge.side_of(side.id)
                if role is None:
                    continue
                needs = needs_of(challenge, role, facts, house.clock.now())
                by = deadline_of(challenge, facts, state.rules)
                if needs and by is not None and needs[0].value in NEEDS:
                    told = catalogue(language).gettext(NEEDS[needs[0].value])
                    for line in _event(request, state, challenge, role, "by", by, REMINDER, told):
                        yield line
                if isinstance(challenge.state, Playing) and challenge.state.starts_at is not None:
                    long = timedelta(minutes=MINUTES_A_BOARD * boards_of(state, challenge))
                    for line in _event(
                        request, state, challenge, role, "match", challenge.state.starts_at, long
                    ):
                        yield line


def _event(
    request: Request,
    state: LadderState,
    challenge: Challenge,
    role: Side,
    what: str,
    at: datetime,
    long: timedelta,
    told: str | None = None,
) -> Iterator[str]:
    house = house_of(request)
    pair = f"{state.entrants[challenge.defender].name} – {state.entrants[challenge.challenger].name}"
    begins = at - long if what == "by" else at
    yield "BEGIN:VEVENT"
    yield f"UID:{what}-{challenge.id}-{role.value}@{urlsplit(house.origin).hostname or 'twinroom'}"
    yield f"DTSTAMP:{_utc(state.changed_at or at)}"
    yield f"DTSTART:{_utc(begins)}"
    yield f"DURATION:PT{int(long.total_seconds()) // 60}M"
    yield f"SUMMARY:{escaped(f'{told}: {pair}' if told else pair)}"
    yield f"DESCRIPTION:{escaped(state.name)}"
    yield f"URL:{house.origin}/captain#challenge-{challenge.id}"
    yield "STATUS:CONFIRMED"
    yield "TRANSP:TRANSPARENT" if what == "by" else "TRANSP:OPAQUE"
    yield "END:VEVENT"


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


async def _owner(request: Request) -> Who:
    """Whose address it is. Raises ``NoSuchThing`` for one that is not good."""
    secret = request.path_params["secret"]
    account = await house_of(request).database.read(
        lambda connection: captain_settings.owner_of(connection, secret)
    )
    if account is None:
        raise NoSuchThing(
            "no_such_address", "This address is not good any more: make a new one on the captain's page"
        )
    return Who(account, frozenset(), account)


async def _times(request: Request, owner: Who) -> Times:
    settings = await settings_of(request, owner)
    return Times(settings.time_zone or "UTC", language_of(request).value)


def personal_routes() -> list[Route]:
    return [
        Route("/personal/{secret}.atom", atom, name="personal_atom"),
        Route("/personal/{secret}.ics", calendar, name="personal_calendar"),
    ]

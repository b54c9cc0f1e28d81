"""Times as people say them: in a time zone by its IANA name, in their language."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from functools import cache
from zoneinfo import available_timezones

from babel.dates import format_date, format_time, get_timezone_location

from broadcast.tables.errors import Refusal
from teams.ladder.dates import EVENING
from teams.ladder.rules import LadderRules, zone_named


@cache
def zone_names() -> tuple[str, ...]:
    """Every zone that may be chosen: areas with their cities, and UTC."""
    areas = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
    return ("UTC", *sorted(name for name in available_timezones() if name.startswith(areas)))


def checked_zone(name: str) -> str:
    """Raises ``Refusal`` ``bad_time_zone``."""
    if name not in zone_names():
        raise Refusal(
            "bad_time_zone", f"There is no time zone {name[:60]}: choose one of the list", zone=name[:60]
        )
    return name


def city(zone: str, language: str = "en") -> str:
    """A zone as people name it.

    >>> city("America/Argentina/Buenos_Aires"), city("Asia/Shanghai", "zh"), city("UTC")
    ('Buenos Aires', '上海', 'UTC')
    """
    if "/" not in zone:
        return zone
    return str(get_timezone_location(zone, locale=language, return_city=True))


def told(at: datetime, zone: str, language: str) -> str:
    """A moment to the minute, with its day of the week."""
    local = at.astimezone(zone_named(zone))
    pattern = "M月d日 EEE" if language == "zh" else "EEE d MMM"
    return f"{format_date(local, pattern, locale=language)} {format_time(local, 'HH:mm', locale=language)}"


@dataclass(frozen=True, slots=True)
class Times:
    """How somebody is told times: their zone by its IANA name, and their language."""

    zone: str
    language: str

    def tell(self, at: datetime | None, zone: str | None = None) -> str | None:
        return None if at is None else told(at, zone or self.zone, self.language)

    def field(self, at: datetime) -> str:
        """The value of a field ``datetime-local``."""
        return at.astimezone(zone_named(self.zone)).strftime("%Y-%m-%dT%H:%M")


def moment_from(text: str, zone: str) -> datetime:
    """What a field ``datetime-local`` holds, in UTC. Raises ``Refusal`` ``bad_moment``.

    An hour that a change of clocks leaves out is no time; of an hour that comes twice the first is meant.
    """
    try:
        naive = datetime.fromisoformat(text)
        local = naive.replace(tzinfo=zone_named(zone))
        at = local.astimezone(UTC)
        if naive.tzinfo is None and at.astimezone(zone_named(zone)).replace(tzinfo=None) == naive:
            return at
    except (ValueError, OverflowError):
        pass  # told below
    raise Refusal("bad_moment", "That is no time in your zone: write it like 2026-05-01T19:30", given=text[:40])


def suggested(rules: LadderRules, now: datetime, how_many: int) -> tuple[datetime, ...]:
    """Evenings of the club to begin an offer with, from the third day on."""
    zone = zone_named(rules.time_zone)
    hour = max(rules.day_begins, min(EVENING, rules.day_ends, 23))
    days = max(1, min(2, (rules.dates_within_days - 1) // how_many))
    first = now.astimezone(zone).date()
    steps = (first + timedelta(days=days * place + min(2, days)) for place in range(how_many))
    return tuple(datetime.combine(day, time_of_day(hour), zone).astimezone(UTC) for day in steps)

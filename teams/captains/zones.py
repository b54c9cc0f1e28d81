"""Times as people say them: in a time zone by its IANA name, in their language."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day

from babel.dates import format_date, format_time

from broadcast.notation.time_zones import zone_named
from teams.ladder.dates import EVENING
from teams.ladder.rules import LadderRules


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


def suggested(rules: LadderRules, now: datetime, how_many: int) -> tuple[datetime, ...]:
    """Evenings of the club to begin an offer with, from the third day on."""
    zone = zone_named(rules.time_zone)
    hour = max(rules.day_begins, min(EVENING, rules.day_ends, 23))
    days = max(1, min(2, (rules.dates_within_days - 1) // how_many))
    first = now.astimezone(zone).date()
    steps = (first + timedelta(days=days * place + min(2, days)) for place in range(how_many))
    return tuple(datetime.combine(day, time_of_day(hour), zone).astimezone(UTC) for day in steps)

"""Dates for a match: what a defender may offer, and what the house sets. Source: club regulation, rule 4."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from broadcast.notation.time_zones import zone_named
from broadcast.tables.errors import Refusal
from teams.ladder.rules import LadderRules

MOST_DATES = 20
"""So many may stand at once."""
EVENING = 20


def offered_dates(
    dates: Sequence[datetime], rules: LadderRules, now: datetime, standing: Sequence[datetime] = ()
) -> tuple[datetime, ...]:
    """The dates as they are kept, the earliest first: these, and those ``standing`` that have not passed.

    Raises ``Refusal`` ``bad_dates`` unless they are still to come within the days the ladder gives, within the
    hours of the club's day, and together on as many different days, by the club's time, as the ladder wants;
    ``too_many_dates`` where more would stand than ``MOST_DATES``.
    """
    zone = zone_named(rules.time_zone)
    latest = now + timedelta(days=rules.dates_within_days)
    kept = {date for date in standing if date > now}
    days = {date.astimezone(zone).date() for date in kept}
    new = set(dates) - set(standing)
    for date in new:
        local = date.astimezone(zone)
        hour = local.hour + local.minute / 60 + local.second / 3600
        if not now < date <= latest or not rules.day_begins <= hour <= rules.day_ends:
            raise _refused(rules)
        days.add(local.date())
    if len(days) < rules.dates_least:
        raise _refused(rules)
    if len(kept | new) > MOST_DATES:
        raise Refusal(
            "too_many_dates", f"At most {MOST_DATES} dates stand at once: offer fewer", most=MOST_DATES
        )
    return tuple(sorted(kept | new))


def house_date(offered: Sequence[datetime], rules: LadderRules, now: datetime) -> datetime:
    """The date that the house sets when every one is refused: the earliest of them that leaves a day's notice.

    Where none does, the evening (20:00, or the club's last hour if that is earlier) of the third day from now.
    """
    noticed = [date for date in offered if date >= now + timedelta(days=1)]
    if noticed:
        return min(noticed)
    zone = zone_named(rules.time_zone)
    hour = max(rules.day_begins, min(EVENING, rules.day_ends, 23))
    day = now.astimezone(zone).date() + timedelta(days=3)
    return datetime.combine(day, time(hour), zone).astimezone(now.tzinfo)


def _refused(rules: LadderRules) -> Refusal:
    return Refusal(
        "bad_dates",
        f"Offer dates on at least {rules.dates_least} different days within {rules.dates_within_days} days, "
        f"between {rules.day_begins}:00 and {rules.day_ends}:00 ({rules.time_zone})",
        least=rules.dates_least,
        within_days=rules.dates_within_days,
        from_hour=rules.day_begins,
        to_hour=rules.day_ends,
        time_zone=rules.time_zone,
    )

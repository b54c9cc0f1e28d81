"""Times as people type them where they are: zones by their IANA name, and the nights on which clocks change."""

from datetime import UTC, datetime, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import get_timezone_location

from broadcast.tables.errors import Refusal


def zone_named(name: str) -> tzinfo:
    """A time zone by its IANA name; ``UTC`` also on machines without a table of zones."""
    return UTC if name == "UTC" else ZoneInfo(name)


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


def moment_from(text: str, zone: str) -> datetime:
    """What a field ``datetime-local`` holds, in UTC.

    Raises ``Refusal`` ``bad_moment``, ``no_such_hour`` for one that a change of clocks leaves out,
    ``hour_twice`` for one that comes twice: which is meant nobody can know.
    """
    try:
        naive = datetime.fromisoformat(text)
        if naive.tzinfo is None:
            first, second = (
                naive.replace(tzinfo=zone_named(zone), fold=fold).astimezone(UTC) for fold in (0, 1)
            )
            return _one(naive, first, second, zone)
    except (ValueError, OverflowError):
        pass  # told below
    raise Refusal("bad_moment", "That is no time in your zone: write it like 2026-05-01T19:30", given=text[:40])


def _one(naive: datetime, first: datetime, second: datetime, zone: str) -> datetime:
    """The moment that is meant by what stands on the clock there, if it is one."""
    if first == second:
        return first
    at, day, where = f"{naive:%H:%M}", f"{naive:%Y-%m-%d}", city(zone)
    facts = {"time": at, "day": day, "city": where}
    if first > second:  # the clocks are put forward over it
        instead = f"{first.astimezone(zone_named(zone)):%H:%M}"
        raise Refusal(
            "no_such_hour",
            f"There is no {at} in {where} on {day}, the clocks go forward over it: write {instead}, or another "
            "time",
            **facts,
            instead=instead,
        )
    once, again = f"{first:%H:%M}", f"{second:%H:%M}"
    raise Refusal(
        "hour_twice",
        f"{at} comes twice in {where} on {day}, as the clocks go back: write another time, or choose UTC, "
        f"where these are {once} and {again}",
        **facts,
        first=once,
        second=again,
    )

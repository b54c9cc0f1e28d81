"""Times in the zone of whoever reads or writes them."""

from datetime import UTC, datetime

import pytest

from broadcast.tables.errors import Refusal
from teams.captains.zones import checked_zone, city, moment_from, suggested, told
from teams.ladder.dates import offered_dates
from teams.ladder.rules import rules_from

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def test_moment_is_told_in_the_reader_s_zone_and_language() -> None:
    assert told(NOON, "Europe/Ljubljana", "en") == "Fri 20 Mar 13:00"
    assert told(NOON, "Asia/Shanghai", "zh") == "3月20日 周五 20:00"


def test_what_is_typed_is_meant_in_the_writer_s_zone() -> None:
    assert moment_from("2026-03-20T13:00", "Europe/Ljubljana") == NOON
    assert moment_from("2026-03-20T20:00", "Asia/Shanghai") == NOON


@pytest.mark.parametrize("text", ["", "soon", "2026-03-29T02:30", "2026-03-20T13:00+01:00", "9999-12-31T23:59"])
def test_what_is_no_time_there_is_refused(text: str) -> None:
    """The clocks of Ljubljana go from 2:00 to 3:00 on 29 March 2026."""
    with pytest.raises(Refusal) as refused:
        print(moment_from(text, "Europe/Ljubljana" if text[:4] != "9999" else "America/Los_Angeles"))
    assert refused.value.rule == "bad_moment"


def test_hour_that_comes_twice_is_the_first() -> None:
    assert moment_from("2026-10-25T02:30", "Europe/Ljubljana") == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "posixrules"])
def test_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        checked_zone(name)
    assert checked_zone("Asia/Shanghai") == "Asia/Shanghai"


def test_cities_have_their_names_in_both_languages() -> None:
    assert [city("Asia/Shanghai", language) for language in ("en", "zh")] == ["Shanghai", "上海"]


@pytest.mark.parametrize(
    "rules",
    [
        {"time_zone": "Asia/Shanghai"},
        {"dates_least": 5, "dates_within_days": 6},
        {"day_begins": 9, "day_ends": 17, "time_zone": "America/New_York"},
        {"dates_least": 1, "dates_within_days": 2},
    ],
)
def test_suggested_dates_are_such_as_the_ladder_takes(rules: dict[str, object]) -> None:
    """So that an offer is one tap."""
    made = rules_from(rules)
    dates = suggested(made, NOON, made.dates_least)
    assert offered_dates(dates, made, NOON) == dates

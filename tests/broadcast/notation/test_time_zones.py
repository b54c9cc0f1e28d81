"""Times as they are typed in a zone, and the nights on which its clocks change."""

from datetime import UTC, datetime

import pytest

from broadcast.notation.time_zones import checked_zone, city, moment_from
from broadcast.tables.errors import Refusal

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
LJUBLJANA = "Europe/Ljubljana"


def refused(text: str, zone: str = LJUBLJANA) -> Refusal:
    with pytest.raises(Refusal) as caught:
        moment_from(text, zone)
    return caught.value


def test_what_is_typed_is_meant_in_the_writer_s_zone() -> None:
    assert moment_from("2026-03-20T13:00", LJUBLJANA) == NOON
    assert moment_from("2026-03-20T20:00", "Asia/Shanghai") == NOON
    assert moment_from("2026-03-20T12:00", "UTC") == NOON


@pytest.mark.parametrize("text", ["", "soon", "2026-03-20T13:00+01:00", "0001-01-01T00:00"])
def test_what_is_no_time_is_refused(text: str) -> None:
    assert refused(text).rule == "bad_moment"


def test_time_past_the_end_of_the_calendar_is_refused() -> None:
    assert refused("9999-12-31T23:59", "America/Los_Angeles").rule == "bad_moment"


@pytest.mark.parametrize(
    ("text", "zone", "instead"),
    [
        ("2026-03-29T02:00", LJUBLJANA, "03:00"),
        ("2026-03-29T02:30", LJUBLJANA, "03:30"),
        ("2026-10-04T02:15", "Australia/Lord_Howe", "02:45"),
    ],
)
def test_hour_that_is_left_out_is_refused_and_the_one_after_it_offered(
    text: str, zone: str, instead: str
) -> None:
    left_out = refused(text, zone)
    assert (left_out.rule, left_out.facts["instead"]) == ("no_such_hour", instead)


def test_hour_that_comes_twice_is_refused_and_both_are_told_in_utc() -> None:
    twice = refused("2026-10-25T02:30")
    assert (twice.rule, twice.facts["first"], twice.facts["second"]) == ("hour_twice", "00:30", "01:30")
    assert "02:30 comes twice in Ljubljana on 2026-10-25" in twice.message


def test_hours_beside_a_change_of_clocks_are_what_they_say() -> None:
    for text, hour in (("03-29T01:59", 0), ("03-29T03:00", 1), ("10-25T01:59", 23), ("10-25T03:00", 2)):
        assert moment_from(f"2026-{text}", LJUBLJANA).hour == hour


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "posixrules"])
def test_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        checked_zone(name)
    assert checked_zone("Asia/Shanghai") == "Asia/Shanghai"


def test_cities_have_their_names_in_both_languages() -> None:
    assert [city("Asia/Shanghai", language) for language in ("en", "zh")] == ["Shanghai", "上海"]

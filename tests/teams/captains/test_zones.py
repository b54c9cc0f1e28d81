"""Times in the zone of whoever reads or writes them."""

from datetime import UTC, datetime

import pytest

from teams.captains.zones import suggested, told
from teams.ladder.dates import offered_dates
from teams.ladder.rules import rules_from

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def test_moment_is_told_in_the_reader_s_zone_and_language() -> None:
    assert told(NOON, "Europe/Ljubljana", "en") == "Fri 20 Mar 13:00"
    assert told(NOON, "Asia/Shanghai", "zh") == "3月20日 周五 20:00"


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

"""Rates of tries: what one crowd does, no other rate forgets."""

from datetime import UTC, datetime, timedelta

import pytest

from broadcast.web import throttles
from broadcast.web.throttles import Rate, Throttles, TooManyTries

NOW = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)
NAME, LINKS = Rate("name", 2, 900), Rate("links", 60, 900)


def test_crowd_of_addresses_does_not_make_a_name_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty thousand cheap tries at links pushed out the count of wrong passwords for a director's name."""
    monkeypatch.setattr(throttles, "MOST_KEYS", 5)
    counted = Throttles()
    for _ in range(2):
        counted.take(NAME, "dora", NOW)
    for each in range(20):
        counted.take(LINKS, f"2001:db8:{each}::/56", NOW)
    with pytest.raises(TooManyTries):
        counted.check(NAME, "dora", NOW)


def test_of_one_rate_the_keys_tried_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "MOST_KEYS", 5)
    counted = Throttles()
    for key in ("dora", "dora", "a", "b", "c", "d", "e"):
        counted.take(NAME, key, NOW)
    counted.check(NAME, "dora", NOW)
    counted.take(NAME, "e", NOW)
    with pytest.raises(TooManyTries):
        counted.check(NAME, "e", NOW)


def test_tries_given_back_forgotten_or_older_than_the_window_are_free() -> None:
    counted = Throttles()
    counted.take(NAME, "dora", NOW)
    counted.take(NAME, "dora", NOW)
    counted.give_back(NAME, "dora")
    counted.check(NAME, "dora", NOW)
    counted.take(NAME, "dora", NOW)
    counted.check(NAME, "dora", NOW + timedelta(seconds=900))
    counted.take(NAME, "dora", NOW + timedelta(seconds=900))
    counted.take(NAME, "dora", NOW + timedelta(seconds=900))
    counted.forget(NAME, "dora")
    counted.check(NAME, "dora", NOW + timedelta(seconds=900))

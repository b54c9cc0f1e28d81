"""Boards released whole unfold as they were played."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import pages_preview, sample_states
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults, chromium, served

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

CLOSED = "#room-closed"
MODE = f"{CLOSED} [data-part=mode]"
GAP = 20
"""Seconds between two calls or cards at the table."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served(pages_preview.application()) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(params=[WIDE, NARROW], ids=["wide", "narrow"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport=request.param, locale="en-GB")
    page = context.new_page()
    page.add_init_script(
        "delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} }"
    )
    page.clock.install()
    faults = Faults(page)
    yield page
    assert faults.told == []
    context.close()


def recorded_events() -> list[dict[str, Any]]:
    """Board 28 of the closed room as its events say it, each a while after the one before."""
    events = []
    for place, (name, data) in enumerate(sample_states.feed(28, "closed")):
        moment = f"2026-11-28T20:{place * GAP // 60:02}:{place * GAP % 60:02}Z"
        events.append({"id": f"1-{200 + place}", "event": name, "data": data | {"at": moment}})
    return events


def test_released_board_unfolds_at_the_pace_of_the_table(page: Page, site: str) -> None:
    page.route("**/api/matches/m7k2/events*", lambda route: route.fulfill(json={"events": recorded_events()}))
    page.goto(f"{site}/matches/m7k2?rule=board")
    page.locator('[data-tab="closed"]').dispatch_event("click")
    page.locator(f"{CLOSED} [data-part=as-live]").click()
    expect(page.locator(MODE)).to_have_text("Call 0, card 0")
    page.clock.run_for((GAP - 1) * 1000)
    expect(page.locator(MODE)).to_have_text("Call 0, card 0")
    page.clock.run_for(2_000)
    expect(page.locator(MODE)).to_have_text("Call 1, card 0")
    page.clock.run_for(2 * GAP * 1000)
    expect(page.locator(MODE)).to_have_text("Call 3, card 0")


def test_without_moments_it_plays_at_reading_speed(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?rule=match")
    page.locator('[data-tab="closed"]').dispatch_event("click")
    page.locator(f"{CLOSED} [data-part=as-live]").click()
    expect(page.locator(MODE)).to_have_text("Call 0, card 0")
    page.clock.run_for(1_200)
    expect(page.locator(MODE)).to_have_text("Call 1, card 0")


def test_it_is_offered_only_where_boards_are_released_whole(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?rule=live")
    expect(page.locator(f"{CLOSED} [data-step=play]")).to_be_attached()
    expect(page.locator("[data-part=as-live]:visible")).to_have_count(0)

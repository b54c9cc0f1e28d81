"""Boards released whole unfold as they were played."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import sample_states
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

CLOSED = "#room-closed"
MODE = f"{CLOSED} [data-part=mode]"
GAP = 50
"""Seconds between two calls or cards at the table."""


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


def paced(number: int, room: str) -> dict[str, Any]:
    """A room's board as its resource tells it, a while between any two of its calls and cards."""
    member: dict[str, Any] = sample_states.board_resource(number)[room]
    calls, cards = len(member["auction"]), len(member["play"])
    moments = [GAP * place for place in range(calls + cards)]
    return member | {"pace": {"calls": moments[:calls], "cards": moments[calls:]}}


def test_released_board_unfolds_at_the_pace_of_the_table(page: Page, site: str) -> None:
    page.route(
        "**/api/matches/m7k2/boards/2.28*", lambda route: route.fulfill(json={"closed": paced(28, "closed")})
    )
    page.goto(f"{site}/matches/m7k2?rule=board")
    page.locator('[data-tab="closed"]').dispatch_event("click")
    page.locator(f"{CLOSED} [data-part=as-live]").click()
    unfolds(page)


def test_so_does_any_board_on_its_own_page(page: Page, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = sample_states.board_resource(22) | {"closed": paced(22, "closed")}
    monkeypatch.setattr(sample_states, "board_resource", lambda number: told)
    page.goto(f"{site}/matches/m7k2/boards/2.22?rule=match&room=closed")
    page.locator(f"{CLOSED} [data-part=as-live]").click()
    unfolds(page)
    # The other room's moments are not known: it is not offered there, only reading speed.
    expect(page.locator("#room-open [data-step=play]")).to_be_attached()
    expect(page.locator("#room-open [data-part=as-live]")).to_be_hidden()


def unfolds(page: Page) -> None:
    """The first call is there at once, each next one when it was made; the clock goes on between the steps."""
    expect(page.locator(MODE)).to_have_text("Call 1, card 0")
    page.clock.run_for(GAP * 500)
    expect(page.locator(MODE)).to_have_text("Call 1, card 0")
    page.clock.run_for(GAP * 600)
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    page.clock.run_for(GAP * 1000)
    expect(page.locator(MODE)).to_have_text("Call 3, card 0")


def test_without_moments_it_plays_at_reading_speed(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?rule=match")
    page.locator('[data-tab="closed"]').dispatch_event("click")
    page.locator(f"{CLOSED} [data-part=as-live]").click()
    expect(page.locator(MODE)).to_have_text(re.compile("Call [0-4], card 0"))
    page.clock.run_for(60_000)
    expect(page.locator(MODE)).to_have_text(re.compile(r"card [1-9]\d*|^$"))


def test_it_is_offered_only_where_boards_are_released_whole(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?rule=live")
    expect(page.locator(f"{CLOSED} [data-step=play]")).to_be_attached()
    expect(page.locator("[data-part=as-live]:visible")).to_have_count(0)

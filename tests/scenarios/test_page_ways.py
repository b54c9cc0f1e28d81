"""Ways to watch: one seat's view, played cards only, two colours; kept in the address and in the browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

DUMMY = "#room-open .hand.is-dummy"


@pytest.fixture(params=[WIDE, NARROW], ids=["wide", "narrow"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport=request.param, locale="en-GB")
    page = context.new_page()
    page.add_init_script(
        "delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} }"
    )
    faults = Faults(page)
    yield page
    assert faults.told == []
    context.close()


def seen(hand: Locator) -> int:
    """How many cards of a hand are on the screen."""
    return hand.locator("[data-card]:visible").count()


def open_hands(page: Page) -> dict[str, int]:
    return {seat: seen(page.locator(f"#room-open .hand-{seat}")) for seat in "NESW"}


def test_follows_one_seat_and_dummy_once_it_is_faced(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2")
    dummy = page.locator(DUMMY).get_attribute("data-seat")
    seat = next(seat for seat in "NESW" if seat != dummy)
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Cards seen").select_option(seat)
    assert {each for each, cards in open_hands(page).items() if cards} == {seat, dummy}
    assert f"seat={seat}" in page.url
    # Before the opening lead nobody has seen dummy.
    page.keyboard.press("Escape")
    page.locator("#room-open [data-step=first]").click()
    expect(page.locator(DUMMY)).to_have_count(0)
    assert {each for each, cards in open_hands(page).items() if cards} == {seat}
    assert (
        page.locator("#room-open .void:visible").count()
        == page.locator(f"#room-open .hand-{seat} .void").count()
    )


def test_only_cards_played_are_seen(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?hands=played")
    expect(page.locator("#room-open .step-buttons")).to_be_visible()
    assert page.locator("#room-open .hand [data-card]:visible").count() == 25
    page.locator("#room-open [data-step=back]").click()
    expect(page.locator("#room-open .hand .played")).to_have_count(24)
    assert page.locator("#room-open .hand [data-card]:visible").count() == 24


def test_one_seat_with_the_cards_the_others_played(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?hands=played&seat=S")
    hands = page.locator("#room-open .hand:not(.hand-S, .is-dummy)")
    assert seen(hands) == hands.locator(".played").count() > 0
    assert seen(page.locator("#room-open .hand-S")) == 13


def test_two_colours_stay_in_the_browser_only_while_chosen(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2")
    colour = "getComputedStyle(document.querySelector('.hand .suit-D')).color"
    heart = "getComputedStyle(document.querySelector('.hand .suit-H')).color"
    assert page.evaluate(colour) != page.evaluate(heart)
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Two", exact=True).check()
    assert page.evaluate(colour) == page.evaluate(heart)
    assert page.evaluate("({...localStorage})") == {"colours": "2"}
    page.goto(f"{site}/matches/m7k2/boards/2.22")
    assert page.evaluate(colour) == page.evaluate(heart)
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Four", exact=True).check()
    assert page.evaluate("localStorage.length") == 0
    assert "colours" not in page.url


def test_links_keep_what_the_address_chose(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?seat=S&colours=2")
    expect(page.locator("#room-open .step-buttons")).to_be_visible()
    link = page.locator("#room-open [data-part=address]").get_attribute("href")
    assert link is not None and "seat=S" in link and "colours=2" in link
    page.goto(link)
    expect(page.locator("html")).to_have_attribute("data-seat", "S")


def test_choices_work_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=NARROW)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{site}/matches/m7k2/boards/2.22?room=open&call=99&card=8&results=hidden")
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Cards seen").select_option("W")
    page.get_by_role("button", name="Show").click()
    assert "seat=W" in page.url and "card=8" in page.url and "results=hidden" in page.url
    shown = {each for each, cards in open_hands(page).items() if cards}
    assert shown == {"W", page.locator(DUMMY).get_attribute("data-seat")}
    context.close()

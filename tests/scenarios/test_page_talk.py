"""Commentary by language and position, and what the trailing side needs."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

SHOWN = ".comment:visible"


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


def test_comments_in_one_language(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2")
    expect(page.locator(SHOWN)).to_have_count(3)
    page.get_by_label("Language").select_option(label="Chinese")
    expect(page.locator(SHOWN)).to_have_count(1)
    expect(page.locator(f"{SHOWN} .author")).to_have_text("周明")
    page.reload()
    expect(page.locator(SHOWN)).to_have_count(1)
    page.get_by_label("Language").select_option("")
    expect(page.locator(SHOWN)).to_have_count(3)
    assert page.evaluate("localStorage.length") == 0


def test_who_is_spared_results_reads_no_comment_on_what_comes_after(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?results=hidden")
    expect(page.locator(SHOWN)).to_have_count(3)
    page.locator("#room-open [data-step=first]").click()
    expect(page.locator(SHOWN)).to_have_count(0)
    page.locator("#room-open [data-step=last]").click()
    expect(page.locator(SHOWN)).to_have_count(3)


def test_header_says_what_the_trailing_side_needs(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2")
    needs = page.locator("[data-part=needs]")
    expect(needs).to_have_text("Vihar needs 2 IMPs in the last 5 boards")
    expect(needs).to_be_visible()
    page.goto(f"{site}/matches/m7k2?results=hidden")
    expect(needs).to_have_text("")

"""A board on one printed sheet, pages at twice the size, and no long task while cards arrive."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests import pages_preview
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, served

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

LONG = 50
"""Milliseconds from which the browser calls a task long."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served(pages_preview.application(pace=0.02)) as address:
        yield address


def test_board_prints_on_one_sheet_with_every_hand_whole(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport=WIDE, color_scheme="dark")  # type: ignore[arg-type]
    page.goto(f"{site}/matches/m7k2/boards/2.22")
    sheet = page.pdf(format="A4")
    assert sheet.count(b"/Type /Page\n") == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})
    for room in ("open", "closed"):
        for hand in page.locator(f"#room-{room} .hand").all():
            expect(hand).to_be_in_viewport(ratio=0.99)
        expect(page.locator(f"#room-{room} h2")).to_be_visible()
    expect(page.locator(".steps:visible")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    ink = "getComputedStyle(document.querySelector('.rank.played')).color"
    assert page.evaluate(ink) == page.evaluate("getComputedStyle(document.body).color")
    page.close()


@pytest.mark.parametrize("address", ["/matches/m7k2", "/matches/m7k2/boards/2.22", "/"])
def test_page_at_twice_the_size_needs_no_scrolling_sideways(browser: Browser, site: str, address: str) -> None:
    """Zoom to 200 % halves the width that a page has; on a desk of 1280 that is 640."""
    context = browser.new_context(viewport={"width": 640, "height": 450}, device_scale_factor=2)
    page = context.new_page()
    page.goto(site + address)
    for width in (640, 320):
        page.set_viewport_size({"width": width, "height": 450})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for view in page.locator(".ways summary").all():
            view.click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            view.click()
    context.close()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_task_is_long_while_cards_arrive(browser: Browser, site: str, size: dict[str, int]) -> None:
    """Some hundred calls and cards, fifty a second. Measured are our own scripts; what else runs on the machine
    adds waiting, so one in ten may take longer.
    """
    context = browser.new_context(viewport=size)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(
        """
        window.frames_ = [];
        const ask = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (draw) => ask((now) => {
          const begun = performance.now();
          draw(now);
          window.frames_.push(performance.now() - begun);
        });
        """
    )
    page.goto(f"{site}/matches/m7k2")
    expect(page.locator("#room-open .board-number b")).to_have_text("30", timeout=30_000)
    drawn = sorted(page.evaluate("frames_"))
    context.close()
    assert len(drawn) > 50
    assert drawn[int(len(drawn) * 0.9) - 1] < LONG

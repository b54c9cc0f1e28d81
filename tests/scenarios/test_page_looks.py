"""Every page fits narrow and wide screens, passes axe, and works with either theme and without scripts."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.scenarios.browser import CHROMIUM, Faults

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

PAGES = {
    "home": "/",
    "matches": "/matches",
    "match": "/matches/m7k2?pace=600",
    "hidden match": "/matches/m7k2?results=hidden&pace=600",
    "chinese match": "/matches/m7k2?lang=zh&pace=600",
    "board": "/matches/m7k2/boards/2.22",
    "ladder": "/ladders/l1?team=t4",
    "team": "/teams/t1",
    "calculator": "/calculator?contract=4SX&tricks=9&difference=-430&boards=16&imps=10&scale=wbf-2013",
    "error": "/none",
}


@pytest.mark.parametrize("name", PAGES)
def test_page_never_scrolls_sideways(browser: Browser, site: str, name: str) -> None:
    page = browser.new_page()
    page.goto(site + PAGES[name])
    for width in (1280, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(browser: Browser, site: str, name: str, theme: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=theme)  # type: ignore[arg-type]
    page.goto(site + PAGES[name])
    found = Axe().run(page).response["violations"]
    page.close()
    serious = [rule for rule in found if rule["impact"] in ("serious", "critical")]
    assert [(rule["id"], [node["html"][:160] for node in rule["nodes"]][:3]) for rule in serious] == []


@pytest.mark.parametrize("name", PAGES)
def test_page_is_complete_without_scripts(browser: Browser, site: str, name: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(site + PAGES[name])
    expect(page.locator("main")).to_be_visible()
    if name == "match":
        expect(page.locator("#room-open .hand [data-card]")).to_have_count(52)
        expect(page.locator(".boards tbody tr")).to_have_count(16)
    context.close()


def test_theme_is_remembered_only_when_it_differs_from_the_system(browser: Browser, site: str) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    faults = Faults(page)
    page.goto(site)
    switch = page.locator("[data-theme-switch]")
    switch.click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    switch.click()
    assert page.evaluate("localStorage.length") == 0
    assert context.cookies() == []
    assert faults.told == []
    context.close()


def test_board_page_steps_with_and_without_scripts(browser: Browser, site: str) -> None:
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts, locale="en-GB")
        page = context.new_page()
        page.goto(f"{site}/matches/m7k2/boards/2.22?room=open&call=3&card=0")
        mode = page.locator("#room-open [data-part=mode]")
        expect(mode).to_have_text("Call 3, card 0")
        page.locator("#room-open [data-step=forward]").click()
        expect(mode).to_have_text("Call 4, card 0")
        expect(page).to_have_url(re.compile("call=4"))
        page.locator("#room-open [data-step=back]").click()
        expect(mode).to_have_text("Call 3, card 0")
        context.close()

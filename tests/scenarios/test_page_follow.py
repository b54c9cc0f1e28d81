"""Following: stars in the browser, what is followed first on the home page, notices only when asked for."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import sample_states
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults, until

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

SCRIPT = """
    delete window.SharedWorker;
    window.EventSource = class extends EventTarget {
      constructor() { super(); window.source = this; }
      close() {}
    };
    window.asked = 0;
    window.told = [];
    window.Notification = class {
      static permission = 'default';
      static async requestPermission() { window.asked += 1; return (Notification.permission = 'granted'); }
      constructor(title, { body }) { window.told.push(`${title}: ${body}`); }
    };
    document.hasFocus = () => false;
    """


@pytest.fixture(params=[WIDE, NARROW], ids=["wide", "narrow"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport=request.param, locale="en-GB")
    page = context.new_page()
    page.add_init_script(SCRIPT)
    faults = Faults(page)
    yield page
    assert faults.told == []
    context.close()


def comparison(board: int, imps: int, at: str) -> dict[str, Any]:
    state = sample_states.match_state()
    return {
        "segment": 2,
        "board": board,
        "imps_home": imps,
        "imps_visitors": -imps,
        "pending": None,
        "held": None,
        "award": None,
        "totals": state["totals"],
        "at": at,
    }


def send(page: Page, number: int, name: str, data: dict[str, Any]) -> None:
    until(
        page, lambda: bool(page.evaluate("window.source !== undefined"))
    )  # the page asks for its stream after it is drawn
    page.evaluate(
        "([id, name, data]) => source.dispatchEvent("
        "new MessageEvent(name, {data: JSON.stringify(data), lastEventId: id}))",
        [f"1-{number}", name, data],
    )


@pytest.mark.parametrize(
    ("address", "first"), [("/matches/m8", "m8"), ("/teams/t4", "m8"), ("/ladders/l1?team=t4", None)]
)
def test_what_is_followed_comes_first(page: Page, site: str, address: str, first: str | None) -> None:
    page.goto(site + address)
    star = page.get_by_role("button", name="Follow")
    kind = page.locator("[data-follow]").get_attribute("data-follow")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("localStorage.followed") == f'["{kind}"]'
    page.reload()
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    assert page.evaluate("localStorage.length") == 0
    if first:
        page.evaluate("localStorage.followed = '[\"team/t4\"]'")
        page.goto(site)
        expect(page.locator(".score-card").first).to_have_attribute("data-match", first)
        expect(page.locator(".score-card.is-followed")).to_have_count(1)


def test_notices_are_asked_for_by_a_press_and_tell_large_swings_once(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2")
    bell = page.get_by_role("button", name="Notify me")
    send(page, 413, "comparison", comparison(28, 13, ""))
    assert page.evaluate("[asked, told.length]") == [0, 0]
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("asked") == 1
    send(page, 414, "comparison", comparison(28, 13, ""))
    send(page, 415, "comparison", comparison(29, 9, ""))
    send(page, 416, "comparison", comparison(30, -11, ""))
    send(page, 417, "match", {"status": "scored"})
    told = page.evaluate("told")
    assert told[0] == "Modra – Vihar: Board 30: Vihar gains 11 IMPs."
    assert told[1].startswith("Modra – Vihar: The match is over")
    assert len(told) == 2


def test_who_is_spared_results_gets_no_notices(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?results=hidden")
    expect(page.get_by_role("button", name="Follow")).to_be_visible()
    expect(page.locator("[data-notify]")).to_have_count(0)

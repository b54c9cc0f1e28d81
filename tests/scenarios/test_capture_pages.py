"""Pages round the capture of a match in a real browser: checking, foreign records, corrections, clocks."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.scenarios.browser import CHROMIUM, WIDE, Faults
from tests.scenarios.entered_matches import Entered, claim, entered, one_notrump, opening
from tests.serving import Served, posted, serving

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

SMALLEST = {"width": 320, "height": 700}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as started:
        yield started


@pytest.fixture
def match(served: Served) -> Iterator[Entered]:
    """Board 1 over in both rooms."""
    with entered(served) as made:
        for room, tricks in ((made.open, 7), (made.closed, 9)):
            room.enters(*one_notrump(1), claim(1, tricks))
        yield made


def directed(browser: Browser, match: Entered) -> Page:
    """A page whose requests are the director's."""
    token = match.director.headers["authorization"]
    context = browser.new_context(viewport=WIDE, locale="en-GB", extra_http_headers={"authorization": token})  # type: ignore[arg-type]
    return context.new_page()


def wrong_with(page: Page) -> list[Any]:
    """What is wrong with the page at its narrowest in light, and at a desk in dark."""
    wrong: list[Any] = []
    for theme, size in (("light", SMALLEST), ("dark", WIDE)):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size(size)  # type: ignore[arg-type]
        found = Axe().run(page).response["violations"]
        wrong += [(theme, rule["id"], [node["html"][:120] for node in rule["nodes"]][:3]) for rule in found]
        wrong += page.evaluate(
            """() => [...document.querySelectorAll('main *')]
                .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
                .map((each) => `${innerWidth} ${each.tagName} ${each.className}`)"""
        )
    return wrong


def test_second_pair_of_eyes_checks_and_doubts_by_link(browser: Browser, match: Entered) -> None:
    made = posted(match.director, f"{match.path}/confirmers", {})
    page = browser.new_context(viewport=SMALLEST, locale="en-GB").new_page()  # type: ignore[arg-type]
    faults = Faults(page)
    page.goto(f"{match.served.address}/confirm/enter#{made['token']}")
    page.wait_for_url("**/confirm/*")
    assert made["token"] not in page.url
    expect(page.locator(".check")).to_have_count(2)
    assert wrong_with(page) == []
    page.get_by_role("button", name="Board 1, Open room: It is right").click()
    expect(page.locator("[role=status]")).to_have_text("Marked as checked.")
    assert match.board(1)["open"]["checked"] is True
    page.locator("summary").click()
    page.get_by_label("What is right by the players' score").fill("8 tricks by both score sheets")
    page.get_by_role("button", name="Tell the director").click()
    expect(page.locator(".check-doubt")).to_contain_text("8 tricks by both score sheets")
    assert match.board(1)["closed"]["checked"] is False
    match.director.delete(f"{match.path}/confirmers").raise_for_status()
    page.reload()
    expect(page.locator("h1")).to_have_text("These results are closed to you")
    assert [fault for fault in faults.told if "401" not in fault] == []
    page.context.close()


def test_correction_log_grows_while_it_is_looked_at(browser: Browser, match: Entered) -> None:
    page = browser.new_context(viewport=WIDE, locale="en-GB").new_page()  # type: ignore[arg-type]
    faults = Faults(page)
    page.goto(f"{match.served.address}/matches/{match.id}")
    page.get_by_role("link", name="Corrections").click()
    expect(page.locator(".empty")).to_have_text("Nothing that was public has been changed.")
    page.evaluate("window.same = true")
    result = {"room": "open", "segment": 1, "board": 1, "contract": "1NT", "declarer": "N", "tricks": 9}
    match.rules("correct_result", "nine by both score sheets", **result)
    expect(page.locator(".correction")).to_contain_text("nine by both score sheets")
    expect(page.locator(".correction")).to_contain_text("1NT N = N-S 90")
    assert page.evaluate("window.same") is True
    match.rules(
        "award", "Law 21", segment=1, board=1, award={"kind": "artificial", "home": "+", "visitors": "-"}
    )
    expect(page.locator(".correction")).to_have_count(2)
    assert wrong_with(page) == []
    assert faults.told == []
    page.context.close()


def test_record_is_pasted_and_public_changes_are_accepted(browser: Browser, match: Entered) -> None:
    page = directed(browser, match)
    faults = Faults(page)
    page.goto(f"{match.served.address}/desk/{match.id}/record")
    lin = match.public.get(f"/matches/{match.id}.lin").text
    page.get_by_label("Or paste its text").fill(lin)
    page.get_by_role("button", name="Bring the match up to date").click()
    expect(page.locator("[role=status]")).to_have_text("Nothing in the file was new.")
    page.get_by_label("Or paste its text").fill(lin.replace("mc|7|", "mc|8|").replace("1NN=,", "1NN+1,"))
    page.get_by_role("button", name="Bring the match up to date").click()
    expect(page.locator(".record-list")).to_contain_text("Board 1, Open room")
    assert match.board(1)["open"]["tricks"] == 7
    assert wrong_with(page) == []
    page.get_by_role("button", name="Make these changes").click()
    expect(page.locator("[role=status]")).to_contain_text("1 board has been brought up to date.")
    assert match.board(1)["open"]["tricks"] == 8
    assert faults.told == []
    page.context.close()


def test_director_stops_a_rooms_clock_and_the_operator_sees_it(browser: Browser, match: Entered) -> None:
    match.open.enters(opening(2))
    page = directed(browser, match)
    page.goto(f"{match.served.address}/desk/{match.id}/clocks")
    assert wrong_with(page) == []
    page.get_by_role("button", name="Stop").first.click()
    expect(page.locator(".clock-stopped")).to_have_text("The clock stands still: Director called")
    token = match.open.client.headers["authorization"].removeprefix("Bearer ")
    table = browser.new_context(viewport=SMALLEST, locale="en-GB").new_page()  # type: ignore[arg-type]
    table.goto(f"{match.served.address}/operate/enter#{token}")
    expect(table.locator(".op-clock")).to_contain_text("The clock stands still: Director called")
    table.locator(".op-clock button").click()
    expect(table.locator(".op-clock")).to_have_count(0)
    assert match.open.view()["neutral"] is None
    table.click("[data-action=more]")
    table.get_by_role("button", name="Stop the clock").click()
    table.get_by_role("button", name="A player is away").click()
    table.locator("dialog").get_by_role("button", name="Stop the clock").click()
    expect(table.locator(".op-clock")).to_contain_text("A player is away")
    table.click('[data-call="Pass"]')
    expect(table.locator(".op-clock")).to_have_count(0)
    table.context.close()
    page.context.close()

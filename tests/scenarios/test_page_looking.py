"""Looking back: slider, playing on, addresses of positions, back and forward; and nothing after a position."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests import sample_states
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults, until

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

OPEN = "#room-open"
MODE = f"{OPEN} [data-part=mode]"


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


def slide(page: Page, place: int) -> None:
    page.locator(f"{OPEN} [data-part=slider]").fill(str(place))


def test_slider_leads_anywhere_on_the_record(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2")
    calls = len(sample_states.record_of(28, "open")[0])
    slide(page, 2)
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    slide(page, calls + 5)
    expect(page.locator(MODE)).to_have_text(f"Call {calls}, card 5")
    expect(page.locator(f"{OPEN} .hand .played")).to_have_count(5)
    slider = page.locator(f"{OPEN} [data-part=slider]")
    expect(slider).to_have_attribute("aria-valuetext", f"Call {calls}, card 5")
    slide(page, calls + 25)
    expect(page.locator(MODE)).to_have_text("")


def test_address_follows_and_back_and_forward_lead_from_jump_to_jump(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?seat=S")
    page.locator(f"{OPEN} [data-step=first]").click()
    expect(page.locator(MODE)).to_have_text("Call 0, card 0")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    page.clock.run_for(500)
    expect(page).to_have_url(re.compile(r"seat=S&at=2\.28-open-2-0$"))
    page.keyboard.press("l")
    expect(page.locator(MODE)).to_have_text("")
    assert "&at=" not in page.url
    page.go_back()
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    page.go_back()
    expect(page.locator(MODE)).to_have_text("")
    page.go_forward()
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    # The same address, asked for anew, stands there too.
    page.goto(page.url)
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    assert "/boards/2.28?room=open&call=2&card=0&seat=S" in page.url
    page.get_by_role("link", name="Back to live").click()
    expect(page).to_have_url(re.compile(r"/matches/m7k2\?seat=S$"))


def test_keys_step_by_trick_and_play(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2/boards/2.22?room=open&call=0&card=0")
    calls = len(sample_states.record_of(22, "open")[0])
    expect(page.locator(f"{OPEN} [data-part=slider]")).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(MODE)).to_have_text(f"Call {calls}, card 0")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(MODE)).to_have_text(f"Call {calls}, card 4")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(MODE)).to_have_text(f"Call {calls}, card 0")
    page.keyboard.press("Space")
    page.clock.run_for(4_000)
    expect(page.locator(MODE)).to_have_text(f"Call {calls}, card 3")
    page.keyboard.press("Space")
    page.clock.run_for(4_000)
    expect(page.locator(MODE)).to_have_text(f"Call {calls}, card 3")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(r"boards/2\.23$"))


def test_finished_board_plays_by_itself_to_its_end(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2/boards/2.22")
    play = page.locator(f"{OPEN} [data-step=play]")
    expect(play).to_have_accessible_name("Play the board")
    play.click()
    expect(page.locator(MODE)).to_have_text("Call 0, card 0")
    expect(play).to_have_accessible_name("Pause")
    page.clock.run_for(2_500)
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")
    page.clock.run_for(120_000)
    expect(page.locator(f"{OPEN} .made")).to_be_visible()
    expect(play).to_have_accessible_name("Play the board")
    page.go_back()
    expect(page.locator(f"{OPEN} .made")).to_be_visible()
    page.go_forward()
    expect(page.locator(f"{OPEN} .made")).to_be_visible()


def test_position_opens_no_stream_and_hidden_holds_nothing_after_it(page: Page, site: str) -> None:
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))  # noqa: PLW0108 (the driver takes functions only)
    calls, _, _ = sample_states.record_of(22, "open")
    page.goto(f"{site}/matches/m7k2?at=2.22-open-{len(calls)}-4&results=hidden")
    expect(page.locator(MODE)).to_have_text(f"Call {len(calls)}, card 4")
    page.keyboard.press("ArrowRight")
    expect(page.locator(MODE)).to_have_text(f"Call {len(calls)}, card 5")
    expect(page.locator(f"{OPEN} .hand .played")).to_have_count(5)
    assert "card=5" in page.url
    assert not [request for request in asked if "/events" in request.url or "/api/" in request.url]
    pages = [request.response() for request in asked if "/boards/" in request.url]
    answers = [answer.text() for answer in pages if answer is not None]
    assert len(answers) == 2
    for count, answer in enumerate(answers, start=4):
        assert 'id="state"' not in answer
        assert len(re.findall(r'class="rank played"', answer)) == count
        assert "IMP" not in answer and 'class="made"' not in answer


def test_hidden_board_plays_by_itself(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2/boards/2.22?room=open&call=0&card=0&results=hidden")
    page.locator(f"{OPEN} [data-step=play]").click()
    for count in (1, 2):
        page.clock.run_for(1_150)
        expect(page.locator(MODE)).to_have_text(f"Call {count}, card 0")
    page.keyboard.press("Space")
    page.clock.run_for(5_000)
    expect(page.locator(MODE)).to_have_text("Call 2, card 0")


def test_nobody_is_told_what_happens_after_where_they_look(browser: Browser, site: str) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.add_init_script(
        "delete window.SharedWorker; window.EventSource = class extends EventTarget {"
        " constructor() { super(); window.source = this; } close() {} }"
    )
    page.goto(f"{site}/matches/m7k2")
    page.locator(f"{OPEN} [data-step=back]").click()
    card = sample_states.record_of(28, "open")[1][25] | {"turn": None, "tricks_ns": 0, "tricks_ew": 0}
    data = {"segment": 2, "board": 28, "room": "open", "at": ""} | card
    until(
        page, lambda: bool(page.evaluate("window.source !== undefined"))
    )  # the page asks for its stream after it is drawn
    page.evaluate(
        "data => source.dispatchEvent("
        "new MessageEvent('card', {data: JSON.stringify(data), lastEventId: '1-413'}))",
        data,
    )
    expect(page.locator(f"{OPEN} [data-part=moved-on]")).to_have_text("Live has moved on")
    expect(page.locator("[data-part=announcer]")).to_have_text("")
    context.close()

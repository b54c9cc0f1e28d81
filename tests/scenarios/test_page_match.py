"""The match page in a browser: it moves by itself, can be stepped through, and pulls no reader forward."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import sample_states
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults, until

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")


@pytest.fixture(params=[WIDE, NARROW], ids=["wide", "narrow"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport=request.param, locale="en-GB")
    page = context.new_page()
    faults = Faults(page)
    yield page
    assert faults.told == []
    context.close()


@pytest.fixture
def quiet(page: Page, site: str) -> Page:
    """A page whose stream is in the test's hands: EventSource hands out what the test sends."""
    page.add_init_script(
        """
        delete window.SharedWorker;  // the page itself then holds the connection
        window.sources = [];
        Math.random = () => 0;  // the shortest pauses
        window.EventSource = class extends EventTarget {
          static CONNECTING = 0;
          readyState = 2;
          constructor(url) { super(); this.url = String(url); window.sources.push(this);
            queueMicrotask(() => this.onopen?.()); }
          close() { this.closed = true; }
        };
        window.send = (id, name, data) => {
          const message = new MessageEvent(name, {data: JSON.stringify(data), lastEventId: id});
          window.sources.at(-1).dispatchEvent(message);
        };
        """
    )
    page.goto(site + "/matches/m7k2")
    expect(page.locator("#room-open .step-buttons")).to_be_visible()
    return page


def send(page: Page, events: list[tuple[str, dict[str, Any]]], first: int = 413) -> None:
    until(
        page, lambda: bool(page.evaluate("sources.length > 0"))
    )  # the page asks for its stream after it is drawn
    for place, (name, data) in enumerate(events):
        page.evaluate("([id, name, data]) => send(id, name, data)", [f"1-{first + place}", name, data])


OPEN = "#room-open"


def test_first_drawing_by_script_changes_nothing_on_the_page(browser: Browser, site: str) -> None:
    """The server and the modules draw the same markup, so that nothing jumps when the scripts take over."""
    parts = """() => [...document.querySelectorAll('.table, .score, .worth, .boards, .swings, .room-head')]
        .map(part => part.outerHTML.replace(/ class=""/g, '').replace(/>\\s+/g, '>').replace(/\\s+</g, '<'))"""
    for query in ("", "?boards=3&calls=2&cards=0&both", "?boards=16", "?lang=zh"):
        without = browser.new_context(java_script_enabled=False)
        page = without.new_page()
        page.goto(f"{site}/matches/m7k2{query}")
        before = page.content()
        without.close()
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(
            "delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} }"
        )
        page.goto(f"{site}/matches/m7k2{query}")
        expect(page.locator("#room-open .step-buttons")).to_be_visible()
        drawn = page.evaluate(parts)
        page.evaluate("html => document.documentElement.innerHTML = html", before)
        served_markup = page.evaluate(parts)
        context.close()
        for one, other in zip(drawn, served_markup, strict=True):
            assert normal(one) == normal(other)


def normal(markup: str) -> str:
    """Without white space between elements and what only the modules note for themselves."""
    markup = re.sub(r' data-cards="[^"]*"| is-long| data-board="[^"]*"', "", markup)
    return re.sub(r"\s+", " ", markup).replace("> <", "><")


def test_a_new_board_its_calls_and_cards_appear_as_they_come(quiet: Page) -> None:
    events = list(sample_states.feed(29, "open"))
    cards = [data["card"] for name, data in events if name == "card"]
    third = next(place for place, (name, _) in enumerate(events) if name == "card") + 3
    send(quiet, events[:third])
    room = quiet.locator(OPEN)
    expect(room.locator(".board-number b")).to_have_text("29")
    expect(room.locator("[data-part=phase]")).to_have_text("Playing")
    for card in cards[:3]:
        expect(room.locator(f'.hand [data-card="{card}"]')).to_have_class("rank played")
    expect(room.locator(f'.hand [data-card="{cards[3]}"]')).to_have_class("rank")
    turn = next(data["seat"] for name, data in events if name == "card" and data["card"] == cards[3])
    expect(room.locator(".hand.is-turn")).to_have_attribute("data-seat", turn)
    expect(room.locator(".trick .card-face")).to_have_count(3)


def test_first_board_appears_in_an_empty_room(quiet: Page) -> None:
    """The table is built when the first board is opened, with the same markup that the server makes."""
    quiet.goto(quiet.url + "?announced")
    room = quiet.locator(OPEN)
    expect(room.locator(".empty")).to_be_visible()
    events = list(sample_states.feed(17, "open"))
    send(quiet, events[:30])
    expect(room.locator(".empty")).to_have_count(0)
    expect(room.locator(".hand [data-card]")).to_have_count(52)
    expect(room.locator(".step-buttons")).to_be_visible()
    expect(room.locator(".board-number b")).to_have_text("17")


def test_result_and_comparison_move_the_score(quiet: Page) -> None:
    comparison = {
        "segment": 2,
        "board": 28,
        "imps_home": 10,
        "imps_visitors": -10,
        "pending": None,
        "held": None,
        "award": None,
        "totals": {
            "imps": {"home": 99, "visitors": 1},
            "vps": {"home": 20, "visitors": 0},
            "vps_reason": None,
            "boards_compared": 12,
            "boards_total": 16,
        },
    }
    send(quiet, [("comparison", comparison)])
    expect(quiet.locator(".score [data-part=imps-home]")).to_have_text("99")
    expect(quiet.locator(".score .after")).to_have_text("after 12 of 16 boards")
    expect(quiet.locator('[data-board="2.28"] [data-part=home]')).to_have_text("10")
    expect(quiet.locator('[data-board="2.28"] [data-part=visitors]')).to_have_text("")


def test_withdrawn_card_is_gone_and_a_reader_looking_back_stays(quiet: Page) -> None:
    """Symptom: an undo stranded live viewers, and later cards pulled those who were looking back to live."""
    events = list(sample_states.feed(29, "open"))
    first = next(place for place, (name, _) in enumerate(events) if name == "card")
    card = events[first][1]
    send(quiet, events[: first + 1])
    room = quiet.locator(OPEN)
    expect(room.locator(f'.hand [data-card="{card["card"]}"]')).to_have_class("rank played")
    undo = {name: card[name] for name in ("segment", "board", "room", "at")} | {
        "to": {"calls": first - 2, "cards": 0},
        "turn": card["seat"],
        "tricks_ns": 0,
        "tricks_ew": 0,
    }
    send(quiet, [("undo", undo)], first=413 + first + 1)
    expect(room.locator(f'.hand [data-card="{card["card"]}"]')).to_have_class("rank")
    expect(room.locator(".trick .card-face")).to_have_count(0)

    room.locator('[data-step="back"]').click()
    expect(room.locator("[data-part=mode]")).to_contain_text("card 0")
    before = room.locator(".table").inner_text()
    send(quiet, [("card", card)], first=413 + first + 2)
    expect(room.locator("[data-part=moved-on]")).to_have_text("Live has moved on")
    assert room.locator(".table").inner_text() == before
    room.locator("[data-part=moved-on]").click()
    expect(room.locator("[data-part=moved-on]")).to_be_hidden()
    expect(room.locator(f'.hand [data-card="{card["card"]}"]')).to_have_class("rank played")


def test_reader_keeps_the_board_that_live_has_left(quiet: Page) -> None:
    room = quiet.locator(OPEN)
    room.locator('[data-step="first"]').click()
    send(quiet, list(sample_states.feed(29, "open"))[:3])
    expect(room.locator("[data-part=moved-on]")).to_have_text("Live has moved on")
    expect(room.locator(".board-number b")).to_have_text("28")
    room.locator('[data-step="forward"]').click()
    expect(room.locator("[data-part=mode]")).to_contain_text("Call 1")
    quiet.keyboard.press("l")
    expect(room.locator(".board-number b")).to_have_text("29")


def test_keyboard_steps_the_room_in_use(quiet: Page) -> None:
    quiet.locator(OPEN).locator(".board-plate").click()
    quiet.keyboard.press("Home")
    mode = quiet.locator(f"{OPEN} [data-part=mode]")
    expect(mode).to_have_text("Call 0, card 0")
    quiet.keyboard.press("ArrowRight")
    quiet.keyboard.press("ArrowRight")
    expect(mode).to_have_text("Call 2, card 0")
    quiet.keyboard.press("ArrowLeft")
    expect(mode).to_have_text("Call 1, card 0")
    expect(quiet.locator(f"{OPEN} .auction .call")).to_have_count(1)
    quiet.keyboard.press("End")
    expect(mode).to_have_text("")


def test_repeats_change_nothing_and_a_broken_stream_comes_back_with_its_cursor(quiet: Page) -> None:
    events = list(sample_states.feed(29, "open"))[:4]
    send(quiet, events)
    expect(quiet.locator(f"{OPEN} .auction .call")).to_have_count(3)
    send(quiet, events)
    quiet.evaluate("sources.at(-1).onerror()")  # refused, as behind a proxy whose server is away
    expect(quiet.locator("[data-part=connection]")).to_have_text("RECONNECTING")
    expect(quiet.locator("[data-part=updated]")).to_have_text(re.compile(r"Updated \d\d:\d\d"))
    until(quiet, lambda: bool(quiet.evaluate("sources.length > 1")))
    assert quiet.evaluate("new URL(sources.at(-1).url).searchParams.get('after')") == "1-416"
    expect(quiet.locator("[data-part=connection]")).to_be_hidden()
    expect(quiet.locator(f"{OPEN} .auction .call")).to_have_count(3)


def test_page_that_returns_from_sleep_opens_a_new_stream(quiet: Page) -> None:
    """Symptom: a woken phone showed an open stream through which nothing came."""
    until(quiet, lambda: bool(quiet.evaluate("sources.length > 0")))
    opened = quiet.evaluate("sources.length")
    quiet.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    until(quiet, lambda: bool(quiet.evaluate(f"sources.length === {opened + 1}")))
    assert quiet.evaluate("sources.at(-2).closed") is True


def test_lock_shows_both_rooms_at_the_same_trick(quiet: Page) -> None:
    """The closed room has finished the board; under the lock it is replayed as far as the open room is."""
    played = quiet.locator("#room-closed .hand .played")
    assert played.count() > 25
    quiet.locator("[data-lock]").check()
    expect(played).to_have_count(25)
    expect(quiet.locator("#room-closed [data-part=mode]")).to_have_text("As far as the other room")
    card = sample_states.record_of(28, "open")[1][25] | {"turn": None, "tricks_ns": 0, "tricks_ew": 0}
    send(quiet, [("card", {"segment": 2, "board": 28, "room": "open", "at": ""} | card)])
    expect(played).to_have_count(26)
    quiet.locator("[data-lock]").uncheck()
    expect(quiet.locator("#room-closed [data-part=mode]")).to_have_text("")


def test_calls_and_cards_are_told_to_screen_readers(quiet: Page) -> None:
    events = list(sample_states.feed(29, "open"))
    send(quiet, events[:1])
    region = quiet.locator("[data-part=announcer]")
    expect(region).to_have_attribute("aria-live", "polite")
    expect(region).to_have_text("Open room: board 29 is opened.")
    send(quiet, events[1:2], first=414)
    expect(region).to_contain_text("Open room:", timeout=4000)


def test_markup_in_a_comment_stays_text(quiet: Page) -> None:
    comment = sample_states.COMMENTS[0] | {"text": "<img src=x onerror=alert(1)> !h", "author": "<b>A</b>"}
    send(quiet, [("comment", comment)])
    last = quiet.locator(".comment").last
    expect(last).to_contain_text("<img src=x onerror=alert(1)> ♥")
    expect(last.locator(".author")).to_have_text("<b>A</b>")
    assert quiet.locator(".comment img").count() == 0


def test_explanation_of_an_alert_opens_on_focus(quiet: Page) -> None:
    told = {"call_index": 1, "alert": True, "explanation": "Multi: <weak> two in a major"}
    send(quiet, [("explain", {"segment": 2, "board": 28, "room": "open"} | told)])
    alerted = quiet.locator(f"{OPEN} .auction .alerted").first
    tip = alerted.locator(".tip")
    expect(tip).to_have_text("Multi: <weak> two in a major")
    expect(tip).not_to_be_visible()
    alerted.locator("button").focus()
    expect(tip).to_be_visible()


def test_page_follows_a_real_stream(page: Page, site: str) -> None:
    page.goto(f"{site}/matches/m7k2?pace=600")
    expect(page.locator(f"{OPEN} .board-number b")).to_have_text("29")

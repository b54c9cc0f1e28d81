"""The match page on the real server, entered from both rooms while it is watched, narrow and wide at once."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults, until
from tests.scenarios.entered_matches import Entered, Room, calls, claim, entered, one_notrump, opening
from tests.scenarios.random_boards import random_board
from tests.serving import Served, serving

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

SHOWN = """() => [...document.querySelectorAll(
    '.score-line, .score-foot, .room-state, .plate, .ranks, .place, .auction tbody, .contract-box, .tricks, '
    + '.boards, .worth, .swings')].map(part => part.outerHTML.replace(/ is-(new|fresh)/g, '')
    .replace(/ class=""| title="[^"]*"/g, '').replace(/>\\s+/g, '>').replace(/\\s+</g, '<'))"""
EVENTS = 500
LONG = 0.05
"""Seconds from which the browser calls a task long."""
QUICK = "delete window.SharedWorker; Math.random = () => 0;"
"""The page itself holds the connection, and pauses are the shortest."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("club")) as served:
        yield served


@pytest.fixture
def contexts(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Two visitors, one with a desk and one with a phone."""
    made = [browser.new_context(viewport=size, locale="en-GB") for size in (WIDE, NARROW)]  # type: ignore[arg-type]
    for context in made:
        context.add_init_script(QUICK)
    yield made
    for context in made:
        context.close()


def watched(contexts: list[BrowserContext], address: str) -> list[Page]:
    """The page in each browser, following."""
    pages = []
    for context in contexts:
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".step-buttons").first).to_be_attached()
        pages.append(page)
    return pages


def address_of(match: Entered, query: str = "") -> str:
    return f"{match.served.address}/matches/{match.id}{query}"


# --- what it is worth ---------------------------------------------------------------------------------------


def test_worth_of_a_board_is_there_from_its_first_bid_and_moves_with_every_trick(
    served: Served, contexts: list[BrowserContext]
) -> None:
    with entered(served) as match:
        match.open.enters(*one_notrump(1), claim(1, 7))
        match.closed.enters(opening(1))
        pages = watched(contexts, address_of(match))
        faults = [Faults(page) for page in pages]
        match.closed.enters(*calls(1, "1H"))
        for page in pages:
            name = page.locator(".worth-name")
            expect(name).to_have_text("At stake on board 1 IMPs if the closed room ends in")
            expect(page.locator(".worth li")).to_contain_text(
                [
                    "1NT N +1 +1 Vihar",
                    "1NT N = level",
                    "1♥\ufe0e N = level",
                    "1♥\ufe0e N −1 +4 Modra",
                    "1NT N −1 +4 Modra",
                ]
            )
        match.closed.enters(*calls(1, "1H", "Pass", "Pass", "Pass")[1:])
        for page in pages:
            expect(page.locator(".worth li")).to_have_count(6)
            expect(page.locator(".worth li").first).to_contain_text("1♥")
        while match.closed.view()["board"]["tricks_ns"] + match.closed.view()["board"]["tricks_ew"] < 12:
            play(match.closed)
        for page in pages:
            expect(page.locator(".worth li")).to_have_count(2)
        assert [fault.told for fault in faults] == [[], []]


def play(room: Room) -> None:
    """The first card that is legal."""
    table = room.view()
    room.enters({"type": "card", "seat": table["board"]["turn"], "card": table["legal"]["cards"][0]})


# --- commentary ---------------------------------------------------------------------------------------------


def test_commentator_writes_to_the_position_in_sight(served: Served, contexts: list[BrowserContext]) -> None:
    token = served.token("Ann Lee", "commentator")
    with entered(served) as match:
        match.open.enters(opening(1), *calls(1, "1NT", "Pass", "3NT"))
        match.closed.enters(opening(1))
        writer, reader = watched(contexts, address_of(match, f"#commentator={token}"))
        assert token not in writer.url
        expect(writer.locator("[data-part=writing-name]")).to_have_text("Ann Lee")
        writer.locator("#room-open [data-step=back]").click()
        place = writer.locator("[data-part=writing-place]")
        expect(place).to_have_text("Board 1, Open room · Call 2, card 0")
        writer.get_by_label("Comment", exact=True).fill("Now 3NT, or ")
        writer.get_by_role("button", name="hearts").click()
        expect(writer.locator("[data-part=writing-preview]")).to_have_text("Now 3NT, or ♥\ufe0e")
        # The text stays where it was begun, whatever is looked at meanwhile.
        writer.locator("#room-open [data-step=first]").click()
        expect(place).to_have_text("Board 1, Open room · Call 2, card 0")
        expect(writer.get_by_role("button", name="Move to what is shown now")).to_be_visible()
        writer.get_by_label("Written in").select_option("zh")
        writer.get_by_role("button", name="Send").click()
        expect(writer.locator("[data-part=writing-said]")).to_have_text("Sent")
        for page in (writer, reader):
            comment = page.locator(".comment")
            expect(comment).to_have_text(re.compile(r"Ann Lee\s*Board 1, Open room\s*Now 3NT, or ♥\ufe0e"))
            expect(comment).to_have_attribute("lang", "zh")
            expect(comment).to_have_attribute("data-at", "1.1-open-2-0")
        writer.goto(f"{match.served.address}/matches/{match.id}/boards/1.1?room=open&call=3&card=0")
        writer.get_by_text("For commentators").click()
        expect(place).to_have_text("Board 1, Open room · Call 3, card 0")
        writer.get_by_label("Comment", exact=True).fill("<b>As expected")
        writer.get_by_role("button", name="Send").click()
        expect(writer.locator(".comment-text").last).to_have_text("<b>As expected")
        writer.get_by_text("For commentators").click()
        writer.get_by_role("button", name="Sign out").click()
        assert writer.evaluate("sessionStorage.length") == 0


def test_commentators_form_says_what_is_wrong(served: Served, contexts: list[BrowserContext]) -> None:
    with entered(served) as match:
        match.open.enters(opening(1), *calls(1, "1NT"))
        page = watched(contexts[1:], address_of(match))[0]
        page.get_by_text("For commentators").click()
        page.get_by_label("Your commentator's token").fill("nonsense")
        page.get_by_role("button", name="Sign in to write").click()
        expect(page.locator("[data-part=problem]")).not_to_be_empty()
        page.get_by_label("Your commentator's token").fill(served.token("Paul", "player"))
        page.get_by_role("button", name="Sign in to write").click()
        expect(page.locator("[data-part=problem]")).to_contain_text("not a commentator's")
        page.get_by_label("Your commentator's token").fill(served.token("Carl", "commentator"))
        page.get_by_role("button", name="Sign in to write").click()
        text = page.get_by_label("Comment", exact=True)
        text.fill("It stays")
        page.context.set_offline(True)
        page.get_by_role("button", name="Send").click()
        expect(page.locator("[data-part=writing-said]")).to_contain_text("Your text is kept")
        page.context.set_offline(False)
        page.get_by_role("button", name="Send").click()
        expect(text).to_have_value("")
        expect(page.locator(".comment-text")).to_have_text("It stays")


# --- stepping -----------------------------------------------------------------------------------------------


def test_keys_lead_to_the_boards_beside_and_back_to_live(
    served: Served, contexts: list[BrowserContext]
) -> None:
    with entered(served, boards=3) as match:
        for room in (match.open, match.closed):
            room.enters(*one_notrump(1), claim(1, 7), *one_notrump(2))
        page = watched(contexts[:1], address_of(match))[0]
        page.keyboard.press("n")  # nobody has opened the third
        page.keyboard.press("p")
        expect(page).to_have_url(re.compile(r"/boards/1\.1$"))
        page.keyboard.press("n")
        expect(page).to_have_url(re.compile(r"/boards/1\.2$"))
        page.keyboard.press("l")
        expect(page).to_have_url(re.compile(rf"/matches/{match.id}$"))


# --- weight of a card ---------------------------------------------------------------------------------------


def test_no_card_is_a_long_task(served: Served, contexts: list[BrowserContext]) -> None:
    """All that the page does from one card to the next, drawing included, in time of its processor: so a busy
    machine does not count, and no single task can have been longer. A collection of garbage may fall into one.
    """
    with entered(served, boards=32) as match:
        for number in range(1, 32):
            match.open.enters(*one_notrump(number), claim(number, 5 + number % 5))
            match.closed.enters(*one_notrump(number), claim(number, 7))
        for room in (match.open, match.closed):
            room.enters(*one_notrump(32))
        match.closed.enters(claim(32, 7))
        for page in watched(contexts, address_of(match)):
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            spent = []
            for _ in range(13):
                page.evaluate(AWAIT_CARD)
                before = busy(session)
                play(match.open)
                page.evaluate("drawn")
                spent.append(busy(session) - before)
            assert sorted(spent)[-2] < LONG, spent


AWAIT_CARD = """() => { window.drawn = new Promise((resolve) => {
    const observer = new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    observer.observe(document.querySelector('#room-open .trick'), {childList: true, subtree: true});
}); }"""
"""The next card is on the table, and has been painted."""


def busy(session: CDPSession) -> float:
    """Seconds that the page's main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


# --- folding ------------------------------------------------------------------------------------------------


def test_page_that_followed_equals_a_page_that_is_reloaded(
    tmp_path: Path, contexts: list[BrowserContext]
) -> None:
    """Five hundred events of both rooms, with slips and undos, a hidden tab, a sleep, and a server that is
    started anew; then each page is compared with itself reloaded.
    """
    chance = Random(20)
    with ExitStack() as stack:
        served = stack.enter_context(serving(tmp_path))
        port = int(served.address.rpartition(":")[2])
        match = stack.enter_context(entered(served, boards=32))
        stories = {
            room.name: chain.from_iterable(
                random_board(number, Random(f"{room.name} {number}")) for number in range(1, 33)
            )
            for room in (match.open, match.closed)
        }
        pages = watched(contexts, address_of(match))
        faults = [Faults(page) for page in pages]
        told = 0

        def goes_on(until_told: int) -> None:
            nonlocal told
            while told < until_told:
                room = chance.choice((match.open, match.closed))
                batch = [next(stories[room.name]) for _ in range(chance.randint(1, 6))]
                room.enters(*batch)
                told += len(batch)

        goes_on(EVENTS // 4)
        compare(pages)
        hide(pages[0], hidden=True)
        goes_on(EVENTS // 2)
        hide(pages[0], hidden=False)
        pages[1].evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        goes_on(EVENTS * 3 // 4)
        assert served.stop() == 0
        for page in pages:
            expect(page.locator("[data-part=connection]")).to_have_text("RECONNECTING")
        stack.enter_context(serving(tmp_path, port=port))
        for page in pages:
            page.evaluate("dispatchEvent(new Event('online'))")
            expect(page.locator("[data-part=connection]")).to_be_hidden()
        goes_on(EVENTS)
        compare(pages)
        assert [[said for said in fault.told if "ERR_" not in said] for fault in faults] == [[], []]


def compare(pages: list[Page]) -> None:
    """What each page shows is what a new one in the same browser shows, once it has caught up."""
    for page in pages:
        fresh = page.context.new_page()
        fresh.goto(page.url)
        expect(fresh.locator(".step-buttons").first).to_be_attached()
        shown = fresh.evaluate(SHOWN)
        until(page, lambda page=page, shown=shown: page.evaluate(SHOWN) == shown)  # type: ignore[misc]
        fresh.close()


def hide(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )

"""One stream a browser and match, shared by its tabs; on HTTP/1.1, which allows six connections to a host."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from tests import pages_preview, sample_states
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults, served

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

TABS = 7
CALLS = "#room-open .auction .call"
WITHOUT = {
    "a shared worker": "",
    "a leading tab": "delete window.SharedWorker",
    "a leading tab where the worker fails": """
        window.SharedWorker = class { constructor() { this.port = {postMessage() {}};
            queueMicrotask(() => this.onerror(new Event('error'))); } }""",
}


class Streams:
    """Counts the streams that are open on an application, and those that ever were."""

    def __init__(self, application: Starlette) -> None:
        self._application = application
        self.open = self.ever = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_stream = scope["type"] == "http" and scope["path"] == "/matches/m7k2/events"
        self.open += is_stream
        self.ever += is_stream
        try:
            await self._application(scope, receive, send)
        finally:
            self.open -= is_stream


@pytest.fixture
def streams() -> Streams:
    return Streams(pages_preview.application())


@pytest.fixture
def site(streams: Streams) -> Iterator[str]:
    with served(streams) as address:  # type: ignore[arg-type]
        yield address


@contextmanager
def visitor(browser: Browser, script: str, size: dict[str, int]) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-GB", viewport=size)  # type: ignore[arg-type]
    if script:
        context.add_init_script(script)
    yield context
    context.close()


def follows(page: Page) -> None:
    """The page has folded something new: the next board of the preview's stream."""
    expect(page.locator("#room-open .board-number b")).to_have_text("29", timeout=15_000)


@pytest.mark.parametrize(
    ("way", "size"), list(zip(WITHOUT, (NARROW, WIDE, NARROW), strict=True)), ids=list(WITHOUT)
)
def test_seven_tabs_of_a_match_share_one_stream(
    browser: Browser, site: str, streams: Streams, way: str, size: dict[str, int]
) -> None:
    """Symptom: the seventh tab never loaded, as six streams held every connection to the host.

    Each is there within two seconds; on a busy machine within twice what the first took, which had no others.
    """
    alone = 0.0
    with visitor(browser, WITHOUT[way], size) as context:
        tabs: list[Page] = []
        for _ in range(TABS):
            page = context.new_page()
            faults = Faults(page)
            begun = time.monotonic()
            page.goto(f"{site}/matches/m7k2")
            expect(page.locator("#room-open .step-buttons")).to_be_visible()
            took = time.monotonic() - begun
            alone = alone or took
            assert took < max(2.0, 2 * alone)
            tabs.append(page)
        for page in tabs:
            follows(page)
        assert streams.open == 1
        assert faults.told == []


@pytest.mark.parametrize("way", ["a shared worker", "a leading tab"])
def test_the_stream_goes_on_when_the_tab_that_opened_it_closes(
    browser: Browser, site: str, streams: Streams, way: str
) -> None:
    with visitor(browser, WITHOUT[way], WIDE) as context:
        first, second = context.new_page(), context.new_page()
        for page in (first, second):
            page.goto(f"{site}/matches/m7k2")
            follows(page)
        first.close()
        before = second.locator(CALLS).count()
        expect(second.locator(CALLS).nth(before + 1)).to_be_visible(timeout=15_000)
        assert streams.open == 1


@pytest.mark.parametrize("way", ["a shared worker", "a leading tab"])
def test_hidden_tabs_let_go_and_come_back(browser: Browser, site: str, streams: Streams, way: str) -> None:
    with visitor(browser, WITHOUT[way], NARROW) as context:
        page = context.new_page()
        page.clock.install()
        page.goto(f"{site}/matches/m7k2")
        follows(page)
        assert streams.open == 1
        show(page, hidden=True)
        page.clock.run_for(6_000)
        wait_until(page, streams, 0)
        show(page, hidden=False)
        wait_until(page, streams, 1)


def test_page_asks_for_itself_when_its_worker_cannot_connect(browser: Browser, site: str) -> None:
    """Symptom: a worker that the network was closed to left every tab reconnecting for good."""
    troubled = """
        window.SharedWorker = class { constructor() { this.port = {postMessage: ({type}) => type === 'join' &&
            this.port.onmessage({data: {type: 'joined', isFresh: true, state: 'reconnecting'}})}; } }"""
    events = [
        {"id": f"1-{place}", "event": name, "data": data}
        for place, (name, data) in enumerate(list(sample_states.feed(29, "open"))[:5], start=413)
    ]
    with visitor(browser, troubled, WIDE) as context:
        page = context.new_page()
        page.route("**/api/matches/m7k2/events*", lambda route: route.fulfill(json={"events": events}))
        page.clock.install()
        page.goto(f"{site}/matches/m7k2")
        expect(page.locator("[data-part=connection]")).to_have_text("RECONNECTING")
        page.clock.run_for(35_000)
        follows(page)
        expect(page.locator("[data-part=connection]")).to_be_hidden()


def show(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def wait_until(page: Page, streams: Streams, number: int) -> None:
    for _ in range(100):
        if streams.open == number:
            return
        time.sleep(0.05)
    raise AssertionError(f"{streams.open} streams are open")

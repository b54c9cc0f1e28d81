"""An embed in a WordPress post: filtered, sandboxed, and speaking with WordPress's script by its secret."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.scenarios.browser import CHROMIUM, chromium
from tests.scenarios.entered_matches import Entered, calls, entered, opening
from tests.scenarios.other_site import RESOLVER, OtherSite, named, other_site
from tests.scenarios.wordpress import SCRIPT, SECRET, filtered
from tests.serving import Served, serving

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as started:
        yield started


@pytest.fixture
def site() -> Iterator[OtherSite]:
    with other_site() as started:
        yield started


@pytest.fixture
def match(served: Served) -> Iterator[Entered]:
    with entered(served) as made:
        yield made


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium(RESOLVER) as started:
        yield started


def post(served: Served, site: OtherSite, match: Entered) -> str:
    """The address of a post with the embed that WordPress makes of the match's address."""
    address = f"{served.address}/matches/{match.id}"
    html = filtered(served.get("/oembed", params={"url": address})["html"])
    assert html is not None
    return site.shows(
        f"{html}<script>{SCRIPT}</script>".replace(served.address, named(served.address)), "/post"
    )


def test_embed_in_a_post_is_fitted_live_and_leads_to_its_page(
    served: Served, site: OtherSite, match: Entered, browser: Browser
) -> None:
    match.open.enters(opening(1), *calls(1, "1C"))
    page = browser.new_page(viewport={"width": 800, "height": 1200}, locale="en-GB")
    page.goto(post(served, site, match))
    element = page.locator("iframe")
    frame = page.frames[1]
    expect(element).to_be_visible()
    expect(page.locator("blockquote")).to_be_hidden()
    fitted(page)
    assert frame.evaluate("origin") == "null"
    expect(frame.locator("#room-open .auction .call")).to_have_count(1)
    match.open.enters(*calls(1, "1C", "Pass")[1:])
    expect(frame.locator("#room-open .auction .call")).to_have_count(2, timeout=15_000)

    before = element.get_attribute("height")
    page.evaluate(f"postMessage({{message: 'height', value: 999, secret: '{SECRET}'}}, '*')")  # not the frame's
    frame.evaluate("parent.postMessage({message: 'height', value: 999, secret: 'another'}, '*')")
    page.evaluate(f"frames[0].postMessage({{message: 'ready', secret: '{SECRET}'}}, '*')")
    fitted(page)
    assert element.get_attribute("height") == before

    frame.locator(".embed-foot a").click()
    page.wait_for_url(f"**/matches/{match.id}")
    assert page.context.cookies() == []


def fitted(page: Page) -> None:
    """WordPress gives what is asked for, from 200 to 1000 pixels."""
    page.frames[1].wait_for_function(
        "() => { const height = Math.ceil(document.querySelector('.embed').getBoundingClientRect().height);"
        " return height > 100 && innerHeight === Math.min(1000, Math.max(200, height)); }"
    )

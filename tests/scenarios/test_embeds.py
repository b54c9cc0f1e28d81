"""Embeds on a page of another site, in a real browser and at a real server."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from tests.scenarios.browser import CHROMIUM, Faults, chromium
from tests.scenarios.entered_matches import Entered, calls, claim, entered, one_notrump, opening, tell
from tests.scenarios.other_site import HOUSE, RESOLVER, OtherSite, named, other_site
from tests.serving import Json, Served, serving

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

SIZE = {"width": 900, "height": 6000}
"""High enough to show every embed of a page: frames out of sight are not drawn."""
SHOWN = "frame => [document.documentElement.scrollHeight, innerHeight]"
EMBEDDED = """() => [...document.querySelectorAll('twinroom-embed')].every(
  ({ shadowRoot }) => shadowRoot?.querySelector('iframe').style.height !== '420px')"""
STORED = """() => {
  for (const name of ['localStorage', 'sessionStorage']) {
    try { if (window[name].length) return name; } catch { /* closed to a frame without an origin */ }
  }
  try { return document.cookie; } catch { return ''; }
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium(RESOLVER) as started:
        yield started


@pytest.fixture(scope="module")
def site() -> Iterator[OtherSite]:
    with other_site() as started:
        yield started


@pytest.fixture
def match(served: Served) -> Iterator[Entered]:
    with entered(served) as made:
        yield made


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=SIZE, locale="en-GB")  # type: ignore[arg-type]
    yield made
    made.close()


def ladder_of(served: Served) -> str:
    ladder: str = served.post("/api/ladders", {"name": "Club ladder"})["id"]
    enter(served, ladder, "Astra")
    return ladder


def enter(served: Served, ladder: str, name: str) -> None:
    players = [f"{name} {place}" for place in range(4)]
    team = served.post("/api/teams", {"name": f"{name} of {ladder}", "players": players})
    served.post(f"/api/ladders/{ladder}/entries", {"team": team["id"]})


def begin(match: Entered) -> None:
    match.open.enters(opening(1), *calls(1, "1C", "Pass"))
    match.closed.enters(opening(1))


def frames(page: Page) -> list[Frame]:
    return [frame for frame in page.frames if frame.parent_frame is not None]


def embedded(page: Page, count: int) -> list[Frame]:
    """So many frames of ours, as soon as their addresses are known."""
    while len(found := [frame for frame in frames(page) if "/embed/" in frame.url]) < count:
        page.wait_for_event("framenavigated")
    return found


def frame_of(page: Page, part: str) -> Frame:
    (found,) = [frame for frame in frames(page) if part in frame.url]
    return found


def is_fitted(frame: Frame) -> None:
    """As high as its content: no scroll bar within, nothing empty below."""
    frame.wait_for_function(
        "() => document.querySelector('.embed').getBoundingClientRect().height > 100"
        " && Math.abs(document.querySelector('.embed').getBoundingClientRect().height - innerHeight) <= 1"
        " && document.documentElement.scrollHeight <= innerHeight"
    )


def viewers(match: Entered) -> int:
    told: Json = match.director.get("/health").raise_for_status().json()
    return int(told["viewers"])


def stores_nothing(context: BrowserContext, page: Page) -> None:
    assert context.cookies() == []
    assert context.storage_state()["origins"] == []
    assert [each.evaluate(STORED) for each in page.frames] == [""] * len(page.frames)


def test_seven_embeds_of_all_kinds_on_another_site(
    served: Served, site: OtherSite, match: Entered, context: BrowserContext
) -> None:
    """All live, all fitted, one stream for the match and one for the ladder, nothing stored."""
    house, ladder = named(served.address), ladder_of(served)
    begin(match)
    where, framed = f"{house}/matches/{match.id}", f"{house}/embed/matches/{match.id}"
    page = context.new_page()
    faults = Faults(page)
    page.goto(
        site.shows(
            f"""<script src="{house}/embed.js" async></script>
            <twinroom-embed src="{where}"><a href="{where}">Both rooms</a></twinroom-embed>
            <twinroom-embed src="{where}" show="closed" theme="dark" accent="#fa0" lang="zh"></twinroom-embed>
            <twinroom-embed src="{where}" show="score" background="fec"></twinroom-embed>
            <twinroom-embed src="{where}/boards/1.1"></twinroom-embed>
            <twinroom-embed src="{house}/ladders/{ladder}" style="width: 280px"></twinroom-embed>
            <iframe src="{house}/embed/matches" title="Matches" width="600" height="150"></iframe>
            <iframe src="{framed}?show=result" sandbox="allow-scripts" title="Result"></iframe>"""
        )
    )
    both = page.frame_locator("twinroom-embed >> nth=0 >> iframe")
    expect(both.locator("#room-open .auction .call")).to_have_count(2)
    assert len(frames(page)) == 7
    for frame in frames(page):
        is_fitted(frame)
    board = frame_of(page, "/boards/1.1")
    expect(board.locator("#room-open .step-buttons")).to_be_visible()

    match.open.enters(*calls(1, "1C", "Pass", "1NT")[2:])
    expect(both.locator("#room-open .auction .call")).to_have_count(3)
    expect(board.locator("#room-open .auction .call")).to_have_count(3)
    match.closed.enters(*calls(1, "1S"))
    expect(frame_of(page, "show=closed").locator("#room-closed .auction .call")).to_have_count(1)
    match.open.enters({"type": "undo", "steps": 3}, *calls(1, "1NT", "Pass", "Pass", "Pass"), claim(1, 9))
    match.closed.enters({"type": "undo", "steps": 1}, *calls(1, "1NT", "Pass", "Pass", "Pass"), claim(1, 4))
    score = frame_of(page, "show=score")
    expect(score.locator("[data-part=imps-home]")).to_have_text("7")
    expect(frame_of(page, "show=result").locator(".boards tbody .gain.home").first).to_have_text("7")
    expect(board.locator(".swing-line")).to_have_text("Modra gains 7 IMPs")
    enter(served, ladder, "Borek")
    expect(frame_of(page, "/ladders/").locator(".rung")).to_have_count(2)
    for frame in frames(page):
        is_fitted(frame)
    assert viewers(match) == 2
    stores_nothing(context, page)
    assert faults.told == []
    assert frame_of(page, "show=result").evaluate("origin") == "null"


def test_plain_frames_share_a_worker_on_our_site_and_ask_on_others(
    served: Served, site: OtherSite, match: Entered, context: BrowserContext
) -> None:
    """Symptom elsewhere: of eight frames with a stream each six connected, and the page hung with the rest.

    Browsers that close storage to other sites close workers to their frames, too: then each asks by its cursor.
    """
    for room in (match.open, match.closed):
        room.enters(opening(1), *calls(1, "1NT", "Pass", "Pass", "Pass"))
    address = f"{named(served.address)}/embed/matches/{match.id}"
    plain = "".join(f'<iframe src="{address}?show=score&call={n}" title="{n}"></iframe>' for n in range(7))
    ours, theirs, alone = (context.new_page() for _ in range(3))
    ours.goto(named(site.shows(plain, "/plain"), f"www.{HOUSE}") + "/plain")
    theirs.goto(site.shows(plain, "/plain"))
    alone.goto(site.shows(f'<iframe src="{address}" sandbox="allow-scripts" title="alone"></iframe>', "/alone"))
    pages = (ours, theirs, alone)
    for page in pages:
        for frame in frames(page):
            expect(frame.locator("[data-part=imps-home]")).to_have_text("0")
    match.open.enters(claim(1, 9))
    match.closed.enters(claim(1, 4))
    for page in pages:
        for frame in frames(page):
            expect(frame.locator("[data-part=imps-home]")).to_have_text("7", timeout=15_000)
        stores_nothing(context, page)
    assert viewers(match) == 1


def test_match_that_ends_becomes_its_archive(
    served: Served, site: OtherSite, match: Entered, context: BrowserContext
) -> None:
    house = named(served.address)
    page = context.new_page()
    embed = f'<twinroom-embed src="{house}/matches/{match.id}">Final</twinroom-embed>'
    page.goto(site.shows(f'{embed}<script src="{house}/embed.js"></script>', "/ends"))
    frame = page.frame_locator("twinroom-embed >> iframe")
    expect(frame.locator("#content")).to_have_attribute("data-stage", "announced")
    tell(match)
    expect(frame.locator("#content")).to_have_attribute("data-stage", "over", timeout=15_000)
    expect(frame.locator(".boards tbody tr")).to_have_count(2)
    expect(frame.locator(".rooms")).to_have_count(0)
    is_fitted(embedded(page, 1)[0])


def test_heights_are_taken_from_our_frames_only_and_end_somewhere(
    served: Served, site: OtherSite, match: Entered, context: BrowserContext
) -> None:
    """Symptom elsewhere: a block as high as the frame made it grow for ever, and any window set any height."""
    house = named(served.address)
    post = "parent.postMessage({twinroom: 'height', value}, '*')"
    evil = f"<script>for (const value of [99999, '<img>', NaN]) {post}</script>"
    page = context.new_page()
    site.shows(evil, "/evil")
    page.goto(
        site.shows(
            f"""<twinroom-embed src="{house}/matches/{match.id}" show="score"></twinroom-embed>
            <twinroom-embed src="{house}/matches/{match.id}" show="score" height="333"></twinroom-embed>
            <script src="{house}/embed.js"></script><iframe src="/evil" title="evil"></iframe>""",
            "/heights",
        )
    )
    ours, fixed = (page.locator("twinroom-embed").nth(place) for place in (0, 1))
    page.wait_for_function("frames.length === 1 && document.querySelectorAll('twinroom-embed').length === 2")
    page.wait_for_function(EMBEDDED)
    frame, _ = embedded(page, 2)
    is_fitted(frame)
    before = height(ours)
    assert (120 <= before < 300, height(fixed)) == (True, 333)
    for value in ("'<img>'", "NaN", "Infinity", "null", "{}"):
        frame.evaluate(f"parent.postMessage({{twinroom: 'height', value: {value}}}, '*')")
    settle(page)
    assert (height(ours), height(fixed)) == (before, 333)
    frame.evaluate("parent.postMessage({twinroom: 'height', value: 99999}, '*')")
    page.wait_for_function("document.querySelector('twinroom-embed').offsetHeight === 4000")
    frame.evaluate(
        "() => { const block = document.createElement('div'); block.style.height = 'calc(100vh + 50px)';"
        " document.getElementById('content').append(block); }"
    )
    settle(page)
    assert height(ours) <= 4000
    frame.evaluate("parent.postMessage({twinroom: 'height', value: 200}, '*')")
    page.wait_for_function("document.querySelector('twinroom-embed').offsetHeight < 1000")
    settle(page)
    grown = height(ours)
    settle(page)
    assert height(ours) == grown < 1000


def height(embed: object) -> float:
    return float(embed.evaluate("each => each.offsetHeight"))  # type: ignore[attr-defined]


def settle(page: Page) -> None:
    """Wait until messages and layouts that are under way have arrived."""
    page.evaluate(
        "async () => { for (let turn = 0; turn < 10; turn += 1)"
        " await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }"
    )


def test_pages_of_ours_that_are_no_embeds_cannot_be_framed(
    served: Served, site: OtherSite, match: Entered, context: BrowserContext
) -> None:
    house = named(served.address)
    page = context.new_page()
    with page.expect_console_message(lambda said: "frame-ancestors 'none'" in said.text):
        page.goto(site.shows(f'<iframe src="{house}/matches/{match.id}" title="page"></iframe>', "/framed"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_embeds_are_accessible_and_fit_280_pixels(
    served: Served, match: Entered, browser: Browser, theme: str
) -> None:
    begin(match)
    ladder = ladder_of(served)
    paths = [
        f"/embed/matches/{match.id}",
        f"/embed/matches/{match.id}?show=result&accent=ff8800",
        f"/embed/matches/{match.id}/boards/1.1?background=334455",
        f"/embed/ladders/{ladder}?background=fed",
        "/embed/matches?lang=zh",
        "/embed/matches/none",
        "/embed",
    ]
    page = browser.new_page(viewport={"width": 280, "height": 800}, color_scheme=theme)  # type: ignore[arg-type]
    for path in paths if theme == "light" else paths[::2]:
        page.set_viewport_size({"width": 320 if path == "/embed" else 280, "height": 800})
        page.goto(served.address + path)
        assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth"), path
        found = Axe().run(page).response["violations"]
        serious = [rule for rule in found if rule["impact"] in ("serious", "critical")]
        told = [(rule["id"], [node["html"][:160] for node in rule["nodes"]][:3]) for rule in serious]
        assert told == [], path
    page.close()


def test_without_scripts_the_state_and_a_link_are_there(
    served: Served, site: OtherSite, match: Entered, browser: Browser
) -> None:
    for room in (match.open, match.closed):
        room.enters(*one_notrump(1), claim(1, 7))
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    house = named(served.address)
    page.goto(
        site.shows(
            f'<iframe src="{house}/embed/matches/{match.id}" title="match"></iframe>'
            f'<twinroom-embed src="{house}/"><a href="{house}">The final</a></twinroom-embed>',
            "/plain",
        )
    )
    frame = page.frame_locator("iframe")
    expect(frame.locator(".score-foot")).to_contain_text("after 1 of 2 boards")
    expect(frame.locator(".embed-foot a")).to_have_attribute("href", f"/matches/{match.id}")
    expect(page.locator("twinroom-embed a")).to_be_visible()
    context.close()


def test_hidden_results_and_playing_area_keep_what_they_promise(
    served: Served, match: Entered, context: BrowserContext
) -> None:
    match.open.enters(*one_notrump(1), claim(1, 9))
    match.closed.enters(opening(1), *calls(1, "1NT", "Pass", "Pass", "Pass"))
    page = context.new_page()
    address = f"{served.address}/embed/matches/{match.id}"
    page.goto(address)
    expect(page.locator(".worth")).to_be_visible()
    page.goto(f"{address}?area=playing")
    expect(page.locator("#room-open .contract-line")).to_contain_text("1NT")
    expect(page.locator(".worth")).to_be_hidden()
    match.closed.enters(claim(1, 4))
    expect(page.locator("[data-part=imps-home]")).to_have_text("7")
    expect(page.locator(".needs")).to_be_hidden()
    page.goto(f"{address}?results=hidden")
    expect(page.locator(".score-foot")).to_have_text("Results are hidden")
    page.goto(f"{address}/boards/1.1?results=hidden")
    expect(page.locator("#room-open .auction .call")).to_have_count(0)
    page.locator("#room-open [data-step=forward]").click()
    expect(page.locator("#room-open .auction .call")).to_have_count(1)
    assert page.evaluate("history.length") == 5


def test_page_writes_the_line_and_shows_it(served: Served, match: Entered, context: BrowserContext) -> None:
    page = context.new_page()
    faults = Faults(page)
    page.goto(f"{served.address}/embed?address=/matches/{match.id}")
    lines = page.locator(".line textarea")
    page.locator("[name=show]").select_option("score")
    expect(lines.nth(0)).to_have_value(f"{served.address}/matches/{match.id}?show=score")
    page.locator("[name=accent]").fill("#0B5D4B")
    page.locator("[name=accent]").press("Enter")
    expect(lines.nth(1)).to_have_value(
        f'<script src="{served.address}/embed.js" async></script>'
        f'<twinroom-embed src="{served.address}/matches/{match.id}" show="score" accent="0b5d4b">'
        f'<a href="{served.address}/matches/{match.id}">Modra – Vihar · Club final</a></twinroom-embed>'
    )
    expect(lines.nth(2)).to_have_value(
        f'<iframe src="{served.address}/embed/matches/{match.id}?show=score&amp;accent=0b5d4b"'
        ' title="Modra – Vihar · Club final" width="100%" height="200" frameborder="0" loading="lazy"></iframe>'
    )
    is_fitted(embedded(page, 1)[0])
    page.locator("[data-copy]").first.click()
    expect(page.locator("[data-copy]").first).to_have_text("Copied")
    page.locator("[name=board]").fill("1.1")
    page.locator("[name=board]").press("Enter")
    expect(lines.nth(0)).to_have_value(f"{served.address}/matches/{match.id}/boards/1.1?accent=0b5d4b")
    assert faults.told == []

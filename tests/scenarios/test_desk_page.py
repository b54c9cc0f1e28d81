"""The director's desk in a real browser at a real server: a match from setting it up to closing it."""

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.scenarios.browser import CHROMIUM, NARROW, WIDE, Faults
from tests.scenarios.entered_matches import Room
from tests.scenarios.operators import Operator, made_calls, pbn_deals, played_cards
from tests.serving import Served, serving

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

PASSWORD = "a long and easy password"  # noqa: S105
OPENING = {"type": "open_board", "segment": 1, "board": 1}
NOTRUMP = "1NT Pass 3NT Pass Pass Pass"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as started:
        with started.local() as local:
            for path, more in (("/api/accounts", {"role": "director"}), ("/api/accounts/password", {})):
                body = {"name": "ann", "password": PASSWORD, **more}
                local.post(path, json=body).raise_for_status()
        yield started


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as entered:
        yield entered


@pytest.fixture
def director(served: Served, browser: Browser) -> Iterator[Page]:
    """Ann, signed in, on her way to the desk."""
    context = browser.new_context(viewport=WIDE, locale="en-GB", base_url=served.address)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/desk")
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/desk")
    yield page
    context.close()


def set_up(page: Page, title: str, *, rule: str = "board") -> str:
    """A match of two boards with uploaded deals; its id."""
    page.goto("/desk/new")
    page.get_by_label("Title").fill(title)
    page.locator("[name=home_name]").fill("Modra")
    page.locator("[name=visitors_name]").fill("Vihar")
    page.get_by_label("Last board").fill("2")
    page.locator(f"[name=rule][value={rule}]").check()
    page.locator("[name=deals][value=file]").check()
    deals = {"name": "deals.pbn", "mimeType": "text/plain", "buffer": pbn_deals(2).encode()}
    page.locator("[name=deals_file]").set_input_files(deals)  # type: ignore[arg-type]
    expect(page.locator(".choice", has_text="deals.pbn")).to_contain_text("2 of 2 boards")
    page.get_by_role("button", name="Make the match").click()
    page.wait_for_url("**/desk/*?done=made")
    return str(re.findall(r"/desk/(\w+)", page.url)[0])


def test_director_sets_a_match_up_watches_corrects_clears_and_closes_it(
    served: Served, browser: Browser, director: Page, stack: ExitStack
) -> None:
    faults = Faults(director)
    match = set_up(director, "Club final")

    # links for both rooms; the operators open them on their phones
    director.get_by_role("link", name="Links for the operators").click()
    links = [director.locator(f"#link-{room}").input_value() for room in ("open", "closed")]
    expect(director.locator(".qr")).to_have_count(2)
    phone = browser.new_context(viewport=NARROW, locale="en-GB")  # type: ignore[arg-type]
    operator = Operator.by_link(phone, links[0])
    first, second = (
        Room(stack.enter_context(served.client(link.partition("#")[2])), match, name)
        for name, link in zip(("open", "closed"), links, strict=True)
    )

    # both rooms are on the desk as they are played, before the public sees anything
    director.goto(f"/desk/{match}")
    desk_open, desk_closed = director.locator("#room-open"), director.locator("#room-closed")
    operator.open_next()
    operator.enter(*made_calls(1, "1NT"))
    expect(desk_open.locator(".auction")).to_contain_text("1NT")
    operator.stored()
    first.enters(*made_calls(1, NOTRUMP)[1:], *played_cards(1, NOTRUMP, 2))
    expect(desk_open.locator(".trick .card-face")).to_have_count(2)
    public = served.get(f"/api/matches/{match}/boards/1.1")
    assert public["deal"] is None and public["open"]["auction"] == []
    claim = {"type": "claim", "seat": "N", "accepted": True}
    first.enters({**claim, "tricks": 9})
    second.enters(OPENING, *made_calls(1, NOTRUMP), *played_cards(1, NOTRUMP, 1))
    expect(desk_closed.locator(".contract-box")).to_contain_text("3NT")
    second.enters({**claim, "tricks": 13})

    # double-dummy analysis doubts both claims; one alarm is cleared with a reason
    alarms = director.locator(".alarm", has_text="Double-dummy analysis gives declarer")
    expect(alarms).to_have_count(2, timeout=40_000)
    alarm = alarms.first
    alarm.get_by_placeholder("Reason").fill("the table agreed")
    alarm.get_by_role("button", name="Clear").click()
    expect(alarms).to_have_count(1)

    # a result is corrected; first it is shown what that changes
    director.goto(f"/desk/{match}/boards/1.1")
    director.locator(".desk-board-room").first.get_by_role("link", name="Correct a result").click()
    director.locator("[name=tricks]").select_option("12")
    director.get_by_label("Reason").fill("three more tricks than claimed")
    director.get_by_role("button", name="Show what will change").click()
    effects = director.locator(".effects")
    expect(effects).to_contain_text("0 – 3 → 0 – 1")
    assert served.get(f"/api/matches/{match}/boards/1.1")["open"]["tricks"] == 9
    director.get_by_role("button", name="Do it").click()
    director.wait_for_url("**?done=correct_result")
    corrected = served.get(f"/api/matches/{match}/boards/1.1")["open"]
    assert (corrected["tricks"], corrected["source"]) == (12, "director")

    # closed, with what that changes
    director.get_by_role("link", name="Close the match").click()
    director.get_by_label("Reason").fill("time is up")
    director.get_by_role("button", name="Show what will change").click()
    expect(effects).to_contain_text("being played → closed")
    director.get_by_role("button", name="Do it").click()
    director.wait_for_url("**?done=close")
    expect(director.locator("#desk-score")).to_contain_text("closed: time is up")
    assert served.get(f"/api/matches/{match}")["status"] == "closed"
    assert faults.told == operator.faults == []
    phone.close()


def test_setting_up_is_kept_while_it_is_typed_and_resumed_elsewhere(
    served: Served, browser: Browser, director: Page
) -> None:
    director.goto("/desk/new")
    director.get_by_label("Title").fill("Autumn league, round 3")
    expect(director.locator("[data-part=saved]")).to_have_text("saved")
    address = director.url
    assert address.endswith("/setup")
    director.get_by_label("Last board").fill("12")
    expect(director.locator("[data-part=saved]")).to_have_text("saved")
    without_scripts = browser.new_context(java_script_enabled=False, locale="en-GB", base_url=served.address)
    without_scripts.add_cookies(director.context.cookies())  # type: ignore[arg-type]
    page = without_scripts.new_page()
    page.goto("/desk")
    page.get_by_role("link", name="Autumn league, round 3").click()
    expect(page.get_by_label("Last board")).to_have_value("12")
    page.get_by_role("button", name="Add a segment").click()
    expect(page.locator("[name=seg2_first]")).to_have_value("13")
    page.get_by_role("button", name="Make the match").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose or name both teams")
    page.get_by_role("button", name="Give it up").click()
    page.wait_for_url("**/desk?done=given_up")
    expect(page.get_by_role("link", name="Autumn league, round 3")).to_have_count(0)
    without_scripts.close()


def test_copy_withdrawn_links_and_every_page_of_the_desk_are_usable_and_fit(
    served: Served, director: Page
) -> None:
    match = set_up(director, "Cup, semifinal", rule="match")
    director.get_by_role("button", name="Copy into a new match").click()
    director.wait_for_url("**/setup?copied=1")
    expect(director.get_by_label("Title")).to_have_value("Cup, semifinal")
    draft = director.url
    director.goto(f"/desk/{match}/operators")
    room = director.locator(".operator-room").first
    link = director.locator("#link-open").input_value()
    room.get_by_role("button", name="Another link").click()
    assert director.locator("#link-open").input_value() != link
    room.get_by_role("button", name="Withdraw all links").click()
    expect(room).to_contain_text("nobody can enter")

    # a second pair of eyes: a link for both rooms, shown once, and all of them withdrawn
    checking = director.locator("#room-check-name").locator("..")
    expect(checking).to_contain_text("nobody checks the results")
    checking.get_by_role("button", name="Make a link").click()
    shown = director.locator("#link-check").input_value()
    expect(checking.locator(".qr")).to_have_count(1)
    token = {"token": shown.partition("/confirm/enter#")[2]}
    with served.client() as phone:
        phone.headers["origin"] = served.address
        assert phone.post("/confirm/session", json=token).json()["match"] == match
        director.goto(f"/desk/{match}/operators")
        expect(director.locator("#link-check")).to_have_count(0)
        expect(checking).to_contain_text("1 link is good until")
        checking.get_by_role("button", name="Withdraw all links").click()
        expect(checking).to_contain_text("nobody checks the results")
        assert phone.post("/confirm/session", json=token).json()["error"] == "link_revoked"
    director.goto("/desk")
    expect(director.locator(".desk-match", has_text="Cup, semifinal")).to_contain_text(
        "Open room: nobody can enter"
    )
    paths = ["/desk", draft, *(f"/desk/{match}{part}" for part in ("", "/boards/1.1", "/operators"))]
    paths += [
        f"/desk/{match}/rulings/{name}" for name in ("correct_result", "split", "penalty", "lineup", "release")
    ]
    director.set_viewport_size({"width": 320, "height": 700})
    axe = Axe()
    for path in paths:
        director.goto(path)
        assert director.evaluate("document.querySelector('main').scrollWidth") <= 320, path
        assert not axe.run(director).response["violations"], path

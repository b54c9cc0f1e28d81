"""A ladder's pages on the real server: rows move under the viewer's eyes, a captain challenges by a button."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.scenarios.browser import CHROMIUM, NARROW, Faults
from tests.serving import Json, Served, posted, serving

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

RULES: Json = {
    "schedule": "at_once",
    "boards": 2,
    "deals": "typed",
    "correction_minutes": 0,
    "time_zone": "Europe/Ljubljana",
}
NAMES = ("Modra", "Vihar", "山茶", "Astra", "Borek", "Celje")
LED = ("Modra", "Astra")
PASSWORD = "correct horse battery"  # noqa: S105 - of this test's captains
ROWS = """() => [...document.querySelectorAll('.rung')].map(row => row.outerHTML
    .replace(/ is-(changed|mine)/g, '').replace(/>\\s+/g, '>').replace(/\\s+</g, '<'))"""
PLACES = "() => [...document.querySelectorAll('.rung')].map(row => row.offsetTop)"


@dataclass
class Club:
    served: Served
    ladder: str
    teams: list[str]

    def challenged(self, challenger: int, opponent: int) -> str:
        version = self.served.get(f"/api/ladders/{self.ladder}")["version"]
        asked = {"team": self.teams[challenger], "opponent": self.teams[opponent], "ladder_version": version}
        made: str = self.served.post(f"/api/ladders/{self.ladder}/challenges", asked)["id"]
        return made

    def accepted(self, challenge: str, defender: int) -> None:
        self.served.post(f"/api/challenges/{challenge}/accept", {"team": self.teams[defender]})

    def played(self, challenge: str) -> None:
        """Won by the challenger in both rooms: with the last result the rungs are swapped."""
        match = self.served.get(f"/api/challenges/{challenge}")["match"]
        for room, tricks in (("open", 6), ("closed", 9)):
            for board in (1, 2):
                result = {"type": "result", "contract": "1NT", "declarer": "N", "tricks": tricks}
                entries = [{"type": "open_board", "segment": 1, "board": board}, result]
                self.served.post(f"/api/matches/{match}/rooms/{room}/commands", {"commands": entries})


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with serving(tmp_path_factory.mktemp("club")) as served:
        ladder = served.post("/api/ladders", {"name": "Club ladder", "rules": RULES})["id"]
        teams = []
        with served.local() as client:
            director = {"name": "Dora", "role": "director", "password": PASSWORD}
            client.post("/api/accounts", json=director).raise_for_status()
            for name in NAMES:
                captain = {"name": f"Captain of {name}", "role": "captain", "password": PASSWORD}
                if name in LED:
                    client.post("/api/accounts", json=captain).raise_for_status()
                body: Json = {"name": name, "players": [f"{name} {seat}" for seat in "NESW"]}
                team = posted(
                    client, "/api/teams", body | ({"captain": captain["name"]} if name in LED else {})
                )
                teams.append(team["id"])
                posted(client, f"/api/ladders/{ladder}/entries", {"team": team["id"]})
        yield Club(served, ladder, teams)


def signed_in(browser: Browser, club: Club, name: str) -> BrowserContext:
    context = browser.new_context(locale="en-GB", viewport=NARROW)  # type: ignore[arg-type]
    page = context.new_page()
    sign_in(page, club, name)
    page.close()
    return context


def sign_in(page: Page, club: Club, name: str) -> None:
    page.goto(f"{club.served.address}/sign-in")
    page.locator("form [name=name]").fill(name)
    page.locator("form [name=password]").fill(PASSWORD)
    page.locator("form button.button-main").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)


def names(page: Page) -> list[str]:
    return page.locator(".rung-team").all_inner_texts()


def test_captain_challenges_and_rows_move_for_everybody(browser: Browser, club: Club) -> None:
    address = f"{club.served.address}/ladders/{club.ladder}"
    viewers = browser.new_context(locale="en-GB")
    viewer = viewers.new_page()
    faults = Faults(viewer)
    viewer.goto(address)
    places = viewer.evaluate(PLACES)

    captains = signed_in(browser, club, "Captain of Astra")
    captain = captains.new_page()
    captain_faults = Faults(captain)
    captain.goto(address)
    expect(captain.get_by_role("link", name="To my team rung 4")).to_be_visible()
    first = captain.locator(f"#team-{club.teams[0]}")
    expect(first).to_contain_text("If you win: you on rung 1, Modra on rung 4. If you lose: nothing moves.")
    violations = Axe().run(captain).response["violations"]
    assert [rule["id"] for rule in violations if rule["impact"] in ("serious", "critical")] == []

    other = club.challenged(4, 1)  # what the page says of that row, and the version, change while it is open
    expect(captain.locator(f"#team-{club.teams[1]}")).to_contain_text("challenged by Borek")
    expect(first.locator("[name=version]")).to_have_value(
        str(club.served.get(f"/api/ladders/{club.ladder}")["version"])
    )
    first.get_by_role("button", name="Challenge Modra").click()
    captain.wait_for_url("**/challenges/**")
    expect(captain.locator(".way-step.is-now")).to_contain_text(
        "Modra accepts: the match is made and may start."
    )
    expect(captain.locator(".way-step .clock")).to_contain_text("Modra forfeits and the rungs move.")
    expect(viewer.locator(f"#team-{club.teams[0]}")).to_contain_text("challenged by Astra")
    challenge = captain.url.rpartition("/")[2]
    captain.go_back()
    refused = captain.locator(f"#team-{club.teams[2]} .rung-act")
    expect(refused).to_have_text("You have as many challenges under way as a team may make at once.")
    expect(captain.locator(".rung-act button")).to_have_count(0)

    club.accepted(other, 1)
    club.played(other)
    expect(viewer.locator(".rung-team").nth(1)).to_have_text("Borek")
    expect(viewer.locator(".rung-team").nth(4)).to_have_text("Vihar")
    expect(viewer.locator(".rung.is-changed").nth(0)).to_be_attached()
    expect(viewer.locator("[data-part=steps] .move").first).to_contain_text(
        "Borek climbs from rung 5 to 2; Vihar falls from rung 2 to 5"
    )
    assert names(viewer) == ["Modra", "Borek", "山茶", "Astra", "Vihar", "Celje"]
    assert viewer.evaluate(PLACES) == places, "rows went from place to place, and no place moved"
    fresh = viewers.new_page()
    fresh.goto(address)
    assert viewer.evaluate(ROWS) == fresh.evaluate(ROWS)

    defenders = signed_in(browser, club, "Captain of Modra")
    defender = defenders.new_page()
    defender.goto(f"{club.served.address}/challenges/{challenge}")
    defender.get_by_role("link", name="My next step").click()
    defender.locator(f"#challenge-{challenge}").get_by_role("button", name="Accept", exact=True).click()
    expect(viewer.locator(f"#team-{club.teams[0]}")).to_contain_text("plays Astra")
    club.played(challenge)
    expect(viewer.locator(".rung-team").first).to_have_text("Astra")
    expect(viewer.locator(".rung-team").nth(3)).to_have_text("Modra")
    assert names(viewer) == ["Astra", "Borek", "山茶", "Modra", "Vihar", "Celje"]
    captain.goto(f"{club.served.address}/challenges/{challenge}")
    expect(captain.locator(".way-step.is-now")).to_contain_text("climbs to the rung on which Modra stood.")
    assert faults.told == captain_faults.told == []
    for context in (viewers, captains, defenders):
        context.close()


def test_a_page_whose_cursor_is_unknown_takes_the_whole_ladder(browser: Browser, club: Club) -> None:
    address = f"{club.served.address}/ladders/{club.ladder}"
    context = browser.new_context(locale="en-GB")
    fresh, stale = context.new_page(), context.new_page()
    fresh.goto(address)

    def aged(route: Route) -> None:
        """The page as from before the server's data was put back: another epoch, another order."""
        answer = route.fetch()
        text = answer.text().replace(
            fresh.evaluate("JSON.parse(document.getElementById('live').textContent).last_event"), "7-3"
        )
        text = text.replace('<span class="rung-number">1</span>', '<span class="rung-number">9</span>')
        route.fulfill(response=answer, body=text)

    stale.route(address, aged)
    stale.goto(address)
    expect(stale.locator(".rung-number").first).to_have_text("1")
    assert stale.evaluate(ROWS) == fresh.evaluate(ROWS)
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_of_a_ladder_fits_and_is_accessible(browser: Browser, club: Club, theme: str) -> None:
    """The director's, who has the forms, at the narrowest width."""
    director = browser.new_context(color_scheme=theme, viewport={"width": 320, "height": 700})  # type: ignore[arg-type]
    page = director.new_page()
    faults = Faults(page)
    sign_in(page, club, "Dora")
    ladder = f"/ladders/{club.ladder}"
    pages = ("", "/history", "/seasons", "/seasons/1", "/rules", "?at=2126-01-01")
    challenge = club.challenged(5, 2)  # the same at the second time
    for path in (*(ladder + each for each in pages), f"/challenges/{challenge}"):
        page.goto(club.served.address + path)
        assert page.evaluate("document.querySelector('main').scrollWidth") <= 320, path
        found = Axe().run(page).response["violations"]
        serious = [rule for rule in found if rule["impact"] in ("serious", "critical")]
        assert [(rule["id"], [node["html"][:160] for node in rule["nodes"]][:3]) for rule in serious] == [], (
            path
        )
    assert faults.told == []
    director.close()

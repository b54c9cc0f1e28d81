"""Two captains in two browsers, from the challenge to the swapped rungs, on a match replayed between."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.scenarios.browser import Faults, chromium
from tests.scenarios.recorded_matches import lin_match
from tests.scenarios.signed_in import account, in_browser
from tests.serving import ROOT, SECONDS, Json, Served, posted, serving

RULES: Json = {"boards": 16, "deals": "typed", "time_zone": "Europe/Ljubljana", "inactivity": False}
RECORD = lin_match((7, 7), (7, 9), (6, 8), (7, 7), (8, 8), (7, 5), (7, 10), (7, 7))
"""Eight boards; the visitors of the challenge, East-West in the open room, come out ahead."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("captains")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def did(page: Page, button: str, action: str) -> None:
    """Press a button of the captain's page, and see that it is done."""
    page.click(button)
    page.wait_for_url(f"**done={action}*")
    assert page.locator(".form-done").count() == 1


def registered(page: Page, name: str) -> str:
    """Register a team of the captain and three others; its id."""
    page.goto("/teams/new")
    page.fill("[name=name]", name)
    page.fill("[name=players]", "\n".join(f"{name} {number}" for number in (2, 3, 4)))
    page.click("main .button-main")
    page.wait_for_url("**/edit?done=registered")
    return page.url.split("/")[-2]


def challenge(page: Page, ladder: str, opponent: str, version: int) -> int:
    status: int = page.evaluate(
        """async ([ladder, body]) => (await fetch(`/api/ladders/${ladder}/challenges`, {
            method: 'POST', headers: {'content-type': 'application/json', 'idempotency-key': 'story'},
            body: JSON.stringify(body)})).status""",
        [ladder, {"opponent": opponent, "ladder_version": version, "boards": 8}],
    )
    return status


def replayed(served: Served, match: str, token: str, record: Path) -> None:
    options = ["--instant", "--match", match, "--server", served.address, "--token", token]
    command = [sys.executable, str(ROOT / "server.py"), "replay", str(record), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr


def name_lineup(page: Page) -> None:
    for place, seat in enumerate(page.locator(".lineup select").all(), 1):
        seat.select_option(index=place)
    did(page, "text=Name this line-up", "lineup")


def test_two_captains_go_from_challenge_to_swapped_rungs(
    served: Served, browser: Browser, tmp_path: Path
) -> None:
    for name in ("Ann", "Vic"):
        account(served, name, "captain")
    director = served.token("Dora", "director")
    ann, vic = in_browser(browser, served, "Ann"), in_browser(browser, served, "Vic", "Asia/Shanghai")
    faults = [Faults(ann), Faults(vic)]
    with served.client(director) as client:
        ladder = posted(client, "/api/ladders", {"name": "Club ladder", "rules": RULES})["id"]
    upper, lower = registered(ann, "Modra"), registered(vic, "翠微")
    for page in (ann, vic):
        page.goto("/captain")
        did(page, ".enter button", "enter")
    assert challenge(vic, ladder, upper, served.get(f"/api/ladders/{ladder}")["version"]) == 201

    ann.goto("/captain")
    assert ann.locator(".need.is-calling h3").inner_text() == "Modra – 翠微"
    did(ann, ".step-accept button", "accept")
    did(ann, ".step-offer button", "offer")
    vic.goto("/captain")
    assert "Ljubljana: " in vic.locator(".date-button").first.inner_text()
    did(vic, ".date-button >> nth=0", "choose")
    name_lineup(vic)
    ann.goto("/captain")
    name_lineup(ann)
    told = served.get(f"/api/ladders/{ladder}")["challenges"][0]
    assert (told["boards"], told["present"]) == (8, ["challenger", "defender"])

    record = tmp_path / "match.lin"
    record.write_text(RECORD)
    replayed(served, told["match"], director, record)
    vic.goto("/captain")
    vic.click("text=Dispute a score")
    vic.select_option("[name=board]", "1.3")
    vic.fill("[name=reason]", "Nine tricks in the open room")
    did(vic, "text=Dispute it", "dispute")
    for page in (ann, vic):
        page.goto("/captain")
        assert "Nine tricks in the open room" in page.locator(".alarm").inner_text()
        did(page, ".step-clear button", "clear")
    for page in (ann, vic):
        page.goto("/captain")
        assert page.locator(".need-score").inner_text().replace("\n", " ") == "Modra 2 – 15 翠微"
        did(page, ".step-confirm button", "confirm")

    rungs = [row["team"]["id"] for row in served.get(f"/api/ladders/{ladder}")["rungs"]]
    assert rungs == [lower, upper]
    vic.goto(f"/teams/{lower}")
    assert vic.locator(".form-mark").inner_text() == "W"
    vic.goto("/captain")
    assert vic.locator(".my-rung").inner_text() == "1"
    assert [each.told for each in faults] == [[], []]

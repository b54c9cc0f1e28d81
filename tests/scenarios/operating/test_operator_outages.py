"""The operator's page among others and without a network: nothing is lost, nothing doubled, all of it told."""

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.scenarios.browser import CHROMIUM, WIDE
from tests.scenarios.entered_matches import Entered, calls
from tests.scenarios.operators import (
    Operator,
    link,
    made_calls,
    played_cards,
)
from tests.serving import Served

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

NOTRUMP = "1NT Pass 3NT Pass Pass Pass"
OPEN_BOARD = {"type": "open_board", "segment": 1}


def test_slips_taken_back_one_after_the_other_at_once(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    """Undo pressed again before the first has left the device takes back one more, not the taking back."""
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*made_calls(1, "1NT Pass 3NT Pass"))
    ann.stored()
    context.set_offline(True)
    for _ in range(3):
        ann.undo()
    expect(ann.page.locator(".op-call")).to_have_count(1)
    context.set_offline(False)
    ann.stored()
    assert [each["call"] for each in match.open.view()["board"]["auction"]] == ["1NT"]


def test_two_operators_enter_the_same_card_at_once(
    served: Served, browser: Browser, context: BrowserContext, match: Entered
) -> None:
    other = browser.new_context(viewport=WIDE, locale="en-GB")  # type: ignore[arg-type]
    ann = Operator.by_link(context, link(match, match.open))
    match.open.enters({**OPEN_BOARD, "board": 1}, *made_calls(1, NOTRUMP))
    bob = Operator.by_link(other, link(match, match.open))
    [led, following] = played_cards(1, NOTRUMP, 2)
    expect(ann.page.locator(".op-cards")).to_be_visible()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    bob.page.route("**/commands", hold)
    bob.enter(led)
    ann.enter(led)
    ann.stored()
    expect(bob.page.locator(".op-in .card-face")).to_have_count(1)
    held[0].continue_()
    bob.page.unroute("**/commands")
    expect(bob.page.locator(".op-notice")).to_contain_text("was already entered by the other device")
    bob.page.get_by_role("button", name="Understood").click()
    bob.enter(following)
    bob.stored()
    assert [each["card"] for each in match.open.view()["board"]["play"]] == [led["card"], following["card"]]
    assert ann.faults == bob.faults == []
    other.close()


def test_overtaken_entry_is_shown_with_what_happened_and_never_doubled(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.stored()
    context.set_offline(True)
    ann.enter(*made_calls(1, "1NT Pass"))
    match.open.enters(*calls(1, "1C"))
    context.set_offline(False)
    notice = ann.page.locator(".op-notice")
    expect(notice).to_contain_text("Not entered: North 1NT", timeout=20_000)
    expect(notice).to_contain_text("Entered in this room meanwhile:")
    expect(notice.locator(".op-meanwhile")).to_contain_text("North 1")
    expect(ann.status).to_have_attribute("data-state", "held")
    ann.page.get_by_role("button", name="Discard all 2 waiting").click()
    ann.stored()
    assert [each["call"] for each in match.open.view()["board"]["auction"]] == ["1C"]

    context.set_offline(True)
    ann.enter({"type": "call", "call": "Pass"}, {"type": "call", "call": "1H"})
    match.open.enters(*calls(1, "1C", "Pass")[1:])
    context.set_offline(False)
    expect(notice).to_contain_text("was already entered by the other device", timeout=20_000)
    ann.stored()
    assert [each["call"] for each in match.open.view()["board"]["auction"]] == ["1C", "Pass", "1H"]


def test_entry_whose_answer_was_lost_is_entered_once(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.stored()
    lost: list[int] = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    ann.page.route("**/commands", lose)
    ann.enter(*made_calls(1, "1NT"))
    ann.stored()
    assert lost == [201]
    assert len(match.open.view()["board"]["auction"]) == 1


def test_entries_outlive_the_page(served: Served, context: BrowserContext, match: Entered) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.stored()
    ann.page.route("**/commands", lambda route: route.abort())
    ann.enter(*made_calls(1, "1NT Pass"))
    expect(ann.status).to_contain_text("2 waiting on this device")
    ann.page.unroute_all()
    ann.page.reload()
    ann.stored()
    assert [each["call"] for each in match.open.view()["board"]["auction"]] == ["1NT", "Pass"]


def test_page_loaded_again_without_a_network_has_lost_nothing(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*made_calls(1, "1NT Pass"))
    ann.stored()
    expect(ann.page.locator("body")).to_have_attribute("data-offline", "ready")
    context.set_offline(True)
    ann.enter(*made_calls(1, "1NT Pass 3NT")[2:])
    ann.page.reload()
    expect(ann.page.locator(".op-call")).to_have_count(3)
    expect(ann.status).to_contain_text("1 waiting on this device")
    ann.enter(*made_calls(1, "1NT Pass 3NT Pass")[3:])
    context.set_offline(False)
    ann.stored()
    entered = [each["call"] for each in match.open.view()["board"]["auction"]]
    assert entered == ["1NT", "Pass", "3NT", "Pass"]


def test_second_tab_of_a_device_enters_nothing_until_the_first_is_closed(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.stored()
    second = Operator(context.new_page())
    second.page.goto(ann.page.url)
    expect(second.status).to_contain_text("open in another tab of this browser")
    second.enter(*made_calls(1, "1NT"))
    expect(second.page.locator(".op-call")).to_have_count(0)
    ann.enter(*made_calls(1, "1NT"))
    ann.stored()
    expect(second.page.locator(".op-call")).to_have_count(1)
    ann.page.close()
    second.stored()
    second.enter(*made_calls(1, "1NT Pass")[1:])
    second.stored()
    assert [each["call"] for each in match.open.view()["board"]["auction"]] == ["1NT", "Pass"]


def test_withdrawn_link_keeps_what_is_waiting_until_a_new_one_is_opened(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.stored()
    address = f"{match.path}/rooms/open/operators"
    match.director.delete(address).raise_for_status()
    expect(ann.page.locator(".op-notice")).to_contain_text("This link has been withdrawn", timeout=20_000)
    made = match.director.post(address, headers={"idempotency-key": "again"}).raise_for_status().json()
    ann.page.goto(made["link"])
    ann.page.wait_for_url("**/operate/*/open")
    ann.enter(*made_calls(1, "1NT"))
    ann.stored()
    forged = context.new_page()
    forged.goto(link(match, match.open))
    expect(forged.locator("[data-part=message]")).to_contain_text("This link has been withdrawn")
    forged.goto(f"{served.address}/operate/enter?again#forged")
    expect(forged.locator("[data-part=message]")).to_contain_text("not one of ours")
    assert "forged" not in forged.url
    forged.goto(f"{served.address}/operate/enter?half")
    expect(forged.locator("[data-part=message]")).to_contain_text("only the first half of a link")
    other = forged.goto(f"{served.address}/operate/{match.id}/closed")
    assert other is not None and other.status == 401
    expect(forged.locator("h1")).to_have_text("This room is closed to you")

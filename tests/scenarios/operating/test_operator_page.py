"""The operator's page in a real browser at a real server: a match card by card, through slips and outages."""

from statistics import median
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, expect

from broadcast.bridge.seats import Seat
from tests.builders import deal_of
from tests.scenarios.browser import CHROMIUM, NARROW, WIDE
from tests.scenarios.entered_matches import Entered, entered
from tests.scenarios.operators import (
    Operator,
    claimed,
    exported,
    link,
    made_calls,
    pbn_deals,
    played_cards,
    record,
)
from tests.serving import Served

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

NOTRUMP = "1NT Pass 3NT Pass Pass Pass"
SPADES = "1C 1S X 2S Pass Pass Pass"
OPEN_BOARD = {"type": "open_board", "segment": 1}


def test_match_entered_at_the_page_ends_as_the_one_entered_by_api(
    served: Served, browser: Browser, context: BrowserContext, match: Entered
) -> None:
    first, second = made_calls(1, NOTRUMP), made_calls(2, SPADES)
    cards, few = played_cards(1, NOTRUMP, 52), played_cards(2, SPADES, 14)

    # open room: board 1 to the last card, with slips, an outage in mid-board and a handover
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*first[:3], {"type": "call", "call": "X"})
    ann.undo()
    ann.enter(*first[3:], *cards[:2])
    ann.stored()
    ann.undo_back_to("North 1NT")
    ann.enter(*first, *cards[:9])
    ann.undo()
    ann.undo()
    ann.enter(*cards[7:20])
    ann.stored()
    context.set_offline(True)
    ann.enter(*cards[20:31])
    expect(ann.status).to_contain_text("11 waiting on this device")
    assert match.open.view()["board"]["play"][-1]["card"] == cards[19]["card"]
    context.set_offline(False)
    ann.stored()
    assert str(deal_of(1)).split()[0][2:] in ann.heard()
    for hand in str(deal_of(2))[2:].split():
        assert hand not in ann.heard()
    other = browser.new_context(viewport=WIDE, locale="en-GB")  # type: ignore[arg-type]
    bob = Operator.by_link(other, link(match, match.open))
    bob.enter(*cards[31:])
    bob.stored()
    expect(ann.page.get_by_role("button", name="Open board 2")).to_be_visible()

    # open room: board 2 with a claim
    ann.open_next()
    ann.enter(*second, *few)
    ann.stored()
    ann.claim(9)
    expect(bob.page.locator(".op-entry")).to_contain_text("All boards are played")

    # closed room: a claim, and a board passed out
    cleo = Operator.by_link(context, link(match, match.closed))
    cleo.open_next()
    cleo.enter(*first, *cards[:6])
    cleo.stored()
    cleo.claim(8)
    cleo.open_next()
    cleo.enter(*made_calls(2, "Pass Pass Pass Pass"))
    cleo.stored()

    with entered(served, deals=pbn_deals(2)) as by_api:
        by_api.open.enters({**OPEN_BOARD, "board": 1}, *first, *cards)
        by_api.open.enters({**OPEN_BOARD, "board": 2}, *second, *few)
        by_api.open.enters(claimed(match, 2, "open", 9))
        by_api.closed.enters({**OPEN_BOARD, "board": 1}, *first, *cards[:6])
        by_api.closed.enters(claimed(match, 1, "closed", 8))
        by_api.closed.enters({**OPEN_BOARD, "board": 2}, *made_calls(2, "Pass Pass Pass Pass"))
        assert record(match, 2) == record(by_api, 2)
        assert exported(match, "pbn") == exported(by_api, "pbn")
        assert exported(match, "lin") == exported(by_api, "lin")
    assert median(ann.taps) == 1
    assert ann.faults == bob.faults == cleo.faults == []
    other.close()


def test_what_is_not_legal_is_told_and_recorded_only_by_a_second_step(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*made_calls(1, "1NT"))
    ann.stored()
    ann.page.click('[data-call="1S"]', force=True)
    expect(ann.page.locator(".op-notice")).to_contain_text("1♠︎ is not enough over 1NT")
    assert len(match.open.view()["board"]["auction"]) == 1
    ann.page.get_by_role("button", name="The table let it stand: record it so").click()
    ann.stored()
    assert match.open.view()["board"]["auction"][1]["irregular"] == "insufficient"
    ann.page.locator(".op-seat", has_text="North").click()
    ann.page.click('[data-call="Pass"]', force=True)
    expect(ann.page.locator(".op-notice")).to_contain_text("North may not call: it is South's turn")
    ann.page.click('[data-stand="out_of_turn"]')
    ann.stored()
    assert match.open.view()["board"]["auction"][2]["irregular"] == "out_of_turn"
    ann.page.click('[data-call="XX"]', force=True)
    expect(ann.page.locator(".op-notice")).to_contain_text("may only redouble")
    expect(ann.page.locator("[data-stand]")).to_have_count(0)


def test_board_is_entered_by_keyboard(served: Served, context: BrowserContext, match: Entered) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(".op-bids")).to_be_visible()
    keys = ann.page.keyboard
    for count, text in enumerate(("1s", "x", "xx", "p", "2nt"), 1):
        keys.type(text)
        expect(ann.page.locator(".op-call")).to_have_count(count)
        ann.stored()
    keys.press("u")
    expect(ann.page.locator(".op-call")).to_have_count(4)
    keys.type("pp")
    expect(ann.page.locator(".op-cards")).to_have_count(1)
    ann.stored()
    board = match.open.view()["board"]
    assert [each["call"] for each in board["auction"]] == ["1S", "X", "XX", "Pass", "Pass", "Pass"]
    suit, ranks = "H", deal_of(1)[Seat(board["turn"])]
    led = next(card for card in ranks if card.suit == suit)
    keys.type(f"{led.rank.replace('T', '10')}{led.suit}".lower())
    ann.stored()
    keys.press("u")
    ann.stored()
    keys.type(f"{led.suit}{led.rank}".lower())
    ann.stored()
    assert match.open.view()["board"]["play"][0]["card"] == led
    keys.type("kz")
    expect(ann.status).to_contain_text("“kz” is no card. Type sq or qs, h10 or 10h.")
    keys.type(f"{led.suit}{led.rank}".lower())
    expect(ann.page.locator(".op-notice")).to_contain_text("has been played already")
    keys.press("Escape")
    for _ in range(7):
        keys.press("u")
    ann.stored()
    assert match.open.view()["board"]["auction"] == []
    keys.press("w")
    expect(ann.status).to_contain_text("“w” is no call. Type 1s, 2n, p, x or xx.")
    keys.press("a")
    keys.type("strong")
    keys.press("Enter")
    keys.type("1c")
    ann.stored()
    assert match.open.view()["board"]["auction"][0]["explanation"] == "strong"


def test_tap_means_what_lay_under_it_when_it_began(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*made_calls(1, "1NT"))
    ann.stored()
    ann.page.hover('[data-call="2S"]')
    ann.page.mouse.down()
    match.open.enters({"type": "explain", "call_index": 0, "explanation": "15-17"})
    expect(ann.page.locator(".op-call.is-alert")).to_be_visible()  # the box is drawn anew
    ann.page.mouse.up()
    expect(ann.page.locator(".op-call")).to_have_count(2)
    ann.stored()
    ann.page.hover('[data-call="3S"]')
    ann.page.mouse.down()
    ann.page.mouse.move(5, 5)  # the finger slides away: nothing is meant
    ann.page.mouse.up()
    assert [each["call"] for each in match.open.view()["board"]["auction"]] == ["1NT", "2S"]


def test_call_is_alerted_after_it_was_made(served: Served, context: BrowserContext, match: Entered) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*made_calls(1, "1C Pass"))
    ann.page.click("[data-action=alert]")
    ann.page.get_by_role("button", name="Alert the last call instead: East Pass").click()
    ann.page.get_by_label("Explanation").fill("no defence")
    ann.page.keyboard.press("Enter")
    ann.stored()
    call = match.open.view()["board"]["auction"][1]
    assert (call["alert"], call["explanation"]) == (True, "no defence")
    ann.enter(*made_calls(1, "1C Pass 1H Pass Pass Pass")[2:])
    ann.stored()
    ann.page.click("[data-action=more]")
    ann.page.get_by_role("button", name="Auction and explanations").click()
    ann.page.locator("dialog .op-call").first.click()
    ann.page.get_by_label("Explanation").fill("16+")
    ann.page.get_by_role("button", name="Store").click()
    ann.stored()
    assert match.open.view()["board"]["auction"][0]["explanation"] == "16+"


def test_deal_is_entered_when_the_board_is_opened(served: Served, context: BrowserContext) -> None:
    with entered(served) as match:
        ann = Operator.by_link(context, link(match, match.open))
        ann.page.click("[data-main]")
        deal = deal_of(2)
        for place, seat in enumerate("NES"):
            for number, card in enumerate(sorted(deal[Seat(seat)])):
                if place == 0 and number < 3:
                    ann.page.click(f'dialog [data-card="{card}"]')
                else:
                    ann.page.keyboard.type(card.lower())
        ann.page.get_by_role("button", name="Open with this deal").click()
        expect(ann.page.locator(".op-bids")).to_be_visible()
        ann.stored()
        assert match.open.view()["board"]["deal"] == str(deal)


def test_claim_shows_its_score_and_doubts_what_the_cards_exclude(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.enter(*made_calls(1, NOTRUMP))
    ann.stored()
    before = match.open.view()["room_sequence"]
    ann.page.click("[data-action=claim]")
    dialog = ann.page.locator("dialog")
    ann.page.click('.op-total[data-tricks="9"]')
    expect(dialog).to_contain_text("So far: declarer 0, defenders 0; to come: 13.")
    expect(dialog.locator(".op-confirm")).to_contain_text("3NT N =, N-S +400")
    claim = ann.page.evaluate("fetch(location.pathname + '/table').then((answer) => answer.json())")["claim"]
    assert claim["certain_most"] <= 13
    ann.page.click('.op-total[data-tricks="13"]')
    doubts = dialog.locator(".op-warning")
    expect(doubts).to_have_count(int(claim["certain_most"] < 13))
    assert match.open.view()["room_sequence"] == before
    dialog.get_by_role("button", name="Not agreed yet").click()
    ann.stored()
    expect(ann.page.locator(".op-entry")).to_contain_text("13 tricks in all for declarer")
    ann.page.get_by_role("button", name="Not accepted, play on").click()
    ann.stored()
    expect(ann.page.locator(".op-cards")).to_be_visible()


def test_skipping_reopening_and_a_result_without_play(
    served: Served, context: BrowserContext, match: Entered
) -> None:
    ann = Operator.by_link(context, link(match, match.open))
    ann.open_next()
    ann.page.click("[data-action=more]")
    ann.page.get_by_role("button", name="Skip the board").click()
    ann.page.get_by_role("button", name="To be played later").click()
    ann.page.locator("dialog").get_by_role("button", name="Skip the board").click()
    ann.stored()
    expect(ann.page.locator(".op-entry")).to_contain_text("Board 1 is skipped: To be played later")
    ann.open_next()
    ann.page.click("[data-action=more]")
    ann.page.get_by_role("button", name="Result without play").click()
    dialog = ann.page.locator("dialog")
    dialog.get_by_label("Bid level").select_option("4")
    dialog.get_by_label("Denomination").select_option("S")
    dialog.get_by_label("Declarer").select_option("E")
    dialog.get_by_label("Tricks").select_option("9")
    expect(dialog.locator(".op-score")).to_contain_text("4♠︎ E −1, N-S +50")
    dialog.get_by_role("button", name="Record the result").click()
    ann.stored()
    assert match.board(2)["open"]["contract"] == "4S"
    ann.page.click("[data-action=more]")
    ann.page.get_by_role("button", name="Boards of this room").click()
    ann.page.locator(".op-board-row", has_text="1").first.get_by_role("button", name="Open").click()
    dialog.get_by_label("Reason").fill("The players are back")
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(ann.page.locator(".op-bids")).to_be_visible()


@pytest.mark.parametrize(("size", "theme"), [(NARROW, "light"), (WIDE, "dark")], ids=["390-light", "1280-dark"])
def test_page_passes_axe_fits_and_has_targets_for_thumbs(
    served: Served, browser: Browser, match: Entered, theme: Any, size: Any
) -> None:
    context = browser.new_context(viewport=size, color_scheme=theme, locale="en-GB")
    ann = Operator.by_link(context, link(match, match.open))
    seen = [looked_at(ann)]
    ann.open_next()
    ann.enter(*made_calls(1, "1NT"))
    ann.stored()
    seen.append(looked_at(ann))
    ann.page.click('[data-call="1S"]', force=True)
    seen.append(looked_at(ann))
    ann.page.keyboard.press("Escape")
    ann.enter(*made_calls(1, NOTRUMP)[1:], *played_cards(1, NOTRUMP, 5))
    ann.stored()
    seen.append(looked_at(ann))
    ann.page.click("[data-action=claim]")
    ann.page.locator(".op-total").first.click()
    seen.append(looked_at(ann))
    assert seen == [[]] * 5
    context.close()


def looked_at(operator: Operator) -> list[Any]:
    """What is wrong with the page as it stands: axe's serious findings, small targets, sideways scrolling."""
    page = operator.page
    page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")
    found = Axe().run(page).response["violations"]
    wrong: list[Any] = [
        (rule["id"], [node["html"][:120] for node in rule["nodes"]][:3])
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append("scrolls sideways")
    small: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll('main button, main input, main select, dialog[open] button')]
            .filter((each) => each.checkVisibility() && !each.disabled)
            .map((each) => [each.className, each.getBoundingClientRect()])
            .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
            .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
    )
    return wrong + small

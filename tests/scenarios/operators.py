"""Operators at a real browser's page, and what is entered there, as entries of the API."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, Response, expect

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import dealer_of, vulnerability_of
from broadcast.bridge.calls import Call
from broadcast.bridge.deals import Deal
from broadcast.bridge.play import Play
from tests.builders import deal_of
from tests.scenarios.entered_matches import Entered, Room
from tests.serving import Json

REMEMBER_STREAMS = """
window.heard = [];
window.EventSource = class extends EventSource {
  addEventListener(name, listener, ...rest) {
    super.addEventListener(name, (event) => { window.heard.push(event.data ?? ''); listener(event); }, ...rest);
  }
};
"""
"""A browser's tools cannot read a stream that has no end, so the page keeps what its stream brings."""


def pbn_deals(boards: int) -> str:
    """The deals of a match as its director uploads them."""
    games = []
    for number in range(1, boards + 1):
        vulnerable = vulnerability_of(number).value
        games.append(
            f'[Board "{number}"]\n[Dealer "{dealer_of(number)}"]\n[Vulnerable "{vulnerable}"]\n'
            f'[Deal "{deal_of(number)}"]\n'
        )
    return "\n".join(games)


def made_calls(number: int, text: str) -> list[Json]:
    auction = Auction(dealer_of(number))
    entries: list[Json] = []
    for each in text.split():
        assert auction.turn is not None
        entries.append({"type": "call", "seat": auction.turn.value, "call": each})
        auction = auction.with_call(auction.turn, Call(each))
    return entries


def played_cards(number: int, text: str, count: int, deal: Deal | None = None) -> list[Json]:
    """So many legal cards of a board after an auction, by a chance that is the same in every run."""
    auction = Auction(dealer_of(number))
    for each in text.split():
        assert auction.turn is not None
        auction = auction.with_call(auction.turn, Call(each))
    assert auction.contract is not None and auction.declarer is not None
    play = Play.start(deal or deal_of(number), auction.contract.denomination, auction.declarer)
    chance, entries = Random(number), []
    for _ in range(count):
        assert play.turn is not None
        card = chance.choice(play.legal_cards())
        entries.append({"type": "card", "seat": play.turn.value, "card": card.value})
        play = play.with_card(play.turn, card)
    return entries


def link(match: Entered, room: Room) -> str:
    """The operator's link of a room."""
    token = room.client.headers["authorization"].removeprefix("Bearer ")
    return f"{match.served.address}/operate/enter#{token}"


def record(match: Entered, boards: int) -> list[Any]:
    """Boards and totals as the public has them, without times and pace."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: timeless(each) for name, each in value.items() if name not in ("at", "pace")}
        return [timeless(each) for each in value] if isinstance(value, list) else value

    paths = [f"{match.path}/boards/1.{number}" for number in range(1, boards + 1)]
    told = [match.public.get(path).raise_for_status().json() for path in paths]
    return [timeless(told), match.json()["totals"]]


def exported(match: Entered, kind: str) -> str:
    """The match as a file, its own id left out."""
    text = match.public.get(f"/matches/{match.id}.{kind}").raise_for_status().text
    return text.replace(match.id, "MATCH")


def claimed(match: Entered, number: int, room: str, tricks: int) -> Json:
    """The claim as the page has recorded it: by whoever it was, for so many tricks."""
    board = match.public.get(f"{match.path}/boards/1.{number}").json()
    [claim] = board[room]["claims"]
    assert (claim["tricks"], claim["accepted"]) == (tricks, True)
    return {"type": "claim", "seat": claim["seat"], "tricks": tricks, "accepted": True}


@dataclass
class Operator:
    """One browser page of a room, with all that the server has answered it."""

    page: Page
    responses: list[Response] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    taps: list[int] = field(default_factory=list)
    """How many taps each call and card took."""

    @classmethod
    def by_link(cls, context: BrowserContext, link: str) -> "Operator":
        page = context.new_page()
        page.add_init_script(REMEMBER_STREAMS)
        made = cls(page)
        page.on("response", made.answered)
        page.on("pageerror", lambda error: made.faults.append(str(error)))
        page.goto(link)
        page.wait_for_url("**/operate/*/*")
        expect(made.status).to_have_attribute("data-state", "saved")
        return made

    def answered(self, response: Response) -> None:
        """Keep an answer; the way in, which the browser forgets as it goes on, knows no match."""
        if "/operate/enter" not in response.url and "/operate/session" not in response.url:
            self.responses.append(response)

    @property
    def status(self) -> Locator:
        return self.page.locator(".op-status")

    def stored(self) -> None:
        """Wait until the server has everything and the page shows what it says."""
        expect(self.status).to_have_attribute("data-state", "saved", timeout=20_000)
        expect(self.page.locator('[data-sure="false"]')).to_have_count(0)

    def open_next(self) -> None:
        self.page.click("[data-main]")
        expect(self.page.locator(".op-bids")).to_be_visible()

    def enter(self, *entries: Json) -> None:
        """One tap for each call and card."""
        for entry in entries:
            self.tap(
                f'[data-call="{entry["call"]}"]'
                if entry["type"] == "call"
                else f'[data-card="{entry["card"]}"]'
            )
            self.taps.append(1)

    def tap(self, selector: str) -> None:
        self.page.click(selector)

    def undo(self) -> None:
        self.page.click("[data-action=undo]")

    def undo_back_to(self, text: str) -> None:
        """Take back the newest entry that reads so, and all after it, from the list."""
        self.page.click("[data-action=more]")
        self.page.get_by_role("button", name="Take back", exact=True).click()
        self.page.locator(".op-list .op-row", has_text=text).first.click()
        self.stored()

    def undo_all(self) -> None:
        """Take back the board's first call, and so everything, from the list."""
        self.page.click("[data-action=more]")
        self.page.get_by_role("button", name="Take back", exact=True).click()
        self.page.locator(".op-list .op-row").last.click()
        self.stored()

    def claim(self, tricks: int) -> None:
        self.page.click("[data-action=claim]")
        self.page.click(f'.op-total[data-tricks="{tricks}"]')
        self.page.get_by_role("button", name="Record it: the table agrees").click()
        self.stored()

    def heard(self) -> str:
        """Everything that has reached the device: answers, pages and stream."""
        texts = [str(text) for text in self.page.evaluate("window.heard")]
        for response in self.responses:
            kind = response.headers.get("content-type", "")
            if response.ok and not kind.startswith(
                ("text/event-stream", "text/css", "text/javascript", "image")
            ):
                texts.append(response.text())
        return "\n".join(texts)

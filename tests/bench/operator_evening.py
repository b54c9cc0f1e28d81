"""A whole match through the operator's page and again by API: ``python -m tests.bench.operator_evening``.

Sixteen boards in both rooms, call by call and card by card in a real browser at a real server, with slips taken
back, claims, boards passed out, an outage of a minute in mid-board and a handover to another device. Then all
of it again by HTTP. Fails unless both records are the same to the byte, no device held a deal before its time,
and a call or a card took one tap. Takes some minutes; ``--boards`` plays fewer.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from playwright.sync_api import Browser, expect

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import dealer_of
from broadcast.bridge.calls import BIDS, Call
from broadcast.bridge.play import Play
from tests.builders import deal_of
from tests.scenarios.browser import NARROW, WIDE, chromium
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
from tests.serving import Json, serving

OUTAGE_SECONDS = 60


@dataclass
class Board:
    """What happened at one table on one board."""

    number: int
    calls: list[Json]
    cards: list[Json]
    claim: int | None = None
    """Declarer's tricks; ``None`` where it was played or passed out."""


def at_table(number: int, room: str) -> Board:
    """A board at a table: another auction and another end in each room, the same in every run."""
    chance = Random(f"{number}{room}")
    text = auction_text(number, chance)
    calls = made_calls(number, text)
    auction = Auction(dealer_of(number))
    for each in text.split():
        assert auction.turn is not None
        auction = auction.with_call(auction.turn, Call(each))
    if auction.contract is None:
        return Board(number, calls, [])
    is_played_out = chance.random() < 0.4
    cards = played_cards(number, text, 52 if is_played_out else chance.randrange(4, 48))
    if is_played_out:
        return Board(number, calls, cards)
    return Board(number, calls, cards, possible_claim(number, auction, cards, chance))


def auction_text(number: int, chance: Random) -> str:
    """One to four bids, a double now and then, and three passes; or four."""
    if number % 8 == 5:
        return "Pass Pass Pass Pass"
    words: list[str] = []
    bids = sorted(chance.sample(range(20), chance.randrange(1, 5)))
    for place, bid in enumerate(bids):
        words.append(BIDS[bid].value)
        if place + 1 < len(bids):
            words += ["Pass"] * chance.randrange(3)
    if chance.random() < 0.2:
        words.append("X")
    return " ".join([*words, "Pass", "Pass", "Pass"])


def possible_claim(number: int, auction: Auction, cards: list[Json], chance: Random) -> int:
    assert auction.contract is not None and auction.declarer is not None
    play = Play.start(deal_of(number), auction.contract.denomination, auction.declarer)
    for each in cards:
        assert play.turn is not None
        play = play.with_card(
            play.turn, next(card for card in play.held[play.turn] if card.value == each["card"])
        )
    return chance.randint(play.declarer_tricks, 13 - play.defender_tricks)


@dataclass
class Evening:
    """One room's evening at the page: who enters, and what goes wrong."""

    browser: Browser
    match: Entered
    room: str
    boards: int
    operators: list[Operator] = field(default_factory=list)

    def arrive(self, size: dict[str, int]) -> Operator:
        """Somebody opens the room's link on a device of their own."""
        context = self.browser.new_context(viewport=size, locale="en-GB")  # type: ignore[arg-type]
        operator = Operator.by_link(context, link(self.match, getattr(self.match, self.room)))
        self.operators.append(operator)
        return operator

    def play(self) -> Iterator[int]:
        """Every board in turn; gives each board's number when it is over."""
        now = self.arrive(NARROW)
        for number in range(1, self.boards + 1):
            board = at_table(number, self.room)
            now.open_next()
            self.nothing_before_its_time(number)
            self.bid(now, board)
            if board.cards:
                half = len(board.cards) // 2
                self.play_cards(now, board.cards[:half], number)
                if number % 5 == 3:  # handed over in mid-board
                    now.stored()
                    now = self.arrive(WIDE if now.page.viewport_size == NARROW else NARROW)
                if number % 5 == 1:
                    self.outage(now, board.cards[half:])
                else:
                    self.play_cards(now, board.cards[half:], number + 1)
            now.stored()
            if board.claim is not None:
                now.claim(board.claim)
            yield number
        expect(now.page.locator(".op-entry")).to_contain_text("All boards are played")

    def bid(self, now: Operator, board: Board) -> None:
        """The auction, on some boards with a slip that is taken back at once."""
        if board.number % 3 == 0 and board.calls[0]["call"] != "Pass":
            now.enter({"type": "call", "call": "Pass"})
            now.undo()
        now.enter(*board.calls)
        if board.number % 4 == 0 and board.cards:
            now.stored()
            now.undo_all()
            now.enter(*board.calls)
        now.stored()

    def play_cards(self, now: Operator, cards: list[Json], number: int) -> None:
        """Card by card, with a slip of up to three cards that are taken back one by one."""
        back = min(number % 4, len(cards))
        now.enter(*cards)
        for _ in range(back):
            now.undo()
        now.enter(*cards[len(cards) - back :])

    def outage(self, now: Operator, cards: list[Json]) -> None:
        """The network is away for a minute of the page's clock; entries wait on the device."""
        now.stored()
        now.page.clock.install()
        now.page.context.set_offline(True)
        now.enter(*cards)
        expect(now.status).to_contain_text(f"{len(cards)} waiting on this device")
        now.page.clock.fast_forward(OUTAGE_SECONDS * 1000)
        expect(now.status).to_contain_text(f"{len(cards)} waiting on this device")
        now.page.context.set_offline(False)
        now.page.clock.fast_forward(20_000)
        now.stored()
        now.page.clock.resume()

    def nothing_before_its_time(self, number: int) -> None:
        """No hand of a later board has reached any device of the room."""
        for operator in self.operators:
            heard = operator.heard()
            for later in range(number + 1, self.boards + 1):
                assert not any(hand in heard for hand in str(deal_of(later))[2:].split()), (number, later)


def by_api(match: Entered, through: Entered) -> None:
    """The match as the page has recorded it, without what was taken back."""
    for room in ("open", "closed"):
        table = getattr(match, room)
        boards = len(match.json()["boards"])
        for number in range(1, boards + 1):
            board = at_table(number, room)
            table.enters({"type": "open_board", "segment": 1, "board": number}, *board.calls, *board.cards)
            if board.claim is not None:
                table.enters(claimed(through, number, room, board.claim))


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boards", type=int, default=16)
    boards = asked.parse_args().boards
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as directory, serving(Path(directory)) as served, chromium() as browser:
        wanted = {"boards": boards, "deals": pbn_deals(boards)}
        with entered(served, **wanted) as match, entered(served, **wanted) as again:
            rooms = [Evening(browser, match, room, boards) for room in ("open", "closed")]
            for room in rooms:
                for number in room.play():
                    print(f"{room.room} board {number}: {time.perf_counter() - began:.0f} s", flush=True)
            by_api(again, match)
            same = record(match, boards) == record(again, boards)
            same = same and all(exported(match, kind) == exported(again, kind) for kind in ("pbn", "lin"))
            operators = [operator for room in rooms for operator in room.operators]
            taps = [count for operator in operators for count in operator.taps]
            faults = [fault for operator in operators for fault in operator.faults]
    print(f"{boards} boards, {len(taps)} calls and cards, {len(operators)} devices: record", end=" ")
    print("the same as by API" if same else "DIFFERS", f"; median taps {median(taps)}; faults {faults}")
    return 0 if same and median(taps) == 1 and not faults else 1


if __name__ == "__main__":
    sys.exit(main())

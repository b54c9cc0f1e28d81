"""Seeded boards bid and played by four of the demo's players, for the tests beside this file."""

import random
from collections.abc import Mapping

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import dealer_of, vulnerability_of
from broadcast.bridge.cards import Card
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal
from broadcast.bridge.play import Play
from broadcast.bridge.seats import SEATS, Seat
from teams.demo.bidding.bidder import choose_call
from teams.demo.bidding.style import STANDARD, Style
from teams.demo.card_play import choose_card
from teams.demo.views import view_of

Styles = Mapping[Seat, Style]
ALL_STANDARD: Styles = dict.fromkeys(SEATS, STANDARD)


def seeded_deal(seed: int) -> Deal:
    cards = list(Card)
    random.Random(seed).shuffle(cards)
    return Deal({seat: cards[place * 13 : place * 13 + 13] for place, seat in enumerate(SEATS)})


def bid_out(deal: Deal, number: int, styles: Styles = ALL_STANDARD) -> Auction:
    """The whole auction; an illegal call raises."""
    auction = Auction(dealer_of(number))
    while (seat := auction.turn) is not None:
        bid = choose_call(deal[seat], auction, vulnerability_of(number), styles[seat])
        auction.check(seat, bid.call)
        auction = auction.with_call(seat, bid.call)
    return auction


def started(deal: Deal, auction: Auction) -> tuple[Play, Contract]:
    contract, declarer = auction.contract, auction.declarer
    if contract is None or declarer is None:
        raise ValueError("A board passed out is not played")
    return Play.start(deal, contract.denomination, declarer), contract


def play_out(deal: Deal, auction: Auction, styles: Styles = ALL_STANDARD) -> Play:
    """All 52 cards; an illegal card raises."""
    play, contract = started(deal, auction)
    while (seat := play.turn) is not None:
        card = choose_card(view_of(play, contract, auction), styles[seat])
        play.check(seat, card)
        play = play.with_card(seat, card)
    return play

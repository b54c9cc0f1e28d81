"""Leads, following and discarding; a view never shows what a player may not see."""

import pytest

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import Call
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal, parse_hand
from broadcast.bridge.play import Play
from broadcast.bridge.seats import Seat
from teams.demo.card_play import choose_card
from teams.demo.views import TableView, view_of
from tests.teams.demo.four_players import bid_out, play_out, seeded_deal, started


def lead(hand: str, contract: str, *calls: str) -> str:
    """West's opening lead against South, after these calls from South on."""
    auction = Auction(Seat.S)
    for text in calls:
        seat = auction.turn
        assert seat is not None
        auction = auction.with_call(seat, Call.parse(text))
    held = {Seat.W: frozenset(parse_hand(hand))}
    return choose_card(TableView(Seat.W, Contract.parse(contract), Seat.S, auction, held))


@pytest.mark.parametrize(
    ("hand", "contract", "card"),
    [
        ("K9752.84.QT6.A73", "3NT", "S5"),
        ("84.KQJ53.A62.974", "3NT", "HK"),
        ("AK74.983.QT6.T75", "4H", "SA"),
        ("9842.T63.QJT6.75", "4H", "DQ"),
        ("Q842.T63.K9643.7", "4H", "C7"),
    ],
)
def test_opening_leads_are_the_textbooks(hand: str, contract: str, card: str) -> None:
    assert lead(hand, contract) == card


def test_partners_suit_is_led_against_notrump() -> None:
    auction = ("1NT", "Pass", "Pass", "2H", "2NT", "Pass", "3NT", "Pass", "Pass", "Pass")
    assert lead("Q974.J5.K863.742", "3NT", *auction) == "HJ"


@pytest.mark.parametrize("seed", range(1, 26))
def test_thirteen_tricks_are_played_legally(seed: int) -> None:
    deal = seeded_deal(seed)
    auction = bid_out(deal, seed)
    if auction.contract is not None:
        play = play_out(deal, auction)
        assert play.is_over
        assert play.tricks_ns + play.tricks_ew == 13


def test_a_view_shows_own_hand_and_dummy_once_led() -> None:
    deal = seeded_deal(3)
    auction = bid_out(deal, 3)
    play, contract = started(deal, auction)
    leader = play.declarer.left
    before = view_of(play, contract, auction)
    assert set(before.held) == {leader}
    play = play.with_card(leader, choose_card(before))
    assert set(view_of(play, contract, auction).held) == {play.declarer, play.dummy}
    play = play.with_card(play.dummy, choose_card(view_of(play, contract, auction)))
    assert set(view_of(play, contract, auction).held) == {leader.partner, play.dummy}


def test_no_view_is_made_of_a_play_that_is_over() -> None:
    deal = seeded_deal(3)
    auction = bid_out(deal, 3)
    contract = auction.contract
    assert contract is not None
    with pytest.raises(ValueError, match="thirteen"):
        view_of(play_out(deal, auction), contract, auction)


def test_fourth_hand_wins_as_cheaply_as_it_can() -> None:
    deal = Deal.parse("N:AQ2.KQ2.AK42.A32 KJ3.J843.QJ5.QJ4 T54.AT65.T63.K65 9876.97.987.T987")
    auction = Auction(Seat.S)
    play = Play.start(deal, Contract.parse("3NT").denomination, Seat.S)
    for seat, text in ((Seat.W, "S9"), (Seat.N, "S2"), (Seat.E, "SJ")):
        card = next(card for card in deal[seat] if card == text)
        play = play.with_card(seat, card)
    assert choose_card(view_of(play, Contract.parse("3NT"), auction)) == "S4"

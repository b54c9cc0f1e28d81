"""Single calls a player of the system would expect, and legality in any auction."""

import random

import pytest

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability, dealer_of, vulnerability_of
from broadcast.bridge.calls import BIDS, Call
from broadcast.bridge.deals import parse_hand
from broadcast.bridge.errors import IllegalCall
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.seats import SEATS, Seat
from teams.demo.bidding.bidder import Bid, choose_call
from teams.demo.bidding.style import Style
from tests.teams.demo.four_players import seeded_deal


def call(hand: str, *before: str, vulnerability: Vulnerability = Vulnerability.NONE) -> Bid:
    """The call over these calls from North on."""
    auction = Auction(Seat.N)
    for text in before:
        seat = auction.turn
        assert seat is not None
        auction = auction.with_call(seat, Call.parse(text))
    return choose_call(frozenset(parse_hand(hand)), auction, vulnerability)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AQJ54.K76.A3.942", "1S"),
        ("K7.AQT86.KJ53.84", "1H"),
        ("KQ75.A9.QJ86.Q74", "1D"),
        ("KQ7.A932.84.KJ64", "1C"),
        ("AQ7.KJ93.K84.Q64", "1NT"),
        ("AQ7.KJ93.AKJ.Q64", "2NT"),
        ("AKQJ84.AK4.AQ6.2", "2C"),
        ("KQJ864.72.853.94", "2S"),
        ("84.7.KQJT865.964", "3D"),
        ("KJ64.Q73.Q842.T5", "Pass"),
    ],
)
def test_opening_calls_follow_the_system(hand: str, expected: str) -> None:
    assert call(hand).call == expected


@pytest.mark.parametrize(
    ("hand", "before", "expected"),
    [
        ("KJ64.Q73.A842.T5", "1NT p", "2C"),
        ("KJ643.73.842.T54", "1NT p", "2H"),
        ("64.KJ643.842.T54", "1NT p", "2D"),
        ("K6.QJ4.A8642.T54", "1NT p", "3NT"),
        ("K63.Q73.8642.T54", "1NT p", "Pass"),
        ("AQ64.K932.AQ3.J4", "1NT p 2C p", "2H"),
        ("AQ6.K93.AQ32.J54", "1NT p 2C p", "2D"),
        ("AQ6.K93.AQ32.J54", "1NT p 2H p", "2S"),
        ("AQ6.K932.A2.QJ54", "1NT p 2H p 2S p 3NT p", "4S"),
        ("K64.Q73.8642.QT5", "1S p", "2S"),
        ("KJ64.73.A842.QT5", "1S p", "3S"),
        ("KJ64.73.AK42.KT5", "1S p", "2NT"),
        ("84.AQ742.K64.953", "1D p", "1H"),
        ("84.A74.K64.Q9532", "1S p", "1NT"),
        ("84.K7.64.QT95432", "2C p", "2D"),
        ("K964.KQ73.5.AKQ4", "1C p 1S p", "4S"),
        ("K64.AQ73.5.AJ842", "1C p 1S p", "2S"),
    ],
)
def test_partners_opening_is_answered_by_the_system(hand: str, before: str, expected: str) -> None:
    assert call(hand, *before.split()).call == expected


@pytest.mark.parametrize(
    ("hand", "before", "expected"),
    [
        ("AQJ54.K76.83.942", "1D", "1S"),
        ("AQ54.KJ76.83.A42", "1D", "X"),
        ("AQ5.KJ7.KQ83.J42", "1D", "1NT"),
        ("KQJ864.72.853.94", "1D", "2S"),
        ("84.7543.Q964.K72", "1D", "Pass"),
        ("KJ64.75.A964.872", "1D 1H", "X"),
        ("8654.J75.T964.72", "1C X p", "1S"),
        ("KJ654.A75.T96.72", "1C X p", "2S"),
    ],
)
def test_competing_calls_follow_the_system(hand: str, before: str, expected: str) -> None:
    assert call(hand, *before.split()).call == expected


def test_blackwood_is_answered_with_the_number_of_aces() -> None:
    assert call("K9642.A8.A75.KQ3", "1S", "p", "3S", "p", "4NT", "p").call == "5H"


def test_artificial_calls_are_alerted_and_explained() -> None:
    transfer = call("KJ643.73.842.T54", "1NT", "p")
    assert transfer == Bid(Call.H2, alert=True, explanation="Transfer: five or more spades")
    assert not call("AQJ54.K76.A3.942").alert


def test_no_call_is_asked_when_the_auction_is_over() -> None:
    with pytest.raises(ValueError, match="over"):
        call("AQJ54.K76.A3.942", "p", "p", "p", "p")


@pytest.mark.parametrize("seed", range(60))
def test_calls_are_legal_whatever_the_others_call(seed: int) -> None:
    """The others call at random, now and then out of turn or too low where the table lets it stand."""
    chance = random.Random(seed)
    deal = seeded_deal(seed)
    auction = Auction(dealer_of(seed + 1))
    style = Style.from_seed(seed)
    while (turn := auction.turn) is not None:
        seat = turn
        kind = chance.random()
        if kind < 0.3:
            made = chance.choice(auction.legal_calls()[:6])
        elif kind < 0.36:
            seat, made = chance.choice(SEATS), chance.choice((Call.PASS, *BIDS[:12]))
            if isinstance(auction.fault(seat, made), IllegalCall):
                continue
        else:
            made = choose_call(deal[seat], auction, vulnerability_of(seed + 1), style).call
            assert auction.fault(seat, made) is None
        assert not isinstance(auction.fault(seat, made), IllegalCall)
        auction = auction.with_call(seat, made)


def test_the_player_bids_on_after_an_insufficient_bid_let_stand() -> None:
    auction = Auction(Seat.N)
    for seat, made in ((Seat.N, Call.NT1), (Seat.E, Call.PASS), (Seat.S, Call.S1), (Seat.W, Call.PASS)):
        auction = auction.with_call(seat, made)
    assert Irregularity.INSUFFICIENT in Irregularity
    bid = choose_call(frozenset(parse_hand("AQ7.KJ93.K84.Q64")), auction, Vulnerability.ALL)
    assert auction.fault(Seat.N, bid.call) is None

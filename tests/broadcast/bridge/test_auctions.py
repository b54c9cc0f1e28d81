"""The auction: what may be called, when it is over, and who declares what (Laws 17 to 22)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import BIDS, Call
from broadcast.bridge.contracts import Doubling
from broadcast.bridge.errors import IllegalCall
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.seats import Seat
from tests.strategies import auctions


def auction_of(text: str, dealer: Seat = Seat.N) -> Auction:
    """The auction of calls in turn, like ``1NT p 3NT p p p``."""
    auction = Auction(dealer)
    for word in text.split():
        turn = auction.turn
        assert turn is not None
        auction = auction.with_call(turn, Call.parse(word))
    return auction


@pytest.mark.parametrize(
    ("calls", "is_over"),
    [
        ("", False),
        ("p p p", False),
        ("p p p p", True),
        ("p p p 1C", False),
        ("p p p 1C p p", False),
        ("p p p 1C p p p", True),
        ("1C p p p", True),
        ("1C p p x p p", False),
        ("1C p p x p p p", True),
        ("1C x xx p p p", True),
    ],
)
def test_auction_ends_with_three_passes_after_a_bid_or_four_at_once(calls: str, is_over: bool) -> None:
    auction = auction_of(calls)
    assert auction.is_over == is_over
    assert (auction.turn is None) == is_over


@pytest.mark.parametrize(
    ("calls", "contract", "declarer"),
    [
        ("1NT p 3NT p p p", "3NT", Seat.N),
        ("p 1H p 2H p 4H p p p", "4H", Seat.E),
        ("1S 2S 3S 4S p p p", "4S", Seat.E),
        ("1C p 1S p 1NT p 2S p p p", "2S", Seat.S),
        ("1H x xx p p p", "1HXX", Seat.N),
        ("1H p 2H x p p p", "2HX", Seat.N),
        ("1H x 2H p p p", "2H", Seat.N),
        ("1D 1H 2D 2H x p p p", "2HX", Seat.E),
        ("p p 1NT p 2H p 2NT p 3NT p p p", "3NT", Seat.S),
    ],
)
def test_declarer_is_first_of_side_to_name_the_denomination(calls: str, contract: str, declarer: Seat) -> None:
    auction = auction_of(calls)
    assert auction.is_over
    assert (str(auction.contract), auction.declarer) == (contract, declarer)


def test_passed_out_auction_has_no_contract() -> None:
    auction = auction_of("p p p p")
    assert auction.is_passed_out
    assert (auction.contract, auction.declarer) == (None, None)


@pytest.mark.parametrize(
    ("calls", "refused"),
    [
        ("", "x"),
        ("", "xx"),
        ("1C p", "x"),
        ("1C x p", "x"),
        ("1C x p p", "x"),
        ("1C", "xx"),
        ("1C p p", "xx"),
        ("1C x", "x"),
        ("1C x xx", "x"),
        ("1C x xx p", "xx"),
        ("p p p", "x"),
    ],
)
def test_inadmissible_doubles_can_not_even_be_let_stand(calls: str, refused: str) -> None:
    auction = auction_of(calls)
    turn = auction.turn
    assert turn is not None
    for irregular in (None, *Irregularity):
        with pytest.raises(IllegalCall):
            auction.check(turn, Call.parse(refused), irregular)


def test_insufficient_bid_needs_to_be_let_stand() -> None:
    auction = auction_of("1S")
    with pytest.raises(IllegalCall, match="1H is not enough over 1S"):
        auction.check(Seat.E, Call.H1)
    auction.check(Seat.E, Call.H1, Irregularity.INSUFFICIENT)
    with pytest.raises(IllegalCall):
        auction.check(Seat.E, Call.NT1, Irregularity.INSUFFICIENT)


def test_call_out_of_turn_goes_on_from_the_player_who_made_it() -> None:
    auction = auction_of("1S")
    with pytest.raises(IllegalCall, match="West may not call: it is East's turn"):
        auction.check(Seat.W, Call.PASS)
    auction.check(Seat.W, Call.PASS, Irregularity.OUT_OF_TURN)
    assert auction.with_call(Seat.W, Call.PASS).turn is Seat.N


def test_nothing_is_called_after_the_end() -> None:
    with pytest.raises(IllegalCall, match="over"):
        auction_of("p p p p").check(Seat.N, Call.PASS)
    assert auction_of("p p p p").legal_calls() == ()


def test_first_to_call_may_pass_or_bid_anything() -> None:
    assert Auction(Seat.W).legal_calls() == (Call.PASS, *BIDS)


@given(auctions())
def test_any_legal_auction_ends_with_a_contract_or_four_passes(auction: Auction) -> None:
    assert len(auction.calls) <= 319
    assert auction.turn is None
    assert (auction.contract is None) == auction.is_passed_out == (auction.declarer is None)
    for (earlier, _), (later, _) in zip(auction.calls, auction.calls[1:], strict=False):
        assert later is earlier.left


@given(auctions())
def test_declarer_is_of_the_side_that_bid_last_and_named_the_denomination(auction: Auction) -> None:
    """Said again in other words: of all bids in the denomination by the side, declarer's came first."""
    last = auction.last_bid
    if last is None or auction.contract is None or auction.declarer is None:
        return
    same = [
        seat
        for seat, call in auction.calls
        if call.is_bid and call.denomination is auction.contract.denomination and seat.side is last[0].side
    ]
    assert auction.declarer is same[0]
    assert auction.contract.bid is last[1]


@given(auctions(), st.data())
def test_legal_calls_are_just_those_the_auction_does_not_refuse(auction: Auction, data: st.DataObject) -> None:
    stop = data.draw(st.integers(0, len(auction.calls) - 1))
    begun = Auction(auction.dealer, auction.calls[:stop])
    turn = begun.turn
    assert turn is not None
    legal = set(begun.legal_calls())
    assert Call.PASS in legal
    for call in Call:
        if call in legal:
            begun.check(turn, call)
        else:
            with pytest.raises(IllegalCall):
                begun.check(turn, call)


@given(auctions())
def test_bids_rise_and_doubling_is_of_the_last_bid(auction: Auction) -> None:
    heights = [call.height for _, call in auction.calls if call.is_bid]
    assert heights == sorted(set(heights))
    after = [call for _, call in auction.calls[_last_bid_place(auction) + 1 :] if call is not Call.PASS]
    assert auction.doubling is {0: Doubling.NONE, 1: Doubling.DOUBLED, 2: Doubling.REDOUBLED}[len(after)]


def _last_bid_place(auction: Auction) -> int:
    return max((place for place, (_, call) in enumerate(auction.calls) if call.is_bid), default=-1)

"""Cards, hands and deals: only 52 different cards, thirteen each, become a deal."""

import pytest
from hypothesis import given

from broadcast.bridge.boards import Vulnerability, dealer_of, vulnerability_of
from broadcast.bridge.calls import BIDS, Call, Denomination
from broadcast.bridge.cards import PACK, Card, Suit
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.deals import Deal, rotated
from broadcast.bridge.errors import BadDeal, BadNotation
from broadcast.bridge.seats import SEATS, Seat, Side, clockwise_from
from tests.strategies import deals

TEXT = "N:KQ97.Q9.AK54.J75 JT85.A742.863.Q6 A643.KJT8.92.AK3 2.653.QJT7.T9842"


def test_pack_has_52_cards_and_40_points() -> None:
    assert len(PACK) == 52
    assert sum(card.points for card in PACK) == 40


@pytest.mark.parametrize(("text", "card"), [("SA", "SA"), ("sa", "SA"), (" h10 ", "HT"), ("dT", "DT")])
def test_cards_are_read_in_every_case(text: str, card: str) -> None:
    assert Card.parse(text) is Card(card)


@pytest.mark.parametrize("text", ["", "AS", "S1", "SAK", "10", "XX", "S"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="is not a card"):
        Card.parse(text)


def test_card_found_by_its_text_is_the_card() -> None:
    """Equal texts hash alike, so a set of cards answers for plain text too."""
    assert "SA" in PACK
    assert {Suit.SPADES: 1}[Card.SA.suit] == 1
    assert {"N": 1}[Seat.N] == 1
    assert {"1NT": 1}[Call.NT1] == 1


@given(deals())
def test_deal_is_the_same_after_writing_from_any_seat(deal: Deal) -> None:
    for seat in SEATS:
        assert Deal.parse(deal.to_pbn(seat)) == deal
    assert all(deal.holder(card) is seat for seat in SEATS for card in deal[seat])


@given(deals())
def test_four_quarters_turn_a_deal_once_round(deal: Deal) -> None:
    assert rotated(deal, 1)[Seat.E] == deal[Seat.N]
    assert rotated(rotated(deal, 1), 3) == deal == rotated(deal, 4)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (TEXT.replace("2.653", "A.653"), BadDeal, "SA is held by both South and West"),
        (TEXT.replace("KQ97", "KQ99"), BadDeal, "S9 is held twice by North"),
        (TEXT.replace("863.Q6", "863.Q"), BadDeal, "East has 12 cards"),
        (TEXT.replace("Q9", "Q1"), BadNotation, "is not a rank"),
        (TEXT.replace("N:", ""), BadNotation, "is not a deal"),
        (TEXT.replace("N:", "X:"), BadNotation, "is not a deal"),
        (TEXT.rsplit(" ", 1)[0], BadNotation, "is not a deal"),
        (TEXT.replace("KQ97.Q9.AK54.J75", "KQ97.Q9.AK54"), BadNotation, "four suits"),
    ],
)
def test_cards_that_are_no_pack_are_refused_with_card_and_hand(
    text: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Deal.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("A643.KJT8.92.AK3", "SA643.HKJT8.D92.CAK3"),
        TEXT.replace("T", "10"),
        TEXT.replace("2.653.QJT7.T9842", "-"),
        TEXT.lower(),
    ],
)
def test_other_ways_to_write_the_deal(text: str) -> None:
    assert Deal.parse(text) == Deal.parse(TEXT)


def test_dealer_and_vulnerability_repeat_every_sixteen_boards() -> None:
    """The printed table of Law 2, board by board."""
    table = ["N0", "En", "Se", "Wb", "Nn", "Ee", "Sb", "W0", "Ne", "Eb", "S0", "Wn", "Nb", "E0", "Sn", "We"]
    sign = {"0": Vulnerability.NONE, "n": Vulnerability.NORTH_SOUTH}
    sign |= {"e": Vulnerability.EAST_WEST, "b": Vulnerability.ALL}
    for number in range(1, 65):
        row = table[(number - 1) % 16]
        assert dealer_of(number) is Seat(row[0])
        assert vulnerability_of(number) is sign[row[1]]


def test_vulnerability_includes_the_sides_it_names() -> None:
    assert [v.includes(Side.NS) for v in Vulnerability] == [False, True, False, True]
    assert [v.includes(Side.EW) for v in Vulnerability] == [False, False, True, True]


def test_seats_go_round() -> None:
    for seat in SEATS:
        assert seat.left.right is seat.partner.partner is seat
        assert seat.is_partner_of(seat.partner)
        assert not seat.is_partner_of(seat.left)
        assert seat.side is seat.partner.side is seat.left.side.other
        assert clockwise_from(seat) == (seat, seat.left, seat.partner, seat.right)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        *[("p", Call.PASS), ("PASS", Call.PASS), ("d", Call.X), ("Dbl", Call.X), ("R", Call.XX)],
        *[("xx", Call.XX), ("1n", Call.NT1), ("7NT", Call.NT7), (" 2c ", Call.C2)],
    ],
)
def test_calls_as_people_write_them(text: str, call: Call) -> None:
    assert Call.parse(text) is call


@pytest.mark.parametrize("text", ["", "8C", "0NT", "1X", "XXX", "passed", "1 C"])
def test_what_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="is not a call"):
        Call.parse(text)


def test_bids_rise_by_level_and_denomination() -> None:
    assert len(BIDS) == 35
    assert [bid.height for bid in BIDS] == list(range(35))
    assert [Call.bid(bid.level, bid.denomination) for bid in BIDS] == list(BIDS)


@pytest.mark.parametrize("level", range(1, 8))
@pytest.mark.parametrize("denomination", Denomination)
@pytest.mark.parametrize("doubling", Doubling)
def test_every_contract_is_read_as_it_is_written(
    level: int, denomination: Denomination, doubling: Doubling
) -> None:
    contract = Contract(level, denomination, doubling)
    assert Contract.parse(str(contract)) == contract
    assert Contract.parse(str(contract).lower().replace("nt", "n")) == contract


@pytest.mark.parametrize("text", ["", "8S", "4SXXX", "NT", "4", "Pass", "4S by N"])
def test_what_is_no_contract_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="is not a contract"):
        Contract.parse(text)

"""Claims: only what no defence can take away, asked of declarer's side before a lead."""

import random

import pytest

from broadcast.bridge.auctions import Auction
from broadcast.bridge.cards import PACK, Card
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Hand
from broadcast.bridge.seats import Seat, clockwise_from
from teams.demo.card_play import choose_card
from teams.demo.claiming import wants_to_claim
from teams.demo.views import TableView, view_of
from tests.teams.demo.four_players import bid_out, seeded_deal, started


def held(text: str) -> Hand:
    return frozenset(Card(word) for word in text.split())


def ending(south: str, north: str, out: str, contract: str = "3NT") -> TableView:
    """South on lead as declarer; all cards not named were played, in tricks of no meaning."""
    left = held(south) | held(north) | held(out)
    gone = sorted(PACK - left)
    assert len(gone) % 4 == 0
    seats = clockwise_from(Seat.W)
    played = tuple((seats[place % 4], card) for place, card in enumerate(gone))
    hands = {Seat.S: held(south), Seat.N: held(north)}
    return TableView(Seat.S, Contract.parse(contract), Seat.S, Auction(Seat.S), hands, played)


@pytest.mark.parametrize(
    ("south", "north", "out", "contract", "claims"),
    [
        ("SA SK", "H2 H3", "SQ SJ HA HK", "3NT", True),
        ("SA S2", "H2 H3", "SQ SJ HA HK", "3NT", False),
        ("S2 HA", "SK H3", "SQ SJ HK HQ", "3NT", True),
        ("SA S2", "SK H3", "SQ SJ HA HK", "3NT", False),
        ("SA SK S2", "H2 H3 H4", "SQ SJ HA HK HQ HJ", "3NT", True),
        ("SA SK S2", "H2 H3 H4", "SQ SJ ST HK HQ HJ", "3NT", False),
        ("SA SK", "H2 H3", "SQ C2 HA HK", "4C", False),
        ("SA C3", "H2 H3", "SQ C2 HA HK", "4C", True),
        ("S2 H5", "C3 C4", "SQ SK HA HK", "4C", True),
    ],
)
def test_the_rest_is_claimed_only_when_certain(
    south: str, north: str, out: str, contract: str, claims: bool
) -> None:
    assert (wants_to_claim(ending(south, north, out, contract)) is not None) is claims


def test_nobody_claims_in_the_middle_of_a_trick_or_as_a_defender() -> None:
    deal = seeded_deal(3)
    auction = bid_out(deal, 3)
    play, contract = started(deal, auction)
    assert wants_to_claim(view_of(play, contract, auction)) is None
    play = play.with_card(play.declarer.left, choose_card(view_of(play, contract, auction)))
    assert wants_to_claim(view_of(play, contract, auction)) is None


@pytest.mark.parametrize("seed", range(8))
def test_ruffing_out_a_loser_needs_the_trumps_drawn(seed: int) -> None:
    """A trump anywhere outside may sit over the ruff or be used first, however the rest lies."""
    chance = random.Random(seed)
    others = chance.sample(sorted(card for card in PACK if card.value[0] in "SD"), 3)
    view = ending("H5 C9", "C3 C4", " ".join(["C8", *others]), "4C")
    assert wants_to_claim(view) is not None
    assert wants_to_claim(ending("H5 C7", "C3 C4", " ".join(["C8", *others]), "4C")) is None


def test_what_is_claimed_is_what_double_dummy_gives() -> None:
    """Every claim of eight boards, asked before each lead, against the solved play."""
    dds = pytest.importorskip("endplay.dds")
    types = pytest.importorskip("endplay.types")
    claimed = 0
    for seed in range(1, 9):
        deal = seeded_deal(seed)
        auction = bid_out(deal, seed)
        play, contract = started(deal, auction)
        claims: dict[int, int] = {}
        while play.turn is not None:
            view = view_of(play, contract, auction)
            if (tricks := wants_to_claim(view)) is not None:
                claims[len(play.cards)] = tricks
            play = play.with_card(play.turn, choose_card(view))
        solved = types.Deal(str(deal))
        solved.trump = types.Denom.find(contract.denomination.value)
        solved.first = types.Player.find(play.declarer.left.value)
        tricks_after = list(dds.analyse_play(solved, [types.Card(card.value) for _, card in play.cards]))
        for cards, tricks in claims.items():
            if cards < len(tricks_after):
                assert tricks_after[cards] == tricks
                claimed += 1
    assert claimed >= 4

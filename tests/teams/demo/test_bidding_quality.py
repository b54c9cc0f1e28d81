"""Four of the demo's players bid and play 200 seeded boards; what they reach is held against double dummy.

A contract is *near* the double-dummy best when its level is within one of a level at which the side that plays
earns the best score it can make undoubled, or when, played as well as can be, it is worth at least par to that
side: a sacrifice, or a modest minus. A board passed out is near when nobody can make a game.
"""

from statistics import mean

import pytest

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import vulnerability_of
from broadcast.bridge.calls import Denomination
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.seats import SEATS, Side
from teams.demo.bidding.situations import game_level
from tests.teams.demo.double_dummy import BOARDS, DoubleDummy, solve, solved
from tests.teams.demo.four_players import bid_out, play_out, seeded_deal

_LONGEST = 15
"""Calls: every auction has fewer than sixteen."""


@pytest.fixture(scope="module")
def auctions() -> dict[int, tuple[Deal, Auction]]:
    deals = {seed: seeded_deal(seed) for seed in range(1, BOARDS + 1)}
    return {seed: (deal, bid_out(deal, seed)) for seed, deal in deals.items()}


@pytest.fixture(scope="module")
def double_dummy() -> dict[int, DoubleDummy]:
    return solved()


def is_near(auction: Auction, board: DoubleDummy, seed: int) -> bool:
    vulnerability = vulnerability_of(seed)
    contract, declarer = auction.contract, auction.declarer
    if contract is None or declarer is None:
        return abs(board.par_ns) < 300
    _, levels = board.best_of(declarer.side, vulnerability)
    if any(abs(contract.level - level) <= 1 for level in levels):
        return True
    par = board.par_ns if declarer.side is Side.NS else -board.par_ns
    return board.score(contract, declarer, vulnerability) >= par


def points_of(deal: Deal, side: Side) -> int:
    return sum(card.points for seat in SEATS if seat.side is side for card in deal[seat])


def test_a_board_of_the_file_is_as_endplay_solves_it(double_dummy: dict[int, DoubleDummy]) -> None:
    pytest.importorskip("endplay")
    for seed, board in solve([20]).items():
        assert double_dummy[seed] == board


def test_every_auction_is_under_sixteen_calls(auctions: dict[int, tuple[Deal, Auction]]) -> None:
    assert max(len(auction.calls) for _, auction in auctions.values()) <= _LONGEST


def test_four_contracts_in_five_are_within_a_level_of_the_best(
    auctions: dict[int, tuple[Deal, Auction]], double_dummy: dict[int, DoubleDummy]
) -> None:
    near = [seed for seed, (_, auction) in auctions.items() if is_near(auction, double_dummy[seed], seed)]
    assert len(near) >= 0.8 * BOARDS


def test_games_with_26_points_are_bid_eight_times_in_ten(auctions: dict[int, tuple[Deal, Auction]]) -> None:
    bid = []
    for deal, auction in auctions.values():
        contract, declarer = auction.contract, auction.declarer
        for side in Side:
            is_theirs = declarer is not None and declarer.side is not side
            if points_of(deal, side) >= 26 and not is_theirs:
                bid.append(contract is not None and contract.level >= game_level(contract.denomination))
    assert len(bid) >= 30
    assert mean(bid) >= 0.8


def test_declarers_take_about_what_double_dummy_gives(
    auctions: dict[int, tuple[Deal, Auction]], double_dummy: dict[int, DoubleDummy]
) -> None:
    """On average within a trick, and no more than one board in ten is off by three."""
    differences = []
    for seed, (deal, auction) in list(auctions.items())[::3]:
        contract, declarer = auction.contract, auction.declarer
        if contract is None or declarer is None:
            continue
        tricks = play_out(deal, auction).declarer_tricks
        differences.append(tricks - double_dummy[seed].tricks[contract.denomination, declarer])
    assert abs(mean(differences)) <= 1
    assert mean(abs(difference) for difference in differences) <= 1.25
    assert sum(abs(difference) >= 3 for difference in differences) <= 0.1 * len(differences)


def test_best_levels_of_nine_tricks_in_a_major_are_one_to_three() -> None:
    tricks = {(denomination, seat): 6 for denomination in Denomination for seat in SEATS}
    tricks |= {(Denomination.SPADES, seat): 9 for seat in SEATS if seat.side is Side.NS}
    board = DoubleDummy(tricks, 140)
    assert board.best_of(Side.NS, vulnerability_of(1)) == (140, frozenset({1, 2, 3}))
    assert board.best_of(Side.EW, vulnerability_of(1)) == (0, frozenset())


def test_seeded_deals_are_complete_and_differ() -> None:
    assert seeded_deal(1) != seeded_deal(2)
    assert {card for seat in SEATS for card in seeded_deal(1)[seat]} == set(Card)

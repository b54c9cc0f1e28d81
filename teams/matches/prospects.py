"""What a table that is still bidding may well end in, seen from what the other table did with the same cards.

Nobody knows yet; but the same contract with a trick more or less, the part score, game or slam that the other
table chose instead, and the bid that stands here are what people at a vugraph ask about first.
"""

from collections.abc import Iterator

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import Denomination
from broadcast.bridge.contracts import Contract
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.seats import Seat, Side

MOST = 6
"""Results shown at a glance."""
SMALL_SLAM, GRAND_SLAM = 6, 7
_GAME = {
    Denomination.CLUBS: 5,
    Denomination.DIAMONDS: 5,
    Denomination.HEARTS: 4,
    Denomination.SPADES: 4,
    Denomination.NOTRUMP: 3,
}
"""The level at which an undoubled contract scores game (100 trick points, Law 77)."""


def common_results(auction: Auction, there: BoardResult | None) -> tuple[BoardResult, ...]:
    """Results that the auction still allows, the likeliest first, at most ``MOST``.

    ``there`` is the other table's result, ``None`` where a ruling stands in its place.
    """
    found: list[BoardResult] = []
    for result in (*_as_there(auction, there), *_as_bid(auction)):
        if result not in found:
            found.append(result)
    return tuple(found[:MOST])


def _as_there(auction: Auction, there: BoardResult | None) -> Iterator[BoardResult]:
    if there is None:
        return
    contract, declarer, tricks = there.contract, there.declarer, there.tricks
    if contract is None or declarer is None or tricks is None:
        if auction.last_bid is None:
            yield PASSED_OUT
        return
    levels = [(contract, tricks), *((other, tricks) for other in _other_levels(contract, tricks))]
    for wanted, taken in (*levels, (contract, tricks - 1), (contract, tricks + 1)):
        if 0 <= taken <= 13 and is_within_reach(auction, wanted, declarer.side):
            yield BoardResult(wanted, _declarer(auction, wanted.denomination, declarer), taken)


def _as_bid(auction: Auction) -> Iterator[BoardResult]:
    """The bid that stands, just made and one down."""
    contract, declarer = auction.contract, auction.declarer
    if contract is not None and declarer is not None:
        for tricks in (contract.tricks_needed, contract.tricks_needed - 1):
            yield BoardResult(contract, declarer, tricks)


def _other_levels(contract: Contract, tricks: int) -> Iterator[Contract]:
    """The part score, game and slam in the same denomination that the other table did not play.

    Game where the tricks made it, or all but one; slam where they made it.
    """
    game = _GAME[contract.denomination]
    is_part, is_slam = contract.level < game, contract.level >= SMALL_SLAM
    if not is_part and not is_slam:
        yield Contract(max(1, min(game - 1, tricks - 6)), contract.denomination)
    if is_slam or (is_part and tricks >= 5 + game):
        yield Contract(game, contract.denomination)
    for level in (SMALL_SLAM, GRAND_SLAM):
        if level != contract.level and tricks >= 6 + level:
            yield Contract(level, contract.denomination)


def is_within_reach(auction: Auction, contract: Contract, side: Side) -> bool:
    """Whether the side may still come to declare the contract.

    >>> opened = Auction(Seat.N).with_call(Seat.N, Contract.parse("1NT").bid)
    >>> is_within_reach(opened, Contract.parse("1NT"), Side.NS)
    True
    >>> is_within_reach(opened, Contract.parse("1NT"), Side.EW)
    False
    """
    last = auction.last_bid
    if last is None or contract.bid.height > last[1].height:
        return True
    return contract.bid is last[1] and last[0].side is side


def _declarer(auction: Auction, denomination: Denomination, there: Seat) -> Seat:
    """Who of the side has named the denomination first here, else who declared at the other table."""
    named = (
        seat
        for seat, call in auction.calls
        if call.is_bid and call.denomination is denomination and seat.side is there.side
    )
    return next(named, there)

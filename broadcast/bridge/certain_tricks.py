"""Tricks that a side cannot be kept from, so that a claim which denies them can be doubted at once.

Not an analysis: only what follows from the cards by themselves, whoever plays how. Two reasons are known: the
highest trumps still out, held in one hand; and the winners of the hand on lead while no opponent has a trump.
What is certain is never too much, and often too little.
"""

from broadcast.bridge.cards import Card
from broadcast.bridge.play import Play
from broadcast.bridge.seats import Seat, Side


def certain_tricks(play: Play, side: Side) -> int:
    """How many of the tricks still to be won are the side's, whatever happens.

    The winners of the hand on lead count as certain although their owner might not play them.
    """
    hands = [seat for seat in Seat if seat.side is side]
    best = max(_master_trumps(play, seat) for seat in hands)
    if play.turn in hands and not play.trick:
        best = max(best, _winners_on_lead(play, play.turn))
    return best


def claim_bounds(play: Play) -> tuple[int, int]:
    """Declarer's fewest and most tricks in all: a claim (Law 68) beyond denies somebody a certain trick."""
    side = play.declarer.side
    return (
        play.declarer_tricks + certain_tricks(play, side),
        13 - play.defender_tricks - certain_tricks(play, side.other),
    )


def _master_trumps(play: Play, seat: Seat) -> int:
    trump = play.denomination.trump
    if trump is None:
        return 0
    out = [card for card in _out(play) if card.suit is trump]
    return _led_by(out, frozenset(play.held[seat]))


def _winners_on_lead(play: Play, seat: Seat) -> int:
    """Cards from the top of each suit; nobody can ruff or beat them as long as they are cashed first."""
    opponents = [other for other in Seat if other.side is not seat.side]
    trump = play.denomination.trump
    if any(card.suit is trump for other in opponents for card in play.held[other]):
        return 0
    out, hand = _out(play), frozenset(play.held[seat])
    return sum(
        _led_by([card for card in out if card.suit is suit], hand) for suit in {card.suit for card in hand}
    )


def _out(play: Play) -> list[Card]:
    """The cards that may still win a trick: those in the hands and those of the unfinished trick."""
    return [*(card for hand in play.held.values() for card in hand), *(card for _, card in play.trick)]


def _led_by(out: list[Card], hand: frozenset[Card]) -> int:
    """How many of the highest cards are in the hand, without a gap."""
    count = 0
    for card in sorted(out, key=lambda each: each.strength, reverse=True):
        if card not in hand:
            break
        count += 1
    return count

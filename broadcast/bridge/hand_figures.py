"""What a hand counts: high-card points, and the lengths of its suits.

The usual count: ace 4, king 3, queen 2, jack 1; forty in a pack, at most 37 in a hand.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from broadcast.bridge.cards import SUITS
from broadcast.bridge.deals import Deal, Hand
from broadcast.bridge.seats import SEATS, Seat

POINTS: Final = {"A": 4, "K": 3, "Q": 2, "J": 1}
MOST_POINTS: Final = 37
"""Of one hand: four aces, four kings, four queens and a jack."""


class HandFigures(NamedTuple):
    """A hand's count.

    >>> from broadcast.bridge.deals import parse_hand
    >>> hand_figures(frozenset(parse_hand("A643.KJT8.92.AK3")))
    HandFigures(hcp=15, lengths=(4, 4, 2, 3))
    """

    hcp: int
    """High-card points, 0 to 37."""
    lengths: tuple[int, int, int, int]
    """Cards in spades, hearts, diamonds and clubs; 13 in all."""

    @property
    def pattern(self) -> tuple[int, ...]:
        """The lengths from the longest down, whatever the suits: (5, 4, 3, 1)."""
        return tuple(sorted(self.lengths, reverse=True))


def hand_figures(hand: Hand) -> HandFigures:
    lengths = [sum(1 for card in hand if card.suit is suit) for suit in SUITS]
    spades, hearts, diamonds, clubs = lengths
    return HandFigures(sum(POINTS.get(card.rank, 0) for card in hand), (spades, hearts, diamonds, clubs))


@lru_cache(maxsize=1024)
def deal_figures(deal: Deal) -> dict[Seat, HandFigures]:
    """The four hands' counts."""
    return {seat: hand_figures(deal[seat]) for seat in SEATS}

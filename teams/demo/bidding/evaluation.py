"""What a hand is worth: high cards, length, support for a trump suit, stoppers and suit quality.

The usual point count: 4-3-2-1, one point for each card beyond four in a suit, and for support with a fit
5-3-1 for void, singleton and doubleton with four trumps, 3-2-1 with three.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from broadcast.bridge.calls import Denomination
from broadcast.bridge.cards import SUITS, Suit
from broadcast.bridge.deals import Hand

MAJORS = (Suit.SPADES, Suit.HEARTS)
MINORS = (Suit.DIAMONDS, Suit.CLUBS)

_SHORTNESS_WITH_FOUR = {0: 5, 1: 3, 2: 1}
_SHORTNESS_WITH_THREE = {0: 3, 1: 2, 2: 1}


@dataclass(frozen=True, slots=True)
class Evaluation:
    hcp: int
    """High-card points, 0 to 37."""
    lengths: Mapping[Suit, int]
    suit_hcp: Mapping[Suit, int]
    ranks: Mapping[Suit, str]
    """Each suit's ranks, highest first: ``KQ97``."""

    @property
    def points(self) -> int:
        """High cards and length."""
        return self.hcp + sum(max(0, length - 4) for length in self.lengths.values())

    @property
    def shape(self) -> tuple[int, ...]:
        """Suit lengths, longest first: (5, 3, 3, 2)."""
        return tuple(sorted(self.lengths.values(), reverse=True))

    @property
    def is_balanced(self) -> bool:
        return self.shape in {(4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2)}

    @property
    def is_semi_balanced(self) -> bool:
        return self.is_balanced or self.shape in {(5, 4, 2, 2), (6, 3, 2, 2)}

    @property
    def aces(self) -> int:
        return sum(ranks.startswith("A") for ranks in self.ranks.values())

    @property
    def longest(self) -> Suit:
        """The longest suit, the higher of two equal ones."""
        return max(SUITS, key=lambda suit: (self.lengths[suit], -SUITS.index(suit)))

    def trump_points(self, trump: Suit) -> int:
        """Worth with this trump suit agreed: high cards, shortness and long trumps."""
        length = self.lengths[trump]
        if length <= 2:
            return self.points
        scale = _SHORTNESS_WITH_FOUR if length >= 4 else _SHORTNESS_WITH_THREE
        short = sum(scale.get(held, 0) for suit, held in self.lengths.items() if suit is not trump)
        return self.hcp + short + max(0, length - 5)

    def worth(self, denomination: Denomination) -> int:
        """Points towards a contract: with a trump suit as ``trump_points``, at notrump a long suit counts."""
        trump = denomination.trump
        return self.points if trump is None else self.trump_points(trump)

    def stops(self, suit: Suit) -> bool:
        """Whether the suit is stopped: ace, guarded king, queen third or jack fourth."""
        ranks = self.ranks[suit]
        return (
            "A" in ranks
            or ("K" in ranks and len(ranks) >= 2)
            or ("Q" in ranks and len(ranks) >= 3)
            or ("J" in ranks and len(ranks) >= 4)
        )

    def honours(self, suit: Suit) -> int:
        """How many of the five top cards it holds."""
        return sum(rank in "AKQJT" for rank in self.ranks[suit])

    def is_good_suit(self, suit: Suit) -> bool:
        """Two of the three top cards or three of the five top ones."""
        return sum(rank in "AKQ" for rank in self.ranks[suit]) >= 2 or self.honours(suit) >= 3


@lru_cache(maxsize=4096)
def evaluate(hand: Hand) -> Evaluation:
    """Evaluate thirteen cards (fewer are taken as they stand)."""
    ranks = dict.fromkeys(SUITS, "")
    suit_hcp = dict.fromkeys(SUITS, 0)
    for card in sorted(hand, key=lambda card: -card.strength):
        ranks[card.suit] += card.rank
        suit_hcp[card.suit] += card.points
    lengths = {suit: len(held) for suit, held in ranks.items()}
    return Evaluation(sum(suit_hcp.values()), lengths, suit_hcp, ranks)

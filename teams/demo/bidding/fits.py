"""What the two hands are worth together: the fit in each suit, the denomination to play in, the points."""

from broadcast.bridge.calls import Denomination
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import MAJORS, MINORS, Evaluation
from teams.demo.bidding.rules import Span
from teams.demo.bidding.situations import Situation

SMALL_SLAM = 33
"""Combined points for a small slam."""
_WIDEST = 6
"""A partner whose strength has no upper end counts as having at most so much more than promised."""


def partner_points(situation: Situation) -> Span:
    """Least and most points partner is counted on for."""
    low, high = situation.partner.points
    return low, min(high, low + _WIDEST)


def best_denomination(held: Evaluation, situation: Situation) -> Denomination:
    """Where the side belongs: a major fit, else notrump with their suits stopped, else a minor fit."""
    low, _ = partner_points(situation)
    fits = {suit: fit_in(held, situation, suit) for suit in SUITS}
    major = max(MAJORS, key=lambda suit: (fits[suit], held.lengths[suit]))
    if fits[major] >= 8:
        return Denomination(major.value)
    minor = max(MINORS, key=lambda suit: (fits[suit], held.lengths[suit]))
    stopped = all(held.stops(suit) for suit in situation.their_suits)
    total = held.points + low
    if fits[minor] >= 8:
        is_weak = total < 24
        is_shapely = held.shape[0] >= 6 and held.shape[-1] <= 1
        if is_weak or not stopped or (is_shapely and total >= 28) or (total >= SMALL_SLAM and fits[minor] >= 9):
            return Denomination(minor.value)
    if not stopped:
        longest = max(SUITS, key=lambda suit: (fits[suit], held.lengths[suit]))
        if fits[longest] >= 7:
            return Denomination(longest.value)
    return Denomination.NOTRUMP


def fit_in(held: Evaluation, situation: Situation, suit: Suit) -> int:
    """Trumps together as far as known: a long suit of one's own counts on two cards opposite at most."""
    if suit in situation.their_suits and held.lengths[suit] < 6:
        return 0
    shown = situation.partner.lengths[suit][0]
    if shown == 0 and situation.partner.lengths[suit][1] >= 2 and held.lengths[suit] >= 6:
        shown = 1
    if held.lengths[suit] >= 7:
        return max(8, held.lengths[suit] + shown)
    if held.lengths[suit] == 6:
        return 7 + max(0, shown - 1) + (shown == 1)
    return held.lengths[suit] + shown


def worth_in(held: Evaluation, situation: Situation, strain: Denomination) -> int:
    """Shortness counts only where partner is known to hold some of the trumps."""
    trump = strain.trump
    if trump is None or situation.partner.lengths[trump][0] < 2:
        return held.points
    return held.trump_points(trump)

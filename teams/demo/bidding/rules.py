"""A bidding rule: what a call promises. The bidder takes the first that fits; partner reads the same rule."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from broadcast.bridge.calls import Call
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import Evaluation

Span = tuple[int, int]
"""Least and most, both included."""

MOST_POINTS = 40
ANY_POINTS: Span = (0, MOST_POINTS)
ANY_LENGTH: Span = (0, 13)


class Forcing(StrEnum):
    NO = "no"
    ONE_ROUND = "one_round"
    TO_GAME = "to_game"


class Convention(StrEnum):
    """Calls whose meaning is agreed; partner answers by the convention."""

    STAYMAN = "stayman"
    TRANSFER = "transfer"
    JACOBY = "jacoby"
    BLACKWOOD = "blackwood"
    ACES = "aces"
    QUANTITATIVE = "quantitative"
    STRONG_TWO = "strong_two"
    WAITING = "waiting"
    PREEMPT = "preempt"
    TAKEOUT = "takeout"
    NEGATIVE = "negative"
    PENALTY = "penalty"
    NOTRUMP = "notrump"
    """A natural, limited notrump bid over which Stayman and transfers apply."""


def hcp(held: Evaluation) -> int:
    return held.hcp


def total_points(held: Evaluation) -> int:
    return held.points


def support(trump: Suit) -> "Count":
    """Points in support of this trump suit."""
    return lambda held: held.trump_points(trump)


Count = Callable[[Evaluation], int]
Test = Callable[[Evaluation], bool]


def no_suit_longer(suit: Suit, *than: Suit) -> Test:
    """Whether the suit is as long as each of these, or as any suit when none is named."""
    return lambda held: all(held.lengths[suit] >= held.lengths[other] for other in than or SUITS)


def chosen_by(choice: Callable[[Evaluation], Suit], suit: Suit) -> Test:
    """Whether the choice falls on this suit."""
    return lambda held: choice(held) is suit


def good_suit(suit: Suit) -> Test:
    return lambda held: held.is_good_suit(suit)


def always(held: Evaluation) -> bool:
    del held
    return True


@dataclass(frozen=True, slots=True)
class Rule:
    call: Call
    points: Span = ANY_POINTS
    lengths: Mapping[Suit, Span] = field(default_factory=dict)
    measure: Count = total_points
    """Which count the span of points is of."""
    also: Test = always
    """What the bidder asks besides but partner does not rely on, such as the quality of a suit."""
    forcing: Forcing = Forcing.NO
    convention: Convention | None = None
    alert: bool = False
    explanation: str | None = None

    def fits(self, held: Evaluation) -> bool:
        least, most = self.points
        return (
            least <= self.measure(held) <= most
            and all(low <= held.lengths[suit] <= high for suit, (low, high) in self.lengths.items())
            and self.also(held)
        )


def at_least(length: int) -> Span:
    return length, 13


def at_most(length: int) -> Span:
    return 0, length


def united(rules: Iterable[Rule]) -> Rule:
    """One rule promising only what each of these does: how a call with several meanings is read."""
    first, *others = rules
    if not others:
        return first
    every = [first, *others]
    lengths = {
        suit: (
            min(rule.lengths.get(suit, ANY_LENGTH)[0] for rule in every),
            max(rule.lengths.get(suit, ANY_LENGTH)[1] for rule in every),
        )
        for suit in SUITS
    }
    span = min(rule.points[0] for rule in every), max(rule.points[1] for rule in every)
    return replace(first, points=span, lengths=lengths)

"""Running winners: how many tricks in a row declarer's two hands can take from the lead, and with which card.

The unseen cards of a suit fall from the bottom, so many to a round: one when they may all lie in one hand
(the worst case, for claims), two when they are taken to divide (for planning).
"""

from dataclasses import dataclass

from broadcast.bridge.cards import RANKS, SUITS, Card, Suit
from broadcast.bridge.deals import Hand

Holding = tuple[tuple[int, ...], ...]
"""Strengths per suit in the order of ``SUITS``, highest first."""

WORST_CASE = 1
USUAL_DIVISION = 2


@dataclass(frozen=True, slots=True)
class Run:
    tricks: int
    lead: Card | None
    """The card to lead for it, ``None`` when there is not one certain trick."""


def holding_of(cards: Hand) -> Holding:
    return tuple(
        tuple(sorted((card.strength for card in cards if card.suit is suit), reverse=True)) for suit in SUITS
    )


def longest_run(
    leader: Hand, other: Hand, unseen: Hand, trump: Suit | None, fall: int, budget: int = 400
) -> Run:
    """The longest run found from ``leader``'s lead within the budget of positions looked at.

    A trump still out is drawn before any other suit is led.
    """
    search = _Search(SUITS.index(trump) if trump else None, fall, budget)
    tricks, lead = search.run(holding_of(leader), holding_of(other), holding_of(unseen))
    if lead is None:
        return Run(0, None)
    suit, strength = lead
    return Run(tricks, Card(SUITS[suit].value + RANKS[strength]))


_Lead = tuple[int, int]


class _Search:
    def __init__(self, trump: int | None, fall: int, budget: int) -> None:
        self.trump = trump
        self.fall = fall
        self.budget = budget
        self.known: dict[tuple[Holding, Holding, Holding], tuple[int, _Lead | None]] = {}

    def run(self, leader: Holding, other: Holding, out: Holding) -> tuple[int, _Lead | None]:
        key = leader, other, out
        if key in self.known:
            return self.known[key]
        self.budget -= 1
        if self.budget < 0:
            return 0, None
        left = sum(map(len, leader))
        best: tuple[int, _Lead | None] = (0, None)
        for suit in self._suits_to_lead(leader, out):
            for index in _ends(leader[suit]):
                tricks = self._after(leader, other, out, suit, index)
                if tricks > best[0]:
                    best = tricks, (suit, leader[suit][index])
                if best[0] == left:
                    break
            if best[0] == left:
                break
        self.known[key] = best
        return best

    def _suits_to_lead(self, leader: Holding, out: Holding) -> list[int]:
        suits = [suit for suit in range(4) if leader[suit]]
        if self.trump is not None and out[self.trump]:
            return [suit for suit in suits if suit == self.trump]
        return sorted(suits, key=lambda suit: -len(leader[suit]))

    def _after(self, leader: Holding, other: Holding, out: Holding, suit: int, index: int) -> int:
        """Tricks of the run that starts with this card, 0 when it does not win for certain."""
        card = leader[suit][index]
        highest_out = out[suit][0] if out[suit] else -1
        out_left = (*out[:suit], out[suit][: max(0, len(out[suit]) - self.fall)], *out[suit + 1 :])
        leader_left = without(leader, suit, index)
        best = 0
        for follow_suit, follow_index in _follows(other, suit):
            followed = other[follow_suit][follow_index]
            ruffs = follow_suit == self.trump and suit != self.trump
            overtakes = ruffs or (follow_suit == suit and followed > card)
            if not ruffs and max(card, followed if overtakes else -1) <= highest_out:
                continue
            other_left = without(other, follow_suit, follow_index)
            if overtakes:
                tricks, _ = self.run(other_left, leader_left, out_left)
            else:
                tricks, _ = self.run(leader_left, other_left, out_left)
            best = max(best, 1 + tricks)
        return best


def _follows(other: Holding, suit: int) -> list[tuple[int, int]]:
    """What the hand opposite may add: its lowest or highest of the suit, else its lowest of another."""
    if other[suit]:
        return [(suit, index) for index in reversed(_ends(other[suit]))]
    return [(thrown, len(other[thrown]) - 1) for thrown in range(4) if other[thrown]]


def _ends(strengths: tuple[int, ...]) -> tuple[int, ...]:
    """Places of the highest and the lowest card."""
    return (0,) if len(strengths) == 1 else (0, len(strengths) - 1)


def without(holding: Holding, suit: int, index: int) -> Holding:
    cards = holding[suit]
    return (*holding[:suit], cards[:index] + cards[index + 1 :], *holding[suit + 1 :])

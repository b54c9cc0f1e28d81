"""Whether declarer can claim the rest: every remaining trick certain against any lie of the unseen cards.

The line found is always one of leading winners and crossing to winners. The opponents' cards of a suit are
taken to sit in one hand and to fall from the bottom, which is the worst that can happen.
"""

from broadcast.bridge.cards import SUITS, Card
from broadcast.bridge.seats import Seat
from teams.demo.views import TableView

_Holding = tuple[tuple[int, ...], ...]
"""Strengths per suit in the order of ``SUITS``, highest first."""


def wants_to_claim(view: TableView) -> int | None:
    """Declarer's total of tricks when all the rest is certain, else ``None``. Asked before a lead."""
    if view.trick or not view.is_declaring or view.dummy not in view.held or view.declarer not in view.held:
        return None
    left = len(view.hand)
    if not 1 <= left <= 10:
        return None
    hands = {seat: _holding(view.held[seat]) for seat in (view.declarer, view.dummy)}
    out = _holding(view.unseen)
    trump = SUITS.index(view.trump) if view.trump else None
    search = _Cashing(trump)
    if not search.runs(hands[view.seat], hands[view.seat.partner], out):
        return None
    return tricks_won(view) + left


def tricks_won(view: TableView) -> int:
    """Declarer's tricks among those finished."""
    won = 0
    for start in range(0, len(view.cards) // 4 * 4, 4):
        trick = view.cards[start : start + 4]
        led = trick[0][1].suit
        winner: Seat = max(trick, key=lambda played: view.power(played[1], led))[0]
        won += winner.side is view.declarer.side
    return won


def _holding(cards: frozenset[Card]) -> _Holding:
    return tuple(
        tuple(sorted((card.strength for card in cards if card.suit is suit), reverse=True)) for suit in SUITS
    )


class _Cashing:
    """Search for a line that takes every trick; gives up (and says no) when its budget is spent."""

    def __init__(self, trump: int | None, budget: int = 4000) -> None:
        self.trump = trump
        self.budget = budget

    def runs(self, leader: _Holding, other: _Holding, out: _Holding) -> bool:
        if not any(leader):
            return True
        self.budget -= 1
        if self.budget < 0:
            return False
        suits = [suit for suit in range(4) if leader[suit]]
        trump = self.trump
        if trump is not None and out[trump]:
            suits = [suit for suit in suits if suit == trump]
        return any(self._leads(leader, other, out, suit) for suit in suits)

    def _leads(self, leader: _Holding, other: _Holding, out: _Holding, suit: int) -> bool:
        highest_out = out[suit][0] if out[suit] else -1
        rest_out = _without(out, suit, len(out[suit]) - 1) if out[suit] else out
        for index in _ends(leader[suit]):
            card = leader[suit][index]
            leader_left = _without(leader, suit, index)
            for follow_suit, follow_index in self._follows(other, suit):
                followed = other[follow_suit][follow_index]
                other_left = _without(other, follow_suit, follow_index)
                ruffed = follow_suit == self.trump and suit != self.trump
                overtakes = ruffed or (follow_suit == suit and followed > card)
                if not ruffed and max(card, followed if follow_suit == suit else -1) <= highest_out:
                    continue
                pair = (other_left, leader_left) if overtakes else (leader_left, other_left)
                if self.runs(*pair, rest_out):
                    return True
        return False

    def _follows(self, other: _Holding, suit: int) -> list[tuple[int, int]]:
        if other[suit]:
            return [(suit, index) for index in reversed(_ends(other[suit]))]
        return [(thrown, len(other[thrown]) - 1) for thrown in range(4) if other[thrown]]


def _ends(strengths: tuple[int, ...]) -> tuple[int, ...]:
    """Places of the highest and the lowest card."""
    return (0,) if len(strengths) == 1 else (0, len(strengths) - 1)


def _without(holding: _Holding, suit: int, index: int) -> _Holding:
    cards = holding[suit]
    return (*holding[:suit], cards[:index] + cards[index + 1 :], *holding[suit + 1 :])

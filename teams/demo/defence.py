"""A defender on lead after the first trick."""

from broadcast.bridge.cards import SUITS, Card, Suit
from teams.demo.bidding.style import STANDARD, Style
from teams.demo.leads import card_to_lead, sequence_length
from teams.demo.views import TableView


def defender_lead(view: TableView, style: Style = STANDARD) -> Card:
    """Cash what is set up, return partner's suit, lead through strength or up to weakness."""
    suits = [suit for suit in SUITS if view.holding(view.seat, suit)]
    best = max(suits, key=lambda suit: _merit(view, suit))
    cards = view.holding(view.seat, best)
    if view.is_master(cards[0]) and _beats_dummy(view, cards[0]):
        return cards[0]
    if sequence_length(cards) >= 2 and cards[0].strength >= 8:
        return cards[0]
    if len(cards) == 2:
        return cards[0]
    return card_to_lead(cards, view.trump is None, style) if len(cards) > 2 else cards[-1]


def _beats_dummy(view: TableView, card: Card) -> bool:
    held = view.holding(view.dummy, card.suit)
    return not held or held[0].strength < card.strength


def _ruffed_by(view: TableView, suit: Suit) -> bool:
    """Whether dummy or declarer is known to ruff the suit."""
    trump = view.trump
    if trump is None or suit is trump:
        return False
    if not view.holding(view.dummy, suit) and view.holding(view.dummy, trump):
        return True
    return suit in view.shown_out(view.declarer) and bool(view.unseen_in(trump))


def _merit(view: TableView, suit: Suit) -> float:
    cards = view.holding(view.seat, suit)
    dummy = view.holding(view.dummy, suit)
    out = view.unseen_in(suit)
    merit = 0.0
    masters = [card for card in cards if view.is_master(card) and _beats_dummy(view, card)]
    if _ruffed_by(view, suit):
        merit -= 6
    elif masters:
        merit += 2 + len(masters)
        if view.trump is None and len(cards) >= 3:
            merit += 2
        if len(view.cards) >= 32:
            merit += 3
    if suit is view.trump:
        return merit - 1
    first_by_partner = [
        trick[0][1].suit
        for trick in (view.cards[i : i + 4] for i in range(0, len(view.cards), 4))
        if trick[0][0] is view.seat.partner
    ]
    if suit in first_by_partner:
        merit += 3
    first_by_me = [
        trick[0][1].suit
        for trick in (view.cards[i : i + 4] for i in range(0, len(view.cards), 4))
        if trick[0][0] is view.seat
    ]
    if suit in first_by_me:
        merit += 2
    honours = sum(card.strength >= 9 for card in dummy)
    if view.seat.left is view.dummy:
        merit += 1 if 1 <= honours <= 2 else 0
    else:
        merit += 2 if honours == 0 else -1.5 * honours
    if sequence_length(cards) >= 2 and cards[0].strength >= 9:
        merit += 2
    elif cards[0].strength in (12, 11) and not masters:
        merit -= 1
    if view.trump is None:
        merit += 0.5 * len(cards)
    return merit - 0.1 * len(out)

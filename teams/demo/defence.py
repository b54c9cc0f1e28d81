"""A defender on lead after the first trick: cash, return partner's suit, lead through strength to weakness."""

from broadcast.bridge.cards import SUITS, Card, Suit
from broadcast.bridge.seats import Seat
from teams.demo.bidding.style import STANDARD, Style
from teams.demo.claiming import tricks_won
from teams.demo.leads import card_to_lead, sequence_length
from teams.demo.views import TableView

_EARLY = 16
"""Cards played, before which a lone ace is kept for declarer's honours."""
_LATE = 32
"""Cards played, after which top cards are cashed."""


def defender_lead(view: TableView, style: Style = STANDARD) -> Card:
    """A card to lead for a defender who has won a trick."""
    suits = [suit for suit in SUITS if view.holding(view.seat, suit)]
    beaten = _suit_that_beats_the_contract(view, suits)
    best = beaten or max(suits, key=lambda suit: _merit(view, suit) + style.preference(view.hand, suit))
    cards = view.holding(view.seat, best)
    is_time = beaten is not None or len(view.cards) >= _EARLY or len(cards) <= 2 or _masters(view, best) > 1
    if is_time and view.is_master(cards[0]):
        return cards[0]
    if sequence_length(cards) >= 2 and cards[0].strength >= 8:
        return cards[0]
    if len(cards) <= 2:
        return cards[0]
    return card_to_lead(cards, view.trump is None, style)


def _masters(view: TableView, suit: Suit) -> int:
    return sum(view.is_master(card) for card in view.holding(view.seat, suit))


def _suit_that_beats_the_contract(view: TableView, suits: list[Suit]) -> Suit | None:
    """A suit whose top cards alone defeat the contract now."""
    to_beat = 14 - view.contract.tricks_needed - (len(view.cards) // 4 - tricks_won(view))
    safe = [suit for suit in suits if not _is_ruffed(view, suit)]
    if to_beat > 0 and sum(_masters(view, suit) for suit in safe) >= to_beat:
        return max(safe, key=lambda suit: _masters(view, suit))
    return None


def _is_ruffed(view: TableView, suit: Suit) -> bool:
    """Whether dummy or declarer is known to ruff the suit."""
    trump = view.trump
    if trump is None or suit is trump:
        return False
    if not view.holding(view.dummy, suit) and view.holding(view.dummy, trump):
        return True
    return suit in view.shown_out(view.declarer) and bool(view.unseen_in(trump))


def _led_by(view: TableView, seat: Seat) -> set[Suit]:
    """Suits the seat has led so far."""
    tricks = (view.cards[start] for start in range(0, len(view.cards), 4))
    return {card.suit for player, card in tricks if player is seat}


def _merit(view: TableView, suit: Suit) -> float:
    cards = view.holding(view.seat, suit)
    masters = _masters(view, suit)
    merit = -0.1 * len(view.unseen_in(suit))
    if _is_ruffed(view, suit):
        merit -= 6
    elif masters:
        merit += 2 + masters if masters > 1 or len(view.cards) >= _EARLY else -1
        merit += 3 if len(view.cards) >= _LATE else 0
        merit += 1.5 if masters > 1 and view.trump is None else 0
    if suit is view.trump:
        return merit - 1
    merit += 3 if suit in _led_by(view, view.seat.partner) else 0
    merit += 2 if suit in _led_by(view, view.seat) else 0
    merit += _towards_dummy(view, suit)
    if sequence_length(cards) >= 2 and cards[0].strength >= 9:
        merit += 2
    elif cards[0].rank in "AK" and not masters:
        merit -= 1
    return merit + (0.5 * len(cards) if view.trump is None else 0)


def _towards_dummy(view: TableView, suit: Suit) -> float:
    """Through dummy's broken strength, or up to its weakness."""
    honours = sum(card.strength >= 9 for card in view.holding(view.dummy, suit))
    if view.seat.left is view.dummy:
        return 1 if 1 <= honours <= 2 else 0
    return 2 if honours == 0 else -1.5 * honours

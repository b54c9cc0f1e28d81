"""The opening lead: partner's suit, top of a sequence, a singleton, fourth best (and why not from an ace)."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Card, Suit, in_order
from teams.demo.bidding.style import STANDARD, Style, SuitLead
from teams.demo.views import TableView


def opening_lead(view: TableView, style: Style = STANDARD) -> Card:
    """The card to lead against the contract, chosen from one's own hand and the auction."""
    suits = [suit for suit in SUITS if in_order(view.hand, suit)]
    merit = _merit_at_notrump if view.trump is None else _merit_against_trumps

    def liking(suit: Suit) -> float:
        return merit(view, suit, style) + 1.5 * style.preference(view.hand, suit)

    best = max(suits, key=lambda suit: (liking(suit), -SUITS.index(suit)))
    return card_to_lead(in_order(view.hand, best), view.trump is None, style)


def card_to_lead(cards: list[Card], is_notrump: bool, style: Style = STANDARD) -> Card:
    """The agreed card of a suit, given highest first: top of touching honours, fourth best, low from three."""
    ranks = "".join(card.rank for card in cards)
    if len(cards) <= 2:
        return cards[0]
    if not is_notrump and ranks[0] == "A":
        return cards[0]
    length = sequence_length(cards)
    if length >= 3 or (length == 2 and cards[0].rank in "AKQJ" and (not is_notrump or ranks[2] in "JT9")):
        return cards[0]
    if ranks[1:3] in ("JT", "T9", "QJ") and len(cards) >= 3 and is_notrump and ranks[0] in "AKQ":
        return cards[1]
    if all(card.strength < 8 for card in cards):
        return cards[1] if len(cards) >= 4 else cards[0]
    if style.lead is SuitLead.THIRD_AND_FIFTH:
        return cards[4] if len(cards) >= 5 else cards[2]
    return cards[min(3, len(cards) - 1)]


def sequence_length(cards: list[Card]) -> int:
    """How many touching cards stand at the top of a suit given highest first."""
    length = 1
    while length < len(cards) and cards[length].strength == cards[0].strength - length:
        length += 1
    return length


def _bid_by(view: TableView, suit: Suit) -> tuple[bool, bool]:
    """Whether partner and whether the opponents bid the suit."""
    bids = [
        seat
        for seat, call in view.auction.calls
        if call is not Call.PASS and call.is_bid and call.denomination is Denomination(suit.value)
    ]
    partner = view.seat.partner
    return partner in bids, any(seat.side is not view.seat.side for seat in bids)


def _honour_merit(cards: list[Card]) -> float:
    """Touching honours are good to lead from."""
    if cards[0].rank not in "AKQJ":
        return 0
    return {1: 0.0, 2: 1.5}.get(sequence_length(cards), 3.0)


def _merit_at_notrump(view: TableView, suit: Suit, style: Style) -> float:
    cards = in_order(view.hand, suit)
    by_partner, by_them = _bid_by(view, suit)
    merit = len(cards) * 1.5 + _honour_merit(cards) + sum(card.points for card in cards) * 0.15
    if by_partner:
        merit += 6
    if by_them:
        merit -= 4
    if style.lead is SuitLead.SHORT_SUITS and len(cards) <= 3:
        merit += 1.5
    if suit in (Suit.SPADES, Suit.HEARTS):
        merit += 0.5
    return merit


def _merit_against_trumps(view: TableView, suit: Suit, style: Style) -> float:
    cards = in_order(view.hand, suit)
    if suit is view.trump:
        return 1.5 if all(card.strength < 9 for card in cards) and len(cards) >= 2 else -2
    by_partner, by_them = _bid_by(view, suit)
    merit = 2.0 + _honour_merit(cards) * 1.5
    ranks = "".join(card.rank for card in cards)
    trumps = len(in_order(view.hand, view.trump)) if view.trump else 0
    if len(cards) == 1:
        merit += 3 if 1 <= trumps <= 3 else 1
        merit += 1 if style.lead is SuitLead.SHORT_SUITS else 0
        merit -= 2 if ranks in "KQ" else 0
    elif len(cards) == 2 and ranks[0] not in "AKQ":
        merit += 1.5 if style.lead is SuitLead.SHORT_SUITS else 0.2
    if ranks.startswith("AK"):
        merit += 4
    elif ranks[0] == "A":
        merit -= 3.5
    elif ranks[0] == "K" and not ranks.startswith("KQ"):
        merit -= 1
    if by_partner:
        merit += 4
    if by_them:
        merit -= 2
    return merit

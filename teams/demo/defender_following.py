"""A defender in second and third hand, and a defender's discards. Dummy is in sight."""

from broadcast.bridge.cards import Card
from teams.demo.claiming import tricks_won
from teams.demo.prospects import prospect
from teams.demo.views import TableView

_LATE = 36
"""Cards played, after which winners are taken when they can be."""


def second_hand(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """Low, but cover an honour, split honours, and take what beats the contract or comes late."""
    led = view.trick[0][1]
    top = cards[0]
    if view.is_master(top) and top in beating and (len(view.cards) >= _LATE or _needs_one(view)):
        return beating[-1] if view.is_master(beating[-1]) else top
    cover = _cover(view, led, cards, beating)
    if cover is not None:
        return cover
    if len(cards) >= 2 and cards[1].strength == top.strength - 1 and top.rank in "KQ" and top in beating:
        return cards[1]
    return cards[-1]


def _needs_one(view: TableView) -> bool:
    """Whether one more trick defeats the contract."""
    lost = len(view.cards) // 4 - tricks_won(view)
    return lost == 13 - view.contract.tricks_needed


def _cover(view: TableView, led: Card, cards: list[Card], beating: list[Card]) -> Card | None:
    """An honour on an honour: on dummy's unless dummy holds the next one, before dummy's ace with the king."""
    if view.trick[0][0] is view.dummy:
        touching = any(card.strength == led.strength - 1 for card in view.holding(view.dummy, led.suit))
        over = [card for card in beating if card.rank in "KQ"]
        if led.rank in "QJT" and over and not touching and len(cards) <= 3:
            return over[-1]
        return None
    over = [card for card in beating if card.rank == "K"]
    has_ace = any(card.rank == "A" for card in view.holding(view.dummy, led.suit))
    return over[0] if led.rank in "QJ" and over and has_ace else None


def third_hand(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """High, but no higher than needed; dummy's cards are taken into account, played or to be played."""
    led_card = view.trick[0][1]
    top = beating[0]
    dummy = view.holding(view.dummy, top.suit)
    if view.seat.left is view.dummy:
        return _before_dummy(view, cards, beating, dummy)
    is_partners = view.winning == view.trick[0]
    if is_partners and (view.is_master(led_card) or view.are_touching(led_card, top)):
        return cards[-1]
    if dummy and top.strength > dummy[0].strength:
        inside = [card for card in beating if dummy[0].strength - 2 <= card.strength < dummy[0].strength]
        if inside and inside[-1].strength >= 7:
            return inside[-1]
    return min((card for card in beating if view.are_touching(card, top)), key=lambda card: card.strength)


def _before_dummy(view: TableView, cards: list[Card], beating: list[Card], dummy: list[Card]) -> Card:
    """Dummy plays last: win as cheaply as it allows, or play low when it wins or ruffs anyhow."""
    trump = view.trump
    if not dummy and trump and trump is not view.led and view.holding(view.dummy, trump):
        return cards[-1]
    highest = dummy[0].strength if dummy else -1
    if view.winning == view.trick[0] and view.trick[0][1].strength > highest:
        return cards[-1]
    enough = [card for card in beating if card.strength > highest]
    return enough[-1] if enough else cards[-1]


def partner_wins(view: TableView) -> bool:
    """Whether partner's card is sure to hold the trick."""
    winning = view.winning
    if winning is None or winning[0] is not view.seat.partner:
        return False
    if len(view.trick) == 3 or winning[1].suit is view.trump:
        return True
    if view.seat.left is not view.dummy:
        return view.is_master(winning[1])
    dummy = view.holding(view.dummy, winning[1].suit)
    if dummy:
        return dummy[0].strength < winning[1].strength
    return view.trump is None or not view.holding(view.dummy, view.trump)


def throw_away(view: TableView) -> Card:
    """The card least likely to win a trick: low from a suit that needs no guarding."""
    choices = [card for card in view.legal() if card.suit is not view.trump] or view.legal()
    return min(choices, key=lambda card: (_dear(view, card), card.strength))


def _dear(view: TableView, card: Card) -> float:
    """Winners, tricks still to come, guards of honours and length with dummy are worth keeping."""
    held = view.holding(view.seat, card.suit)
    if view.is_master(card):
        return 15
    dummy = view.holding(view.dummy, card.suit)
    out = [*view.unseen_in(card.suit), *dummy]
    rest = [other for other in held if other is not card]
    lost = prospect(held, [], out).won - prospect(rest, [], out).won
    is_guard = held[0].strength > 8 and len(held) <= 13 - held[0].strength
    value = 5.0 if is_guard and out else 0.0
    value += 3 if len(dummy) >= len(held) >= 3 and len(dummy) >= 4 else 0
    return value + 2.5 * lost + card.strength / 12

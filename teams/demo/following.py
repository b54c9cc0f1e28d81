"""Following suit, ruffing and discarding: what every player does alike, before the sides' own judgement."""

from broadcast.bridge.cards import Card
from teams.demo import declarer_following, defender_following
from teams.demo.views import TableView


def follow(view: TableView) -> Card:
    """A card of the suit led: the lowest when nothing can be won, in fourth hand the cheapest that wins."""
    cards = [card for card in view.legal() if card.suit is view.led]
    winning = view.winning
    if winning is None:
        raise ValueError("No card has been led to follow")
    beating = [card for card in cards if view.beats(card, winning[1])]
    if view.is_declaring:
        return declarer_following.follow(view, cards, beating)
    if not beating:
        return cards[-1]
    if len(view.trick) == 3:
        return cards[-1] if winning[0] is view.seat.partner else beating[-1]
    if len(view.trick) == 2:
        return defender_following.third_hand(view, cards, beating)
    return defender_following.second_hand(view, cards, beating)


def discard(view: TableView) -> Card:
    """No card of the suit led: ruff what would be lost, otherwise throw the least useful card."""
    winning = view.winning
    if winning is None:
        raise ValueError("No card has been led to discard on")
    trumps = [card for card in view.legal() if card.suit is view.trump]
    beating = [card for card in trumps if view.beats(card, winning[1])]
    partner_wins = (declarer_following if view.is_declaring else defender_following).partner_wins(view)
    if beating and not partner_wins:
        return beating[-1]
    return declarer_following.throw_away(view) if view.is_declaring else defender_following.throw_away(view)

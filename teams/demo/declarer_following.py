"""Declarer's two hands in second, third and fourth hand: finesses, ducks, unblocking and discards."""

from broadcast.bridge.cards import Card, Suit
from broadcast.bridge.seats import Seat
from teams.demo.prospects import prospect
from teams.demo.views import TableView
from teams.demo.winners import USUAL_DIVISION, longest_run


def follow(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """A card of the suit led; ``beating`` are those of them that would win the trick as it stands."""
    if partner_wins(view):
        return best_for_the_run(view, view.seat.partner, [cards[-1], *beating[:1]])
    if not beating:
        return cards[-1]
    if len(view.trick) == 3:
        return best_for_the_run(view, view.seat, [beating[-1], beating[0]])
    return _second_hand(view, cards, beating) if len(view.trick) == 1 else _third_hand(view, cards, beating)


def best_for_the_run(view: TableView, winner: Seat, choices: list[Card]) -> Card:
    """Of cards on a trick that is ours the first that leaves the longest run of winners.

    ``winner`` takes the trick unless the card chosen goes over partner's.
    """
    if len(set(choices)) == 1:
        return choices[0]
    partner = view.held[view.seat.partner]
    best, longest = choices[0], -1
    for card in choices:
        mine = view.hand - {card}
        winning = view.winning
        overtakes = winning is None or view.beats(card, winning[1])
        leads = winner is view.seat or overtakes
        leader, other = (mine, partner) if leads else (partner, mine)
        tricks = longest_run(leader, other, view.unseen, view.trump, USUAL_DIVISION).tricks
        if tricks > longest:
            best, longest = card, tricks
    return best


def _second_hand(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """Low to the other hand's high card; else win with a master, or finesse under it."""
    partner = view.holding(view.seat.partner, cards[0].suit)
    led = view.trick[0][1]
    top = cards[0]
    partner_may_win = bool(partner) and view.is_master(partner[0])
    if view.is_master(top) and top in beating and not partner_may_win:
        inside = [card for card in beating if card is not top and _lies_between(view, card, top) == 1]
        if inside and partner and led.strength < 8:
            return inside[-1] if partner[0].strength < inside[-1].strength else cards[-1]
        return cheapest_of(view, top, cards)
    if top in beating and len(cards) <= 2 and top.rank in "KQ" and len(partner) <= 2:
        return top
    return cards[-1]


def _lies_between(view: TableView, card: Card, top: Card) -> int:
    return sum(card.strength < strength < top.strength for strength in view.against(card.suit))


def cheapest_of(view: TableView, card: Card, cards: list[Card]) -> Card:
    """The lowest card of the hand that is as good as this one."""
    return min((other for other in cards if view.are_touching(card, other)), key=lambda c: c.strength)


def _third_hand(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """Let a finesse run, finesse, or win; not higher than an equal of partner's winning card."""
    led_card = view.trick[0][1]
    suit = led_card.suit
    last = view.seat.left
    against = [] if suit in view.shown_out(last) else view.against(suit)
    top = beating[0]
    if view.winning == view.trick[0]:
        higher = [strength for strength in against if strength > led_card.strength]
        if view.are_touching(led_card, top):
            return cards[-1]
        is_finesse = led_card.rank in "QJT9" and len(higher) <= 2 and view.is_master(top)
        if is_finesse and not _play_for_drop(view, suit, higher):
            return cards[-1]
    for card in reversed(beating):
        higher = [strength for strength in against if strength > card.strength]
        if not higher:
            return card
        if card is top or not view.is_master(top):
            continue
        if len(higher) == 1:
            if _play_for_drop(view, suit, higher):
                break
            return card
        if len(higher) == 2 and card.strength >= 8 and len(cards) >= 3:
            return card
    return cheapest_of(view, top, beating)


_DROPS = {11: 2, 10: 4}
"""Eight ever, nine never: with so many cards out a missing king (11) or queen (10) is played to fall."""


def _play_for_drop(view: TableView, suit: Suit, missing: list[int]) -> bool:
    """Whether the only missing high card is more likely to fall under ours than to be caught by a finesse."""
    if not missing:
        return True
    out = len(view.unseen_in(suit)) + sum(c.suit is suit for seat, c in view.trick if seat not in view.held)
    return len(missing) == 1 and out <= _DROPS.get(missing[0], 4)


def partner_wins(view: TableView) -> bool:
    """Whether the other hand's card, played or in second hand still to be played, is sure to win."""
    winning = view.winning
    if winning is None:
        return False
    led = winning[1].suit
    if len(view.trick) == 1:
        if led is view.led and not any(card.suit is led for card in view.hand):
            held = view.holding(view.seat.partner, led)
            return bool(held) and view.is_master(held[0]) and view.beats(held[0], winning[1])
        return False
    if winning[0] is not view.seat.partner:
        return False
    is_safe = led is view.trump or view.is_master(winning[1])
    return len(view.trick) == 3 or is_safe


def throw_away(view: TableView) -> Card:
    """The discard that costs least: the longest run of winners kept, then tricks still to be developed."""
    legal = view.legal()
    choices = [card for card in legal if card.suit is not view.trump] or legal
    ordered = sorted(choices, key=lambda card: (_dear(view, card), card.strength))
    lowest = {card.suit: card for card in reversed(ordered)}
    if not partner_wins(view) or len(view.trick) == 1:
        return ordered[0]
    return best_for_the_run(view, view.seat.partner, [card for card in ordered if lowest[card.suit] is card])


def _dear(view: TableView, card: Card) -> float:
    """Tricks the suit would bring less without the card."""
    held, others = view.holding(view.seat, card.suit), view.holding(view.seat.partner, card.suit)
    out = view.unseen_in(card.suit)
    before = prospect(held, others, out)
    after = prospect([other for other in held if other is not card], others, out)
    last_link = 0.5 if len(held) == 1 and others else 0.0
    return 2.0 * (before.won - after.won) + view.is_master(card) + last_link

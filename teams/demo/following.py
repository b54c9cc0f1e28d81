"""Second, third and fourth hand: following suit, ruffing and discarding."""

from broadcast.bridge.cards import Card, Suit
from broadcast.bridge.seats import Seat
from teams.demo.views import TableView


def follow(view: TableView) -> Card:
    """A card of the suit led."""
    cards = [card for card in view.legal() if card.suit is view.led]
    winning = view.winning
    if winning is None:
        raise ValueError("No card has been led to follow")
    beating = [card for card in cards if _beats(view, card, winning[1])]
    lowest = cards[-1]
    place = len(view.trick)
    if not beating:
        return lowest
    partner_wins = winning[0] is view.seat.partner
    if place == 3:
        return lowest if partner_wins else beating[-1]
    if place == 2:
        return _third_hand(view, cards, beating, partner_wins)
    return _second_hand(view, cards, beating)


def _beats(view: TableView, card: Card, other: Card) -> bool:
    led = view.led or card.suit
    return view.power(card, led) > view.power(other, led)


def cheapest_equal(view: TableView, card: Card, cards: list[Card]) -> Card:
    """The lowest card of the hand as good as this one: no card that matters lies between."""
    best = card
    out = [other.strength for other in view.unseen if other.suit is card.suit]
    dummy = [other.strength for other in view.holding(view.dummy, card.suit)] if not view.is_declaring else []
    for other in sorted(cards, key=lambda c: -c.strength):
        if other.strength < best.strength and not any(
            other.strength < between < best.strength for between in (*out, *dummy)
        ):
            best = other
    return best


def _second_hand(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """Low, but take what can be taken for certain late, split honours and cover an honour."""
    led = view.trick[0][1]
    lowest = cards[-1]
    last = view.seat.partner.right
    if view.is_declaring:
        return _declarer_second(view, cards, beating)
    if led.rank in "QJT" and view.trick[0][0] is view.dummy:
        behind = view.holding(view.dummy, led.suit)
        touching = any(card.strength == led.strength - 1 for card in behind)
        over = [card for card in beating if card.rank in "KQA"]
        if over and not touching and len(cards) <= 3 and over[-1].rank != "A":
            return over[-1]
    if led.rank in "QJ" and last is view.dummy:
        over = [card for card in beating if card.rank == "K"]
        if over and any(card.rank == "A" for card in view.holding(view.dummy, led.suit)):
            return over[0]
    top = cards[0]
    if len(cards) >= 2 and cards[1].strength == top.strength - 1 and top.rank in "KQ" and top in beating:
        return cards[1]
    if view.is_master(top) and top in beating and _is_late(view) and _beats_dummy(view, top):
        return top
    return lowest


def _is_late(view: TableView) -> bool:
    return len(view.cards) >= 36


def _beats_dummy(view: TableView, card: Card) -> bool:
    """Whether dummy, still to play, cannot beat the card."""
    if view.dummy in {seat for seat, _ in view.trick}:
        return True
    held = view.holding(view.dummy, card.suit)
    if not held:
        return not view.trump or card.suit is view.trump or not view.holding(view.dummy, view.trump)
    return held[0].strength < card.strength


def _declarer_second(view: TableView, cards: list[Card], beating: list[Card]) -> Card:
    """Declarer's side plays second: high with the only stopper in danger, else low to the other hand."""
    partner = view.holding(view.seat.partner, cards[0].suit)
    led = view.trick[0][1]
    top = cards[0]
    out = view.unseen_in(led.suit)
    higher_than_partner = partner and out and partner[0].strength > out[0].strength
    if view.is_master(top) and top in beating and (not higher_than_partner):
        lower = [card for card in beating if card is not top and _finessable(view, card, top)]
        if lower and len(partner) and led.strength < 8:
            return lower[-1] if not partner or partner[0].strength < lower[-1].strength else cards[-1]
        return cheapest_equal(view, top, cards)
    if len(cards) >= 2 and top in beating and len(cards) <= 2 and top.rank in "KQ" and len(partner) <= 2:
        return top
    return cards[-1]


def _finessable(view: TableView, card: Card, top: Card) -> bool:
    """Whether exactly one unseen card lies between the two."""
    between = [c for c in view.unseen_in(card.suit) if card.strength < c.strength < top.strength]
    return len(between) == 1


def _third_hand(view: TableView, cards: list[Card], beating: list[Card], partner_wins: bool) -> Card:
    if view.is_declaring:
        return _declarer_third(view, cards, beating, partner_wins)
    winning = view.winning
    lowest = cards[-1]
    if winning is None:
        return lowest
    fourth = view.seat.left
    if fourth is view.dummy:
        return _third_before_dummy(view, cards, beating, partner_wins)
    if partner_wins and (view.is_master(winning[1]) or _is_equal(view, winning[1], cards[0])):
        return lowest
    top = beating[0]
    dummy_left = view.holding(view.dummy, top.suit)
    for card in reversed(beating):
        if (
            dummy_left
            and dummy_left[0].strength > card.strength >= 7
            and card.strength >= dummy_left[0].strength - 2
            and top.strength > dummy_left[0].strength
        ):
            return card
    return cheapest_equal(view, top, cards)


def _third_before_dummy(view: TableView, cards: list[Card], beating: list[Card], partner_wins: bool) -> Card:
    """Dummy plays last and is in sight: win as cheaply as dummy allows."""
    winning = view.winning
    if winning is None:
        return cards[-1]
    dummy = view.holding(view.dummy, cards[0].suit)
    top = dummy[0].strength if dummy else -1
    if not dummy and view.trump and view.holding(view.dummy, view.trump) and cards[0].suit is not view.trump:
        return cards[-1]
    if partner_wins and winning[1].strength > top:
        return cards[-1]
    enough = [card for card in beating if card.strength > top]
    if enough:
        return enough[-1]
    return cards[-1]


def _is_equal(view: TableView, card: Card, mine: Card) -> bool:
    """Whether no card that matters lies between partner's card and one's own best."""
    low, high = sorted((card.strength, mine.strength))
    others = [*view.unseen_in(card.suit), *view.holding(view.dummy, card.suit)]
    return not any(low < other.strength < high for other in others)


def _declarer_third(view: TableView, cards: list[Card], beating: list[Card], partner_wins: bool) -> Card:
    """Declarer's side plays third: let a finesse run, finesse, or win."""
    led_card = view.trick[0][1]
    winning = view.winning
    if winning is None:
        return cards[-1]
    out = view.unseen_in(led_card.suit)
    right = view.seat.left
    hidden_higher = [card for card in out if card.strength > winning[1].strength]
    if right in view.held or led_card.suit in view.shown_out(right):
        hidden_higher = []
    if partner_wins:
        if not hidden_higher:
            return cards[-1]
        is_finesse = led_card.rank in "QJT9" and len(hidden_higher) <= 2 and view.is_master(beating[0])
        if is_finesse and not _play_for_drop(view, led_card.suit, hidden_higher):
            return cards[-1]
    top = beating[0]
    for card in reversed(beating):
        higher = [other for other in out if other.strength > card.strength]
        if not higher or led_card.suit in view.shown_out(right):
            return card
        if len(higher) == 1 and card is not top and view.is_master(top):
            if _play_for_drop(view, led_card.suit, higher):
                break
            return card
        if (
            len(higher) == 2
            and card is not top
            and card.strength >= 8
            and len(cards) >= 3
            and view.is_master(top)
        ):
            return card
    return cheapest_equal(view, top, cards)


def _play_for_drop(view: TableView, suit: Suit, missing: list[Card]) -> bool:
    """Eight ever, nine never for a queen; the king drops only from eleven cards on."""
    outstanding = len(view.unseen_in(suit)) + sum(
        card.suit is suit for s, card in view.trick if s not in view.held
    )
    if not missing:
        return True
    return outstanding <= {"K": 2, "Q": 4}.get(missing[0].rank, 4) and len(missing) == 1


def discard(view: TableView) -> Card:
    """No card of the suit led: ruff what would be lost, otherwise throw the least useful card."""
    winning = view.winning
    trump = view.trump
    if winning is None:
        raise ValueError("No card has been led to discard on")
    trumps = view.holding(view.seat, trump) if trump is not None else []
    if trumps and not _partner_surely_wins(view, winning):
        beating = [card for card in trumps if _beats(view, card, winning[1])]
        if beating:
            return beating[-1]
    return throw_away(view)


def _partner_surely_wins(view: TableView, winning: tuple[Seat, Card]) -> bool:
    if winning[0] is not view.seat.partner:
        return False
    if len(view.trick) == 3:
        return True
    card = winning[1]
    if card.suit is view.trump:
        return True
    if not view.is_declaring and view.seat.left is view.dummy:
        return _beats_dummy(view, card)
    return view.is_master(card)


def throw_away(view: TableView) -> Card:
    """The card least likely to win a trick: low from a suit that needs no guarding."""
    choices = [card for card in view.legal() if card.suit is not view.trump] or view.legal()
    return min(choices, key=lambda card: (_keep(view, card), card.strength))


def _keep(view: TableView, card: Card) -> float:
    """How dear a card is."""
    held = view.holding(view.seat, card.suit)
    out = view.unseen_in(card.suit)
    if card.suit is view.trump:
        return 20 + card.strength
    if view.is_master(card):
        return 15
    if not out and not view.is_declaring:
        return 10
    place = held.index(card)
    higher_out = sum(other.strength > card.strength for other in out)
    value = 0.0
    if view.is_declaring:
        partner = view.holding(view.seat.partner, card.suit)
        long_suit = max(len(held), len(partner))
        value += 2 if long_suit > len(out) / 2 + 1 and len(held) >= len(partner) else 0
        value += 3 if higher_out <= place else 0
    else:
        dummy = view.holding(view.dummy, card.suit)
        guards = held[0].strength > 8 and len(held) <= 13 - held[0].strength
        value += 5 if guards else 0
        value += 3 if len(dummy) >= len(held) >= 3 and len(dummy) >= 4 else 0
        value += 2 if len(held) >= 5 else 0
    value += card.strength / 12
    return value

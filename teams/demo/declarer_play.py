"""Declarer on lead, from hand or dummy: draw trumps, ruff, establish, finesse, cash."""

from broadcast.bridge.cards import SUITS, Card, Suit
from teams.demo.leads import sequence_length
from teams.demo.views import TableView


def declarer_lead(view: TableView) -> Card:
    """A card to lead from the hand in turn, with the other hand of the side in sight."""
    trump = view.trump
    if trump is not None:
        ruff = _lead_for_ruff(view, trump)
        if ruff is not None and _ruff_first(view, trump):
            return ruff
        if _should_draw(view, trump):
            return lead_of_suit(view, trump)
        if ruff is not None:
            return ruff
    suits = [suit for suit in SUITS if view.holding(view.seat, suit)]
    side_suits = [suit for suit in suits if suit is not trump] or suits
    best = max(side_suits, key=lambda suit: _promise(view, suit))
    return lead_of_suit(view, best)


def _others(view: TableView, suit: Suit) -> list[Card]:
    return view.holding(view.seat.partner, suit)


def _should_draw(view: TableView, trump: Suit) -> bool:
    """While the opponents have trumps other than one master that would only cost two of ours."""
    out = view.unseen_in(trump)
    mine, others = view.holding(view.seat, trump), _others(view, trump)
    if not out or not mine:
        return False
    ours = sorted((*mine, *others), key=lambda card: -card.strength)
    if len(out) == 1 and out[0].strength > ours[0].strength:
        return False
    return not (not others and len(mine) <= len(out) and out[0].strength > mine[0].strength)


def _lead_for_ruff(view: TableView, trump: Suit) -> Card | None:
    """A loser of a suit in which the other hand is void and has trumps."""
    trumps = _others(view, trump)
    if not trumps:
        return None
    for suit in SUITS:
        mine = view.holding(view.seat, suit)
        if suit is trump or not mine or _others(view, suit):
            continue
        if not view.unseen_in(suit):
            continue
        if not view.is_master(mine[-1]):
            return mine[-1]
    return None


def _ruff_first(view: TableView, trump: Suit) -> bool:
    """Ruff before drawing when the ruffing hand is the shorter in trumps."""
    return len(_others(view, trump)) <= len(view.holding(view.seat, trump))


def sure_tricks(view: TableView, suit: Suit) -> int:
    """Top tricks in a suit, as both hands hold it now."""
    mine, others = view.holding(view.seat, suit), _others(view, suit)
    masters = sum(view.is_master(card) for card in (*mine, *others))
    return min(masters, max(len(mine), len(others)))


def _promise(view: TableView, suit: Suit) -> float:
    """How much is to be gained by playing a suit now."""
    mine, others = view.holding(view.seat, suit), _others(view, suit)
    out = view.unseen_in(suit)
    length = max(len(mine), len(others))
    sure = sure_tricks(view, suit)
    if not out:
        return 3 + (0.2 if mine and view.seat else 0)
    left = len(view.hand)
    everything = sum(sure_tricks(view, other) for other in SUITS)
    if everything >= left:
        return 20 + sure
    extra = length - sure
    ours = sorted((*mine, *others), key=lambda card: -card.strength)
    stoppers = sum(card.strength > ours[min(len(ours) - 1, sure)].strength for card in out)
    together = len(mine) + len(others)
    if together > len(out) and extra > 0:
        gain = extra - stoppers * 0.6 + (together - len(out)) * 0.5
        honours = sum(card.strength >= 8 for card in ours) * 0.3
        return 5 + gain + honours
    if sure and together <= len(out):
        return 1 + sure * 0.1
    return sum(card.strength >= 9 for card in ours) * 0.3 - len(out) * 0.1


def lead_of_suit(view: TableView, suit: Suit) -> Card:
    """Which card of the suit: to the tenace opposite, from a sequence, or the master."""
    mine, others = view.holding(view.seat, suit), _others(view, suit)
    top, low = mine[0], mine[-1]
    out = view.unseen_in(suit)
    if not out:
        return top
    if not others:
        return top if view.is_master(top) or sequence_length(mine) >= 2 else low
    if _is_tenace(view, others, out):
        return _towards(view, mine, others, out)
    if view.is_master(top):
        if view.is_master(others[0]) and len(others) < len(mine):
            return low
        if _is_tenace(view, mine, out) and len(others) and not view.is_master(others[0]):
            return top
        return top
    if view.is_master(others[0]):
        return low if not _backed(mine, others) else top
    if sequence_length(mine) >= 2 and top.strength >= 8:
        return top
    return low


def _is_tenace(view: TableView, cards: list[Card], out: list[Card]) -> bool:
    """Whether an unseen card lies under the top card and over the next, or the king misses the ace."""
    if len(cards) < 2:
        return False
    first, second = cards[0], cards[1]
    between = [card for card in out if second.strength < card.strength < first.strength]
    if view.is_master(first):
        return bool(between) and second.strength >= 7
    return first.strength == 11 and len(out) > 0


def _towards(view: TableView, mine: list[Card], others: list[Card], out: list[Card]) -> Card:
    """Towards a tenace: an honour only where the next lower cards are ours too."""
    del view, out
    return mine[0] if _backed(mine, others) else mine[-1]


def _backed(mine: list[Card], others: list[Card]) -> bool:
    """Whether an honour led from here costs nothing when covered."""
    top = mine[0]
    if top.strength < 8 or top.strength > 10:
        return False
    return any(card.strength == top.strength - 1 for card in (*mine, *others))

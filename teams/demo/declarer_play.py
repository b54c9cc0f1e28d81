"""Declarer on lead, from hand or dummy: ruff, draw trumps, establish, finesse, and cash once it is enough."""

from broadcast.bridge.cards import SUITS, Card, Suit
from teams.demo.bidding.style import STANDARD, Style
from teams.demo.claiming import tricks_won
from teams.demo.leads import sequence_length
from teams.demo.prospects import prospect
from teams.demo.views import TableView
from teams.demo.winners import USUAL_DIVISION, WORST_CASE, Run, longest_run


def declarer_lead(view: TableView, style: Style = STANDARD) -> Card:
    """A card to lead from the hand in turn, with the other hand of the side in sight."""
    certain = _run(view, WORST_CASE)
    if certain.lead is not None and certain.tricks == len(view.hand):
        return certain.lead
    trump = view.trump
    ruff = None
    if trump is not None:
        ruff = _lead_for_ruff(view, trump)
        if ruff is not None and _ruff_first(view, trump):
            return ruff
    run = _run(view, USUAL_DIVISION)
    wanted = view.contract.tricks_needed - tricks_won(view)
    if run.lead is not None and (run.tricks >= wanted > 0 or run.tricks >= len(view.hand) - 1):
        return run.lead
    if trump is not None and _should_draw(view, trump):
        return lead_of_suit(view, trump)
    if ruff is not None:
        return ruff
    suits = [suit for suit in SUITS if view.holding(view.seat, suit) and suit is not trump]
    developing = [suit for suit in suits if gain(view, suit) > 0]
    if developing:
        best = max(developing, key=lambda suit: gain(view, suit) + 0.4 * style.preference(view.hand, suit))
        return _across(view, best) or lead_of_suit(view, best)
    if run.lead is not None:
        return run.lead
    return lead_of_suit(view, max(suits or [view.legal()[0].suit], key=lambda suit: _safety(view, suit)))


def _run(view: TableView, fall: int) -> Run:
    """The winners that can be cashed one after another from this lead."""
    return longest_run(view.hand, view.held[view.seat.partner], view.unseen, view.trump, fall)


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
    return not (not others and 2 * len(mine) <= len(out) and out[0].strength > mine[0].strength)


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


def gain(view: TableView, suit: Suit) -> float:
    """Tricks to be won by developing the suit now, less what it costs; 0 or below when there are none."""
    mine, others = view.holding(view.seat, suit), _others(view, suit)
    if not mine:
        return 0
    expected = prospect(mine, others, view.unseen_in(suit))
    finesse = 0.5 if others and (_is_tenace(view, mine) or _is_tenace(view, others)) else 0.0
    extra = expected.won - expected.sure + finesse
    return extra - 0.35 * expected.lost if extra > 0 else 0


def _safety(view: TableView, suit: Suit) -> float:
    """With nothing to develop or cash: a suit in which the opponents gain least from the lead."""
    ours = (*view.holding(view.seat, suit), *_others(view, suit))
    high = sum(card.strength >= 9 and not view.is_master(card) for card in ours)
    return sum(view.is_master(card) for card in ours) - high - 0.1 * len(view.unseen_in(suit))


def _across(view: TableView, suit: Suit) -> Card | None:
    """A low card to a winner opposite when the suit should be led from there."""
    mine, others = view.holding(view.seat, suit), _others(view, suit)
    if not others or not _is_tenace(view, mine) or _is_tenace(view, others) or view.is_master(others[0]):
        return None
    for entry in SUITS:
        from_here, there = view.holding(view.seat, entry), _others(view, entry)
        if entry is suit or not from_here or not there:
            continue
        drawn = view.trump is None or entry is view.trump or not view.unseen_in(view.trump)
        if drawn and view.is_master(there[0]) and from_here[-1].strength < there[0].strength:
            return from_here[-1]
    return None


def lead_of_suit(view: TableView, suit: Suit) -> Card:
    """Which card of the suit: to the tenace opposite, from a sequence, or the master."""
    mine, others = view.holding(view.seat, suit), _others(view, suit)
    top, low = mine[0], mine[-1]
    if not view.unseen_in(suit):
        return top
    if not others:
        return top if view.is_master(top) or sequence_length(mine) >= 2 else low
    if _is_tenace(view, others):
        return top if _backed(mine, others) else low
    if view.is_master(top):
        return low if view.is_master(others[0]) and len(others) < len(mine) else top
    if view.is_master(others[0]):
        return top if _backed(mine, others) else low
    if sequence_length(mine) >= 2 and top.strength >= 8:
        return top
    return low


def _is_tenace(view: TableView, cards: list[Card]) -> bool:
    """Whether an unseen card lies under a master and over the next, or the king misses the ace."""
    if len(cards) < 2:
        return False
    first, second = cards[0], cards[1]
    out = view.unseen_in(first.suit)
    if view.is_master(first):
        return second.strength >= 7 and any(second.strength < c.strength < first.strength for c in out)
    return first.rank == "K" and bool(out)


def _backed(mine: list[Card], others: list[Card]) -> bool:
    """Whether an honour led from here costs nothing when covered."""
    top = mine[0]
    if top.strength < 8 or top.strength > 10:
        return False
    return any(card.strength == top.strength - 1 for card in (*mine, *others))

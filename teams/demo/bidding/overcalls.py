"""When the other side has opened: overcalls, takeout doubles, notrump and preempts."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.openings import bid_of
from teams.demo.bidding.rules import (
    Convention,
    Forcing,
    Rule,
    Test,
    at_least,
    good_suit,
    hcp,
    total_points,
)
from teams.demo.bidding.situations import Situation

NOTRUMP = Denomination.NOTRUMP


def suits_bid(situation: Situation) -> list[Suit]:
    """Suits the opponents have bid."""
    return [
        suit
        for suit in SUITS
        if any(
            reading.call.is_bid and reading.call.denomination.trump is suit and not reading.rule.alert
            for reading in situation.readings
            if reading.seat.side is not situation.me.side
        )
    ]


def first_action_rules(situation: Situation) -> list[Rule]:
    """Our side's first action against their opening, in direct or balancing seat."""
    last = situation.auction.last_bid
    if last is None:
        return []
    bid = last[1]
    bold = situation.style.boldness
    is_balancing = _is_balancing(situation)
    less = bold + (3 if is_balancing and bid.level <= 2 and not _have_shown_strength(situation) else 0)
    theirs = suits_bid(situation)
    if not theirs:
        return _against_notrump(situation, less)
    unbid = [suit for suit in SUITS if suit not in theirs]
    both_bid = len({r.seat for r in situation.readings if r.call.is_bid}) > 1
    rules: list[Rule] = []
    if bid.level == 1 or not both_bid:
        rules += _notrump_overcall(situation, bid, theirs, is_balancing)
    rules.append(_strong_double(bid.level))
    if not is_balancing and bid.level == 1:
        rules += _jump_overcalls(situation, unbid)
    rules += [_overcall(situation, suit, less, both_bid) for suit in unbid if _possible(situation, suit)]
    rules.append(_takeout_double(situation, theirs, unbid, less, both_bid))
    rules.append(Rule(Call.PASS, (0, 17)))
    return rules


def _is_balancing(situation: Situation) -> bool:
    """Whether a pass would end the auction."""
    calls = [call for _, call in situation.auction.calls]
    return len(calls) >= 3 and calls[-1] is Call.PASS and calls[-2] is Call.PASS


def _have_shown_strength(situation: Situation) -> bool:
    """Whether the opponents are known to hold the better half of the points."""
    return sum(situation.shown[seat].points[0] for seat in (situation.me.left, situation.me.right)) >= 20


def _possible(situation: Situation, suit: Suit) -> bool:
    bid = situation.cheapest(Denomination(suit.value))
    return bid is not None and bid.level <= 4


def _overcall(situation: Situation, suit: Suit, less: int, both_bid: bool) -> Rule:
    bid = situation.cheapest(Denomination(suit.value))
    if bid is None:
        raise ValueError(f"{suit.word}s cannot be bid any more")
    level = bid.level
    least = {1: 8, 2: 11, 3: 13, 4: 15}[level] - less + (1 if both_bid else 0)
    most = 17

    def worth_showing(held: Evaluation) -> bool:
        if held.longest is not suit and held.lengths[held.longest] > held.lengths[suit]:
            return False
        if level == 1:
            return held.honours(suit) >= 2 or held.hcp >= 11
        is_long = held.lengths[suit] >= 6 and held.suit_hcp[suit] >= 2
        return held.hcp >= 8 and (is_long or held.is_good_suit(suit))

    return Rule(bid, (max(7, least), most), {suit: at_least(5)}, total_points, worth_showing)


def _jump_overcalls(situation: Situation, unbid: list[Suit]) -> list[Rule]:
    """Preemptive jumps: six cards at the two level, seven at the three level."""
    rules = []
    for suit in unbid:
        cheapest = situation.cheapest(Denomination(suit.value))
        if cheapest is None:
            continue
        jump = cheapest.level + 1
        length = {2: 6, 3: 6 if suit in MAJORS else 7}.get(jump, 7)
        if jump <= 3:
            rules.append(
                Rule(
                    bid_of(jump, suit),
                    (5, 9),
                    {suit: at_least(length)},
                    hcp,
                    good_suit(suit),
                    convention=Convention.PREEMPT,
                )
            )
    return rules


def _notrump_overcall(situation: Situation, bid: Call, theirs: list[Suit], balancing: bool) -> list[Rule]:
    def stopped(held: Evaluation) -> bool:
        return held.is_semi_balanced and all(held.stops(suit) for suit in theirs)

    cheapest = situation.cheapest(NOTRUMP)
    if cheapest is None or cheapest.level > 3:
        return []
    low, high = {1: (15, 18), 2: (15, 18), 3: (16, 22)}[cheapest.level]
    if balancing and cheapest.level == 1:
        low, high = 11, 15
    convention = Convention.NOTRUMP if cheapest.level < 3 else None
    return [Rule(cheapest, (low, high), measure=hcp, also=stopped, convention=convention)]


def _strong_double(level: int) -> Rule:
    return Rule(
        Call.X,
        (18, 40),
        also=lambda held: held.hcp >= 16 and level <= 4,
        forcing=Forcing.ONE_ROUND,
        convention=Convention.TAKEOUT,
        alert=True,
        explanation="Takeout",
    )


def _takeout_double(
    situation: Situation, theirs: list[Suit], unbid: list[Suit], less: int, both_bid: bool
) -> Rule:
    """Opening values, at most two (three when strong) cards in their suit and three in each unbid suit."""
    last = situation.auction.last_bid
    level = 7 if last is None else last[1].level
    least = 12 + max(0, level - 2) - less + (1 if both_bid else 0)
    if _have_shown_strength(situation):
        least += 3
    majors = [suit for suit in unbid if suit in MAJORS]

    def shaped(held: Evaluation) -> bool:
        if level > 4:
            return False
        short = max(held.lengths[suit] for suit in theirs)
        supported = all(held.lengths[suit] >= 3 for suit in unbid)
        if short <= 2 and supported:
            return True
        fair = all(held.lengths[suit] >= 3 for suit in majors) and short <= 3
        return fair and held.hcp >= least + 2

    return Rule(
        Call.X,
        (max(9, least), 40),
        {suit: at_least(3) for suit in majors},
        hcp,
        shaped,
        forcing=Forcing.ONE_ROUND,
        convention=Convention.TAKEOUT,
        alert=True,
        explanation="Takeout",
    )


def _distributional(suit: Suit) -> Test:
    """Six cards, or a good five with a second suit."""
    return lambda held: held.lengths[suit] >= 6 or (held.shape[1] >= 4 and held.is_good_suit(suit))


def _against_notrump(situation: Situation, less: int) -> list[Rule]:
    """Against 1NT: a long suit, or a double with a maximum of theirs."""
    last = situation.auction.last_bid
    rules: list[Rule] = []
    if last is not None and last[1] is Call.NT1:
        rules.append(
            Rule(
                Call.X,
                (16, 40),
                measure=hcp,
                convention=Convention.PENALTY,
                also=lambda held: held.is_semi_balanced,
                explanation="For penalties",
            )
        )
    for suit in SUITS:
        bid = situation.cheapest(Denomination(suit.value))
        if bid is not None and bid.level == 2:
            rules.append(
                Rule(
                    bid,
                    (10 - less // 2, 16),
                    {suit: at_least(5)},
                    also=_distributional(suit),
                )
            )
    rules.append(Rule(Call.PASS, (0, 17)))
    return rules

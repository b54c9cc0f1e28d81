"""Answering partner's action: takeout, negative and penalty doubles, and overcalls."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.openings import bid_of
from teams.demo.bidding.overcalls import NOTRUMP, suits_bid
from teams.demo.bidding.rules import (
    Rule,
    at_least,
    chosen_by,
    hcp,
    support,
)
from teams.demo.bidding.situations import Situation


def penalty_answers(situation: Situation) -> list[Rule]:
    """Partner has doubled for penalties: pass, but run with nothing and a long suit."""
    rules = []
    for suit in SUITS:
        bid = situation.cheapest(Denomination(suit.value))
        if bid is not None and bid.level == 2 and suit not in suits_bid(situation):
            rules.append(Rule(bid, (0, 5), {suit: at_least(6)}, hcp))
    return [*rules, Rule(Call.PASS)]


def takeout_answers(situation: Situation) -> list[Rule]:
    """Advancing partner's takeout double after a pass: the best unbid suit, jumping from nine points."""
    theirs = suits_bid(situation)
    last = situation.auction.last_bid
    if last is None:
        return []
    unbid = [suit for suit in SUITS if suit not in theirs]

    def stopped(held: Evaluation) -> bool:
        return all(held.stops(suit) for suit in theirs)

    def best(held: Evaluation) -> Suit:
        return max(unbid, key=lambda suit: (held.lengths[suit] + 0.6 * (suit in MAJORS), -SUITS.index(suit)))

    low_notrump = situation.cheapest(NOTRUMP)
    rules: list[Rule] = []
    for suit in unbid:
        cheapest = situation.cheapest(Denomination(suit.value))
        if cheapest is None:
            continue

        def chosen(held: Evaluation, suit: Suit = suit) -> bool:
            return best(held) is suit and held.lengths[suit] >= 4

        if suit in MAJORS and cheapest.level <= 4:
            rules.append(Rule(bid_of(4, suit), (12, 40), {suit: at_least(4)}, support(suit), chosen))
        if cheapest.level <= 2:
            rules.append(Rule(bid_of(cheapest.level + 1, suit), (9, 11), {suit: at_least(4)}, also=chosen))
    rules.append(Rule(Call.NT3, (12, 40), measure=hcp, also=stopped))
    if low_notrump is not None and low_notrump.level <= 2:
        if low_notrump.level == 1:
            rules.append(Rule(Call.NT2, (11, 12), measure=hcp, also=lambda h: stopped(h) and h.is_balanced))
            rules.append(
                Rule(
                    Call.NT1,
                    (6, 10),
                    measure=hcp,
                    also=lambda h: stopped(h) and h.shape[0] < 5 and not _has_major(h, unbid),
                )
            )
        else:
            rules.append(
                Rule(Call.NT2, (9, 11), measure=hcp, also=lambda h: stopped(h) and not _has_major(h, unbid))
            )
    for suit in unbid:
        cheapest = situation.cheapest(Denomination(suit.value))
        if cheapest is not None:
            rules.append(Rule(cheapest, (0, 11), {suit: at_least(3)}, also=chosen_by(best, suit)))
    return rules


def _has_major(held: Evaluation, unbid: list[Suit]) -> bool:
    return any(held.lengths[suit] >= 4 for suit in unbid if suit in MAJORS)


def negative_double_answers(situation: Situation, opened: Suit) -> list[Rule]:
    """Opener after partner's negative double: a four-card major first, by strength."""
    theirs = situation.their_suits
    rules: list[Rule] = []
    for major in MAJORS:
        cheapest = situation.cheapest(Denomination(major.value))
        if major is opened or major in theirs or cheapest is None or cheapest.level > 3:
            continue
        fit, four = support(major), {major: at_least(4)}
        rules.append(Rule(bid_of(4, major), (18, 22), four, fit))
        if cheapest.level <= 2:
            rules.append(Rule(bid_of(cheapest.level + 1, major), (15, 17), four, fit))
        rules.append(Rule(cheapest, (11, 14 if cheapest.level <= 2 else 17), four, fit))

    def stopped(held: Evaluation) -> bool:
        return all(held.stops(suit) for suit in theirs)

    rules += [
        Rule(Call.NT2, (18, 19), measure=hcp, also=stopped),
        Rule(Call.NT1, (11, 17), measure=hcp, also=stopped),
    ]
    own = situation.cheapest(Denomination(opened.value))
    if own is not None and own.level <= 3:
        rules.append(Rule(own, (11, 17), {opened: at_least(6)}))
    for suit in (Suit.CLUBS, Suit.DIAMONDS):
        bid = situation.cheapest(Denomination(suit.value))
        if suit is not opened and suit not in theirs and bid is not None and bid.level <= 3:
            rules.append(Rule(bid, (11, 17), {suit: at_least(4)}))
    rules.append(Rule(Call.NT2, (11, 17), measure=hcp, also=stopped))
    if own is not None and own.level <= 3:
        rules.append(Rule(own, (11, 17), {opened: at_least(5)}))
    return rules


def advance_rules(situation: Situation, suit: Suit, level: int) -> list[Rule]:
    """Advancing partner's overcall in a suit: raises by fit and strength, else placement."""
    fit = support(suit)
    cheapest = situation.cheapest(Denomination(suit.value))
    rules: list[Rule] = []
    if cheapest is None:
        return rules
    three = {suit: at_least(3)}
    game = 12 if level >= 2 else 14
    if suit in MAJORS and cheapest.level <= 4:
        rules.append(Rule(bid_of(4, suit), (game, 40), three, fit))
        rules.append(
            Rule(bid_of(4, suit), (6, 10), {suit: at_least(5)}, fit, lambda held: not situation.is_vulnerable)
        )
    if cheapest.level == 2:
        rules.append(Rule(bid_of(3, suit), (11, game - 1), three, fit))
        rules.append(Rule(bid_of(2, suit), (6, 10), three, fit))
    elif cheapest.level == 3:
        rules.append(Rule(bid_of(3, suit), (8, game - 1), three, fit))
    return rules

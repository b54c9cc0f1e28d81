"""Responder's first call to partner's opening of one of a suit, a preempt or 2C."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.openings import bid_of
from teams.demo.bidding.rules import (
    Convention,
    Count,
    Forcing,
    Rule,
    at_least,
    at_most,
    hcp,
    no_suit_longer,
    support,
)
from teams.demo.bidding.situations import Situation

NOTRUMP = Denomination.NOTRUMP


def response_rules(situation: Situation, opened: Suit) -> list[Rule]:
    """Responses to one of a suit, with or without a call by the opponent between."""
    if situation.right_call is Call.X:
        return _over_takeout_double(situation, opened)
    if situation.right_call is not Call.PASS:
        return _over_overcall(situation, opened)
    if opened in MAJORS:
        return _to_major(situation, opened)
    return _to_minor(situation, opened)


def _one_over_one(opened: Suit, suit: Suit, least: int = 6) -> Rule:
    """A new suit at the one level: four cards, the longer first, of two fours the cheaper."""

    def chosen(held: Evaluation) -> bool:
        candidates = [
            other for other in SUITS if SUITS.index(other) < SUITS.index(opened) and held.lengths[other] >= 4
        ]
        if not candidates:
            return False
        best = max(held.lengths[other] for other in candidates)
        longest = [other for other in candidates if held.lengths[other] == best]
        first = longest[0] if best >= 5 else longest[-1]
        return suit is first

    return Rule(bid_of(1, suit), (least, 40), {suit: at_least(4)}, also=chosen, forcing=Forcing.ONE_ROUND)


def _to_major(situation: Situation, major: Suit) -> list[Rule]:
    fit = support(major)
    rules = []
    if not situation.has_passed:
        rules.append(
            Rule(
                Call.NT2,
                (13, 40),
                {major: at_least(4)},
                fit,
                also=lambda held: held.hcp >= 11,
                forcing=Forcing.TO_GAME,
                convention=Convention.JACOBY,
                alert=True,
                explanation=f"Game-forcing raise with four {major.word}s",
            )
        )
    rules += [
        Rule(bid_of(4, major), (6, 12), {major: at_least(5)}, fit, also=lambda held: held.hcp <= 9),
        Rule(bid_of(3, major), (10, 12), {major: at_least(4)}, fit),
        Rule(bid_of(3, major), (11, 12), {major: at_least(3)}, fit),
        Rule(bid_of(2, major), (6, 10), {major: at_least(3)}, fit),
    ]
    if major is Suit.HEARTS:
        rules.append(_one_over_one(major, Suit.SPADES))
    rules += _two_over_one(situation, major)
    rules += [
        Rule(Call.NT3, (13, 15), {major: (2, 2)}, hcp, also=lambda held: held.is_balanced),
        Rule(Call.NT1, (6, 11), {major: at_most(3)}),
        Rule(Call.PASS, (0, 5)),
    ]
    return rules


def _two_over_one(situation: Situation, opened: Suit) -> list[Rule]:
    """A new suit at the two level: eleven points, forcing; five hearts over 1S."""
    least = 11 if not situation.has_passed else 10
    rules = []
    for suit in SUITS:
        if SUITS.index(suit) <= SUITS.index(opened):
            continue
        length = 5 if suit is Suit.HEARTS else 4

        def longest(held: Evaluation, suit: Suit = suit) -> bool:
            lower = [other for other in SUITS if SUITS.index(other) > SUITS.index(opened)]
            return held.lengths[suit] == max(held.lengths[other] for other in lower)

        rules.append(
            Rule(
                bid_of(2, suit),
                (least, 40),
                {suit: at_least(length)},
                also=longest,
                forcing=Forcing.ONE_ROUND,
            )
        )
    rules.reverse()
    rules.sort(key=lambda rule: rule.call is not Call.H2)
    if not situation.has_passed:
        rules.append(
            Rule(Call.C2, (12, 40), {Suit.CLUBS: at_least(3)}, forcing=Forcing.ONE_ROUND)
            if opened is not Suit.CLUBS
            else Rule(Call.NT3, (16, 18), measure=hcp)
        )
    return rules


def _to_minor(situation: Situation, minor: Suit) -> list[Rule]:
    fit = support(minor)
    rules = []
    suits = [suit for suit in SUITS if SUITS.index(suit) < SUITS.index(minor)]
    rules += [_one_over_one(minor, suit) for suit in suits]
    no_major = {Suit.SPADES: at_most(3), Suit.HEARTS: at_most(3)}
    rules += [
        Rule(Call.NT3, (13, 16), no_major, hcp, also=lambda held: held.is_balanced),
        Rule(Call.NT2, (11, 12), no_major, hcp, also=lambda held: held.is_balanced),
    ]
    if minor is Suit.DIAMONDS:
        rules.append(Rule(Call.C2, (11, 40), {Suit.CLUBS: at_least(4)} | no_major, forcing=Forcing.ONE_ROUND))
    length = 4 if minor is Suit.DIAMONDS else 5
    rules += [
        Rule(bid_of(3, minor), (10, 12), {minor: at_least(length)} | no_major, fit),
        Rule(bid_of(2, minor), (6, 9), {minor: at_least(length)} | no_major, fit),
        Rule(Call.NT1, (6, 10), no_major),
        Rule(Call.NT3, (13, 18), no_major, hcp),
        Rule(Call.NT2, (11, 12), no_major),
        Rule(Call.PASS, (0, 5)),
    ]
    return rules


def _over_takeout_double(situation: Situation, opened: Suit) -> list[Rule]:
    fit = support(opened)
    long_enough = 3 if opened in MAJORS else 5
    rules = [
        Rule(bid_of(4, opened), (6, 12), {opened: at_least(5)}, fit, also=lambda held: opened in MAJORS),
        Rule(
            bid_of(3, opened),
            (5, 10),
            {opened: at_least(long_enough + 1)},
            fit,
            also=lambda held: held.hcp < 10,
        ),
        Rule(bid_of(2, opened), (6, 9), {opened: at_least(long_enough)}, fit),
        Rule(Call.XX, (10, 40), measure=hcp, forcing=Forcing.ONE_ROUND, explanation="Ten points or more"),
    ]
    rules += [_one_over_one(opened, suit) for suit in SUITS if SUITS.index(suit) < SUITS.index(opened)]
    rules += [Rule(Call.NT1, (7, 10)), Rule(Call.PASS, (0, 9))]
    return rules


def _over_overcall(situation: Situation, opened: Suit) -> list[Rule]:
    """Responses after an overcall: raises, negative double, new suits, natural notrump."""
    overcall = situation.right_call
    if overcall.denomination is NOTRUMP:
        return [
            Rule(bid_of(2, opened), (5, 9), {opened: at_least(4)}, support(opened)),
            Rule(Call.X, (9, 40), measure=hcp, convention=Convention.PENALTY, explanation="For penalties"),
            Rule(Call.PASS),
        ]
    theirs = overcall.denomination.trump
    fit = support(opened)
    rules: list[Rule] = []
    if opened in MAJORS:
        rules.append(Rule(bid_of(4, opened), (13, 40), {opened: at_least(3)}, fit))
    if opened in MAJORS:
        rules += _raises_over_overcall(situation, opened, fit)
    for suit in SUITS:
        if suit in (opened, theirs):
            continue
        bid = situation.cheapest(Denomination(suit.value))
        if bid is None or bid.level > 3:
            continue
        length = 5 if bid.level > 1 or suit is Suit.SPADES else 4
        least = {1: 6, 2: 10, 3: 12}[bid.level]
        rules.append(
            Rule(
                bid,
                (least, 40),
                {suit: at_least(length)},
                also=no_suit_longer(suit),
                forcing=Forcing.ONE_ROUND,
            )
        )
    unbid = [major for major in MAJORS if major not in (opened, theirs)]
    if unbid and overcall.level <= 3:
        least = 6 if overcall.level == 1 else 8 if overcall.level == 2 else 10
        rules.append(
            Rule(
                Call.X,
                (least, 40),
                {major: at_least(4) for major in unbid[:1]} if len(unbid) == 1 else {},
                also=lambda held: any(held.lengths[major] >= 4 for major in unbid),
                forcing=Forcing.ONE_ROUND,
                convention=Convention.NEGATIVE,
                alert=True,
                explanation="Negative: values and " + " or ".join(f"{major.word}s" for major in unbid),
            )
        )

    if opened not in MAJORS:
        rules += _raises_over_overcall(situation, opened, fit)

    def stopped(held: Evaluation) -> bool:
        return theirs is None or held.stops(theirs)

    rules += [
        Rule(Call.NT3, (13, 17), measure=hcp, also=stopped),
        Rule(Call.NT2, (11, 12), measure=hcp, also=stopped),
        Rule(Call.NT1, (7, 10), measure=hcp, also=stopped),
        Rule(Call.PASS, (0, 12)),
    ]
    return rules


def _raises_over_overcall(situation: Situation, opened: Suit, fit: Count) -> list[Rule]:
    """Raises as far as the overcall leaves room: a single raise, and a jump to invite."""
    enough = {opened: at_least(3 if opened in MAJORS else 4)}
    cheapest = situation.cheapest(Denomination(opened.value))
    if cheapest is None or cheapest.level > 3:
        return []
    if cheapest.level == 3:
        return [Rule(bid_of(3, opened), (8, 12), enough, fit)]
    return [
        Rule(bid_of(3, opened), (10, 12), enough, fit),
        Rule(bid_of(2, opened), (6, 9), enough, fit),
    ]


def preempt_responses(situation: Situation, suit: Suit, level: int) -> list[Rule]:
    """Over partner's weak two or three: game with strength, further preempts with a fit."""
    low, _ = situation.partner.points
    rules = []
    if suit in MAJORS and level < 4:
        game = 14 if level == 2 else 13
        rules.append(Rule(bid_of(4, suit), (game + 1, 20), {suit: at_least(2)}, support(suit)))
        rules.append(Rule(bid_of(4, suit), (4, 12), {suit: at_least(4)}, support(suit)))
    rules.append(
        Rule(
            Call.NT3,
            (16, 22),
            measure=hcp,
            also=lambda held: (
                held.is_semi_balanced
                and all(held.stops(other) for other in SUITS if other is not suit)
                and (suit not in MAJORS or held.lengths[suit] < 3)
            ),
        )
    )
    if level == 2:
        rules.append(Rule(bid_of(3, suit), (5, 13), {suit: at_least(3)}, support(suit)))
    rules.append(Rule(Call.PASS, (0, max(0, 24 - low))))
    return rules


def strong_two_responses(situation: Situation) -> list[Rule]:
    """To 2C: 2D waits whatever it holds."""
    del situation
    return [
        Rule(
            Call.D2,
            forcing=Forcing.TO_GAME,
            convention=Convention.WAITING,
            alert=True,
            explanation="Waiting, any hand",
        )
    ]

"""Opener's second call, and the strong opener's after 2C."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.openings import bid_of
from teams.demo.bidding.rules import Convention, Forcing, Rule, at_least, at_most, hcp, no_suit_longer, support
from teams.demo.bidding.situations import Situation

NOTRUMP = Denomination.NOTRUMP


def rebid_rules(situation: Situation, opened: Suit, response: Call) -> list[Rule]:
    """Opener's rebid after one of a suit and a new suit or 1NT from partner; the rest is placement."""
    if response.denomination is NOTRUMP:
        return _after_one_notrump(situation, opened) if response is Call.NT1 else []
    answered = response.denomination.trump
    if answered is None or answered is opened:
        return []
    if response.level == 1:
        return _after_one_over_one(situation, opened, answered)
    if response.level == 2:
        return _after_two_over_one(situation, opened, answered)
    return []


def _raises(situation: Situation, answered: Suit) -> list[Rule]:
    """Raises of responder's one-level suit with four cards: 12 to 15, 16 to 18, 19 and more."""
    fit = support(answered)
    low = situation.cheapest(Denomination(answered.value))
    if low is None or low.level > 3:
        return []
    four = {answered: at_least(4)}
    rules = []
    if answered in MAJORS:
        rules.append(Rule(bid_of(4, answered), (19, 22), four, fit))
    if low.level == 2:
        rules.append(Rule(bid_of(3, answered), (16, 18), four, fit))
        rules.append(Rule(bid_of(2, answered), (12, 15), four, fit))
    else:
        rules.append(Rule(bid_of(3, answered), (14, 18), four, fit))
    return rules


def _own_suit(situation: Situation, opened: Suit) -> list[Rule]:
    """Rebids of a six-card suit: 12 to 15, 16 to 18, 19 and more in a major."""
    six = {opened: at_least(6)}
    rules = []
    if opened in MAJORS:
        rules.append(Rule(bid_of(4, opened), (19, 22), six))
    rules.append(Rule(bid_of(3, opened), (16, 18), six))
    rules.append(Rule(bid_of(2, opened), (11, 15), six))
    return rules


def _new_suits(situation: Situation, opened: Suit, answered: Suit | None) -> list[Rule]:
    """Second suits: cheap ones 12 to 18, a reverse from 17 forcing, a jump from 19 forcing to game."""
    rules = []
    for suit in reversed(SUITS):
        if suit in (opened, answered) or suit in situation.their_suits:
            continue
        bid = situation.cheapest(Denomination(suit.value))
        if bid is None or bid.level > 2:
            continue
        is_reverse = bid.level == 2 and SUITS.index(suit) < SUITS.index(opened)
        if not is_reverse:
            jump = bid_of(bid.level + 1, suit)
            rules.append(Rule(jump, (19, 22), {suit: at_least(4)}, forcing=Forcing.TO_GAME))
        rules.append(
            Rule(
                bid,
                (17 if is_reverse else 11, 22 if is_reverse else 18),
                {suit: at_least(4)},
                forcing=Forcing.ONE_ROUND if is_reverse else Forcing.NO,
            )
        )
    rules.sort(key=lambda rule: rule.points[0] != 19)
    return rules


def _after_one_over_one(situation: Situation, opened: Suit, answered: Suit) -> list[Rule]:
    def balanced(held: Evaluation) -> bool:
        return held.is_balanced and all(held.stops(suit) for suit in situation.their_suits)

    rules = _raises(situation, answered)
    rules.append(Rule(Call.NT2, (18, 19), measure=hcp, also=balanced))
    spades = Rule(Call.S1, (11, 18), {Suit.SPADES: at_least(4)})
    if answered is not Suit.SPADES:
        rules.append(spades)
    rules.append(Rule(Call.NT1, (11, 14), {answered: at_most(3)}, hcp, also=balanced))
    rules += _own_suit(situation, opened)
    rules += _new_suits(situation, opened, answered)
    rules += [
        Rule(bid_of(2, answered), (11, 16), {answered: at_least(3)}, support(answered)),
        Rule(Call.NT1, (11, 15), also=lambda held: all(held.stops(s) for s in situation.their_suits)),
        Rule(bid_of(2, opened), (11, 16), {opened: at_least(5)}),
        Rule(Call.NT2, (16, 19)),
    ]
    if situation.right_call is not Call.PASS:
        rules.append(Rule(Call.PASS, (11, 16)))
    return rules


def _after_one_notrump(situation: Situation, opened: Suit) -> list[Rule]:
    rules = [Rule(Call.NT3, (19, 22), measure=hcp), Rule(Call.NT2, (17, 18), measure=hcp)]
    rules += _own_suit(situation, opened)
    rules += _new_suits(situation, opened, None)
    rules.append(Rule(Call.PASS, (11, 16)))
    return rules


def _after_two_over_one(situation: Situation, opened: Suit, answered: Suit) -> list[Rule]:
    fit = support(answered)
    rules = []
    if answered in MAJORS:
        rules += [
            Rule(bid_of(4, answered), (12, 15), {answered: at_least(3)}, fit),
            Rule(
                bid_of(3, answered),
                (16, 22),
                {answered: at_least(3)},
                fit,
                forcing=Forcing.TO_GAME,
            ),
        ]
    rules += [
        Rule(Call.NT3, (18, 19), measure=hcp, also=lambda held: held.is_balanced),
        Rule(Call.NT2, (12, 17), measure=hcp, also=lambda held: held.is_balanced, forcing=Forcing.ONE_ROUND),
        Rule(bid_of(3, opened), (16, 22), {opened: at_least(6)}, forcing=Forcing.TO_GAME),
        Rule(bid_of(2, opened), (11, 15), {opened: at_least(6)}, forcing=Forcing.ONE_ROUND),
    ]
    if answered not in MAJORS:
        rules.append(
            Rule(
                bid_of(3, answered),
                (11, 22),
                {answered: at_least(4)},
                fit,
                forcing=Forcing.ONE_ROUND,
            )
        )
    for suit in reversed(SUITS):
        bid = situation.cheapest(Denomination(suit.value))
        if suit in (opened, answered) or bid is None or bid.level > 3:
            continue
        rules.append(
            Rule(
                bid,
                (11 if bid.level == 2 else 15, 22),
                {suit: at_least(4)},
                forcing=Forcing.ONE_ROUND if bid.level == 2 else Forcing.TO_GAME,
            )
        )
    rules += [
        Rule(bid_of(2, opened), (11, 22), {opened: at_least(5)}, forcing=Forcing.ONE_ROUND),
        Rule(Call.NT2, (11, 22), forcing=Forcing.ONE_ROUND),
    ]
    return rules


def jacoby_answers(situation: Situation, major: Suit) -> list[Rule]:
    """After the game-forcing raise: four with a minimum, three with extras."""
    del situation
    return [
        Rule(bid_of(4, major), (11, 14)),
        Rule(bid_of(3, major), (15, 22), forcing=Forcing.TO_GAME),
    ]


def strong_two_rebids(situation: Situation) -> list[Rule]:
    """After 2C and 2D: 2NT 22 to 24 balanced, 3NT 25 to 27, else the long suit, forcing to game."""
    rules = [
        Rule(
            Call.NT2,
            (22, 24),
            measure=hcp,
            also=lambda held: held.is_semi_balanced,
            convention=Convention.NOTRUMP,
        ),
        Rule(Call.NT3, (25, 28), measure=hcp, also=lambda held: held.is_semi_balanced),
    ]
    for suit in SUITS:
        bid = situation.cheapest(Denomination(suit.value))
        if bid is None:
            continue
        rules.append(
            Rule(
                bid,
                (22, 40),
                {suit: at_least(5)},
                also=no_suit_longer(suit),
                forcing=Forcing.TO_GAME,
            )
        )
    rules.append(Rule(Call.NT2, (20, 28), convention=Convention.NOTRUMP))
    return rules

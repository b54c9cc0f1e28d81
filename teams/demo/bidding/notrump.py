"""Over partner's natural notrump (1NT, 2NT, an overcall in notrump, 2NT after 2C): Stayman and transfers."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.openings import bid_of
from teams.demo.bidding.rules import (
    MOST_POINTS,
    Convention,
    Forcing,
    Rule,
    at_least,
    at_most,
    no_suit_longer,
    total_points,
)
from teams.demo.bidding.situations import Situation

_TRANSFERS = {Suit.HEARTS: Suit.DIAMONDS, Suit.SPADES: Suit.HEARTS}
"""To this suit by bidding that one."""


def notrump_responses(situation: Situation) -> list[Rule]:
    """Responder's calls over 1NT or 2NT. Points wanted follow from what partner showed."""
    last = situation.last_by_partner
    if last is None or last.call.level > 2 or not situation.may_ask:
        return []
    level = last.call.level
    low, high = situation.partner.points
    game, invite = 25 - low, 25 - high
    invite = max(invite, game - 2)
    strong_enough = invite if level == 1 else game
    rules = []
    for major in MAJORS:
        other = Suit.HEARTS if major is Suit.SPADES else Suit.SPADES
        rules.append(
            Rule(
                bid_of(level + 1, _TRANSFERS[major]),
                (0, 40),
                {major: at_least(5)},
                also=no_suit_longer(major, other),
                forcing=Forcing.ONE_ROUND,
                convention=Convention.TRANSFER,
                alert=True,
                explanation=f"Transfer: five or more {major.word}s",
            )
        )
    rules.append(
        Rule(
            bid_of(level + 1, Suit.CLUBS),
            (strong_enough, 40),
            {Suit.SPADES: at_most(4), Suit.HEARTS: at_most(4)},
            also=_has_four_card_major,
            forcing=Forcing.ONE_ROUND,
            convention=Convention.STAYMAN,
            alert=True,
            explanation="Stayman: asks for a four-card major",
        )
    )
    no_major = {Suit.SPADES: at_most(3), Suit.HEARTS: at_most(3)}
    notrump = Denomination.NOTRUMP
    slam = 33 - low
    rules += [
        Rule(Call.bid(6, notrump), (slam, 40), no_major),
        Rule(
            Call.bid(4, notrump),
            (33 - high, slam - 1),
            no_major,
            convention=Convention.QUANTITATIVE,
            explanation="Quantitative: invites 6NT",
        ),
        Rule(Call.bid(3, notrump), (game, 33 - high - 1), no_major),
    ]
    if level == 1:
        rules.append(Rule(Call.bid(2, notrump), (invite, game - 1), no_major))
    rules.append(Rule(Call.PASS, (0, strong_enough - 1)))
    return rules


def doubled_notrump(situation: Situation) -> list[Rule]:
    """Partner's 1NT has been doubled for penalties: run to a long suit when weak, else sit."""
    rules = []
    for suit in SUITS:
        bid = situation.cheapest(Denomination(suit.value))
        if bid is not None and bid.level == 2:
            rules.append(Rule(bid, (0, 7), {suit: at_least(5)}, also=no_suit_longer(suit)))
    return [*rules, Rule(Call.PASS)]


def _has_four_card_major(held: Evaluation) -> bool:
    return held.shape != (4, 3, 3, 3) and any(held.lengths[major] == 4 for major in MAJORS)


def stayman_answers(situation: Situation) -> list[Rule]:
    """Answers to Stayman one above the bid: a four-card major, hearts first, or diamonds without one."""
    last = situation.last_by_partner
    level = 2 if last is None else last.call.level
    none = {Suit.SPADES: at_most(3), Suit.HEARTS: at_most(3)}
    return [
        Rule(bid_of(level, Suit.HEARTS), lengths={Suit.HEARTS: at_least(4)}),
        Rule(bid_of(level, Suit.SPADES), lengths={Suit.SPADES: at_least(4), Suit.HEARTS: at_most(3)}),
        Rule(bid_of(level, Suit.DIAMONDS), lengths=none, alert=True, explanation="No four-card major"),
    ]


def transfer_answers(situation: Situation) -> list[Rule]:
    """Complete the transfer; jump with four trumps and a maximum."""
    last = situation.last_by_partner
    if last is None:
        return []
    major = Suit.HEARTS if last.call.denomination is Denomination.DIAMONDS else Suit.SPADES
    level = last.call.level
    high = situation.own.points[1]
    return [
        Rule(
            bid_of(level + 1, major),
            (high, 40),
            {major: at_least(4)},
            total_points,
            also=lambda held: level == 2,
        ),
        Rule(bid_of(level, major)),
    ]


def after_transfer(situation: Situation) -> list[Rule]:
    """Responder's second call once the transfer is completed: offer notrump with five, the major with six."""
    calls = situation.by(situation.me)
    transferred = next((r for r in calls if r.rule.convention is Convention.TRANSFER), None)
    last = situation.last_by_partner
    if transferred is None or last is None or calls[-1] is not transferred:
        return []
    major = Suit.HEARTS if transferred.call.denomination is Denomination.DIAMONDS else Suit.SPADES
    if not last.call.is_bid or last.call.denomination.trump is not major or last.call.level > 3:
        return []
    low, high = situation.partner.points
    game, invite = 25 - low, max(25 - high, 25 - low - 2)
    slam = 33 - low
    five, six = {major: (5, 5)}, {major: at_least(6)}
    level = last.call.level
    notrump = Denomination.NOTRUMP
    rules = [
        Rule(bid_of(6, major), (slam - 2, MOST_POINTS), six),
        Rule(bid_of(4, major), (game - 1, slam - 3), six),
        Rule(
            Call.bid(4, notrump),
            (slam - 2, slam - 1),
            five,
            convention=Convention.QUANTITATIVE,
            explanation="Quantitative: invites 6NT",
        ),
        Rule(Call.bid(3, notrump), (game, slam - 3), five),
    ]
    if level == 2:
        rules += [
            Rule(bid_of(3, major), (invite, game - 2), six),
            Rule(Call.bid(2, notrump), (invite, game - 1), five),
        ]
    if level == 2 or high + 5 < 25:
        rules.append(Rule(Call.PASS, (0, invite - 1)))
    elif level == 3:
        rules.append(Rule(Call.PASS, (0, game - 1)))
    return rules

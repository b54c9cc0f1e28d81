"""Opening calls: five-card majors, 1NT 15 to 17, strong 2C, weak twos and preempts."""

from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.rules import Convention, Forcing, Rule, Test, at_least, at_most, hcp
from teams.demo.bidding.situations import Situation

_WEAK_TWOS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)


def bid_of(level: int, suit: Suit) -> Call:
    """The bid of so many in a suit."""
    return Call.bid(level, Denomination(suit.value))


def opening_rules(situation: Situation) -> list[Rule]:
    """What the first player of the auction to bid may open, best first."""
    passes = len(situation.auction.calls)
    third_seat = passes == 2
    light = situation.style.boldness + (1 if third_seat else 0)
    least = 12 - max(0, light)

    def opens(held: Evaluation) -> bool:
        """Twelve points, or eleven and the rule of twenty; with a sound style never lighter than twelve."""
        longest, second = held.shape[:2]
        return held.hcp >= 12 or (held.hcp + longest + second >= 20 - light and held.hcp >= 11 - max(0, light))

    rules = [
        Rule(
            Call.C2,
            (22, 40),
            also=lambda held: held.hcp >= 20,
            forcing=Forcing.TO_GAME,
            convention=Convention.STRONG_TWO,
            alert=True,
            explanation="Strong, any distribution",
        ),
        Rule(
            Call.NT2,
            (20, 21),
            _balanced(),
            measure=hcp,
            also=lambda held: held.is_semi_balanced,
            convention=Convention.NOTRUMP,
        ),
        Rule(
            Call.NT1,
            (15, 17),
            _balanced(),
            measure=hcp,
            also=lambda held: held.is_balanced,
            convention=Convention.NOTRUMP,
            explanation="15-17",
        ),
    ]
    rules += [_one_of(suit, least, opens) for suit in (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)]
    if passes < 3:
        rules += _preempts(situation)
    rules.append(Rule(Call.PASS, (0, 12)))
    return rules


def _balanced() -> dict[Suit, tuple[int, int]]:
    return {Suit.SPADES: (2, 5), Suit.HEARTS: (2, 5), Suit.DIAMONDS: (2, 6), Suit.CLUBS: (2, 6)}


def _one_of(suit: Suit, least: int, opens: Test) -> Rule:
    """One of a suit: the longest, of two five-card suits the higher, of two four-card minors diamonds."""

    def chosen(held: Evaluation) -> bool:
        return opens(held) and opening_suit(held) is suit

    length = {Suit.SPADES: 5, Suit.HEARTS: 5, Suit.DIAMONDS: 3, Suit.CLUBS: 3}[suit]
    lengths = {suit: at_least(length)}
    if suit not in MAJORS:
        lengths |= {major: at_most(5) for major in MAJORS}
    return Rule(bid_of(1, suit), (least, 22), lengths, also=chosen)


def opening_suit(held: Evaluation) -> Suit:
    """Suit of a one-level opening."""
    longest = held.longest
    if held.lengths[longest] >= 5:
        return longest
    diamonds, clubs = held.lengths[Suit.DIAMONDS], held.lengths[Suit.CLUBS]
    if diamonds > clubs or diamonds == clubs == 4:
        return Suit.DIAMONDS
    return Suit.CLUBS


def _preempts(situation: Situation) -> list[Rule]:
    bold = situation.style.boldness
    needs_quality = situation.is_vulnerable or bold < 0
    most = 10 if len(situation.auction.calls) < 2 else 11

    def sound(suit: Suit) -> Test:
        return lambda held: held.is_good_suit(suit) or (not needs_quality and held.honours(suit) >= 1)

    rules = []
    for suit in (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS):
        if suit in MAJORS:
            rules.append(
                Rule(
                    bid_of(4, suit),
                    (5, 10),
                    {suit: at_least(8)},
                    hcp,
                    sound(suit),
                    convention=Convention.PREEMPT,
                )
            )
        rules.append(
            Rule(bid_of(3, suit), (5, 10), {suit: (7, 8)}, hcp, sound(suit), convention=Convention.PREEMPT)
        )
    for suit in _WEAK_TWOS:
        others = {major: at_most(3) for major in MAJORS if major is not suit}
        rules.append(
            Rule(
                bid_of(2, suit),
                (5 if bold > 0 else 6, most),
                {suit: (6, 6)} | others,
                hcp,
                sound(suit),
                convention=Convention.PREEMPT,
            )
        )
    return rules

"""Slam tries: Blackwood, its answers, and the quantitative 4NT."""

from broadcast.bridge.calls import Call, Denomination
from teams.demo.bidding.evaluation import Evaluation
from teams.demo.bidding.rules import Convention, Forcing, Rule, Test
from teams.demo.bidding.situations import Situation

BLACKWOOD = Rule(
    Call.NT4,
    forcing=Forcing.ONE_ROUND,
    convention=Convention.BLACKWOOD,
    alert=True,
    explanation="Blackwood: asks for aces",
)

_ACES = (
    (Call.C5, (0, 4), "No ace or all four"),
    (Call.D5, (1,), "One ace"),
    (Call.H5, (2,), "Two aces"),
    (
        Call.S5,
        (3,),
        "Three aces",
    ),
)


def _has_aces(counts: tuple[int, ...]) -> Test:
    return lambda held: held.aces in counts


def blackwood_answers(situation: Situation) -> list[Rule]:
    """Answers by steps: 5C none or four, 5D one, 5H two, 5S three."""
    del situation
    return [
        Rule(
            call,
            also=_has_aces(counts),
            convention=Convention.ACES,
            alert=True,
            explanation=words,
        )
        for call, counts, words in _ACES
    ]


def aces_together(situation: Situation, held: Evaluation) -> int:
    """Aces of both hands after the answer to Blackwood; with none held a 5C answer may mean all four."""
    last = situation.last_by_partner
    counts = next((counts for call, counts, _ in _ACES if last is not None and call is last.call), (0,))
    if counts == (0, 4):
        return 4 if held.aces == 0 and situation.partner.points[0] >= 16 else held.aces
    return held.aces + counts[0]


def quantitative_answers(situation: Situation) -> list[Rule]:
    """Over a quantitative 4NT: 6NT with more than the least shown."""
    low, high = situation.own.points
    enough = (low + high + 1) // 2
    return [
        Rule(Call.bid(6, Denomination.NOTRUMP), (enough, 40)),
        Rule(Call.PASS, (0, enough - 1)),
    ]

"""Duplicate scoring (Laws of Duplicate Bridge 2017, Law 77), and the penalties of 1963 for old records.

The older scale differs in two places: a doubled contract not vulnerable costs 200 for every undertrick after
the first (today 300 from the fourth on), and a redoubled contract made earns 50 (today 100).
"""

from enum import StrEnum

from broadcast.bridge.calls import Denomination
from broadcast.bridge.contracts import Contract, Doubling


class PenaltyScale(StrEnum):
    SINCE_1987 = "1987"
    SINCE_1963 = "1963"


_TRICK_VALUE = {
    Denomination.CLUBS: 20,
    Denomination.DIAMONDS: 20,
    Denomination.HEARTS: 30,
    Denomination.SPADES: 30,
    Denomination.NOTRUMP: 30,
}
_FIRST_NOTRUMP_EXTRA = 10


def contract_score(
    contract: Contract,
    tricks: int,
    vulnerable: bool,
    penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987,
) -> int:
    """Score points of declarer's side for so many tricks taken, 0 to 13 (Law 77).

    >>> contract_score(Contract.parse("4SX"), 9, vulnerable=True)
    -200
    """
    over = tricks - contract.tricks_needed
    if over < 0:
        return -_penalty(-over, contract.doubling, vulnerable, penalty_scale)
    return _made(contract, over, vulnerable, penalty_scale)


def _made(contract: Contract, overtricks: int, vulnerable: bool, penalty_scale: PenaltyScale) -> int:
    value = _TRICK_VALUE[contract.denomination]
    extra = _FIRST_NOTRUMP_EXTRA if contract.denomination is Denomination.NOTRUMP else 0
    trick_score = (value * contract.level + extra) * contract.doubling.factor
    score = trick_score
    if trick_score >= 100:
        score += 500 if vulnerable else 300
    else:
        score += 50
    if contract.level == 6:
        score += 750 if vulnerable else 500
    elif contract.level == 7:
        score += 1500 if vulnerable else 1000
    if contract.doubling is Doubling.NONE:
        return score + overtricks * value
    per_overtrick = (200 if vulnerable else 100) * contract.doubling.factor // 2
    insult = 50
    if contract.doubling is Doubling.REDOUBLED and penalty_scale is PenaltyScale.SINCE_1987:
        insult = 100
    return score + insult + overtricks * per_overtrick


def _penalty(undertricks: int, doubling: Doubling, vulnerable: bool, penalty_scale: PenaltyScale) -> int:
    if doubling is Doubling.NONE:
        return undertricks * (100 if vulnerable else 50)
    if vulnerable:
        doubled = 200 + (undertricks - 1) * 300
    else:
        doubled = 100 + (undertricks - 1) * 200
        if penalty_scale is PenaltyScale.SINCE_1987:
            doubled += max(0, undertricks - 3) * 100
    return doubled * doubling.factor // 2

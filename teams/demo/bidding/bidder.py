"""The demo player's call: the first rule that fits in the situation the auction has made.

Partner's calls are read by the same rules that choose one's own, so a partnership understands itself. Nothing
but the player's own thirteen cards and the auction is known here.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.deals import Hand
from teams.demo.bidding import advances, notrump, openings, overcalls, rebids, responses, slams
from teams.demo.bidding.evaluation import evaluate
from teams.demo.bidding.placement import placed, placing_rule
from teams.demo.bidding.rules import Convention, Rule, united
from teams.demo.bidding.situations import LAST_BID_AFTER, Reading, Situation, first_situation
from teams.demo.bidding.style import STANDARD, Style

_ANSWERS = {
    Convention.STAYMAN: notrump.stayman_answers,
    Convention.TRANSFER: notrump.transfer_answers,
    Convention.BLACKWOOD: slams.blackwood_answers,
    Convention.QUANTITATIVE: slams.quantitative_answers,
    Convention.PENALTY: advances.penalty_answers,
    Convention.TAKEOUT: advances.takeout_answers,
    Convention.NOTRUMP: notrump.notrump_responses,
    Convention.STRONG_TWO: responses.strong_two_responses,
    Convention.WAITING: rebids.strong_two_rebids,
}


@dataclass(frozen=True, slots=True)
class Bid:
    call: Call
    alert: bool = False
    explanation: str | None = None


def choose_call(hand: Hand, auction: Auction, vulnerability: Vulnerability, style: Style = STANDARD) -> Bid:
    """The call of the player in turn: always legal, and a pass once the auction has grown long.

    Raises ``ValueError`` when the auction is over.
    """
    if auction.turn is None:
        raise ValueError("The auction is over: there is nothing to call")
    if len(auction.calls) > LAST_BID_AFTER:
        return Bid(Call.PASS)
    situation = read(auction, vulnerability, style)
    held = evaluate(hand)
    held = replace(held, hcp=held.hcp + style.upgrade(hand))
    fitting = (rule for rule in rules_for(situation) if rule.fits(held) and situation.may(rule.call))
    rule = next(fitting, None) or placing_rule(held, situation)
    if not situation.may(rule.call):
        return Bid(Call.PASS)
    return Bid(rule.call, rule.alert, rule.explanation)


@lru_cache(maxsize=512)
def read(auction: Auction, vulnerability: Vulnerability, style: Style = STANDARD) -> Situation:
    """Read the calls so far one by one into what each player has shown."""
    if not auction.calls:
        return first_situation(auction, vulnerability, style)
    seat, call = auction.calls[-1]
    before = read(Auction(auction.dealer, auction.calls[:-1]), vulnerability, style)
    before = replace(before, me=seat)
    meaning = meaning_of(call, before)
    shown = {**before.shown, seat: before.shown[seat].narrowed(meaning)}
    return Situation(
        auction,
        auction.turn or seat.left,
        vulnerability,
        style,
        (*before.readings, Reading(seat, call, meaning)),
        shown,
    )


def meaning_of(call: Call, situation: Situation) -> Rule:
    """What the call promises when the player to call makes it."""
    named = [rule for rule in rules_for(situation) if rule.call is call]
    return united(named) if named else placed(call, situation)


def rules_for(situation: Situation) -> list[Rule]:
    """The table of rules for the situation, empty where the contract is to be placed freely."""
    opening = situation.opening
    if opening is None:
        return openings.opening_rules(situation)
    for convention, answers in _ANSWERS.items():
        if situation.is_answering(convention):
            return answers(situation)
    mine = situation.by(situation.me)
    last = situation.last_by_partner
    is_notrump = last is not None and last.call is Call.NT1 and last.rule.convention is Convention.NOTRUMP
    if is_notrump and situation.right_call is Call.X and not mine:
        return notrump.doubled_notrump(situation)
    partners = situation.by(situation.me.partner)
    if opening.seat.side is situation.me.side:
        return _after_our_opening(situation, opening, mine, partners)
    if not mine and not partners:
        return overcalls.first_action_rules(situation)
    if not mine and len(partners) == 1:
        overcall = partners[0].call
        suit = overcall.denomination.trump if overcall.is_bid else None
        if suit is not None and partners[0].rule.convention is Convention.PREEMPT:
            return responses.preempt_responses(situation, suit, overcall.level)
        if suit is not None and partners[0].rule.convention is None:
            return advances.advance_rules(situation, suit, overcall.level)
    return []


def _after_our_opening(
    situation: Situation, opening: Reading, mine: list[Reading], partners: list[Reading]
) -> list[Rule]:
    suit = opening.call.denomination.trump
    if opening.seat is situation.me:
        if suit is None or len(mine) != 1 or len(partners) != 1 or opening.call.level > 1:
            return []
        response = partners[0]
        if response.rule.convention is Convention.JACOBY:
            return rebids.jacoby_answers(situation, suit)
        if response.rule.convention is Convention.NEGATIVE and situation.right_call is Call.PASS:
            return advances.negative_double_answers(situation, suit)
        return rebids.rebid_rules(situation, suit, response.call) if response.call.is_bid else []
    if not mine and suit is not None and len(partners) == 1:
        if opening.rule.convention is Convention.PREEMPT:
            return responses.preempt_responses(situation, suit, opening.call.level)
        if opening.call.level == 1:
            return responses.response_rules(situation, suit)
    return notrump.after_transfer(situation) if mine else []

"""Placing the contract: what the combined hands are worth in the best denomination, and what to bid for it.

This is what a player does once the first calls have described the hands: sign off, invite, bid game, try for
slam, compete to the level of the fit, double. ``place`` chooses, ``placed`` reads the same calls of partner's.
"""

from dataclasses import replace

from broadcast.bridge.calls import DENOMINATIONS, Call, Denomination
from broadcast.bridge.cards import Suit
from teams.demo.bidding.evaluation import MAJORS, Evaluation
from teams.demo.bidding.fits import SMALL_SLAM, best_denomination, fit_in, partner_points, worth_in
from teams.demo.bidding.rules import ANY_POINTS, Convention, Rule, Span, at_least
from teams.demo.bidding.situations import Situation, game_level
from teams.demo.bidding.slams import BLACKWOOD, aces_together

NOTRUMP = Denomination.NOTRUMP
GAME = {
    NOTRUMP: 25,
    Denomination.SPADES: 25,
    Denomination.HEARTS: 25,
    Denomination.DIAMONDS: 28,
    Denomination.CLUBS: 28,
}
"""Combined points for game."""
GRAND_SLAM = 37
_INVITES_SHORT_OF = 1.5
"""An invitation needs game within so many points if partner holds the middle of what was shown."""
_HALF_AND_MORE = 23
"""Combined points with which their contract in notrump is doubled."""
_FREE = 6
"""Points for a bid over an opponent's that partner did not ask for."""


def place(held: Evaluation, situation: Situation) -> Call:
    """The call that places the contract or moves towards it; always legal."""
    last = situation.last_by_partner
    if last is not None and last.rule.convention is Convention.ACES:
        return _after_aces(held, situation)
    low, high = partner_points(situation)
    strain = best_denomination(held, situation)
    worth = worth_in(held, situation, strain) + situation.style.boldness * (low != high)
    if worth + low >= SMALL_SLAM and not _slam_reached(situation):
        slam = _towards_slam(held, situation, strain, worth + low)
        if slam is not None:
            return slam
    if situation.our_bid_stands and situation.is_game_reached:
        return _correct_game(held, situation, strain)
    if strain is NOTRUMP and _they_play_notrump(situation):
        return Call.X if worth + low >= _HALF_AND_MORE and situation.may(Call.X) else Call.PASS
    game = Call.bid(game_level(strain), strain)
    can_game = situation.may(game) and _may_be_played(held, situation, strain)
    invitation = _invitation(situation, strain)
    middle = (low + high) / 2
    threshold = GAME[strain]
    if can_game and (
        worth + low >= threshold or (invitation is None and worth + middle >= threshold + _risk(strain))
    ):
        return game
    must_go_on = situation.is_game_forced and not situation.is_game_reached
    if must_go_on and can_game and (situation.right_call is Call.PASS or held.points >= _FREE):
        return game
    if not can_game and worth + low >= threshold and not situation.our_bid_stands:
        return _over_their_preemption(held, situation, strain, worth + low)
    if invitation is not None and worth + middle >= threshold - _INVITES_SHORT_OF:
        return invitation
    return _part_score(held, situation, strain, worth)


def _may_be_played(held: Evaluation, situation: Situation, strain: Denomination) -> bool:
    """Game in notrump wants their suits stopped, unless the side is bound to reach a game."""
    if strain is not NOTRUMP or situation.is_game_forced:
        return True
    return all(held.stops(suit) for suit in situation.their_suits)


def _they_play_notrump(situation: Situation) -> bool:
    contract = situation.auction.contract
    return contract is not None and contract.denomination is NOTRUMP and not situation.our_bid_stands


def _risk(strain: Denomination) -> int:
    """Points wanted over the middle for a game that cannot be invited: five of a minor is far away."""
    return 2 if game_level(strain) == 5 else 0


def _slam_reached(situation: Situation) -> bool:
    last = situation.auction.last_bid
    return last is not None and last[1].level >= 6


def _invitation(situation: Situation, strain: Denomination) -> Call | None:
    """The bid one short of game that asks partner to go on with more than promised."""
    low, high = partner_points(situation)
    if game_level(strain) == 5:
        return None
    bid = Call.bid(game_level(strain) - 1, strain)
    return bid if high > low and situation.may(bid) and situation.may_ask else None


def _correct_game(held: Evaluation, situation: Situation, strain: Denomination) -> Call:
    """Leave the game bid, or take 3NT out to a known major fit."""
    contract = situation.auction.contract
    if contract is not None and contract.denomination is NOTRUMP and contract.level == 3:
        game = Call.bid(game_level(strain), strain)
        trump = strain.trump
        if trump in MAJORS and situation.may(game) and held.shape != (4, 3, 3, 3):
            together = held.lengths[trump] + situation.partner.lengths[trump][0]
            return game if together >= 8 else Call.PASS
    return Call.PASS


def _towards_slam(held: Evaluation, situation: Situation, strain: Denomination, total: int) -> Call | None:
    if total >= GRAND_SLAM and strain is NOTRUMP and held.aces >= 1:
        grand = Call.bid(7, strain)
        if situation.may(grand):
            return grand
    if (
        _asks_for_aces(situation)
        and strain is not NOTRUMP
        and strain is not Denomination.CLUBS
        and situation.may_ask
        and situation.may(Call.NT4)
    ):
        return Call.NT4
    small = Call.bid(6, strain)
    return small if situation.may(small) else None


def _after_aces(held: Evaluation, situation: Situation) -> Call:
    """Five with two aces missing, six with one, seven with none and the points."""
    low, _ = partner_points(situation)
    strain = best_denomination(held, situation)
    aces = aces_together(situation, held)
    level = 5 if aces <= 2 else 6
    if aces >= 4 and worth_in(held, situation, strain) + low >= GRAND_SLAM:
        level = 7
    last = situation.auction.last_bid
    if last is not None and level == last[1].level and strain is last[1].denomination:
        return Call.PASS
    bid = Call.bid(level, strain)
    if situation.may(bid):
        return bid
    cheapest = situation.cheapest(strain)
    return cheapest if cheapest is not None else Call.PASS


def _over_their_preemption(held: Evaluation, situation: Situation, strain: Denomination, total: int) -> Call:
    """They bid past our game: on with a long fit and shape, else double."""
    cheapest = situation.cheapest(strain)
    trump = strain.trump
    if (
        trump is not None
        and cheapest is not None
        and cheapest.level <= 5
        and fit_in(held, situation, trump) >= 10
    ):
        return cheapest
    return Call.X if situation.may(Call.X) and total >= 23 else Call.PASS


def _part_score(held: Evaluation, situation: Situation, strain: Denomination, worth: int) -> Call:
    """Stop where we are when that is good enough, else the cheapest bid in the best denomination."""
    low, _ = partner_points(situation)
    contract = situation.auction.contract
    cheapest = situation.cheapest(strain)
    trump = strain.trump
    fit = fit_in(held, situation, trump) if trump is not None else 0
    if situation.our_bid_stands and contract is not None:
        if situation.is_forced:
            return _forced(held, situation, strain)
        if contract.denomination is strain or cheapest is None or situation.last_by_partner is None:
            return Call.PASS
        current = contract.denomination.trump
        current_fit = fit_in(held, situation, current) if current is not None else 7
        limit = 2 if fit < 9 else 3
        if fit >= 8 and fit > current_fit and cheapest.level <= max(limit, contract.level):
            return cheapest
        if current is not None and current_fit <= 6 and cheapest.level <= 2:
            return cheapest
        return Call.PASS
    if situation.is_forced:
        return _forced(held, situation, strain)
    if trump is None or cheapest is None or contract is None:
        return Call.PASS
    allowed = fit - 6 + (fit >= 9 and not situation.is_vulnerable and situation.style.boldness > 0)
    enough = 17 + 2 * (cheapest.level - 1) + (2 if situation.is_vulnerable else 0)
    if (
        fit >= 8
        and cheapest.level <= min(3, allowed)
        and worth + low >= enough - situation.style.boldness - 2 * (fit - 8)
    ):
        return cheapest
    return Call.PASS


def _forced(held: Evaluation, situation: Situation, strain: Denomination) -> Call:
    """Partner's call is forcing: the least misleading cheap bid."""
    ranked = sorted(
        DENOMINATIONS,
        key=lambda d: (d is not strain, -_forced_merit(held, situation, d)),
    )
    bids = [bid for bid in (situation.cheapest(d) for d in ranked) if bid is not None]
    sensible = [bid for bid in bids if _is_sensible(held, situation, bid.denomination)]
    for choices in (sensible, bids):
        for highest in (3, 4, 5):
            for bid in choices:
                if bid.level <= highest:
                    return bid
    return Call.PASS


def _is_sensible(held: Evaluation, situation: Situation, denomination: Denomination) -> bool:
    """Notrump with their suits stopped, five cards, a new four-card suit, or going back to partner's suit."""
    trump = denomination.trump
    if trump is None:
        return all(held.stops(suit) for suit in situation.their_suits)
    if trump in situation.their_suits:
        return False
    length = held.lengths[trump]
    is_new = situation.own.lengths[trump][0] < 4
    return length >= 5 or (length >= 4 and is_new) or (length >= 2 and situation.partner.lengths[trump][0] >= 4)


def _forced_merit(held: Evaluation, situation: Situation, denomination: Denomination) -> float:
    trump = denomination.trump
    if trump is None:
        return 6.5 if all(held.stops(suit) for suit in situation.their_suits) else 3
    return min(held.lengths[trump], 5) + situation.partner.lengths[trump][0]


def placed(call: Call, situation: Situation) -> Rule:
    """What a call means that no table of rules names, made by the player to call."""
    if call is Call.NT4 and _asks_for_aces(situation):
        return BLACKWOOD
    if call is Call.X:
        return Rule(call, convention=Convention.PENALTY)
    if not call.is_bid:
        return Rule(call)
    low, high = partner_points(situation)
    own_low, own_high = situation.own.points
    strain = call.denomination
    wanted = GAME[strain]
    if call.level >= game_level(strain):
        span = (max(0, wanted - low), MOST if call.level >= 6 else max(wanted - low, SMALL_SLAM - 1 - low))
    elif call.level == game_level(strain) - 1 and high > low:
        span = (max(0, wanted - high), max(0, wanted - low - 1))
    else:
        span = (own_low, min(own_high, max(own_low, wanted - low)))
    if situation.our_bid_stands and situation.is_game_reached and call.level <= 5:
        span = own_low, own_high
    elif situation.is_contested or situation.is_forced:
        span = own_low, max(own_low, span[1])
    return Rule(call, _within(span, situation.own.points), _lengths(call, situation))


MOST = ANY_POINTS[1]


def _within(span: Span, known: Span) -> Span:
    low, high = max(span[0], known[0]), min(span[1], known[1])
    return (low, high) if low <= high else known


def _lengths(call: Call, situation: Situation) -> dict[Suit, Span]:
    trump = call.denomination.trump
    if trump is None:
        return {}
    partner = situation.partner.lengths[trump][0]
    own = situation.own.lengths[trump]
    least = max(0, 8 - partner) if partner >= 3 else (6 if own[0] >= 5 else 5)
    least = min(least, own[1])
    return {trump: at_least(max(own[0], least))}


def _asks_for_aces(situation: Situation) -> bool:
    last = situation.last_by_partner
    if last is None:
        return True
    return not (last.call.is_bid and last.call.denomination is NOTRUMP and last.call.level <= 3)


def placing_rule(held: Evaluation, situation: Situation) -> Rule:
    """``place`` together with what it says."""
    call = place(held, situation)
    return replace(placed(call, situation), call=call)

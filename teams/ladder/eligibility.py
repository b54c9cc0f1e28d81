"""The one question of every challenge: may this team challenge that rung now?

The page that draws the buttons and the server that takes the challenge ask this function, so that what is
offered is what is taken. A challenge that is allowed carries what a win and a loss would mean; one that is not
carries the rule that refuses and, where the rule ends by itself, the moment when it does. Source: the club
regulation, rules 1 to 8.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from teams.ladder.challenges import Challenge
from teams.ladder.rungs import after_win, rung_of
from teams.ladder.state import LadderState


class Rule(StrEnum):
    """What refuses a challenge; the code of the error."""

    NOT_ON_LADDER = "not_on_ladder"
    OWN_TEAM = "own_team"
    LEAVING = "leaving"
    """One of the two teams leaves the ladder."""
    RESTING = "resting"
    """One of the two teams rests."""
    PAIR_OPEN = "pair_open"
    """The two have an open challenge already."""
    NOT_ABOVE = "not_above"
    OUT_OF_RANGE = "out_of_range"
    MADE_LIMIT = "made_limit"
    """The challenger has made as many challenges as it may at once."""
    RECEIVED_LIMIT = "received_limit"
    """The defender has received as many as it may at once."""
    PAIR_PAUSE = "pair_pause"
    """The two met too recently."""
    WITHDRAWN_OFTEN = "withdrawn_often"
    """The challenger has issued challenges to the defender and withdrawn them, again and again."""
    IMMUNE = "immune"
    """The defender has just defended its rung."""
    VOID_PAUSE = "void_pause"
    """The challenger's last challenge came to nothing through its own doing."""
    REST_SPENT = "rest_spent"
    """The team has no day of rest left this season."""
    SEASON_ENDS = "season_ends"
    """Nobody rests at the end of a season."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rungs of both teams after the match, as the ladder stands now."""

    challenger: int
    defender: int


@dataclass(frozen=True, slots=True)
class Allowed:
    win: Outcome
    """If the challenger wins: on the defender's rung, or on the defender's then."""
    loss: Outcome
    unrestricted: bool
    """Beyond the range: uses the new team's one challenge."""

    @property
    def code(self) -> str:
        """All of it in one word, for a form to bring back what its page promised: ``1-4-4-1``."""
        rungs = (self.win.challenger, self.win.defender, self.loss.challenger, self.loss.defender)
        return "-".join(map(str, rungs)) + ("-entry" if self.unrestricted else "")


@dataclass(frozen=True, slots=True)
class Refused:
    rule: Rule
    until: datetime | None = None
    """When the rule ends by itself; ``None`` where that depends on what teams do."""


@dataclass(frozen=True, slots=True)
class MayRest:
    most_days: int
    """From now on."""


def may_rest(state: LadderState, team: str, now: datetime) -> MayRest | Refused:
    """Whether a team may rest now, and for how many days (rule 7)."""
    if team not in state.order:
        return Refused(Rule.NOT_ON_LADDER)
    entrant = state.entrants[team]
    if entrant.is_leaving:
        return Refused(Rule.LEAVING)
    if entrant.rests_until is not None:
        return Refused(Rule.RESTING, entrant.rests_until)
    rules = state.rules
    left = (rules.rest_days_top if rung_of(state.order, team) == 1 else rules.rest_days) - entrant.rested_days
    if left < 1:
        return Refused(Rule.REST_SPENT)
    if state.season.ends_at is not None:
        last = state.season.ends_at - timedelta(days=rules.rest_closed_days)
        left = min(left, (last - now) // timedelta(days=1))
    return MayRest(left) if left >= 1 else Refused(Rule.SEASON_ENDS, state.season.ends_at)


def may_challenge(state: LadderState, challenger: str, defender: str, now: datetime) -> Allowed | Refused:
    """Whether ``challenger`` may challenge ``defender`` at ``now``.

    Rules that only a change of rungs can lift are named before those that a challenge's end or time lifts; of
    the rules that time lifts the one that lasts longest is named.
    """
    refused = _never_as_it_stands(state, challenger, defender)
    if refused is not None:
        return refused
    unrestricted = not _is_in_range(state, challenger, defender)
    if unrestricted and not _may_leave_range(state, challenger, defender):
        return Refused(Rule.OUT_OF_RANGE)
    if len(state.made_by(challenger)) >= state.rules.made_at_once:
        return Refused(Rule.MADE_LIMIT)
    if _has_received_enough(state, challenger, defender):
        return Refused(Rule.RECEIVED_LIMIT)
    waits = _waiting(state, challenger, defender, now)
    if waits is not None:
        return waits
    return _allowed(state, challenger, defender, unrestricted)


def _never_as_it_stands(state: LadderState, challenger: str, defender: str) -> Refused | None:
    if challenger not in state.order or defender not in state.order:
        return Refused(Rule.NOT_ON_LADDER)
    if challenger == defender:
        return Refused(Rule.OWN_TEAM)
    if state.entrants[challenger].is_leaving or state.entrants[defender].is_leaving:
        return Refused(Rule.LEAVING)
    rests = (state.entrants[team].rests_until for team in (challenger, defender))
    resting = [until for until in rests if until is not None]
    if resting:
        return Refused(Rule.RESTING, max(resting))
    if state.of_pair(challenger, defender) is not None:
        return Refused(Rule.PAIR_OPEN)
    if rung_of(state.order, defender) > rung_of(state.order, challenger):
        return Refused(Rule.NOT_ABOVE)
    return None


def _is_in_range(state: LadderState, challenger: str, defender: str) -> bool:
    rung = rung_of(state.order, challenger)
    return rung - rung_of(state.order, defender) <= state.rules.places_above(rung)


def _may_leave_range(state: LadderState, challenger: str, defender: str) -> bool:
    """A new team's one challenge without regard to the range, but not into the protected top."""
    above_top = rung_of(state.order, defender) > state.rules.entry_protects
    return state.entrants[challenger].unrestricted and above_top


def _has_received_enough(state: LadderState, challenger: str, defender: str) -> bool:
    received = state.received_by(defender)
    rung = rung_of(state.order, defender)
    limit = state.rules.received_limit(rung)
    if len(received) >= limit:
        return True
    if rung != 1 or limit <= state.rules.received_at_once:
        return False
    # On rung 1 the places above the ordinary number are for teams of other clubs, so that a club cannot shield
    # its first team by challenging it from within.
    return _same_club(state, challenger, defender) and (
        sum(_same_club(state, one.challenger, defender) for one in received) >= state.rules.received_at_once
    )


def _same_club(state: LadderState, one: str, other: str) -> bool:
    club = state.entrants[one].club
    return club is not None and club == state.entrants[other].club


def _waiting(state: LadderState, challenger: str, defender: str, now: datetime) -> Refused | None:
    met = state.pair_ended.get(frozenset({challenger, defender}))
    waits = [Refused(Rule.PAIR_PAUSE, met + state.rules.pair_pause)] if met is not None else []
    waits_until = state.entrants[challenger].waits_until
    if waits_until is not None:
        waits.append(Refused(Rule.VOID_PAUSE, waits_until))
    withdrawn = state.withdrawn.get((challenger, defender), ())
    if len(withdrawn) >= state.rules.withdrawn_at_most:
        first = withdrawn[-state.rules.withdrawn_at_most]
        waits.append(Refused(Rule.WITHDRAWN_OFTEN, first + state.rules.answer_within))
    immune_until = state.entrants[defender].immune_until
    if immune_until is not None:
        waits.append(Refused(Rule.IMMUNE, immune_until))
    lasting = [refused for refused in waits if refused.until is not None and refused.until > now]
    return max(lasting, key=lambda refused: refused.until or now, default=None)


def _allowed(state: LadderState, challenger: str, defender: str, unrestricted: bool) -> Allowed:
    stands = Outcome(rung_of(state.order, challenger), rung_of(state.order, defender))
    won = after_win(state.order, challenger, defender, stands.challenger, state.rules)
    return Allowed(
        win=Outcome(rung_of(won, challenger), rung_of(won, defender)), loss=stands, unrestricted=unrestricted
    )


def promised(challenge: Challenge) -> tuple[Outcome, Outcome]:
    """What a win and a loss of the challenger were to mean when the challenge was issued."""
    win = Outcome(challenge.defender_rung, challenge.lands_on)
    return win, Outcome(challenge.challenger_rung, challenge.defender_rung)

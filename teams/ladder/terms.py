"""Rest, the regulation and the seasons: the terms on which a ladder runs (rules 7 and 10).

Rules that are announced hold from their moment on and never before; moments that earlier rules have set stay.
A season that begins archives the one before whole: its order, its moves and its challenges stay in the log.
"""

from datetime import datetime, timedelta

from broadcast.tables.errors import Refusal
from teams.ladder.challenges import Playing, VoidCause
from teams.ladder.commands import ChangeRules, EndRest, RestTeam, StartSeason
from teams.ladder.decision import Decision, close_ranks, void
from teams.ladder.eligibility import Refused, may_rest
from teams.ladder.events import RestEnded, RulesAnnounced, RulesChanged, SeasonBegun, TeamRested
from teams.ladder.sentences import sentence_of
from teams.ladder.state import LadderState

DAY = timedelta(days=1)


# --- rest ----------------------------------------------------------------------------------------------------


def rest(decision: Decision, command: RestTeam) -> None:
    """Raises ``Refusal``; asks ``may_rest``, as the page does."""
    answer = may_rest(decision.state, command.team, decision.now)
    if isinstance(answer, Refused):
        raise Refusal(answer.rule.value, sentence_of(answer.rule), until=answer.until)
    if not 1 <= command.days <= answer.most_days:
        most = answer.most_days
        raise Refusal("rest_too_long", f"The team may rest for 1 to {most} days now", most=most)
    until = decision.now + timedelta(days=command.days)
    decision.record(TeamRested(command.team, until, command.days))


def end_rest(decision: Decision, command: EndRest) -> None:
    """Back before its time; days that were not begun are given back."""
    entrant = decision.state.entrants.get(command.team)
    if entrant is None or entrant.rests_until is None:
        return
    decision.record(RestEnded(command.team, max(0, (entrant.rests_until - decision.now) // DAY)))


def end_rests(decision: Decision) -> None:
    for team in decision.state.order:
        until = decision.state.entrants[team].rests_until
        if until is not None and until <= decision.now:
            decision.record(RestEnded(team, 0))


# --- the regulation ------------------------------------------------------------------------------------------


def change_rules(decision: Decision, command: ChangeRules) -> None:
    state = decision.state
    if command.holds_from is None or command.holds_from <= decision.now:
        if command.holds_from is not None and command.holds_from < decision.now - DAY:
            raise Refusal("rules_in_the_past", "Rules hold from now on, or from a moment to come")
        if command.rules != state.rules:
            decision.record(RulesChanged(command.rules))
        return
    if state.announced != (command.holds_from, command.rules):
        decision.record(RulesAnnounced(command.rules, command.holds_from))


def apply_announced(decision: Decision) -> None:
    announced = decision.state.announced
    if announced is not None and announced[0] <= decision.now:
        decision.record(RulesChanged(announced[1]))


def next_term(state: LadderState) -> datetime | None:
    """When announced rules begin to hold, or a rest ends."""
    rests = [entrant.rests_until for entrant in state.entrants.values()]
    rules = None if state.announced is None else state.announced[0]
    return min((at for at in (rules, *rests) if at is not None), default=None)


# --- seasons -------------------------------------------------------------------------------------------------


def start_season(decision: Decision, command: StartSeason) -> None:
    """Challenges whose play has not begun are void; a match under way is played out, in the new season.

    Raises ``Refusal`` ``bad_order`` unless a new order holds every team of the ladder once.
    """
    if command.ends_at is not None and command.ends_at <= decision.now:
        raise Refusal("season_over", "A season ends in the time to come")
    for challenge in tuple(decision.state.open.values()):
        state = challenge.state
        if not (isinstance(state, Playing) and state.is_under_way(decision.now)):
            void(decision, challenge, VoidCause.SEASON_OVER)
    close_ranks(decision)
    order = decision.state.order if command.order is None else command.order
    if sorted(order) != sorted(decision.state.order):
        raise Refusal("bad_order", "A new order names every team of the ladder once")
    decision.record(SeasonBegun(command.name, command.ends_at, order))

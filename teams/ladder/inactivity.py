"""Teams that do not play fall, and leave in the end (rule 7).

At the end of each day of the club a ladder counts it for every team that could have challenged somebody, or has
left a challenge unanswered for a day. A day that the house did not see is not counted. What is counted begins
anew when a team has played, or has won because its opponents did not. Seven days and one day before it acts the
ladder says so. Rung 1 has nobody to challenge, so that only unanswered challenges count there; it is spared
the first fall, and is never taken off unseen: there the warning stands, and the director decides.
"""

from datetime import datetime, timedelta
from datetime import time as time_of_day

from broadcast.notation.time_zones import zone_named
from teams.ladder.challenges import Issued
from teams.ladder.decision import Decision
from teams.ladder.eligibility import Allowed, may_challenge
from teams.ladder.events import DayCounted, InactivityWarned, TeamSank
from teams.ladder.leaving import leave
from teams.ladder.rules import LadderRules
from teams.ladder.rungs import moves_between, rung_of, sunk
from teams.ladder.state import COUNTED_FROM, LadderState

WARNED_BEFORE = (7, 1)
"""Days."""
DAY = timedelta(days=1)


def next_day(state: LadderState) -> datetime | None:
    """When the present day of the club is over; ``None`` where nobody can be counted."""
    since = state.counted_at or state.created_at
    if not state.rules.inactivity or len(state.order) < COUNTED_FROM or since is None:
        return None
    zone = zone_named(state.rules.time_zone)
    tomorrow = since.astimezone(zone).date() + DAY
    return datetime.combine(tomorrow, time_of_day(), zone).astimezone(since.tzinfo)


def falls(rules: LadderRules) -> tuple[tuple[int, int | None], ...]:
    """Counted days, and by how many rungs the team then falls; ``None``: off the ladder."""
    return (
        (rules.inactive_first_days, rules.inactive_first_fall),
        (rules.inactive_second_days, rules.inactive_second_fall),
        (rules.inactive_off_days, None),
    )


def count_day(decision: Decision) -> None:
    """Count the day that is over, if one is; warn, and act."""
    over = next_day(decision.state)
    if over is None or over > decision.now:
        return
    counted = tuple(team for team in decision.state.order if is_counted(decision.state, team, decision.now))
    decision.record(DayCounted(counted))
    for team in counted:
        _warn(decision, team)
        _act(decision, team)


def is_counted(state: LadderState, team: str, now: datetime) -> bool:
    """Whether the day counts for a team: it could challenge, or has left a challenge unanswered."""
    entrant = state.entrants[team]
    if entrant.is_leaving or entrant.rests_until is not None:
        return False
    received = (one for one in state.received_by(team) if isinstance(one.state, Issued))
    if any(one.issued_at <= now - DAY for one in received):
        return True
    above = reversed(state.order[: rung_of(state.order, team) - 1])
    return any(isinstance(may_challenge(state, team, other, now), Allowed) for other in above)


def _warn(decision: Decision, team: str) -> None:
    days = decision.state.entrants[team].idle_days
    on_top = rung_of(decision.state.order, team) == 1
    for after, fall in falls(decision.state.rules)[1 if on_top else 0 :]:
        if after - days in WARNED_BEFORE:
            decision.record(InactivityWarned(team, days, after - days, fall))


def _act(decision: Decision, team: str) -> None:
    order, days = decision.state.order, decision.state.entrants[team].idle_days
    on_top = rung_of(order, team) == 1
    fall = dict(falls(decision.state.rules)[1 if on_top else 0 :]).get(days, 0)
    if fall is None:
        if not on_top:
            leave(decision, team, cause="inactive")
        return
    moves = moves_between(order, sunk(order, team, fall), (team,))
    if moves:
        decision.record(TeamSank(team, days, moves))

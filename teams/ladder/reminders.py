"""Reminders of an answer, an offer or a choice that is awaited (rule 3).

The first is given after two thirds of the time, the second when the time is over and the grace begins. Both are
facts of the log, given once and driven by stored times: a house that was down gives those that are due when it
starts, and never the same one again.
"""

from datetime import datetime, timedelta

from teams.ladder.challenges import Accepted, Challenge, Issued, Side
from teams.ladder.decision import Decision
from teams.ladder.events import ChallengeReminded
from teams.ladder.rules import LadderRules
from teams.ladder.state import LadderState


def reminders(challenge: Challenge, rules: LadderRules) -> tuple[datetime, ...]:
    """The moments of both reminders; none where nothing is awaited."""
    match challenge.state:
        case Issued():
            time, deadline = challenge.answer_by - challenge.issued_at, challenge.answer_by
        case Accepted(offered, deadline_or_none) if deadline_or_none is not None:
            time = timedelta(days=rules.choose_days if offered else rules.offer_days)
            deadline = deadline_or_none
        case _:
            return ()
    return deadline - time / 3, deadline


def next_reminder(state: LadderState) -> datetime | None:
    waiting = (
        moment
        for challenge in state.open.values()
        for moment in reminders(challenge, state.rules)[challenge.reminded :]
    )
    return min(waiting, default=None)


def remind(decision: Decision, challenge: Challenge, ends_at: datetime) -> None:
    """Give those that are due."""
    for moment in reminders(challenge, decision.state.rules)[challenge.reminded :]:
        if moment <= decision.now:
            decision.record(ChallengeReminded(challenge.id, awaited(challenge), ends_at))


def awaited(challenge: Challenge) -> Side:
    """Whose step it is."""
    has_offer = isinstance(challenge.state, Accepted) and challenge.state.offered
    return Side.CHALLENGER if has_offer else Side.DEFENDER

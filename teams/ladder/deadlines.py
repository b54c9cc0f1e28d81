"""What the clock does to challenges: every open state has a deadline and a written exit.

=============================  ========================================  ==========================
state                          deadline                                  exit
=============================  ========================================  ==========================
issued                         answer_days and grace_hours               forfeited by defender: unanswered
accepted, no dates             offer_days and grace_hours                forfeited by defender: unoffered
accepted, dates offered        choose_days and grace_hours, last date    forfeited by challenger: unchosen
playing, one line-up named     late_minutes after the date               forfeited by the late: late
playing, no line-up named      late_minutes after the date               voided: both_absent
playing, line-ups named        play_days after the date                  voided: unplayed
playing, begun                 play_days after the date                  voided: unplayed
playing, made at once          play_days after acceptance                voided: unplayed
=============================  ========================================  ==========================

The moments are stored with the facts that begin them, so that a later change of the rules moves none. Dates
that are offered run out with the last of them, whatever grace is left. A team has come when its captain has
named both of its seats in both rooms (``Playing.present``): a line-up is needed anyway before anybody sits,
and it is known to the ladder without a look into the rooms. Nobody is late for a match that has begun, whoever
named the players. A challenge that is void because it was not played
keeps its match; closed after all, the match decides it.

``lapse`` is driven by the writer's ``tick`` and by every command, on the stored moments alone: it does nothing
twice, and what has run out while the house was down runs out at its next start, in order.
"""

from datetime import datetime

from teams.ladder.challenges import Accepted, Challenge, Forfeit, Issued, Playing, Side, VoidCause
from teams.ladder.decision import Decision, close_ranks, forfeit, void
from teams.ladder.inactivity import count_day, next_day
from teams.ladder.reminders import next_reminder, remind
from teams.ladder.rules import LadderRules
from teams.ladder.state import LadderState
from teams.ladder.terms import apply_announced, end_rests, next_term


def runs_out_at(challenge: Challenge, rules: LadderRules) -> datetime | None:
    """When the clock ends the challenge's present state; ``None`` for one that is over."""
    match challenge.state:
        case Issued():
            return challenge.answer_by + rules.grace
        case Accepted(offered, deadline):
            if deadline is None:
                return None
            return min(deadline + rules.grace, offered[-1]) if offered else deadline + rules.grace
        case Playing() as playing:
            return playing.late_at if _may_be_late(playing) else playing.play_by
        case _:
            return None


def _may_be_late(playing: Playing) -> bool:
    return playing.late_at is not None and not playing.has_begun and playing.present != frozenset(Side)


def lapse(state: LadderState, now: datetime) -> Decision:
    """Everything whose time has run out by ``now``, the earliest first."""
    decision = Decision(state, now)
    apply_announced(decision)
    waiting = [(at, one.issued_at, one.id) for one in state.open.values() if (at := _at(decision, one)) <= now]
    for _, _, id in sorted(waiting):
        challenge = decision.state.open.get(id)
        if challenge is not None:
            _run_out(decision, challenge)
    close_ranks(decision)
    for challenge in tuple(decision.state.open.values()):
        remind(decision, challenge, _at(decision, challenge))
    end_rests(decision)
    count_day(decision)
    return decision


def next_lapse(state: LadderState) -> datetime | None:
    """When ``lapse`` will next do something."""
    moments = [runs_out_at(challenge, state.rules) for challenge in state.open.values()]
    others = (next_reminder(state), next_term(state), next_day(state))
    return min((at for at in (*moments, *others) if at is not None), default=None)


def _at(decision: Decision, challenge: Challenge) -> datetime:
    return runs_out_at(challenge, decision.state.rules) or datetime.max.replace(tzinfo=decision.now.tzinfo)


def _run_out(decision: Decision, challenge: Challenge) -> None:
    match challenge.state:
        case Issued():
            forfeit(decision, challenge, Side.DEFENDER, Forfeit.UNANSWERED)
        case Accepted(()):
            forfeit(decision, challenge, Side.DEFENDER, Forfeit.UNOFFERED)
        case Accepted():
            forfeit(decision, challenge, Side.CHALLENGER, Forfeit.UNCHOSEN)
        case Playing() as playing if not _may_be_late(playing):
            void(decision, challenge, VoidCause.UNPLAYED, keeps_match=True)
        case Playing() as playing if playing.present:
            (present,) = playing.present
            forfeit(decision, challenge, present.other, Forfeit.LATE)
        case Playing():
            void(decision, challenge, VoidCause.BOTH_ABSENT)

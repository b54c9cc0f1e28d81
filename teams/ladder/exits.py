"""The ways out of a challenge's state: what each team may do and where that leads, what the clock does.

What is shown of a challenge is made from this list; ``steps`` and ``deadlines`` decide, and a test holds the
list to them.
"""

from dataclasses import dataclass
from datetime import datetime

from teams.ladder.challenges import Accepted, Challenge, Issued, Playing, Side
from teams.ladder.deadlines import runs_out_at
from teams.ladder.rules import Schedule
from teams.ladder.state import LadderState


@dataclass(frozen=True, slots=True)
class Exit:
    step: str
    """``accept decline offer choose refuse withdraw close``, or ``clock``."""
    leads_to: str
    """Code of the state, or ``dates``, ``date``, ``house_date`` for what comes next in the same one."""
    by: Side | None = None
    """Whose step it is; ``None`` for the clock and for the match's end."""
    loser: Side | None = None
    """Who loses without play by it."""
    at: datetime | None = None
    """When the clock does it."""


def exits(state: LadderState, challenge: Challenge) -> tuple[Exit, ...]:
    """In the order in which they are told; the clock's comes last. None of a challenge that is over."""
    match challenge.state:
        case Issued():
            at_once = state.rules.schedule is Schedule.AT_ONCE
            return (
                Exit("accept", "playing" if at_once else "accepted", Side.DEFENDER),
                _decline(state, challenge),
                Exit("withdraw", "withdrawn", Side.CHALLENGER),
                _clock(state, challenge, "forfeited", Side.DEFENDER),
            )
        case Accepted(offered) if offered:
            return (
                Exit("choose", "playing", Side.CHALLENGER),
                _refuse(state, challenge),
                *_withdrawals(),
                _clock(state, challenge, "forfeited", Side.CHALLENGER),
            )
        case Accepted():
            return (
                Exit("offer", "dates", Side.DEFENDER),
                *_withdrawals(),
                _clock(state, challenge, "forfeited", Side.DEFENDER),
            )
        case Playing() as playing:
            return (Exit("close", "decided"), *_withdrawals(), _end_of_play(state, challenge, playing))
        case _:
            return ()


def _decline(state: LadderState, challenge: Challenge) -> Exit:
    if _has_decline(state, challenge):
        return Exit("decline", "declined", Side.DEFENDER)
    return Exit("decline", "forfeited", Side.DEFENDER, Side.DEFENDER)


def _refuse(state: LadderState, challenge: Challenge) -> Exit:
    if _has_decline(state, challenge):
        return Exit("refuse", "voided", Side.CHALLENGER)
    return Exit("refuse", "house_date", Side.CHALLENGER)


def _has_decline(state: LadderState, challenge: Challenge) -> bool:
    return state.entrants[challenge.defender].declines < state.rules.free_declines


def _withdrawals() -> tuple[Exit, ...]:
    return tuple(Exit("withdraw", "forfeited", side, side) for side in Side)


def _end_of_play(state: LadderState, challenge: Challenge, playing: Playing) -> Exit:
    """Late, absent or not played in time."""
    may_be_late = playing.late_at is not None and runs_out_at(challenge, state.rules) == playing.late_at
    if may_be_late and playing.present:
        (present,) = playing.present
        return _clock(state, challenge, "forfeited", present.other)
    return _clock(state, challenge, "voided", None)


def _clock(state: LadderState, challenge: Challenge, leads_to: str, loser: Side | None) -> Exit:
    return Exit("clock", leads_to, None, loser, runs_out_at(challenge, state.rules))

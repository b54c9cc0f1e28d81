"""What a command or the clock has done to a ladder so far, and what several of its decisions share.

A decision may take several facts, each decided on the state that the one before has left.
"""

from dataclasses import dataclass, field
from datetime import datetime

from broadcast.feeds.streams import Consequence, StreamKey
from broadcast.tables.commands import VoidMatch
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.ladder.challenges import MAKES_WAIT, Challenge, Forfeit, Issued, Playing, Side, VoidCause
from teams.ladder.errors import NotThatSide
from teams.ladder.events import ChallengeForfeited, ChallengeVoided, LadderEvent, RungsMoved, TeamLeft
from teams.ladder.fold import after
from teams.ladder.rungs import after_win, moves_between
from teams.ladder.state import LadderState


@dataclass(slots=True)
class Decision:
    """Facts and consequences gathered while a command is decided; dropped when a rule refuses."""

    state: LadderState
    now: datetime
    events: list[LadderEvent] = field(default_factory=list)
    consequences: list[Consequence] = field(default_factory=list)

    def record(self, event: LadderEvent) -> None:
        self.events.append(event)
        self.state = after(self.state, event, self.now)


# --- endings that are not decided at the table --------------------------------------------------------------


def forfeit(decision: Decision, challenge: Challenge, loser: Side, cause: Forfeit) -> None:
    """The challenge is lost without play; it moves like a win, and a match already made is void."""
    decision.record(ChallengeForfeited(challenge.id, loser.other, cause))
    if loser is Side.DEFENDER:
        move_up(decision, challenge)
    _void_match(decision, challenge, "challenge_forfeited")


def void(decision: Decision, challenge: Challenge, cause: VoidCause, *, keeps_match: bool = False) -> None:
    """The challenge comes to nothing by the rules.

    ``keeps_match`` leaves its match as it is: closed after all, it decides.
    """
    refused = cause is VoidCause.DATES_REFUSED
    waits = decision.now + decision.state.rules.void_pause if cause in MAKES_WAIT else None
    decision.record(ChallengeVoided(challenge.id, cause.value, refused, waits))
    if not keeps_match:
        _void_match(decision, challenge, cause.value)


def _void_match(decision: Decision, challenge: Challenge, reason: str) -> None:
    if isinstance(challenge.state, Playing):
        match = StreamKey("match", challenge.state.match)
        decision.consequences.append(Consequence(match, VoidMatch(reason)))


def move_up(decision: Decision, challenge: Challenge) -> None:
    """Move as a challenger's win moves, unless one of the two has left the ladder since."""
    before = decision.state.order
    if not {challenge.challenger, challenge.defender} <= set(before):
        return
    moved = after_win(
        before, challenge.challenger, challenge.defender, challenge.challenger_rung, decision.state.rules
    )
    record_moves(decision, challenge, moved)


def record_moves(decision: Decision, challenge: Challenge, moved: tuple[str, ...]) -> None:
    first = (challenge.challenger, challenge.defender)
    moves = moves_between(decision.state.order, moved, first)
    if moves:
        decision.record(RungsMoved(challenge.id, moves))


def close_ranks(decision: Decision, cause: str = "left") -> None:
    """Teams that wanted to leave go once their last match is decided."""
    for team in decision.state.order:
        if decision.state.entrants[team].is_leaving and not decision.state.open_of(team):
            decision.record(TeamLeft(team, cause))


# --- who and when --------------------------------------------------------------------------------------------


def known(state: LadderState, id: str) -> Challenge:
    challenge = state.challenge(id)
    if challenge is None:
        raise NoSuchThing("no_such_challenge", f"There is no challenge {id}", challenge=id)
    return challenge


def side_of(challenge: Challenge, team: str) -> Side:
    side = challenge.side_of(team)
    if side is None:
        raise NotThatSide("not_your_challenge", "This challenge is between two other teams", team=team)
    return side


def require_side(challenge: Challenge, team: str, wanted: Side) -> None:
    if side_of(challenge, team) is not wanted:
        raise NotThatSide("not_your_step", f"That step is the {wanted.value}'s", side=wanted.value)


def require_issued(challenge: Challenge) -> None:
    if not isinstance(challenge.state, Issued):
        raise wrong_state(challenge)


def wrong_state(challenge: Challenge) -> Refusal:
    return Refusal(
        "challenge_state", f"The challenge is {challenge.state.code} by now", state=challenge.state.code
    )

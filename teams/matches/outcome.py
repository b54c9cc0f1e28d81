"""How a challenge ends, and what its ladder is told of it.

Who has more IMPs after carry-over and penalties has won; a tie leaves the defender, who is home, in place. The
ladder is told in the transaction that closes the match for everyone, and again when a ruling after that changes
the IMPs. It decides once, however often it is told the same.
"""

from dataclasses import dataclass
from datetime import datetime

from broadcast.bridge.rooms import Team
from broadcast.feeds.streams import Consequence, StreamKey
from broadcast.tables.setup import Challenge
from teams.ladder.commands import BeginPlay, DecideChallenge, VoidChallenge
from teams.ladder.stream import KIND as LADDER
from teams.matches.totals import Totals

DEFENDER = Team.HOME


@dataclass(frozen=True, slots=True)
class Outcome:
    winner: Team
    is_tie: bool = False
    """The IMPs are level, and the defender keeps the rung."""

    @property
    def code(self) -> str:
        """``won`` by the challenger, ``held`` by the defender, or ``tied`` and so held."""
        if self.is_tie:
            return "tied"
        return "held" if self.winner is DEFENDER else "won"


def outcome_of(total: Totals) -> Outcome:
    """The outcome of a challenge by the match's totals as they stand."""
    leader = total.leader
    return Outcome(DEFENDER, is_tie=True) if leader is None else Outcome(leader)


def decision(challenge: Challenge, match: str, total: Totals, closed_at: datetime) -> Consequence:
    """Tell the ladder how the match with this id ended."""
    command = DecideChallenge(challenge.id, match, float(total.home), float(total.visitors), closed_at)
    return Consequence(StreamKey(LADDER, challenge.ladder), command)


def beginning(challenge: Challenge, match: str) -> Consequence:
    """Tell the ladder that play has begun: nobody is late any more."""
    return Consequence(StreamKey(LADDER, challenge.ladder), BeginPlay(challenge.id, match))


def voiding(challenge: Challenge, match: str, reason: str) -> Consequence:
    """Tell the ladder that the match was voided."""
    return Consequence(StreamKey(LADDER, challenge.ladder), VoidChallenge(challenge.id, reason, match))

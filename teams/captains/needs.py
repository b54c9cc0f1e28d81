"""What a challenge needs of a captain now, and how urgent that is. The match's facts are brought along."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from teams.ladder.challenges import Accepted, Challenge, Issued, Playing, Side
from teams.ladder.deadlines import runs_out_at
from teams.ladder.rules import LadderRules


class Need(StrEnum):
    """What a captain should do, the most pressing of its kind first."""

    CLEAR = "clear"
    """A blocking alarm holds the match open; both captains together may clear it."""
    CONFIRM = "confirm"
    ANSWER = "answer"
    OFFER = "offer"
    CHOOSE = "choose"
    LINEUP = "lineup"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What a captain may know of the match: how far it is, never how it stands."""

    is_started: bool = False
    is_complete: bool = False
    is_secret: bool = False
    """Nobody is told before the closing that the last board is played."""
    is_over: bool = False
    """Closed or void."""
    closes_at: datetime | None = None
    """When the correction period ends."""
    alarms: tuple[str, ...] = ()
    """Ids of the blocking ones that are open."""
    agreed: Mapping[str, frozenset[Side]] = field(default_factory=dict)
    """By alarm, the sides that want to clear it."""
    confirmed: frozenset[Side] = frozenset()
    """The sides that agree with the score as it stands."""


def needs_of(challenge: Challenge, side: Side, facts: MatchFacts, now: datetime) -> tuple[Need, ...]:
    """What the challenge needs of the captain of ``side``; nothing while the others are to move."""
    match challenge.state:
        case Issued() if side is Side.DEFENDER:
            return (Need.ANSWER,)
        case Accepted(()) if side is Side.DEFENDER:
            return (Need.OFFER,)
        case Accepted(offered) if offered and side is Side.CHALLENGER:
            return (Need.CHOOSE,)
        case Playing() as playing if not facts.is_over:
            return tuple(_of_match(playing, side, facts, now))
        case _:
            return ()


def _of_match(playing: Playing, side: Side, facts: MatchFacts, now: datetime) -> list[Need]:
    needs = []
    if any(side not in facts.agreed.get(alarm, ()) for alarm in facts.alarms):
        needs.append(Need.CLEAR)
    if facts.is_complete and not facts.alarms and side not in facts.confirmed:
        needs.append(Need.CONFIRM)
    if not facts.is_started and side not in playing.present:
        needs.append(Need.LINEUP)
    elif not facts.is_complete and playing.is_under_way(now):
        needs.append(Need.PLAY)
    return needs


def deadline_of(challenge: Challenge, facts: MatchFacts, rules: LadderRules) -> datetime | None:
    """When the clock acts on the challenge or its match."""
    return facts.closes_at or runs_out_at(challenge, rules)


def due_at(challenge: Challenge) -> datetime | None:
    """When an answer, an offer or a choice is due, before any grace."""
    match challenge.state:
        case Issued():
            return challenge.answer_by
        case Accepted(deadline=deadline):
            return deadline
        case _:
            return None


def urgency(needs: tuple[Need, ...], deadline: datetime | None) -> tuple[bool, bool, datetime]:
    """A key to sort by, the most urgent first: what waits for others stands last."""
    return not needs, Need.CLEAR not in needs, deadline or datetime.max.replace(tzinfo=UTC)

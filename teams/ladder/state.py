"""A ladder as its log tells it: the order, the teams, the challenges and everything that once moved.

``after(state, event, at)`` is the whole fold. It decides nothing and refuses nothing; a log that does not fit
is a damaged log and raises ``ValueError`` or ``KeyError``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from teams.ladder.challenges import (
    Accepted,
    Challenge,
    ChallengeState,
    Decided,
    Declined,
    Forfeited,
    Issued,
    Playing,
    Side,
    Voided,
    Withdrawn,
)
from teams.ladder.events import (
    ChallengeAccepted,
    ChallengeDecided,
    ChallengeDeclined,
    ChallengeForfeited,
    ChallengeIssued,
    ChallengeVoided,
    ChallengeWithdrawn,
    DateChosen,
    DatesOffered,
    LadderCreated,
    LadderEvent,
    RungsMoved,
    TeamEntered,
    TeamLeaving,
    TeamLeft,
    TeamRenamed,
)
from teams.ladder.rules import LadderKind, LadderRules
from teams.ladder.rungs import Move, Order, moves_between, with_moves


@dataclass(frozen=True, slots=True)
class Entrant:
    """What the ladder remembers of a team, on it or gone."""

    id: str
    name: str
    club: str | None = None
    unrestricted: bool = False
    """Has one challenge left without regard to the range."""
    declines: int = 0
    """Free declines used this season."""
    is_leaving: bool = False
    left_at: datetime | None = None
    immune_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class HistoryMove:
    """A move as the history shows it."""

    at: datetime
    move: Move
    cause: str
    """``entered left ranks_closed`` or the challenge's ending: ``match turned`` or a ``Forfeit`` code."""
    challenge: str | None = None
    match: str | None = None


@dataclass(frozen=True, slots=True)
class LadderState:
    id: str
    version: int = 0
    """Rises by one with every fact of the log."""
    name: str = ""
    kind: LadderKind = LadderKind.TEAMS
    rules: LadderRules = field(default_factory=LadderRules)
    order: Order = ()
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    """Everybody who ever entered."""
    open: Mapping[str, Challenge] = field(default_factory=dict)
    """Open challenges by id, in order of issue."""
    ended: Mapping[str, Challenge] = field(default_factory=dict)
    pair_ended: Mapping[frozenset[str], datetime] = field(default_factory=dict)
    """When two teams last ended a challenge that keeps them apart for a time."""
    granted: frozenset[str] = frozenset()
    """Clubs and captains whose team has had the entry challenge this season."""
    history: tuple[HistoryMove, ...] = ()
    created_at: datetime | None = None
    changed_at: datetime | None = None

    @property
    def exists(self) -> bool:
        return self.version > 0

    def challenge(self, id: str) -> Challenge | None:
        return self.open.get(id) or self.ended.get(id)

    def of_pair(self, one: str, other: str) -> Challenge | None:
        """The open challenge between two teams, whichever way."""
        pair = frozenset({one, other})
        return next((challenge for challenge in self.open.values() if challenge.pair == pair), None)

    def open_of(self, team: str) -> tuple[Challenge, ...]:
        """The open challenges of a team in either role."""
        return tuple(challenge for challenge in self.open.values() if team in challenge.pair)

    def made_by(self, team: str) -> tuple[Challenge, ...]:
        return tuple(challenge for challenge in self.open.values() if challenge.challenger == team)

    def received_by(self, team: str) -> tuple[Challenge, ...]:
        return tuple(challenge for challenge in self.open.values() if challenge.defender == team)

    def next_challenge_id(self) -> str:
        """Names the ladder, so that a challenge is found by its id alone."""
        return f"{self.id}-{len(self.open) + len(self.ended) + 1}"


def grants(club: str | None, captain: str | None) -> frozenset[str]:
    """The keys under which a club and a captain use up the season's entry challenge."""
    named = (("club", club), ("captain", captain))
    return frozenset(f"{kind}:{id}" for kind, id in named if id is not None)


def after(state: LadderState, event: LadderEvent, at: datetime) -> LadderState:
    """The ladder once ``event``, recorded at ``at``, is part of it."""
    return replace(_folded(state, event, at), version=state.version + 1, changed_at=at)


def _folded(state: LadderState, event: LadderEvent, at: datetime) -> LadderState:
    match event:
        case LadderCreated(name, kind, rules):
            return replace(state, name=name, kind=kind, rules=rules, created_at=at)
        case TeamEntered():
            return _entered(state, event, at)
        case TeamRenamed(team, name):
            return _with_entrant(state, replace(state.entrants[team], name=name))
        case TeamLeaving(team):
            return _with_entrant(state, replace(state.entrants[team], is_leaving=True))
        case TeamLeft(team):
            gone = replace(state.entrants[team], is_leaving=False, left_at=at, unrestricted=False)
            remaining = tuple(other for other in state.order if other != team)
            return _moved(_with_entrant(state, gone), remaining, at, "left", first=(team,))
        case ChallengeIssued():
            return _issued(state, event, at)
        case ChallengeAccepted(id, match):
            return _open_with(state, id, Accepted() if match is None else Playing(match))
        case DatesOffered(id, dates):
            return _open_with(state, id, Accepted(dates))
        case DateChosen(id, date, match):
            return _open_with(state, id, Playing(match, date))
        case ChallengeDeclined(id):
            defender = state.entrants[state.open[id].defender]
            counted = _with_entrant(state, replace(defender, declines=defender.declines + 1))
            return _given_back(_ended(counted, id, Declined(at), at), id)
        case ChallengeWithdrawn(id):
            return _ended(state, id, Withdrawn(at), None)
        case ChallengeForfeited(id, winner, cause):
            return _ended(state, id, Forfeited(winner, cause, at, state.open[id].match), at)
        case ChallengeVoided(id, reason):
            return _given_back(_ended(state, id, Voided(at, reason, state.open[id].match), at), id)
        case ChallengeDecided():
            return _decided(state, event)
        case RungsMoved(id, moves):
            return _rungs_moved(state, id, moves, at)


def _with_entrant(state: LadderState, entrant: Entrant) -> LadderState:
    return replace(state, entrants={**state.entrants, entrant.id: entrant})


def _entered(state: LadderState, event: TeamEntered, at: datetime) -> LadderState:
    known = state.entrants.get(event.team)
    declines = 0 if known is None else known.declines
    entrant = Entrant(event.team, event.name, event.club, event.unrestricted, declines)
    if event.unrestricted:
        state = replace(state, granted=state.granted | grants(event.club, event.captain))
    return _moved(_with_entrant(state, entrant), (*state.order, event.team), at, "entered")


def _moved(
    state: LadderState, order: Order, at: datetime, cause: str, first: tuple[str, ...] = ()
) -> LadderState:
    """A change of the order that no challenge has caused; who is not named closes ranks."""
    moves = moves_between(state.order, order, first)
    causes = [cause if None in (move.from_rung, move.to_rung) else "ranks_closed" for move in moves]
    told = tuple(HistoryMove(at, move, why) for move, why in zip(moves, causes, strict=True))
    return replace(state, order=order, history=state.history + told)


def _issued(state: LadderState, event: ChallengeIssued, at: datetime) -> LadderState:
    challenge = Challenge(
        id=event.challenge,
        challenger=event.challenger,
        defender=event.defender,
        challenger_rung=event.challenger_rung,
        defender_rung=event.defender_rung,
        lands_on=event.lands_on,
        issued_at=at,
        answer_by=event.answer_by,
        unrestricted=event.unrestricted,
        state=Issued(),
    )
    state = replace(state, open={**state.open, challenge.id: challenge})
    if event.unrestricted:
        state = _with_entrant(state, replace(state.entrants[event.challenger], unrestricted=False))
    return state


def _open_with(state: LadderState, id: str, now: ChallengeState) -> LadderState:
    return replace(state, open={**state.open, id: replace(state.open[id], state=now)})


def _ended(state: LadderState, id: str, final: ChallengeState, keeps_apart: datetime | None) -> LadderState:
    """The challenge leaves the open ones; from ``keeps_apart`` the pair pauses."""
    challenge = replace(state.open.get(id) or state.ended[id], state=final)
    still_open = {key: other for key, other in state.open.items() if key != id}
    pauses = state.pair_ended
    if keeps_apart is not None:
        pauses = {**pauses, challenge.pair: keeps_apart}
    return replace(state, open=still_open, ended={**state.ended, id: challenge}, pair_ended=pauses)


def _given_back(state: LadderState, id: str) -> LadderState:
    """A new team's unrestricted challenge that was neither played nor forfeited may be used again."""
    challenge = state.ended[id]
    entrant = state.entrants[challenge.challenger]
    if not challenge.unrestricted or entrant.left_at is not None:
        return state
    return _with_entrant(state, replace(entrant, unrestricted=True))


def _decided(state: LadderState, event: ChallengeDecided) -> LadderState:
    challenge = state.challenge(event.challenge)
    if challenge is None:
        raise KeyError(event.challenge)
    final = Decided(event.match, event.winner, event.imps_challenger, event.imps_defender, event.closed_at)
    earlier = challenge.state
    if isinstance(earlier, Decided):
        turned = earlier.turned or earlier.winner is not event.winner
        final = replace(final, climbed_from=earlier.climbed_from, turned=turned)
    state = _ended(state, challenge.id, final, event.closed_at)
    return _with_entrant(state, _defended(state, challenge, final))


def _defended(state: LadderState, challenge: Challenge, final: Decided) -> Entrant:
    """The defender with the immunity that its defence earns, or without one that a ruling has taken."""
    defender = state.entrants[challenge.defender]
    if final.winner is Side.DEFENDER:
        return replace(defender, immune_until=final.at + state.rules.immunity)
    earlier = challenge.state
    if isinstance(earlier, Decided) and defender.immune_until == earlier.at + state.rules.immunity:
        return replace(defender, immune_until=None)
    return defender


def _rungs_moved(state: LadderState, id: str, moves: tuple[Move, ...], at: datetime) -> LadderState:
    challenge = state.ended[id]
    final = challenge.state
    cause = "match"
    if isinstance(final, Forfeited):
        cause = final.cause.value
    elif isinstance(final, Decided):
        cause = "turned" if final.turned else "match"
        climb = next((move.from_rung for move in moves if move.team == challenge.challenger), None)
        final = replace(final, climbed_from=climb if final.winner is Side.CHALLENGER else None)
    told = tuple(HistoryMove(at, move, cause, id, challenge.match) for move in moves)
    return replace(
        state,
        order=with_moves(state.order, moves),
        ended={**state.ended, id: replace(challenge, state=final)},
        history=state.history + told,
    )

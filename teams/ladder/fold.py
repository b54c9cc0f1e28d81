"""The fold of a ladder: what each fact of its log makes of the ladder before it.

It decides nothing and refuses nothing; a log that does not fit is a damaged log and raises ``ValueError`` or
``KeyError``.
"""

from dataclasses import replace
from datetime import datetime, timedelta

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
    seats_key,
)
from teams.ladder.events import (
    ChallengeAccepted,
    ChallengeDecided,
    ChallengeDeclined,
    ChallengeForfeited,
    ChallengeIssued,
    ChallengeReminded,
    ChallengeVoided,
    ChallengeWithdrawn,
    DateChosen,
    DatesOffered,
    DayCounted,
    InactivityWarned,
    LadderCreated,
    LadderEvent,
    PlayBegun,
    RestEnded,
    RosterChanged,
    RulesAnnounced,
    RulesChanged,
    RungsMoved,
    SeasonBegun,
    SeatsNamed,
    TeamEntered,
    TeamLeaving,
    TeamLeft,
    TeamRenamed,
    TeamRested,
    TeamSank,
)
from teams.ladder.rules import MOST_WITHDRAWN
from teams.ladder.rungs import Move, Order, moves_between, with_moves
from teams.ladder.state import COUNTED_FROM, Entrant, HistoryMove, LadderState, Season, grants


def after(state: LadderState, event: LadderEvent, at: datetime) -> LadderState:
    """The ladder once ``event``, recorded at ``at``, is part of it."""
    return replace(_folded(state, event, at), version=state.version + 1, changed_at=at)


def _folded(state: LadderState, event: LadderEvent, at: datetime) -> LadderState:
    match event:
        case LadderCreated(name, kind, rules):
            season = replace(state.season, began_at=at)
            return replace(state, name=name, kind=kind, rules=rules, created_at=at, season=season)
        case TeamEntered():
            return _entered(state, event, at)
        case TeamRenamed(team, name):
            return _with_entrant(state, replace(state.entrants[team], name=name))
        case TeamLeaving(team):
            return _with_entrant(state, replace(state.entrants[team], is_leaving=True))
        case TeamLeft(team):
            gone = replace(
                state.entrants[team], is_leaving=False, left_at=at, unrestricted=False, rests_until=None
            )
            remaining = tuple(other for other in state.order if other != team)
            return _moved(_with_entrant(state, gone), remaining, at, event.cause, first=(team,))
        case RosterChanged(team, players):
            return _with_entrant(state, replace(state.entrants[team], players=players))
        case TeamRested(team, until, days):
            entrant = state.entrants[team]
            taken = replace(entrant, rests_until=until, rested_days=entrant.rested_days + days)
            return _with_entrant(state, taken)
        case RestEnded(team, days_left):
            entrant = state.entrants[team]
            rested = replace(entrant, rests_until=None, rested_days=entrant.rested_days - days_left)
            return _with_entrant(state, rested)
        case DayCounted(teams):
            counted = {
                id: replace(state.entrants[id], idle_days=state.entrants[id].idle_days + 1) for id in teams
            }
            return replace(state, entrants={**state.entrants, **counted}, counted_at=at)
        case InactivityWarned():
            return state
        case TeamSank(team, _, moves):
            order = with_moves(state.order, moves)
            return _moved(state, order, at, "inactive", first=(team,))
        case RulesAnnounced(rules, holds_from):
            return replace(state, announced=(holds_from, rules))
        case RulesChanged(rules):
            begins = rules.inactivity and not state.rules.inactivity
            counted_at = at if begins else state.counted_at
            return replace(state, rules=rules, announced=None, counted_at=counted_at)
        case SeasonBegun():
            return _season_begun(state, event, at)
        case ChallengeIssued():
            return _issued(state, event, at)
        case ChallengeAccepted(id, match, deadline, boards):
            agreed = replace(state.open[id], boards=boards)
            state = replace(state, open={**state.open, id: agreed})
            begun = Accepted(deadline=deadline) if match is None else Playing(match, play_by=deadline)
            return _open_with(state, id, begun)
        case ChallengeReminded(id):
            told = replace(state.open[id], reminded=state.open[id].reminded + 1)
            return replace(state, open={**state.open, id: told})
        case DatesOffered(id, dates, choose_by):
            return _offered(state, id, Accepted(dates, choose_by))
        case DateChosen(id, date, match, late_at, play_by):
            return _open_with(state, id, Playing(match, date, late_at, play_by))
        case SeatsNamed(id, side, room, seats):
            playing = _playing(state, id)
            named = {**playing.seats, seats_key(side, room): seats}
            return _open_with(state, id, replace(playing, seats=named))
        case PlayBegun(id):
            return _open_with(state, id, replace(_playing(state, id), has_begun=True))
        case ChallengeDeclined(id):
            return _given_back(_ended(_declined(state, id), id, Declined(at), at), id)
        case ChallengeWithdrawn(id):
            return _withdrawn(state, id, at)
        case ChallengeForfeited(id, winner, cause):
            state = _ended(state, id, Forfeited(winner, cause, at, state.open[id].match), at)
            return _active(state, state.ended[id].team(winner))
        case ChallengeVoided():
            return _voided(state, event, at)
        case ChallengeDecided():
            return _decided(state, event)
        case RungsMoved(id, moves):
            return _rungs_moved(state, id, moves, at)


def _with_entrant(state: LadderState, entrant: Entrant) -> LadderState:
    return replace(state, entrants={**state.entrants, entrant.id: entrant})


def _entered(state: LadderState, event: TeamEntered, at: datetime) -> LadderState:
    known = state.entrants.get(event.team)
    declines, rested = (0, 0) if known is None else (known.declines, known.rested_days)
    entrant = Entrant(
        event.team,
        event.name,
        event.club,
        event.unrestricted,
        declines,
        players=event.players,
        rested_days=rested,
    )
    if len(state.order) < COUNTED_FROM:
        state = replace(state, counted_at=at)  # until now there was nobody to count
    if event.unrestricted:
        state = replace(state, granted=state.granted | grants(event.club, event.captain))
    return _moved(_with_entrant(state, entrant), (*state.order, event.team), at, "entered")


def _moved(
    state: LadderState, order: Order, at: datetime, cause: str, first: tuple[str, ...] = ()
) -> LadderState:
    """A change of the order that no challenge has caused; who is not named closes ranks."""
    moves = moves_between(state.order, order, first)
    entered_or_left = {move.team for move in moves if None in (move.from_rung, move.to_rung)}
    named = entered_or_left | set(first)
    causes = [cause if move.team in named else "ranks_closed" for move in moves]
    told = tuple(HistoryMove(at, move, why) for move, why in zip(moves, causes, strict=True))
    return _told(replace(state, order=order), told)


def _told(state: LadderState, told: tuple[HistoryMove, ...]) -> LadderState:
    """With moves at the end of its history."""
    newest = {each.move.team: each for each in told}
    return replace(state, history=state.history + told, last_moves={**state.last_moves, **newest})


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
        boards=event.boards,
        state=Issued(),
    )
    state = replace(state, open={**state.open, challenge.id: challenge})
    if event.unrestricted:
        state = _with_entrant(state, replace(state.entrants[event.challenger], unrestricted=False))
    return state


def _playing(state: LadderState, id: str) -> Playing:
    playing = state.open[id].state
    if not isinstance(playing, Playing):
        raise ValueError(f"{id} has no match")
    return playing


def _open_with(state: LadderState, id: str, now: ChallengeState) -> LadderState:
    """In another state, of whose deadline nobody was reminded yet."""
    return replace(state, open={**state.open, id: replace(state.open[id], state=now, reminded=0)})


def _offered(state: LadderState, id: str, now: Accepted) -> LadderState:
    """Reminders of a deadline that stays were given."""
    before = state.open[id]
    is_known = isinstance(before.state, Accepted) and before.state.deadline == now.deadline
    offered = replace(before, state=now, reminded=before.reminded if is_known else 0)
    return replace(state, open={**state.open, id: offered})


def _ended(state: LadderState, id: str, final: ChallengeState, keeps_apart: datetime | None) -> LadderState:
    """The challenge leaves the open ones; from ``keeps_apart`` the pair pauses."""
    challenge = replace(state.open.get(id) or state.ended[id], state=final)
    still_open = {key: other for key, other in state.open.items() if key != id}
    pauses = state.pair_ended
    if keeps_apart is not None:
        pauses = {**pauses, challenge.pair: keeps_apart}
    return replace(state, open=still_open, ended={**state.ended, id: challenge}, pair_ended=pauses)


def _withdrawn(state: LadderState, id: str, at: datetime) -> LadderState:
    state = _ended(state, id, Withdrawn(at), None)
    way = state.ended[id].challenger, state.ended[id].defender
    moments = (*state.withdrawn.get(way, ()), at)[-MOST_WITHDRAWN:]
    return replace(state, withdrawn={**state.withdrawn, way: moments})


def _voided(state: LadderState, event: ChallengeVoided, at: datetime) -> LadderState:
    if event.counts_as_decline:
        state = _declined(state, event.challenge)
    challenge = state.open[event.challenge]
    state = _ended(state, challenge.id, Voided(at, event.reason, challenge.match), at)
    if event.waits_until is not None:
        challenger = state.entrants[challenge.challenger]
        state = _with_entrant(state, replace(challenger, waits_until=event.waits_until))
    return _given_back(state, challenge.id)


def _declined(state: LadderState, id: str) -> LadderState:
    """The defender has used a free decline."""
    defender = state.entrants[state.open[id].defender]
    return _with_entrant(state, replace(defender, declines=defender.declines + 1))


def _active(state: LadderState, *teams: str) -> LadderState:
    """Who played, or came to play, begins anew to be counted for inactivity."""
    for team in teams:
        state = _with_entrant(state, replace(state.entrants[team], idle_days=0))
    return state


def _season_begun(state: LadderState, event: SeasonBegun, at: datetime) -> LadderState:
    """The season so far is archived whole; declines, rest and entry challenges begin anew."""
    names = {team: state.entrants[team].name for team in state.order}
    over = replace(state.season, ended_at=at, order=state.order, names=names)
    fresh = {
        id: replace(entrant, declines=0, rested_days=_days_to(entrant.rests_until, at), waits_until=None)
        for id, entrant in state.entrants.items()
    }
    season = Season(over.number + 1, event.name, at, len(state.history), event.ends_at)
    state = replace(state, entrants=fresh, granted=frozenset(), archive=(*state.archive, over), season=season)
    return _moved(state, event.order, at, "reseeded", first=event.order)


def _days_to(until: datetime | None, at: datetime) -> int:
    """Days of a rest that reach into a new season."""
    return 0 if until is None else max(0, -((at - until) // timedelta(days=1)))


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
    state = _active(_ended(state, challenge.id, final, event.closed_at), *challenge.pair)
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
    ended = {**state.ended, id: replace(challenge, state=final)}
    return _told(replace(state, order=with_moves(state.order, moves), ended=ended), told)

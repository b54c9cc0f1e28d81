"""What a ladder's log tells captains, as messages: codes and facts, no sentences.

A message is for one team, and made of one event of the log; the ladder's state gives the names. Every event
is told once, so that a message is known by its place in the log. Captains are told what the public knows
and nothing more: the ladder's log holds nothing else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from broadcast.tables.recorded import Recorded
from teams.ladder.challenges import Challenge, Side
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
    InactivityWarned,
    LadderEvent,
    RestEnded,
    RulesAnnounced,
    RungsMoved,
    SeasonBegun,
    TeamLeft,
    TeamSank,
)
from teams.ladder.rungs import Move
from teams.ladder.state import LadderState
from teams.ladder.views import moment_json


class MessageKind(StrEnum):
    CHALLENGED = "challenged"
    ACCEPTED = "accepted"
    OFFERED = "offered"
    DATED = "dated"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    WON_UNPLAYED = "won_unplayed"
    LOST_UNPLAYED = "lost_unplayed"
    WON = "won"
    LOST = "lost"
    VOIDED = "voided"
    REMINDED = "reminded"
    MOVED = "moved"
    INACTIVE = "inactive"
    SANK = "sank"
    LEFT = "left"
    REST_OVER = "rest_over"
    RULES = "rules"
    SEASON = "season"
    OPERATOR_LINK = "operator_link"
    """The other captain has taken a link to enter a room; of no ladder's log."""
    CAPTAIN_NOW = "captain_now"
    """The deputy goes on as captain; of no ladder's log."""


@dataclass(frozen=True, slots=True)
class Told:
    team: str
    kind: MessageKind
    facts: Mapping[str, Any]
    """Names as they were, moments in ISO 8601, codes of causes."""
    sequence: int
    at: datetime


def messages_of(state: LadderState, recorded: Recorded[LadderEvent]) -> tuple[Told, ...]:
    """What one event tells the teams that it concerns. ``state`` is the ladder at that event, or later."""
    told = []
    for team, kind, facts in _told(state, recorded.event):
        named = {"ladder": state.name, "team": state.entrants[team].name, **facts}
        told.append(Told(team, kind, named, recorded.sequence, recorded.recorded_at))
    return tuple(told)


_One = tuple[str, MessageKind, dict[str, Any]]


def _told(state: LadderState, event: LadderEvent) -> Iterator[_One]:
    match event:
        case ChallengeIssued():
            yield from _to(state, event.challenge, Side.DEFENDER, MessageKind.CHALLENGED, until=event.answer_by)
        case ChallengeAccepted(id, match, deadline):
            facts = {"until": deadline, "match": match}
            yield from _to(state, id, Side.CHALLENGER, MessageKind.ACCEPTED, **facts)
        case DatesOffered(id, dates, choose_by):
            yield from _to(state, id, Side.CHALLENGER, MessageKind.OFFERED, dates=len(dates), until=choose_by)
        case DateChosen(id, date, match):
            for side in Side:
                yield from _to(state, id, side, MessageKind.DATED, date=date, match=match, house=event.by_house)
        case ChallengeDeclined(id):
            yield from _to(state, id, Side.CHALLENGER, MessageKind.DECLINED)
        case ChallengeWithdrawn(id):
            yield from _to(state, id, Side.DEFENDER, MessageKind.WITHDRAWN)
        case ChallengeForfeited(id, winner, cause):
            yield from _to(state, id, winner, MessageKind.WON_UNPLAYED, cause=cause.value)
            yield from _to(state, id, winner.other, MessageKind.LOST_UNPLAYED, cause=cause.value)
        case ChallengeDecided(id, match, winner):
            imps = {Side.CHALLENGER: event.imps_challenger, Side.DEFENDER: event.imps_defender}
            for side in Side:
                kind = MessageKind.WON if side is winner else MessageKind.LOST
                yield from _to(state, id, side, kind, own=imps[side], theirs=imps[side.other], match=match)
        case ChallengeVoided(id, reason):
            for side in Side:
                yield from _to(state, id, side, MessageKind.VOIDED, cause=reason)
        case ChallengeReminded(id, side, ends_at):
            yield from _to(state, id, side, MessageKind.REMINDED, until=ends_at)
        case RungsMoved(id, moves):
            yield from (one for move in moves for one in _moved(move, MessageKind.MOVED))
        case TeamSank(team, days, moves):
            for move in moves:
                kind = MessageKind.SANK if move.team == team else MessageKind.MOVED
                yield from _moved(move, kind, days=days)
        case InactivityWarned(team, days, in_days, fall):
            yield team, MessageKind.INACTIVE, {"days": days, "in_days": in_days, "fall": fall}
        case TeamLeft(team, cause):
            yield team, MessageKind.LEFT, {"cause": cause}
        case RestEnded(team):
            yield team, MessageKind.REST_OVER, {}
        case RulesAnnounced(_, holds_from):
            for team in state.order:
                yield team, MessageKind.RULES, {"from": moment_json(holds_from)}
        case SeasonBegun(name):
            for team in state.order:
                yield team, MessageKind.SEASON, {"season": name}
        case _:
            pass  # what the team has done itself, or what concerns nobody in particular


def _to(state: LadderState, id: str, side: Side, kind: MessageKind, **facts: Any) -> Iterator[_One]:
    challenge = state.challenge(id)
    if challenge is not None:
        yield challenge.team(side), kind, {"challenge": id, **_against(state, challenge, side), **_json(facts)}


def _against(state: LadderState, challenge: Challenge, side: Side) -> dict[str, str]:
    return {"opponent": state.entrants[challenge.team(side.other)].name, "side": side.value}


def _moved(move: Move, kind: MessageKind, **facts: Any) -> Iterator[_One]:
    yield move.team, kind, {"before": move.from_rung, "after": move.to_rung, **facts}


def _json(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: moment_json(fact) if isinstance(fact, datetime) else fact for name, fact in facts.items()}

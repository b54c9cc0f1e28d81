"""A ladder's public events, and the fold that keeps a snapshot up to date with them.

Everything is public at once. ``snapshot`` begins the feed with the ladder as it was made, and tells it anew
when its rules change or a season begins; ``rung`` is one move of one team; ``challenge`` is a challenge after a
change; ``notice`` is news that moves nobody: ``kind`` ``day inactivity reminder rest rest_over roster``.
Each brings the rows of the ladder that it changed, whole, so that a page or an edge draws them without knowing
the rules. Moves that belong together carry the same version and hold as a whole: between them a rung may seem
empty or taken twice.
"""

from datetime import datetime
from typing import Any

from broadcast.feeds.streams import PublicEvent
from teams.ladder.challenges import Challenge
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
from teams.ladder.rungs import Move, rung_of
from teams.ladder.state import HistoryMove, LadderState
from teams.ladder.views import (
    JsonObject,
    challenge_json,
    ladder_json,
    moment_json,
    move_json,
    row_json,
    team_json,
)

OPEN_CODES = frozenset({"issued", "accepted", "playing"})


def public_events(
    before: LadderState, event: LadderEvent, after: LadderState, at: datetime
) -> tuple[PublicEvent, ...]:
    """What one recorded event tells everybody."""
    match event:
        case LadderCreated() | RulesAnnounced() | RulesChanged() | SeasonBegun():
            # What changes the whole ladder is told as a whole.
            return (PublicEvent("snapshot", ladder_json(after), ladder_json(after, hidden=True)),)
        case TeamEntered() | TeamLeft() | TeamSank() | RungsMoved():
            return tuple(_rung(after, told) for told in after.history[len(before.history) :])
        case DayCounted():
            # Not for whom: who could be challenged that day tells of immunity, and so of results.
            return (_notice(after, {"kind": "day"}, at),)
        case ChallengeReminded(id, side, ends_at):
            told: JsonObject = {"kind": "reminder", "challenge": id, "ends_at": moment_json(ends_at)}
            return (_notice(after, told, at, after.open[id].team(side)),)
        case RosterChanged(team):
            return (_notice(after, {"kind": "roster"}, at, team),)
        case InactivityWarned(team, days, in_days, fall):
            told = {"kind": "inactivity", "days": days, "in_days": in_days, "fall": fall}
            return (_notice(after, told, at, team),)
        case TeamRested(team, until):
            return (_notice(after, {"kind": "rest", "until": moment_json(until)}, at, team),)
        case RestEnded(team):
            return (_notice(after, {"kind": "rest_over"}, at, team),)
        case TeamRenamed(team) | TeamLeaving(team):
            return _same_rung(after, event, team, at)
        case (
            ChallengeIssued(challenge=id)
            | ChallengeAccepted(id)
            | DatesOffered(id)
            | DateChosen(id)
            | SeatsNamed(id)
            | PlayBegun(id)
            | ChallengeDeclined(id)
            | ChallengeWithdrawn(id)
            | ChallengeForfeited(id)
            | ChallengeDecided(id)
            | ChallengeVoided(id)
        ):
            challenge = after.challenge(id)
            assert challenge is not None  # noqa: S101 - the event has just been folded
            return (_challenge(after, challenge, at),)


def count_of_public(before: LadderState, event: LadderEvent, after: LadderState) -> int:
    """How many events ``public_events`` answers, without making them."""
    if isinstance(event, TeamEntered | TeamLeft | TeamSank | RungsMoved):
        return len(after.history) - len(before.history)
    return 1


def _rung(state: LadderState, told: HistoryMove) -> PublicEvent:
    def data(hidden: bool) -> JsonObject:
        return {
            **move_json(state, told, hidden=hidden),
            "version": state.version,
            "rows": _rows(state, told.move.team, hidden=hidden),
        }

    return PublicEvent("rung", data(False), data(True))


def _same_rung(state: LadderState, event: LadderEvent, team: str, at: datetime) -> tuple[PublicEvent, ...]:
    """A team's row changes without a move: its name, or that it leaves."""
    cause = "renamed" if isinstance(event, TeamRenamed) else "leaving"
    rung = rung_of(state.order, team) if team in state.order else None
    told = HistoryMove(at, Move(team, rung, rung), cause)
    opponents = [other for challenge in state.open_of(team) for other in challenge.pair if other != team]

    def data(hidden: bool) -> JsonObject:
        return {
            **move_json(state, told, hidden=hidden),
            "version": state.version,
            "rows": _rows(state, team, *opponents, hidden=hidden),
        }

    return (PublicEvent("rung", data(False), data(True)),)


def _notice(state: LadderState, told: JsonObject, at: datetime, team: str | None = None) -> PublicEvent:
    """News that moves nobody, of one team or of the ladder."""

    def data(hidden: bool) -> JsonObject:
        return {
            **told,
            "at": moment_json(at),
            "team": None if team is None else team_json(state, team),
            "version": state.version,
            "rows": [] if team is None else _rows(state, team, hidden=hidden),
        }

    return PublicEvent("notice", data(False), data(True))


def _challenge(state: LadderState, challenge: Challenge, at: datetime) -> PublicEvent:
    def data(hidden: bool) -> JsonObject:
        return {
            **challenge_json(state, challenge, hidden=hidden),
            "at": moment_json(at),
            "version": state.version,
            "rows": _rows(state, challenge.challenger, challenge.defender, hidden=hidden),
        }

    return PublicEvent("challenge", data(False), data(True))


def _rows(state: LadderState, *teams: str, hidden: bool) -> list[JsonObject]:
    return [row_json(state, team, hidden=hidden) for team in teams if team in state.order]


def after_public(shown: JsonObject, name: str, data: JsonObject) -> JsonObject:
    """The snapshot ``shown`` once a public event is applied to it: what a client does, and an edge.

    Applied one by one from the feed's first event this gives ``ladder_json`` of the stream, hidden or whole.
    """
    if name == "snapshot":
        return data
    rows: dict[str, JsonObject] = {row["team"]["id"]: row for row in shown["rungs"]}
    rows.update({row["team"]["id"]: row for row in data["rows"]})
    challenges: dict[str, JsonObject] = {one["id"]: one for one in shown["challenges"]}
    if name == "rung":
        if data["to"] is None:
            rows.pop(data["team"]["id"], None)
        challenges = {id: _renamed(one, data["team"]) for id, one in challenges.items()}
    elif name == "notice":
        pass
    elif data["state"] in OPEN_CODES:
        challenges[data["id"]] = {key: data[key] for key in data if key not in ("at", "version", "rows")}
    else:
        challenges.pop(data["id"], None)
    return {
        **shown,
        "version": data["version"],
        "rungs": sorted(rows.values(), key=lambda row: row["rung"]),
        "challenges": list(challenges.values()),
    }


def _renamed(challenge: JsonObject, team: Any) -> JsonObject:
    return {
        **challenge,
        **{role: team for role in ("challenger", "defender") if challenge[role]["id"] == team["id"]},
    }

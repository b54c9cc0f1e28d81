"""A ladder as JSON: what is shown of it in answers, snapshots and events. Codes and values, no sentences.

Everything on a ladder is public at once; it knows of a match only what the match's closing has told everybody.
For viewers who hide results, ``hidden`` leaves out what tells one: how a challenge was decided, why a team
moved and in which match, and that a team is immune after a defence. The rungs themselves stay.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from teams.ladder.challenges import (
    Accepted,
    Challenge,
    Decided,
    Forfeited,
    Issued,
    Playing,
    Side,
    Voided,
)
from teams.ladder.eligibility import Allowed, Outcome, may_challenge, promised
from teams.ladder.rules import rules_json
from teams.ladder.state import HistoryMove, LadderState, Season

JsonObject = dict[str, Any]
FORM = 5
"""Matches that tell a team's form."""


def moment_json(at: datetime | None) -> str | None:
    """ISO 8601 in UTC.

    >>> moment_json(datetime(2026, 5, 1, 19, 30, tzinfo=UTC))
    '2026-05-01T19:30:00Z'
    """
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def ladder_json(state: LadderState, *, hidden: bool = False) -> JsonObject:
    """The ladder resource; the stream's snapshot is the same with its ``last_event``."""
    return {
        "id": state.id,
        "name": state.name,
        "kind": state.kind.value,
        "version": state.version,
        "rules": rules_json(state.rules),
        "announced": announced_json(state),
        "season": season_json(state.season),
        "rungs": rungs_json(state, hidden=hidden),
        "challenges": [challenge_json(state, challenge, hidden=hidden) for challenge in state.open.values()],
    }


def announced_json(state: LadderState) -> JsonObject | None:
    """Rules that are announced, and from when they hold."""
    if state.announced is None:
        return None
    holds_from, rules = state.announced
    return {"holds_from": moment_json(holds_from), "rules": rules_json(rules)}


def season_json(season: Season) -> JsonObject:
    return {
        "number": season.number,
        "name": season.name,
        "began_at": moment_json(season.began_at),
        "ends_at": moment_json(season.ends_at),
    }


def archive_json(state: LadderState, *, hidden: bool = False) -> list[JsonObject]:
    """The seasons that are over, the newest first: each with its last order, and its moves in order."""
    ends = [season.first_move for season in (*state.archive, state.season)][1:]
    told = [
        {
            **season_json(season),
            "ended_at": moment_json(season.ended_at),
            "rungs": [
                {"rung": rung, "team": {"id": team, "name": season.names[team]}}
                for rung, team in enumerate(season.order, 1)
            ],
            "moves": [move_json(state, move, hidden=hidden) for move in state.history[season.first_move : end]],
        }
        for season, end in zip(state.archive, ends, strict=True)
    ]
    return told[::-1]


def rungs_json(state: LadderState, *, hidden: bool = False) -> list[JsonObject]:
    """Every row from rung 1 down."""
    by_team: dict[str, list[Challenge]] = {}
    for challenge in state.open.values():
        for team in challenge.pair:
            by_team.setdefault(team, []).append(challenge)
    forms = {} if hidden else _forms(state)
    return [
        _row(state, rung, team, by_team.get(team, ()), None if hidden else forms.get(team, []))
        for rung, team in enumerate(state.order, 1)
    ]


def _forms(state: LadderState) -> dict[str, list[str]]:
    """How each team's last matches ended, ``won`` or ``lost``, the newest last."""
    forms: dict[str, list[str]] = {}
    for challenge in reversed(tuple(state.ended.values())):
        for team in challenge.pair:
            _take(forms.setdefault(team, []), challenge, team)
    return forms


def _form_of(state: LadderState, team: str) -> list[str]:
    form: list[str] = []
    for challenge in reversed(tuple(state.ended.values())):
        if team in challenge.pair:
            _take(form, challenge, team)
        if len(form) == FORM:
            break
    return form


def _take(form: list[str], challenge: Challenge, team: str) -> None:
    """An earlier challenge of the team, if it was played."""
    final = challenge.state
    if len(form) < FORM and isinstance(final, Decided):
        form.insert(0, "won" if challenge.team(final.winner) == team else "lost")


def row_json(state: LadderState, team: str, *, hidden: bool = False) -> JsonObject:
    """The row of one team that is on the ladder.

    ``state``: ``leaving playing challenged challenging resting free``, the first that applies; ``challenge`` is
    the open challenge that matters most to the team, ``more`` how many others it has, ``form`` how its
    last matches ended, the newest last, ``change`` its last move.
    """
    form = None if hidden else _form_of(state, team)
    return _row(state, state.order.index(team) + 1, team, state.open_of(team), form)


def _row(
    state: LadderState, rung: int, team: str, open_ones: Sequence[Challenge], form: list[str] | None
) -> JsonObject:
    """``form`` is ``None`` where results are hidden."""
    hidden = form is None
    entrant, moved = state.entrants[team], state.last_moves[team]
    foremost = max(open_ones, key=lambda one: _urgency(one, team), default=None)
    code = "free"
    if entrant.is_leaving:
        code = "leaving"
    elif foremost is not None and isinstance(foremost.state, Playing):
        code = "playing"
    elif foremost is not None:
        code = "challenging" if foremost.challenger == team else "challenged"
    elif entrant.rests_until is not None:
        code = "resting"
    return {
        "rung": rung,
        "team": team_json(state, team),
        "state": code,
        "challenge": None if foremost is None else challenge_json(state, foremost, hidden=hidden),
        "more": max(0, len(open_ones) - 1),
        "immune_until": None if hidden else moment_json(entrant.immune_until),
        "rests_until": moment_json(entrant.rests_until),
        "waits_until": moment_json(entrant.waits_until),
        "form": form,
        "change": {"at": moment_json(moved.at), "from": moved.move.from_rung, "to": moved.move.to_rung},
    }


def _urgency(challenge: Challenge, team: str) -> tuple[bool, bool]:
    """Play comes before a challenge received, that before one made; of equals the first stays."""
    return isinstance(challenge.state, Playing), challenge.defender == team


def team_json(state: LadderState, team: str) -> JsonObject:
    return {"id": team, "name": state.entrants[team].name}


def challenge_json(state: LadderState, challenge: Challenge, *, hidden: bool = False) -> JsonObject:
    win, loss = promised(challenge)
    return {
        "id": challenge.id,
        "ladder": state.id,
        "challenger": team_json(state, challenge.challenger),
        "defender": team_json(state, challenge.defender),
        "state": challenge.state.code,
        "issued_at": moment_json(challenge.issued_at),
        "deadline": moment_json(_deadline(challenge)),
        "dates": _dates(challenge),
        "match": challenge.match,
        "starts_at": _starts_at(challenge),
        "present": _present(challenge),
        "has_begun": isinstance(challenge.state, Playing) and challenge.state.has_begun,
        "outcomes": {"win": outcome_json(win), "loss": outcome_json(loss)},
        "unrestricted": challenge.unrestricted,
        "boards": challenge.boards or state.rules.boards,
        "decision": None if hidden else decision_json(challenge),
    }


def _dates(challenge: Challenge) -> list[str | None]:
    """What the defender has offered and the challenger has still to choose from."""
    state = challenge.state
    return [moment_json(date) for date in state.offered] if isinstance(state, Accepted) else []


def _deadline(challenge: Challenge) -> datetime | None:
    """For the next step, without its grace."""
    match challenge.state:
        case Issued():
            return challenge.answer_by
        case Accepted(deadline=deadline):
            return deadline
        case Playing() as playing:
            return playing.play_by
        case _:
            return None


def _present(challenge: Challenge) -> list[str]:
    """The sides whose line-up is named. Who sits where is told by the match."""
    playing = challenge.state
    return sorted(side.value for side in playing.present) if isinstance(playing, Playing) else []


def _starts_at(challenge: Challenge) -> str | None:
    return moment_json(challenge.state.starts_at) if isinstance(challenge.state, Playing) else None


def decision_json(challenge: Challenge) -> JsonObject | None:
    """How a challenge was decided; ``None`` while it is not, and when it ended without a winner."""
    final = challenge.state
    if isinstance(final, Decided):
        return {
            "winner": final.winner.value,
            "cause": "turned" if final.turned else "match",
            "imps": {"challenger": _imps(final.imps_challenger), "defender": _imps(final.imps_defender)},
            "at": moment_json(final.at),
        }
    if isinstance(final, Forfeited):
        return {
            "winner": final.winner.value,
            "cause": final.cause.value,
            "imps": None,
            "at": moment_json(final.at),
        }
    if isinstance(final, Voided):
        return {"winner": None, "cause": final.reason, "imps": None, "at": moment_json(final.at)}
    return None


def _imps(imps: float) -> float:
    """Whole IMPs without a fraction; weighted scores may leave one."""
    return int(imps) if imps.is_integer() else round(imps, 2)


def outcome_json(outcome: Outcome) -> JsonObject:
    return {"challenger": outcome.challenger, "defender": outcome.defender}


def steps_of(challenge: Challenge, side: Side) -> list[str]:
    """What a team may do next in its challenge, by the names of the actions."""
    match challenge.state:
        case Issued():
            return ["accept", "decline"] if side is Side.DEFENDER else ["withdraw"]
        case Accepted(offered):
            dates = ["offer"] if side is Side.DEFENDER else ["choose", "refuse"] if offered else []
            return [*dates, "withdraw"]
        case Playing():
            return ["lineup", "confirm", "withdraw"]
        case _:
            return []


def targets_json(state: LadderState, challenger: str, now: datetime) -> list[JsonObject]:
    """For each rung from the top: may it be challenged, with what outcome, or which rule refuses until when."""
    return [
        {"rung": rung, "team": team_json(state, team), **_target(state, challenger, team, now)}
        for rung, team in enumerate(state.order, 1)
    ]


def _target(state: LadderState, challenger: str, defender: str, now: datetime) -> JsonObject:
    answer = may_challenge(state, challenger, defender, now)
    if isinstance(answer, Allowed):
        return {
            "allowed": True,
            "win": outcome_json(answer.win),
            "loss": outcome_json(answer.loss),
            "unrestricted": answer.unrestricted,
        }
    return {"allowed": False, "rule": answer.rule.value, "until": moment_json(answer.until)}


def history_json(state: LadderState, *, hidden: bool = False) -> list[JsonObject]:
    """Every move in order; replayed from an empty ladder they give the present one."""
    return [move_json(state, told, hidden=hidden) for told in state.history]


def move_json(state: LadderState, told: HistoryMove, *, hidden: bool = False) -> JsonObject:
    tells = hidden and told.challenge is not None
    return {
        "at": moment_json(told.at),
        "team": team_json(state, told.move.team),
        "from": told.move.from_rung,
        "to": told.move.to_rung,
        "cause": None if tells else told.cause,
        "challenge": None if tells else told.challenge,
        "match": None if tells else told.match,
    }


def replayed(moves: list[JsonObject]) -> list[str]:
    """The team ids from rung 1 down after these moves of a history, from an empty ladder."""
    rungs: dict[str, int] = {}
    for move in moves:
        team: Mapping[str, str] = move["team"]
        if move["to"] is None:
            rungs.pop(team["id"], None)
        else:
            rungs[team["id"]] = move["to"]
    return sorted(rungs, key=rungs.__getitem__)

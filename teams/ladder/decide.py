"""From a command to the facts it makes, and to what other streams must do; or the rule that refuses.

Pure: no clock, no chance, no I/O. Here are the ladder itself and its teams; the steps of a challenge stand in
``steps``, rest, rules and seasons in ``terms``, what the clock does in ``deadlines``.
"""

from datetime import datetime

from broadcast.tables.errors import NoSuchThing, Refusal
from teams.ladder import steps, terms
from teams.ladder.challenges import Issued
from teams.ladder.commands import (
    AcceptChallenge,
    BeginPlay,
    ChangeRoster,
    ChangeRules,
    ChooseDate,
    CreateLadder,
    DecideChallenge,
    DeclineChallenge,
    EndRest,
    EnterTeam,
    IssueChallenge,
    LadderCommand,
    LeaveLadder,
    NameSeats,
    OfferDates,
    RefuseDates,
    RenameTeam,
    RestTeam,
    StartSeason,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.decision import Decision
from teams.ladder.events import LadderCreated, RosterChanged, TeamEntered, TeamRenamed
from teams.ladder.leaving import leave
from teams.ladder.state import LadderState, grants


def decide(state: LadderState, command: LadderCommand, now: datetime) -> Decision:
    """What ``command`` does to the ladder at ``now``.

    Raises ``NoSuchThing``, ``LadderChanged``, ``NotThatSide`` or ``Refusal``.
    """
    decision = Decision(state, now)
    if isinstance(command, CreateLadder):
        _create(decision, command)
        return decision
    if not state.exists:
        raise NoSuchThing("no_such_ladder", f"There is no ladder {state.id}", ladder=state.id)
    match command:
        case EnterTeam():
            _enter(decision, command)
        case ChangeRoster():
            _change_roster(decision, command)
        case RenameTeam():
            _rename(decision, command)
        case LeaveLadder(team, at_once):
            leave(decision, team, at_once=at_once)
        case RestTeam():
            terms.rest(decision, command)
        case EndRest():
            terms.end_rest(decision, command)
        case ChangeRules():
            terms.change_rules(decision, command)
        case StartSeason():
            terms.start_season(decision, command)
        case _:
            _step(decision, command)
    return decision


Step = (
    IssueChallenge
    | AcceptChallenge
    | OfferDates
    | ChooseDate
    | RefuseDates
    | NameSeats
    | DeclineChallenge
    | WithdrawChallenge
    | BeginPlay
    | DecideChallenge
    | VoidChallenge
)


def _step(decision: Decision, command: Step) -> None:
    match command:
        case IssueChallenge():
            steps.issue(decision, command)
        case AcceptChallenge():
            steps.accept(decision, command)
        case OfferDates():
            steps.offer(decision, command)
        case ChooseDate():
            steps.choose(decision, command)
        case RefuseDates():
            steps.refuse(decision, command)
        case NameSeats():
            steps.seat(decision, command)
        case DeclineChallenge():
            steps.decline(decision, command)
        case WithdrawChallenge():
            steps.withdraw(decision, command)
        case BeginPlay():
            steps.begin(decision, command)
        case DecideChallenge():
            steps.decide(decision, command)
        case VoidChallenge():
            steps.void(decision, command)


# --- teams ---------------------------------------------------------------------------------------------------


def _create(decision: Decision, command: CreateLadder) -> None:
    if decision.state.exists:
        raise Refusal("ladder_exists", f"There is a ladder {decision.state.id} already")
    decision.record(LadderCreated(command.name, command.kind, command.rules))


def _enter(decision: Decision, command: EnterTeam) -> None:
    state = decision.state
    if command.team in state.order:
        raise Refusal("on_ladder", f"{command.name} is on this ladder already", team=command.team)
    known = state.entrants.get(command.team)
    if known is not None and known.left_at is not None:
        back = known.left_at + state.rules.return_pause
        if decision.now < back:
            raise Refusal(
                "left_recently", f"{command.name} left the ladder and may come back later", until=back
            )
    _require_free(state, command.team, command.players)
    spent = grants(command.club, command.captain) & state.granted
    unrestricted = state.rules.entry_challenge and known is None and not spent
    decision.record(
        TeamEntered(command.team, command.name, command.captain, command.club, unrestricted, command.players)
    )


def _rename(decision: Decision, command: RenameTeam) -> None:
    entrant = decision.state.entrants.get(command.team)
    if entrant is not None and entrant.name != command.name:
        decision.record(TeamRenamed(command.team, command.name))


def _change_roster(decision: Decision, command: ChangeRoster) -> None:
    state, team = decision.state, command.team
    if team not in state.order:
        raise Refusal("not_on_ladder", "That team is not on this ladder", team=team)
    if frozenset(command.players) == frozenset(state.entrants[team].players):
        return
    busy = next((one for one in state.open_of(team) if not isinstance(one.state, Issued)), None)
    if busy is not None:
        raise Refusal(
            "roster_frozen",
            "The roster stands still from the acceptance of a challenge to its end",
            challenge=busy.id,
        )
    _require_free(state, team, command.players)
    decision.record(RosterChanged(team, command.players))


def _require_free(state: LadderState, team: str, players: tuple[str, ...]) -> None:
    """Nobody plays in two teams of a ladder (rule 9)."""
    for other in state.order:
        both = set(players) & set(state.entrants[other].players)
        if other != team and both:
            raise Refusal(
                "player_on_ladder",
                f"A player of the roster plays for {state.entrants[other].name} on this ladder",
                team=other,
                players=sorted(both),
            )

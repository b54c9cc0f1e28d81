"""From a command to the facts it makes, and to what other streams must do; or the rule that refuses.

Pure: no clock, no chance, no I/O. A decision may take several facts, each decided on the state that the one
before has left. What a match or the clock brings (``DecideChallenge``, ``VoidChallenge``, ``lapse``) is never
refused: if the challenge has ended already in another way, there is nothing to record.
"""

from dataclasses import dataclass, field
from datetime import datetime

from broadcast.feeds.streams import Consequence, StreamKey
from broadcast.tables.commands import VoidMatch
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.ladder.challenges import (
    Accepted,
    Challenge,
    Decided,
    Forfeit,
    Issued,
    Playing,
    Side,
    Voided,
)
from teams.ladder.commands import (
    AcceptChallenge,
    ChooseDate,
    CreateLadder,
    DecideChallenge,
    DeclineChallenge,
    EnterTeam,
    IssueChallenge,
    LadderCommand,
    LeaveLadder,
    OfferDates,
    RenameTeam,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.dates import offered_dates
from teams.ladder.eligibility import Refused, Rule, may_challenge
from teams.ladder.errors import LadderChanged, NotThatSide
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
from teams.ladder.fixture import match_of
from teams.ladder.rules import Schedule
from teams.ladder.rungs import after_turned_win, after_win, moves_between
from teams.ladder.sentences import sentence_of
from teams.ladder.state import LadderState, after, grants
from teams.ladder.views import row_json


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
        case RenameTeam():
            _rename(decision, command)
        case LeaveLadder():
            _leave(decision, command)
        case IssueChallenge():
            _issue(decision, command)
        case AcceptChallenge():
            _accept(decision, command)
        case OfferDates():
            _offer(decision, command)
        case ChooseDate():
            _choose(decision, command)
        case DeclineChallenge():
            _decline(decision, command)
        case WithdrawChallenge():
            _withdraw(decision, command)
        case DecideChallenge():
            _decide(decision, command)
        case VoidChallenge():
            _void(decision, command)
    return decision


def lapse(state: LadderState, now: datetime) -> Decision:
    """Forfeits the challenges whose answer has not come within its time and the grace after it."""
    decision = Decision(state, now)
    for challenge in sorted(state.open.values(), key=lambda one: (one.answer_by, one.issued_at)):
        if isinstance(challenge.state, Issued) and challenge.answer_by + state.rules.grace <= now:
            _forfeit(decision, challenge, Side.DEFENDER, Forfeit.UNANSWERED)
    return decision


def next_lapse(state: LadderState) -> datetime | None:
    """When ``lapse`` will next do something."""
    waiting = (one.answer_by for one in state.open.values() if isinstance(one.state, Issued))
    first = min(waiting, default=None)
    return None if first is None else first + state.rules.grace


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
    spent = grants(command.club, command.captain) & state.granted
    unrestricted = state.rules.entry_challenge and known is None and not spent
    decision.record(TeamEntered(command.team, command.name, command.captain, command.club, unrestricted))


def _rename(decision: Decision, command: RenameTeam) -> None:
    entrant = decision.state.entrants.get(command.team)
    if entrant is not None and entrant.name != command.name:
        decision.record(TeamRenamed(command.team, command.name))


def _leave(decision: Decision, command: LeaveLadder) -> None:
    team = command.team
    if team not in decision.state.order:
        raise Refusal("not_on_ladder", "That team is not on this ladder", team=team)
    if decision.state.entrants[team].is_leaving:
        return
    for challenge in decision.state.open_of(team):
        if isinstance(challenge.state, Issued):
            decision.record(ChallengeVoided(challenge.id, "left"))
        elif isinstance(challenge.state, Accepted):
            _forfeit(decision, challenge, _side(challenge, team), Forfeit.LEFT)
    decision.record(TeamLeaving(team))
    _close_ranks(decision)


def _close_ranks(decision: Decision) -> None:
    """Teams that wanted to leave go once their last match is decided."""
    for team in decision.state.order:
        if decision.state.entrants[team].is_leaving and not decision.state.open_of(team):
            decision.record(TeamLeft(team))


# --- challenges ----------------------------------------------------------------------------------------------


def _issue(decision: Decision, command: IssueChallenge) -> None:
    state = decision.state
    if state.of_pair(command.challenger, command.opponent) is not None:
        return  # whoever was second gets the first challenge back
    if command.opponent not in state.order:
        raise Refusal("not_on_ladder", sentence_of(Rule.NOT_ON_LADDER), team=command.opponent)
    if command.ladder_version != state.version:
        row = row_json(state, command.opponent)
        raise LadderChanged(command.ladder_version, state.version, row)
    answer = may_challenge(state, command.challenger, command.opponent, decision.now)
    if isinstance(answer, Refused):
        raise Refusal(answer.rule.value, sentence_of(answer.rule), until=answer.until)
    decision.record(
        ChallengeIssued(
            challenge=state.next_challenge_id(),
            challenger=command.challenger,
            defender=command.opponent,
            challenger_rung=answer.loss.challenger,
            defender_rung=answer.loss.defender,
            lands_on=answer.win.defender,
            answer_by=decision.now + state.rules.answer_within,
            unrestricted=answer.unrestricted,
        )
    )


def _accept(decision: Decision, command: AcceptChallenge) -> None:
    challenge = _known(decision.state, command.challenge)
    _require_side(challenge, command.team, Side.DEFENDER)
    if isinstance(challenge.state, Accepted | Playing):
        return
    _require_issued(challenge)
    if decision.state.rules.schedule is not Schedule.AT_ONCE:
        decision.record(ChallengeAccepted(challenge.id, None))
        return
    match = StreamKey("match", command.match)
    decision.record(ChallengeAccepted(challenge.id, match.id))
    made = match_of(decision.state, challenge, command.deals)
    decision.consequences.append(Consequence(match, made))


def _offer(decision: Decision, command: OfferDates) -> None:
    challenge = _known(decision.state, command.challenge)
    _require_side(challenge, command.team, Side.DEFENDER)
    if not isinstance(challenge.state, Accepted):
        raise _wrong_state(challenge)
    dates = offered_dates(command.dates, decision.state.rules, decision.now)
    if dates != challenge.state.offered:
        decision.record(DatesOffered(challenge.id, dates))


def _choose(decision: Decision, command: ChooseDate) -> None:
    challenge = _known(decision.state, command.challenge)
    _require_side(challenge, command.team, Side.CHALLENGER)
    if not isinstance(challenge.state, Accepted):
        raise _wrong_state(challenge)
    if command.date not in challenge.state.offered or command.date <= decision.now:
        raise Refusal("not_offered", "Choose one of the dates that are offered and still to come")
    decision.record(DateChosen(challenge.id, command.date, command.match))
    made = match_of(decision.state, challenge, command.deals, command.date)
    decision.consequences.append(Consequence(StreamKey("match", command.match), made))


def _decline(decision: Decision, command: DeclineChallenge) -> None:
    challenge = _known(decision.state, command.challenge)
    _require_side(challenge, command.team, Side.DEFENDER)
    _require_issued(challenge)
    defender = decision.state.entrants[challenge.defender]
    if defender.declines < decision.state.rules.free_declines:
        decision.record(ChallengeDeclined(challenge.id))
    else:
        _forfeit(decision, challenge, Side.DEFENDER, Forfeit.DECLINED)


def _withdraw(decision: Decision, command: WithdrawChallenge) -> None:
    challenge = _known(decision.state, command.challenge)
    side = _side(challenge, command.team)
    if not challenge.is_open:
        raise _wrong_state(challenge)
    if isinstance(challenge.state, Issued):
        _require_side(challenge, command.team, Side.CHALLENGER)
        decision.record(ChallengeWithdrawn(challenge.id))
        return
    _forfeit(decision, challenge, side, Forfeit.WITHDREW)
    _close_ranks(decision)


def _forfeit(decision: Decision, challenge: Challenge, loser: Side, cause: Forfeit) -> None:
    """The challenge is lost without play; it moves like a win, and a match already made is void."""
    decision.record(ChallengeForfeited(challenge.id, loser.other, cause))
    if loser is Side.DEFENDER:
        _move_up(decision, challenge)
    if isinstance(challenge.state, Playing):
        decision.consequences.append(
            Consequence(StreamKey("match", challenge.state.match), VoidMatch("challenge_forfeited"))
        )


def _move_up(decision: Decision, challenge: Challenge) -> None:
    before = decision.state.order
    if not {challenge.challenger, challenge.defender} <= set(before):
        return  # a ruling came after one of them had left
    moved = after_win(
        before, challenge.challenger, challenge.defender, challenge.challenger_rung, decision.state.rules
    )
    _record_moves(decision, challenge, moved)


def _record_moves(decision: Decision, challenge: Challenge, moved: tuple[str, ...]) -> None:
    first = (challenge.challenger, challenge.defender)
    moves = moves_between(decision.state.order, moved, first)
    if moves:
        decision.record(RungsMoved(challenge.id, moves))


def _decide(decision: Decision, command: DecideChallenge) -> None:
    challenge = decision.state.challenge(command.challenge)
    if challenge is None or challenge.match != command.match:
        return
    before = challenge.state
    if not isinstance(before, Playing | Decided | Voided):
        return
    # A tie leaves the defender on its rung.
    winner = Side.CHALLENGER if command.imps_visitors > command.imps_home else Side.DEFENDER
    imps = (float(command.imps_visitors), float(command.imps_home))
    if isinstance(before, Decided) and _says(before) == (winner, *imps):
        return
    decision.record(ChallengeDecided(challenge.id, command.match, winner, *imps, command.closed_at))
    if not isinstance(before, Decided):
        if winner is Side.CHALLENGER:
            _move_up(decision, challenge)
    elif before.winner is not winner:
        _turn(decision, challenge, before, winner)
    _close_ranks(decision)


def _says(decided: Decided) -> tuple[Side, float, float]:
    return decided.winner, decided.imps_challenger, decided.imps_defender


def _turn(decision: Decision, challenge: Challenge, before: Decided, winner: Side) -> None:
    """A ruling has made the other team the winner: a new move, and what came in between stays."""
    if winner is Side.CHALLENGER:
        _move_up(decision, challenge)
        return
    order = decision.state.order
    if before.climbed_from is not None and {challenge.challenger, challenge.defender} <= set(order):
        back = after_turned_win(order, challenge.challenger, challenge.defender, before.climbed_from)
        _record_moves(decision, challenge, back)


def _void(decision: Decision, command: VoidChallenge) -> None:
    challenge = decision.state.challenge(command.challenge)
    if challenge is None or not challenge.is_open:
        return
    if command.match is not None and command.match != challenge.match:
        return
    decision.record(ChallengeVoided(challenge.id, command.reason))
    if command.match is None and isinstance(challenge.state, Playing):
        decision.consequences.append(
            Consequence(StreamKey("match", challenge.state.match), VoidMatch(command.reason))
        )
    _close_ranks(decision)


# --- who and when --------------------------------------------------------------------------------------------


def _known(state: LadderState, id: str) -> Challenge:
    challenge = state.challenge(id)
    if challenge is None:
        raise NoSuchThing("no_such_challenge", f"There is no challenge {id}", challenge=id)
    return challenge


def _side(challenge: Challenge, team: str) -> Side:
    side = challenge.side_of(team)
    if side is None:
        raise NotThatSide("not_your_challenge", "This challenge is between two other teams", team=team)
    return side


def _require_side(challenge: Challenge, team: str, wanted: Side) -> None:
    if _side(challenge, team) is not wanted:
        raise NotThatSide("not_your_step", f"That step is the {wanted.value}'s", side=wanted.value)


def _require_issued(challenge: Challenge) -> None:
    if not isinstance(challenge.state, Issued):
        raise _wrong_state(challenge)


def _wrong_state(challenge: Challenge) -> Refusal:
    return Refusal(
        "challenge_state", f"The challenge is {challenge.state.code} by now", state=challenge.state.code
    )

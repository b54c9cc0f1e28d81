"""The steps of a challenge, as captains, directors and closing matches take them.

What a match brings (``BeginPlay``, ``DecideChallenge``, ``VoidChallenge``) is never refused: if the challenge
has ended already in another way, there is nothing to record.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.feeds.streams import Consequence, StreamKey
from broadcast.tables.commands import NameLineup, VoidMatch
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import PlayerName
from teams.ladder.challenges import (
    Accepted,
    Challenge,
    Decided,
    Forfeit,
    Issued,
    Playing,
    Side,
    VoidCause,
    Voided,
    seats_key,
)
from teams.ladder.commands import (
    AcceptChallenge,
    BeginPlay,
    ChooseDate,
    DecideChallenge,
    DeclineChallenge,
    IssueChallenge,
    NameSeats,
    OfferDates,
    RefuseDates,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.dates import house_date, offered_dates
from teams.ladder.decision import (
    Decision,
    close_ranks,
    forfeit,
    known,
    move_up,
    record_moves,
    require_issued,
    require_side,
    side_of,
    wrong_state,
)
from teams.ladder.decision import (
    void as void_by_rule,
)
from teams.ladder.eligibility import Allowed, Refused, Rule, may_challenge
from teams.ladder.errors import LadderChanged
from teams.ladder.events import (
    ChallengeAccepted,
    ChallengeDecided,
    ChallengeDeclined,
    ChallengeIssued,
    ChallengeVoided,
    ChallengeWithdrawn,
    DateChosen,
    DatesOffered,
    PlayBegun,
    SeatsNamed,
)
from teams.ladder.fixture import AGREED_BOARDS, match_of, team_of
from teams.ladder.rules import LadderRules, Schedule
from teams.ladder.rungs import after_turned_win
from teams.ladder.seating import check_seats
from teams.ladder.sentences import sentence_of
from teams.ladder.views import row_json


def issue(decision: Decision, command: IssueChallenge) -> None:
    state = decision.state
    if state.of_pair(command.challenger, command.opponent) is not None:
        return  # whoever was second gets the first challenge back
    if command.opponent not in state.order:
        raise Refusal("not_on_ladder", sentence_of(Rule.NOT_ON_LADDER), team=command.opponent)
    answer = may_challenge(state, command.challenger, command.opponent, decision.now)
    holds = isinstance(answer, Allowed) and answer.code == command.promised
    if command.ladder_version != state.version and not holds:
        row = row_json(state, command.opponent)
        raise LadderChanged(command.ladder_version, state.version, row)
    boards = _agreeable(state.rules, command.boards, AGREED_BOARDS)
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
            boards=boards,
        )
    )


def _agreeable(rules: LadderRules, boards: int | None, others: tuple[int, ...]) -> int | None:
    """A length of the match: the ladder's own, which is ``None``, or one of the others."""
    if boards is None or boards == rules.boards:
        return None
    if boards not in others:
        choices = sorted({rules.boards, *others})
        told = ", ".join(map(str, choices))
        raise Refusal("bad_boards", f"The match may have so many boards: {told}", choices=choices)
    return boards


def accept(decision: Decision, command: AcceptChallenge) -> None:
    challenge = known(decision.state, command.challenge)
    require_side(challenge, command.team, Side.DEFENDER)
    if isinstance(challenge.state, Accepted | Playing):
        return
    require_issued(challenge)
    proposed = () if challenge.boards is None else (challenge.boards,)
    asked = challenge.boards if command.boards is None else command.boards
    boards = _agreeable(decision.state.rules, asked, proposed)
    if decision.state.rules.schedule is not Schedule.AT_ONCE:
        offer_by = decision.now + timedelta(days=decision.state.rules.offer_days)
        decision.record(ChallengeAccepted(challenge.id, None, offer_by, boards))
        return
    match = StreamKey("match", command.match)
    play_by = decision.now + timedelta(days=decision.state.rules.play_days)
    decision.record(ChallengeAccepted(challenge.id, match.id, play_by, boards))
    made = match_of(decision.state, decision.state.open[challenge.id], command.deals)
    decision.consequences.append(Consequence(match, made))


def offer(decision: Decision, command: OfferDates) -> None:
    """Dates that were offered before stay; the time for the choice runs from the first offer.

    So that no captain loses a choice, or gets no chance of one, to offers that follow each other.
    """
    challenge = known(decision.state, command.challenge)
    require_side(challenge, command.team, Side.DEFENDER)
    if not isinstance(challenge.state, Accepted):
        raise wrong_state(challenge)
    before = challenge.state.offered
    dates = offered_dates(command.dates, decision.state.rules, decision.now, standing=before)
    if not set(dates) <= set(before):
        choose_by = challenge.state.deadline
        if not before or choose_by is None:
            choose_by = min(decision.now + timedelta(days=decision.state.rules.choose_days), dates[-1])
        decision.record(DatesOffered(challenge.id, dates, choose_by))


def choose(decision: Decision, command: ChooseDate) -> None:
    challenge = known(decision.state, command.challenge)
    require_side(challenge, command.team, Side.CHALLENGER)
    if not isinstance(challenge.state, Accepted):
        raise wrong_state(challenge)
    if command.date not in challenge.state.offered or command.date <= decision.now:
        raise Refusal("not_offered", "Choose one of the dates that are offered and still to come")
    _date(decision, challenge, command, command.date)


def refuse(decision: Decision, command: RefuseDates) -> None:
    """Every date that is offered. Once a season this is the defender's free decline; then the house decides."""
    challenge = known(decision.state, command.challenge)
    require_side(challenge, command.team, Side.CHALLENGER)
    if not isinstance(challenge.state, Accepted):
        raise wrong_state(challenge)
    if not challenge.state.offered:
        raise Refusal("nothing_offered", "The defender has not offered dates yet")
    rules = decision.state.rules
    if decision.state.entrants[challenge.defender].declines < rules.free_declines:
        void_by_rule(decision, challenge, VoidCause.DATES_REFUSED)
        close_ranks(decision)
        return
    _date(decision, challenge, command, house_date(challenge.state.offered, rules, decision.now), by_house=True)


def _date(
    decision: Decision,
    challenge: Challenge,
    command: ChooseDate | RefuseDates,
    date: datetime,
    *,
    by_house: bool = False,
) -> None:
    """The match will be played at ``date``."""
    rules = decision.state.rules
    late_at = date + timedelta(minutes=rules.late_minutes) if rules.late_minutes else None
    play_by = date + timedelta(days=rules.play_days)
    decision.record(DateChosen(challenge.id, date, command.match, late_at, play_by, by_house))
    made = match_of(decision.state, challenge, command.deals, date)
    decision.consequences.append(Consequence(StreamKey("match", command.match), made))


def seat(decision: Decision, command: NameSeats) -> None:
    """A captain's line-up of one room or both, put together with the other captain's.

    Decided here, where one command follows another, as what each room may have depends on the other room; the
    match itself refuses what comes too late.
    """
    challenge = known(decision.state, command.challenge)
    side = side_of(challenge, command.team)
    playing = challenge.state
    if not isinstance(playing, Playing):
        raise wrong_state(challenge)
    check_seats(side, {room: command.rooms.get(room, _seats(playing, side, room)) for room in Room})
    for room, seats in command.rooms.items():
        if playing.seats.get(seats_key(side, room)) != seats:
            decision.record(SeatsNamed(challenge.id, side, room, seats))
        both = {**_seats(playing, side.other, room), **seats}
        named = NameLineup(command.segment, room, both, "named by the captain", team=team_of(side))
        decision.consequences.append(Consequence(StreamKey("match", playing.match), named))


def _seats(playing: Playing, side: Side, room: Room) -> Mapping[Seat, PlayerName]:
    return playing.seats.get(seats_key(side, room), {})


def decline(decision: Decision, command: DeclineChallenge) -> None:
    challenge = known(decision.state, command.challenge)
    require_side(challenge, command.team, Side.DEFENDER)
    require_issued(challenge)
    defender = decision.state.entrants[challenge.defender]
    if defender.declines < decision.state.rules.free_declines:
        decision.record(ChallengeDeclined(challenge.id))
    else:
        forfeit(decision, challenge, Side.DEFENDER, Forfeit.DECLINED)


def withdraw(decision: Decision, command: WithdrawChallenge) -> None:
    challenge = known(decision.state, command.challenge)
    side = side_of(challenge, command.team)
    if not challenge.is_open:
        raise wrong_state(challenge)
    if isinstance(challenge.state, Issued):
        require_side(challenge, command.team, Side.CHALLENGER)
        decision.record(ChallengeWithdrawn(challenge.id))
        return
    forfeit(decision, challenge, side, Forfeit.WITHDREW)
    close_ranks(decision)


def begin(decision: Decision, command: BeginPlay) -> None:
    challenge = decision.state.challenge(command.challenge)
    if challenge is None or challenge.match != command.match:
        return
    if isinstance(challenge.state, Playing) and not challenge.state.has_begun:
        decision.record(PlayBegun(challenge.id))


def decide(decision: Decision, command: DecideChallenge) -> None:
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
            move_up(decision, challenge)
    elif before.winner is not winner:
        _turn(decision, challenge, before, winner)
    close_ranks(decision)


def _says(decided: Decided) -> tuple[Side, float, float]:
    return decided.winner, decided.imps_challenger, decided.imps_defender


def _turn(decision: Decision, challenge: Challenge, before: Decided, winner: Side) -> None:
    """A ruling has made the other team the winner: a new move, and what came in between stays."""
    if winner is Side.CHALLENGER:
        move_up(decision, challenge)
        return
    order = decision.state.order
    if before.climbed_from is not None and {challenge.challenger, challenge.defender} <= set(order):
        back = after_turned_win(order, challenge.challenger, challenge.defender, before.climbed_from)
        record_moves(decision, challenge, back)


def void(decision: Decision, command: VoidChallenge) -> None:
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
    close_ranks(decision)

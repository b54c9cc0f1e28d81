"""The director's rulings (Laws 12, 64, 79, 81 to 93): each with a reason, each a new event."""

from math import inf

from broadcast.bridge.results import BoardResult
from broadcast.bridge.seats import Side
from broadcast.tables.alarms import blocking_alarms, is_open_notice
from broadcast.tables.awards import Award
from broadcast.tables.commands import (
    AddBoards,
    CancelBoard,
    ChangeRelease,
    ClearAlarm,
    CloseMatch,
    CorrectResult,
    GiveAward,
    GivePenalty,
    LiftRuling,
    NameLineup,
    ReopenMatch,
    Ruling,
    SwapSeating,
    TransferTricks,
    VoidMatch,
)
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.events import (
    AlarmCleared,
    BoardAwarded,
    BoardCancelled,
    BoardKey,
    LineupNamed,
    MatchClosed,
    MatchEvent,
    MatchReopened,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultCorrected,
    RulingLifted,
    SeatingSwapped,
    SegmentAdded,
)
from broadcast.tables.lineups import check_may_name
from broadcast.tables.setup import ReleaseRule, Segment
from broadcast.tables.state import Board, MatchState, boards_of

MOST_EXTRA = 64
"""Most extra boards at once."""


def decide_ruling(state: MatchState, ruling: Ruling) -> tuple[MatchEvent, ...]:
    """The events that carry out the ruling. Raises ``Refusal``."""
    match ruling:
        case NameLineup():
            if state.segment(ruling.segment) is None:
                raise NoSuchThing("no_such_segment", f"The match has no segment {ruling.segment}")
            if ruling.team is not None:
                check_may_name(state, ruling.team)
            return (LineupNamed(ruling.segment, ruling.room, ruling.seats, ruling.publish),)
        case ClearAlarm():
            cleared = AlarmCleared(ruling.alarm, _reason(ruling.reason), ruling.agreed)
            is_open = ruling.alarm in {alarm.id for alarm in blocking_alarms(state)}
            # Captains clear what holds their match open, and nothing that is for the director alone.
            if not is_open and (ruling.agreed or not is_open_notice(state, ruling.alarm)):
                raise NoSuchThing("no_such_alarm", f"No alarm {ruling.alarm} is open", alarm=ruling.alarm)
            if ruling.standing not in (None, state.alarm_standing):
                raise Refusal(
                    "alarm_changed", "The match has changed since you agreed: look at the alarm again"
                )
            return (cleared,)
        case CloseMatch():
            if state.closed is not None:
                raise Refusal("match_closed", "The match is closed already")
            if state.voided is not None:
                raise Refusal("match_void", "The match has been declared void")
            return (MatchClosed(_reason(ruling.reason)),)
        case ReopenMatch():
            if state.closed is None and state.voided is None:
                raise Refusal("match_open", "The match is not closed")
            return (MatchReopened(_reason(ruling.reason)),)
        case VoidMatch():
            if state.voided is not None:
                raise Refusal("match_void", "The match is void already")
            return (MatchVoided(_reason(ruling.reason)),)
        case ChangeRelease():
            return (_release(state, ruling),)
        case AddBoards():
            return _extra_boards(state, ruling)
        case GivePenalty():
            if not 0 < ruling.amount < inf or ruling.unit not in ("imps", "vps"):
                raise Refusal("bad_penalty", "A penalty is an amount above 0 in imps or vps")
            return (PenaltyGiven(ruling.side, ruling.unit, ruling.amount, _reason(ruling.reason)),)
        case _:
            return (_on_board(state, ruling),)


def _on_board(
    state: MatchState,
    ruling: CorrectResult | GiveAward | CancelBoard | LiftRuling | TransferTricks | SwapSeating,
) -> MatchEvent:
    key = BoardKey(ruling.segment, ruling.board)
    board = state.boards.get(key)
    if board is None:
        raise NoSuchThing("no_such_board", f"The match has no board {key}", board=str(key))
    reason = _reason(ruling.reason)
    match ruling:
        case CorrectResult():
            return ResultCorrected(key, ruling.room, ruling.result, reason)
        case TransferTricks():
            return ResultCorrected(key, ruling.room, _transferred(board, ruling), reason)
        case GiveAward():
            _check_award(ruling.award)
            return BoardAwarded(key, ruling.award, reason)
        case CancelBoard():
            if board.is_cancelled:
                raise Refusal("board_cancelled", f"Board {key} is cancelled already")
            return BoardCancelled(key, reason)
        case LiftRuling():
            if board.award is None and not board.is_cancelled:
                raise Refusal("no_ruling", f"Board {key} has neither an award nor a cancellation to lift")
            return RulingLifted(key, reason)
        case SwapSeating():
            return SeatingSwapped(key, reason)


def _extra_boards(state: MatchState, ruling: AddBoards) -> tuple[MatchEvent, ...]:
    """A segment behind the last, with its teams' directions and its line-ups."""
    if state.created.challenge is not None:
        raise Refusal("no_extra_boards", "A tie in a challenge leaves the defender: there are no extra boards")
    if state.closed is not None or state.voided is not None:
        raise Refusal("reopen_first", "The match has ended: open it again, then add boards")
    if not state.is_complete:
        raise Refusal("boards_left", "Extra boards are added when every board is final in both rooms")
    if not 1 <= ruling.boards <= MOST_EXTRA or len(ruling.deals) not in (0, ruling.boards):
        raise Refusal("bad_extra_boards", f"Add 1 to {MOST_EXTRA} boards", most=MOST_EXTRA)
    last = state.segments[-1]
    number = max(segment.number for segment in state.segments) + 1
    title = ruling.title.strip() or f"+{ruling.boards}"
    segment = Segment(number, title, last.last + 1, last.last + ruling.boards, last.ns_open)
    keys = [str(key) for key in boards_of((segment,))]
    deals = dict(zip(keys, ruling.deals, strict=True)) if ruling.deals else {}
    added = SegmentAdded(segment, _reason(ruling.reason), deals)
    return added, *(LineupNamed(number, room, seats) for room, seats in last.lineups.items())


def _transferred(board: Board, ruling: TransferTricks) -> BoardResult:
    """The result with so many tricks moved to a side (Law 64A)."""
    ending = board.rooms[ruling.room].ending
    if ending is None or ending.result.declarer is None or ending.result.tricks is None:
        raise Refusal(
            "no_result", f"Board {board.key} has no result to transfer tricks in", board=str(board.key)
        )
    if ruling.to not in set(Side):
        raise Refusal("bad_side", f"Tricks go to NS or EW, not to {ruling.to!r}")
    gains = ending.result.declarer.side is Side(ruling.to)
    tricks = ending.result.tricks + (ruling.tricks if gains else -ruling.tricks)
    if not 0 <= tricks <= 13 or ruling.tricks < 1:
        raise Refusal("bad_tricks", f"Declarer cannot end with {tricks} tricks", tricks=tricks)
    return BoardResult(ending.result.contract, ending.result.declarer, tricks)


def _check_award(award: Award) -> None:
    match award.kind:
        case "artificial":
            marks = ("+", "=", "-")
            sound = award.home in marks and award.visitors in marks and award.room is None
        case "assigned":
            sound = award.room is not None and award.score_ns is not None
        case "weighted":
            percents = [part.percent for part in award.parts]
            sound = award.room is not None and sum(percents) == 100 and min(percents) > 0
        case "split":
            sound = award.for_home is not None and award.for_visitors is not None
            for side in (award.for_home, award.for_visitors):
                if side is not None and side.kind == "split":
                    sound = False
                elif side is not None:
                    _check_award(side)
        case _:
            sound = False
    if not sound:
        raise Refusal(
            "bad_award",
            "An award is artificial (home and visitors +, = or -), assigned (room, score_ns), weighted "
            "(room, parts adding up to 100 percent), or split (home and visitors, each one of these)",
        )


def _release(state: MatchState, ruling: ChangeRelease) -> ReleaseChanged:
    rule, seconds = ruling.release.rule, ruling.release.seconds
    if rule is ReleaseRule.DELAY and seconds <= 0:
        raise Refusal("bad_delay", "A delay needs a number of seconds above 0")
    if rule in (ReleaseRule.LIVE, ReleaseRule.DELAY) and not (
        state.created.no_devices or state.created.imported
    ):
        raise Refusal("devices", f"Release rule {rule} needs a match whose players have no devices")
    return ReleaseChanged(ruling.release, _reason(ruling.reason))


def _reason(text: str) -> str:
    reason = text.strip()
    if not reason:
        raise Refusal("reason_needed", "A ruling needs a reason: it stands in the correction log")
    return reason

"""Entries of one room: opening boards, calls, cards, claims, undo, results.

The page that enables a button and the handler that takes the command ask the same rules: those of
``broadcast.bridge`` for calls and cards, those here for boards, claims and undo.
"""

from datetime import datetime

from broadcast.bridge.claims import check_claim
from broadcast.bridge.rooms import Room
from broadcast.tables.apply import apply
from broadcast.tables.board_states import Claimed, is_final
from broadcast.tables.commands import (
    AnswerClaim,
    EnterInRoom,
    EnterResult,
    Entry,
    Explain,
    MakeCall,
    MakeClaim,
    OpenBoard,
    PlayCard,
    ResumeClock,
    SkipBoard,
    StopClock,
    Undo,
)
from broadcast.tables.errors import NoSuchThing, Refusal, StaleTable
from broadcast.tables.events import (
    BoardKey,
    BoardOpened,
    BoardSkipped,
    CallExplained,
    CallMade,
    CardPlayed,
    ClaimAnswered,
    ClaimMade,
    ClockResumed,
    ClockStopped,
    EntriesUndone,
    EntryWaited,
    MatchEvent,
    MatchStarted,
    ResultEntered,
    RoomEvent,
)
from broadcast.tables.lineups import check_entry, check_may_look
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import Lineup
from broadcast.tables.state import Board, MatchState, RoomBoard

MAX_ENTRIES = 500
"""Most entries in one command."""
MOST_OF_BOARD = 20_000
"""Most events of one board in one room that a log takes from whoever is no director: calls and cards of a board
are a hundred, and what is undone counts, too. Ten times as many as a viewer may be behind."""
MOST_OF_MATCH = 100_000
"""Most events of a match in the same way, or ``MOST_PER_BOARD`` for each of its boards where that is more. A
board played card by card is 75 in each room: 64 boards, every tenth entry undone and made again, are 12,000."""
MOST_PER_BOARD = 1_000
LEAST_WAITED = 1.0
"""Seconds on a device that are worth a line in the log; less is the time that sending takes."""
MOST_WAITED = 86_400.0
"""No entry has waited longer than a day."""
MAX_EXPLANATION = 500
"""Longest explanation of a call, in characters."""


def decide_entries(state: MatchState, command: EnterInRoom, now: datetime) -> tuple[MatchEvent, ...]:
    """The events of all entries, each decided on the state after the one before."""
    if command.captain_of is not None:
        # Before all else: what a stale command has missed is told, too.
        check_may_look(state, command.captain_of)
    sequence = state.room_sequences[command.room]
    if command.expected is not None and command.expected != sequence:
        raise StaleTable(command.expected, sequence, ())
    if not 1 <= len(command.entries) <= MAX_ENTRIES:
        raise Refusal("too_many_entries", f"One command holds 1 to {MAX_ENTRIES} entries", most=MAX_ENTRIES)
    if state.voided is not None:
        raise Refusal("match_void", "The match has been declared void")
    if state.closed is not None:
        raise Refusal("match_closed", "The match is closed: only a director's ruling changes it now")
    if not command.may_overrule:
        _check_date(state, now)
    events: list[MatchEvent] = []
    if command.waited >= LEAST_WAITED:
        events.append(EntryWaited(command.room, min(command.waited, MOST_WAITED)))
        state = apply(state, Recorded(state.sequence + 1, now, "", events[0]))
    for entry in command.entries:
        if isinstance(entry, OpenBoard) and not command.may_overrule:
            _check_unruled(state, command.room, entry)
        if command.captain_of is not None:
            check_entry(state, command.room, entry, command.captain_of)
        for event in _decide(state, command.room, entry):
            state = apply(state, Recorded(state.sequence + 1, now, "", event))
            events.append(event)
            if not command.may_overrule:
                check_log(state, event)
    return tuple(events)


def check_log(state: MatchState, event: MatchEvent) -> None:
    """Raise ``Refusal`` where with this event of somebody who is no director the log has become too long.

    A log is kept, folded and released whole: a link to one room must not fill the disk and stop the house.
    """
    if isinstance(event, RoomEvent) and state.boards[event.key].rooms[event.room].entries > MOST_OF_BOARD:
        raise Refusal(
            "board_full",
            f"Board {event.key} has {MOST_OF_BOARD} entries in this room, and takes no more: ask the director "
            "to enter its result, and open the next board",
            board=str(event.key),
            most=MOST_OF_BOARD,
        )
    most = max(MOST_OF_MATCH, MOST_PER_BOARD * len(state.boards))
    if state.sequence > most:
        raise Refusal(
            "match_full",
            f"The match has {most} entries, and takes no more: ask the director to enter what is left",
            most=most,
        )


def _decide(state: MatchState, room: Room, entry: Entry) -> tuple[MatchEvent, ...]:
    if isinstance(entry, OpenBoard):
        return (_open(state, room, entry),)
    if isinstance(entry, SkipBoard):
        return (_skip(state, room, entry),)
    if isinstance(entry, StopClock | ResumeClock):
        return (_clock(state, room, entry),)
    key, board = _current(state, room)
    table = board.rooms[room]
    if isinstance(entry, Undo):
        return (_undo(key, room, board, entry),)
    if isinstance(entry, Explain):
        return (_explain(key, room, table, entry),)
    if is_final(board.state(room)) and not isinstance(entry, EnterResult):
        raise Refusal("board_over", f"Board {key} is over in this room: undo, or open the next board")
    made: tuple[MatchEvent, ...]
    match entry:
        case MakeCall():
            made = (_call(key, room, table, entry),)
        case PlayCard():
            made = (_card(key, room, table, entry),)
        case MakeClaim():
            made = _claim(key, room, table, entry)
        case AnswerClaim():
            if table.pending_claim is None:
                raise Refusal("no_claim", "There is no claim to answer")
            made = (ClaimAnswered(key, room, entry.accepted),)
        case EnterResult():
            if board.is_cancelled or board.award is not None or table.is_ruled:
                raise Refusal("director_ruled", f"The director has ruled on board {key}; its result stands")
            made = (ResultEntered(key, room, entry.result, entry.source),)
    return made if state.is_started else (MatchStarted(), *made)


def _check_date(state: MatchState, now: datetime) -> None:
    """The rooms of a challenge open at its date: neither team sees a deal before the other may come."""
    opens_at = state.created.starts_at
    is_early = opens_at is not None and now < opens_at
    if is_early and not state.is_started and state.created.challenge is not None:
        raise Refusal(
            "room_not_open",
            "The rooms open at the date of the match, or when the director says",
            opens_at=opens_at,
        )


def _check_unruled(state: MatchState, room: Room, entry: OpenBoard) -> None:
    """Raise ``Refusal`` where opening the board would lift what a director has ruled on it."""
    key = BoardKey(entry.segment, entry.board)
    board = state.boards.get(key)
    if board is None:
        return
    if board.is_settled_for(room) or board.rooms[room].is_ruled:
        raise Refusal("director_ruled", f"The director has ruled on board {key}: ask for it to be opened again")


def _current(state: MatchState, room: Room) -> tuple[BoardKey, Board]:
    key = state.current.get(room)
    if key is None:
        raise Refusal("no_board_open", "No board is open in this room: open one first")
    board = state.boards[key]
    if board.rooms[room].skipped is not None:
        raise Refusal("board_skipped", f"Board {key} has been skipped in this room: open it again first")
    return key, board


def _open(state: MatchState, room: Room, entry: OpenBoard) -> BoardOpened:
    key = BoardKey(entry.segment, entry.board)
    board = state.boards.get(key)
    if board is None:
        raise NoSuchThing("no_such_board", f"The match has no board {key}", board=str(key))
    standing = state.current.get(room)
    table = board.rooms[room]
    if standing is not None and standing != key:
        before = state.boards[standing]
        if not is_final(before.state(room)) and before.rooms[room].skipped is None:
            raise Refusal(
                "board_not_finished",
                f"Board {standing} is not finished in this room: finish it, or skip it with a reason",
                board=str(standing),
            )
    is_open_still = standing == key and not is_final(board.state(room)) and table.skipped is None
    awaits_deal = is_open_still and table.deal is None and not table.has_entries and entry.deal is not None
    if is_open_still and not awaits_deal:
        raise Refusal("board_open", f"Board {key} is open already", board=str(key))
    expected = state.next_board(room)
    if key != expected and not awaits_deal and not (entry.reason or "").strip():
        raise Refusal(
            "reason_needed",
            f"Board {key} is out of order: the next is {expected}; give a reason"
            if expected is not None
            else f"Board {key} has been played or skipped in this room: give a reason to open it again",
            board=str(key),
            next=str(expected) if expected else None,
        )
    dealer = entry.dealer or table.dealer
    if table.calls and (dealer is not table.dealer or entry.deal not in (None, table.deal)):
        raise Refusal(
            "calls_stand",
            f"Board {key} has calls on its record: undo them before it gets another deal or dealer",
            board=str(key),
            calls=len(table.calls),
        )
    stored = state.created.deals.get(str(key))
    if stored is not None and entry.deal is not None and entry.deal != stored:
        raise Refusal("deal_given", f"The match has another deal for board {key}", board=str(key))
    return BoardOpened(
        key,
        room,
        dealer,
        entry.vulnerable or table.vulnerability,
        stored or entry.deal or table.deal,
        entry.players or _lineup(state, key, room),
        (entry.reason or "").strip() or None,
    )


def _lineup(state: MatchState, key: BoardKey, room: Room) -> Lineup:
    segment = state.segment(key.segment)
    return {} if segment is None else segment.lineups.get(room, {})


def _skip(state: MatchState, room: Room, entry: SkipBoard) -> BoardSkipped:
    key = BoardKey(entry.segment, entry.board)
    board = state.boards.get(key)
    if board is None:
        raise NoSuchThing("no_such_board", f"The match has no board {key}", board=str(key))
    if is_final(board.state(room)):
        raise Refusal("board_over", f"Board {key} is over in this room and needs no skipping")
    if not entry.reason.strip():
        raise Refusal("reason_needed", "Skipping a board needs a reason", board=str(key))
    return BoardSkipped(key, room, entry.reason.strip())


def _clock(state: MatchState, room: Room, entry: StopClock | ResumeClock) -> ClockStopped | ClockResumed:
    is_stopped = room in state.neutral
    if isinstance(entry, ResumeClock):
        if not is_stopped:
            raise Refusal("clock_runs", "The clock of this room is running")
        return ClockResumed(room)
    if is_stopped:
        raise Refusal("clock_stopped", "The clock of this room stands still already")
    reason = entry.reason.strip()
    if not reason or len(reason) > MAX_EXPLANATION:
        raise Refusal("reason_needed", "Say why the clock stops")
    return ClockStopped(room, reason)


def _call(key: BoardKey, room: Room, table: RoomBoard, entry: MakeCall) -> CallMade:
    if table.deal is None:
        raise Refusal("deal_needed", f"Nobody has given the deal of board {key}: open it again with its deal")
    table.auction.check(entry.seat, entry.call, entry.irregular)
    _check_explanation(entry.explanation)
    return CallMade(key, room, entry.seat, entry.call, entry.alert, entry.explanation, entry.irregular)


def _explain(key: BoardKey, room: Room, table: RoomBoard, entry: Explain) -> CallExplained:
    if not 0 <= entry.call_index < len(table.calls):
        raise Refusal("no_such_call", f"The auction has {len(table.calls)} calls", calls=len(table.calls))
    _check_explanation(entry.explanation)
    return CallExplained(key, room, entry.call_index, entry.alert, entry.explanation)


def _check_explanation(text: str | None) -> None:
    if text is not None and len(text) > MAX_EXPLANATION:
        raise Refusal(
            "explanation_too_long",
            f"An explanation has at most {MAX_EXPLANATION} characters",
            most=MAX_EXPLANATION,
        )


def _card(key: BoardKey, room: Room, table: RoomBoard, entry: PlayCard) -> CardPlayed:
    if table.play is None:
        raise Refusal("auction_open", "The auction is not over: there is nothing to play yet")
    if table.pending_claim is not None:
        raise Refusal("claim_open", "Play has stopped for a claim: accept or refuse it first (Law 68D)")
    table.play.check(entry.seat, entry.card, entry.irregular)
    return CardPlayed(key, room, entry.seat, entry.card, entry.irregular)


def _claim(key: BoardKey, room: Room, table: RoomBoard, entry: MakeClaim) -> tuple[MatchEvent, ...]:
    if table.play is None:
        raise Refusal("auction_open", "The auction is not over: there is nothing to claim yet")
    if table.pending_claim is not None:
        raise Refusal("claim_open", "There is a claim already: accept or refuse it first")
    check_claim(table.play, entry.seat, entry.tricks)
    made = ClaimMade(key, room, entry.seat, entry.tricks)
    return (made, ClaimAnswered(key, room, True)) if entry.accepted else (made,)


def _undo(key: BoardKey, room: Room, board: Board, entry: Undo) -> EntriesUndone:
    table = board.rooms[room]
    if board.is_cancelled or board.award is not None or table.is_ruled:
        raise Refusal("director_ruled", f"The director has ruled on board {key}: ask for it to be opened again")
    calls, cards = len(table.calls), len(table.cards)
    stops = table.pending_claim is not None or isinstance(table.ending, Claimed) or table.has_entered_result
    if (entry.calls is None) is not (entry.cards is None):
        raise Refusal("bad_undo", "Undo goes so many steps back, or to a number of calls and of cards")
    if entry.calls is not None and entry.cards is not None:
        to = (entry.calls, entry.cards)
    else:
        to = _steps_back(calls, cards, stops, 1 if entry.steps is None else entry.steps)
    is_before = to[0] <= calls and to[1] <= cards and (to != (calls, cards) or stops)
    if not is_before or to[0] < 0 or to[1] < 0 or (to[1] > 0 and to[0] != calls):
        raise Refusal(
            "nothing_to_undo",
            f"Board {key} stands at call {calls} and card {cards}: undo goes to an earlier entry",
            calls=calls,
            cards=cards,
        )
    return EntriesUndone(key, room, *to)


def _steps_back(calls: int, cards: int, stops: bool, steps: int) -> tuple[int, int]:
    """The position so many entries earlier; a claim or an entered result is one entry."""
    if steps < 1:
        raise Refusal("nothing_to_undo", "Undo goes at least one step back")
    steps -= stops
    if steps > calls + cards:
        raise Refusal(
            "nothing_to_undo",
            f"Only {calls + cards + stops} entries can be taken back",
            steps=calls + cards + stops,
        )
    back = min(steps, cards)
    return calls - (steps - back), cards - back

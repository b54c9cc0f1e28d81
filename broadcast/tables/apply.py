"""Folding a match: ``apply(state, recorded)`` is the next state. It checks nothing; ``decide`` has checked.

Folded over the whole log it gives the match as its director sees it; folded over what is released, in order of
release, it gives the match as the public sees it. So an event must make sense on either.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from broadcast.bridge.auctions import Auction
from broadcast.bridge.claims import Claim
from broadcast.bridge.deals import Deal
from broadcast.bridge.play import Play
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.tables.board_states import Claimed, Ending, PassedOut, PlayedOut, is_final
from broadcast.tables.clearances import still_cleared
from broadcast.tables.events import (
    AlarmCleared,
    BoardAwarded,
    BoardCancelled,
    BoardEvent,
    BoardKey,
    BoardOpened,
    BoardSkipped,
    CallExplained,
    CallMade,
    CardPlayed,
    ClaimAnswered,
    ClaimMade,
    ClockEvent,
    ClockResumed,
    ClockStopped,
    CommentMade,
    EntriesUndone,
    EntryWaited,
    LineupNamed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    MatchReopened,
    MatchStarted,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultChecked,
    ResultCorrected,
    ResultDoubted,
    ResultEntered,
    RoomEvent,
    RulingLifted,
    ScoreDisputed,
    SeatingSwapped,
    SegmentAdded,
    Verdict,
    rooms_of,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import (
    Board,
    Clearing,
    Correction,
    EnteredCall,
    EnteredCard,
    MatchState,
    PlacedComment,
    RoomBoard,
    boards_of,
    unplayed,
)
from broadcast.tables.taken_back import note_taken_back


def apply(state: MatchState | None, recorded: Recorded[MatchEvent]) -> MatchState:
    """The match after the event. A match begins with ``MatchCreated``; raises ``ValueError`` otherwise."""
    event = recorded.event
    if isinstance(event, MatchCreated):
        return replace(_created(event), sequence=recorded.sequence)
    if state is None:
        raise ValueError(f"a match begins with its creation, not with {type(event).__name__}")
    if isinstance(event, RoomEvent):
        after = _in_room(state, event, recorded)
    elif isinstance(event, BoardEvent):
        after = _on_board(state, event, recorded)
    else:
        after = _on_match(state, event, recorded)
    if state.cleared:
        after = replace(after, cleared=still_cleared(state, after))
    if isinstance(event, Verdict | ClockEvent):
        after = replace(after, asides=after.asides + 1)
    counted = rooms_of(event)
    if not counted:
        return replace(after, sequence=recorded.sequence)
    sequences = {room: count + (room in counted) for room, count in state.room_sequences.items()}
    return replace(after, sequence=recorded.sequence, room_sequences=sequences)


def _created(event: MatchCreated) -> MatchState:
    keys = tuple(boards_of(event.segments))
    return MatchState(
        created=event,
        segments=event.segments,
        release=event.release,
        boards={key: Board(key, {room: unplayed(key.number) for room in Room}) for key in keys},
        unfinished=frozenset((key, room) for key in keys for room in Room),
        current={},
    )


def _on_match(state: MatchState, event: MatchEvent, recorded: Recorded[MatchEvent]) -> MatchState:
    match event:
        case MatchStarted():
            return replace(state, is_started=True)
        case ReleaseChanged():
            return replace(state, release=event.release)
        case LineupNamed():
            segments = tuple(
                replace(segment, lineups={**segment.lineups, event.room: event.seats})
                if segment.number == event.segment
                else segment
                for segment in state.segments
            )
            return replace(state, segments=segments)
        case SegmentAdded():
            return _with_segment(state, event)
        case PenaltyGiven():
            return replace(state, penalties=(*state.penalties, event))
        case AlarmCleared():
            by = event.agreed or (recorded.recorded_by,)
            made = Clearing(event.alarm, recorded.recorded_at, by, event.reason, bool(event.agreed))
            return replace(state, cleared=state.cleared | {event.alarm}, clearings=(*state.clearings, made))
        case ScoreDisputed(key, reason):
            disputed = {**state.disputes, key: reason}
            return replace(state, disputes=disputed, cleared=state.cleared - {f"disputed:{key}"})
        case MatchClosed():
            return replace(state, closed=event.reason)
        case MatchReopened():
            # The correction period runs anew, or the match would close itself at once.
            final_since = recorded.recorded_at if state.is_complete else None
            return replace(state, closed=None, voided=None, final_since=final_since)
        case MatchVoided():
            return replace(state, voided=event.reason)
        case ClockStopped():
            return replace(state, neutral={**state.neutral, event.room: event.reason})
        case ClockResumed():
            return replace(state, neutral=_running(state, event.room))
        case EntryWaited():
            return state
        case CommentMade():
            place = (event.key, event.room)
            comment = PlacedComment(
                recorded.sequence,
                recorded.recorded_at,
                event.author,
                event.language,
                event.text,
                event.call,
                event.card,
            )
            earlier = state.comments.get(place, ())
            return replace(state, comments={**state.comments, place: (*earlier, comment)})
        case _:
            raise ValueError(f"unknown event {type(event).__name__}")


def _running(state: MatchState, room: Room) -> Mapping[Room, str]:
    return {other: reason for other, reason in state.neutral.items() if other is not room}


def _with_segment(state: MatchState, event: SegmentAdded) -> MatchState:
    keys = tuple(boards_of((event.segment,)))
    added = {key: Board(key, {room: unplayed(key.number) for room in Room}) for key in keys}
    return replace(
        state,
        created=replace(state.created, deals={**state.created.deals, **event.deals}),
        segments=(*state.segments, event.segment),
        boards={**state.boards, **added},
        unfinished=state.unfinished | {(key, room) for key in keys for room in Room},
        final_since=None,
    )


def _on_board(state: MatchState, event: BoardEvent, recorded: Recorded[MatchEvent]) -> MatchState:
    before = state.boards[event.key]
    match event:
        case BoardAwarded():
            after = replace(before, award=event.award, is_cancelled=False, ruled_at=recorded.sequence)
        case BoardCancelled():
            after = replace(before, is_cancelled=True, ruled_at=recorded.sequence)
        case RulingLifted():
            after = replace(before, award=None, is_cancelled=False, ruled_at=recorded.sequence)
        case SeatingSwapped():
            after = replace(before, is_swapped=not before.is_swapped)
    corrected = _correction(recorded, event.reason, None, before, after)
    return _with_board(replace(state, corrections=(*state.corrections, corrected)), after, recorded.recorded_at)


def _in_room(state: MatchState, event: RoomEvent, recorded: Recorded[MatchEvent]) -> MatchState:
    before = state.boards[event.key]
    here = before.rooms[event.room]
    table = _at_table(here, event, _source(state, recorded.recorded_by), recorded.recorded_at)
    table = replace(table, entries=here.entries + 1)
    after = before.with_table(event.room, table)
    if isinstance(event, BoardOpened):
        is_early = not before.rooms[event.room].is_opened and state.next_board(event.room) != event.key
        if is_early and event.reason is not None:
            after = after.with_table(event.room, replace(table, out_of_order=event.reason))
        state = replace(state, current={**state.current, event.room: event.key})
        # The public sees an opening with its first entry, perhaps after a ruling that was made later.
        if before.ruled_at < recorded.sequence and before.is_settled_for(event.room):
            after = replace(after, award=None, is_cancelled=False)
    elif isinstance(event, ResultCorrected):
        corrected = _correction(recorded, event.reason, event.room, before, after)
        state = replace(state, corrections=(*state.corrections, corrected))
    elif isinstance(event, CallMade | CardPlayed) and event.room in state.neutral:
        state = replace(state, neutral=_running(state, event.room))
    after = note_taken_back(state, before, after, event, recorded)
    return _with_board(state, after, recorded.recorded_at)


def _at_table(table: RoomBoard, event: RoomEvent, source: str, at: datetime) -> RoomBoard:
    match event:
        case BoardOpened():
            return _opened(table, event)
        case BoardSkipped():
            return replace(table, skipped=event.reason)
        case CallMade():
            return _with_call(table, event, source, at)
        case CallExplained():
            call = replace(table.calls[event.call_index], alert=event.alert, explanation=event.explanation)
            calls = (*table.calls[: event.call_index], call, *table.calls[event.call_index + 1 :])
            return replace(table, calls=calls)
        case CardPlayed():
            return _with_card(table, event, source, at)
        case ClaimMade():
            claim = Claim(event.seat, event.tricks, len(table.cards))
            return replace(table, claims=(*table.claims, claim))
        case ClaimAnswered():
            claim = replace(table.claims[-1], accepted=event.accepted)
            answered = replace(table, claims=(*table.claims[:-1], claim))
            result = answered.record_result
            if not event.accepted or result is None:
                return answered
            return replace(answered, ending=Claimed(result, source))
        case EntriesUndone():
            return _undone(table, event.calls, event.cards, source)
        case ResultEntered():
            ending = (
                PassedOut(event.result, event.source)
                if event.result.is_passed_out
                else PlayedOut(event.result, event.source)
            )
            return replace(table, ending=ending, is_checked=False, doubt=None, has_entered_result=True)
        case ResultCorrected():
            kind = type(table.ending) if isinstance(table.ending, Claimed | PlayedOut) else PlayedOut
            corrected: Ending = (
                PassedOut(event.result, "director")
                if event.result.is_passed_out
                else kind(event.result, "director")
            )
            ruled = replace(table, ending=corrected, is_ruled=True, is_opened=True, skipped=None)
            return replace(ruled, is_checked=False, doubt=None)
        case ResultChecked():
            return replace(table, is_checked=True, doubt=None)
        case ResultDoubted():
            return replace(table, doubt=event.reason)


def _opened(table: RoomBoard, event: BoardOpened) -> RoomBoard:
    deal = event.deal or table.deal
    auction = table.auction if table.calls else Auction(event.dealer)
    claims = tuple(claim for claim in table.claims if claim.accepted is False)
    return replace(
        table,
        dealer=event.dealer,
        vulnerability=event.vulnerability,
        auction=auction,
        is_opened=True,
        deal=deal,
        players=event.players or table.players,
        claims=claims,
        ending=None,
        is_checked=False,
        doubt=None,
        skipped=None,
        is_ruled=False,
        has_entered_result=False,
    )


def _with_call(table: RoomBoard, event: CallMade, source: str, at: datetime) -> RoomBoard:
    auction = table.auction.with_call(event.seat, event.call)
    entered = EnteredCall(event.seat, event.call, event.alert, event.explanation, event.irregular, at)
    after = replace(table, auction=auction, calls=(*table.calls, entered))
    if event.call.is_bid or not auction.is_over:
        return after
    if auction.is_passed_out:
        return replace(after, ending=PassedOut(_record(after), source))
    return replace(after, play=_play(after.deal, auction))


def _with_card(table: RoomBoard, event: CardPlayed, source: str, at: datetime) -> RoomBoard:
    if table.play is None:
        raise ValueError("a card before the auction is over")
    trick = table.play.trick_number
    play = table.play.with_card(event.seat, event.card)
    entered = EnteredCard(event.seat, event.card, trick, play.winner, event.irregular, at)
    after = replace(table, play=play, cards=(*table.cards, entered))
    return replace(after, ending=PlayedOut(_record(after), source)) if play.is_over else after


def _record(table: RoomBoard) -> BoardResult:
    result = table.record_result
    if result is None:
        raise ValueError("the record is not complete")
    return result


def _undone(table: RoomBoard, calls: int, cards: int, source: str) -> RoomBoard:
    """The table as it stood after so many calls and cards.

    A claim or result after them falls; where the record itself is complete, its own ending stands again.
    """
    kept_calls = table.calls[:calls]
    auction = Auction(table.dealer, tuple((made.seat, made.call) for made in kept_calls))
    play = _play(table.deal, auction) if auction.is_over and not auction.is_passed_out else None
    kept_cards = table.cards[:cards] if play else ()
    for entered in kept_cards:
        if play is not None:
            play = play.with_card(entered.seat, entered.card)
    claims = tuple(
        claim
        for claim in table.claims
        if claim.accepted is False and claim.cards <= len(kept_cards) and auction.is_over
    )
    ending: Ending | None = None
    if auction.is_passed_out:
        ending = PassedOut(BoardResult(), source)
    elif play is not None and play.is_over:
        ending = PlayedOut(BoardResult(auction.contract, auction.declarer, play.declarer_tricks), source)
    return replace(
        table,
        auction=auction,
        calls=kept_calls,
        cards=kept_cards,
        play=play,
        claims=claims,
        ending=ending,
        is_checked=False,
        doubt=None,
        has_entered_result=False,
    )


def _play(deal: Deal | None, auction: Auction) -> Play | None:
    contract, declarer = auction.contract, auction.declarer
    if deal is None or contract is None or declarer is None:
        return None
    return Play.start(deal, contract.denomination, declarer)


def _with_board(state: MatchState, board: Board, at: datetime) -> MatchState:
    if board.first_final_at is None and board.is_final:
        board = replace(board, first_final_at=at)
    boards: Mapping[BoardKey, Board] = {**state.boards, board.key: board}
    unfinished = state.unfinished
    for room in Room:
        place = (board.key, room)
        if is_final(board.state(room)) == (place in unfinished):
            unfinished = unfinished ^ {place}
    if unfinished == state.unfinished:
        return replace(state, boards=boards)
    final_since = at if not unfinished else None
    return replace(state, boards=boards, unfinished=unfinished, final_since=final_since)


def _correction(
    recorded: Recorded[MatchEvent], reason: str, room: Room | None, before: Board, after: Board
) -> Correction:
    return Correction(
        recorded.sequence, recorded.recorded_at, recorded.recorded_by, reason, before.key, room, before, after
    )


def _source(state: MatchState, recorded_by: str) -> str:
    """Whence a room's entries: ``imported`` from a record, ``table`` from players' seats, else ``operator``."""
    if state.created.imported or recorded_by.startswith("record:"):
        return "imported"
    return "table" if recorded_by.startswith("player:") else "operator"

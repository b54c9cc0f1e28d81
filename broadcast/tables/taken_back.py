"""A final result that its room takes back after it had made the other room's record public.

Under release rule ``board`` a board is public once both rooms have finished it. An operator who enters a
made-up result, or four passes, sees with it what the other room did, and could then undo it and play on.
Nothing keeps an honest operator from undoing a slip, so nothing is refused here; but the director is told at
once, and both captains when the board is final again and they may know it.

The rule: a notice stands from the moment the result is taken back (by undo, by opening the board again, or by
another result over it, without a ruling) until somebody clears it. It goes by itself only where nothing but a
slip was put right: the board ends in the same contract after the very same calls and cards, and the number of
tricks is what it was, or was put right within ``SLIP`` of the board's becoming public, less than a deal takes.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from broadcast.tables.events import BoardOpened, EntriesUndone, MatchEvent, ResultEntered, RoomEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import ReleaseRule
from broadcast.tables.state import Board, MatchState, RoomBoard, TakenBack

SLIP = timedelta(minutes=3)
"""So long after a board became public another number of tricks is a slip."""


def note_taken_back(
    state: MatchState, before: Board, after: Board, event: RoomEvent, recorded: Recorded[MatchEvent]
) -> Board:
    """The board after an event in one of its rooms, with what that room has taken back, if it has."""
    was, now = before.rooms[event.room], after.rooms[event.room]
    noted = was.taken_back
    if _takes_back(state, before, after, event):
        assert was.ending is not None  # noqa: S101 - or there was nothing to take back
        first = TakenBack(
            was.ending.result,
            was.calls,
            was.cards,
            recorded.recorded_at,
            recorded.recorded_by,
            recorded.sequence,
        )
        noted = first if noted is None else replace(noted, sequence=recorded.sequence)
    if noted is not None and _is_slip(noted, now, recorded.recorded_at, before.first_final_at):
        noted = None
    if noted == was.taken_back:
        return after
    return after.with_table(event.room, replace(now, taken_back=noted))


def _takes_back(state: MatchState, before: Board, after: Board, event: RoomEvent) -> bool:
    """Whether a result falls, or is replaced, that had let out what the other room has played."""
    if not isinstance(event, EntriesUndone | BoardOpened | ResultEntered):
        return False
    was, now = before.rooms[event.room].ending, after.rooms[event.room].ending
    if was is None or (now is not None and now.result == was.result):
        return False
    is_public = state.release.rule is ReleaseRule.BOARD and before.is_final
    return is_public and before.rooms[event.room.other].has_entries and not state.created.imported


def _is_slip(noted: TakenBack, now: RoomBoard, at: datetime, public_since: datetime | None) -> bool:
    """Whether what stands now is what stood then, but for a number of tricks that was soon put right."""
    if now.ending is None:
        return False
    then, ends = noted.result, now.ending.result
    is_same_record = [(made.seat, made.call) for made in now.calls] == [
        (made.seat, made.call) for made in noted.calls
    ] and [(played.seat, played.card) for played in now.cards] == [
        (played.seat, played.card) for played in noted.cards
    ]
    if (ends.contract, ends.declarer) != (then.contract, then.declarer) or not is_same_record:
        return False
    is_soon = public_since is not None and at - public_since <= SLIP
    return ends.tricks == then.tricks or is_soon

"""A growing record followed into a running match: what of it is new or different becomes commands.

Pure. Boards are found by room and number. A record that ends earlier than the table takes nothing back: the
other client may be behind, and an undo shows only in what replaces it. Whatever would change what the public
has seen already is *held*, board by board, until a director accepts it.

``follow`` tries every command on a copy of the match, so that what it returns can be carried out as one batch.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.imports.plan import RECORDED, PlannedBoard
from broadcast.imports.wire import entry_json, result_json
from broadcast.tables.apply import apply
from broadcast.tables.board_states import is_final
from broadcast.tables.commands import (
    Comment,
    CorrectResult,
    EnterInRoom,
    EnterResult,
    Entry,
    Explain,
    MakeCall,
    MakeClaim,
    MatchCommand,
    OpenBoard,
    PlayCard,
    SkipBoard,
    Undo,
)
from broadcast.tables.decide import decide
from broadcast.tables.entries import MAX_ENTRIES
from broadcast.tables.errors import Refusal
from broadcast.tables.events import BoardKey
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState, RoomBoard

Json = dict[str, Any]
Place = tuple[BoardKey, Room]


@dataclass(frozen=True, slots=True)
class BoardChange:
    """What one board of the record asks of one room."""

    place: Place
    entries: tuple[Entry, ...]
    correction: BoardResult | None = None
    """A result that only a ruling can still change, as the room is at another board."""
    comments: tuple[Comment, ...] = ()
    is_held: bool = False
    """It changes what is public."""
    before: RoomBoard | None = None
    target: tuple[Entry, ...] = ()
    """The whole record of the board that the room is to have."""

    @property
    def fingerprint(self) -> Json:
        """What is to become what, whichever way: that depends on where the room stands at the moment."""
        table = self.before
        stands = None if table is None else [len(table.calls), len(table.cards), table.ending is not None]
        told = self.as_json()
        target = [entry_json(entry) for entry in self.target]
        return {name: told[name] for name in ("segment", "board", "room", "before")} | {
            "stands": stands,
            "to": target,
        }

    def as_json(self) -> Json:
        """The change as a director is asked about it."""
        (key, room), table = self.place, self.before
        end = next(
            (entry for entry in reversed(self.entries) if isinstance(entry, EnterResult | MakeClaim)), None
        )
        undo = next((entry for entry in self.entries if isinstance(entry, Undo)), None)
        standing = None if table is None or table.ending is None else table.ending.result
        result = end.result if isinstance(end, EnterResult) else self.correction
        return {
            "segment": key.segment,
            "board": key.number,
            "room": room.value,
            "from": None if undo is None else {"call": undo.calls, "card": undo.cards},
            "before": None if standing is None else result_json(standing),
            "after": None if result is None else result_json(result),
            "claim": end.tricks if isinstance(end, MakeClaim) else None,
            "entries": [entry_json(entry) for entry in self.entries],
        }


@dataclass(frozen=True, slots=True)
class Misfit:
    """A board of the record that cannot be entered, and why."""

    place: Place
    error: Refusal | BridgeError


@dataclass(frozen=True, slots=True)
class Following:
    """What comes of a record: commands to be carried out together, what is held, what does not fit."""

    commands: tuple[MatchCommand, ...]
    entered: tuple[BoardChange, ...]
    held: tuple[BoardChange, ...]
    misfits: tuple[Misfit, ...]

    @property
    def digest(self) -> str | None:
        """Names exactly what is held; ``None`` where nothing is."""
        if not self.held:
            return None
        told = json.dumps([change.fingerprint for change in self.held], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()


def follow(
    match: MatchState,
    public: MatchState | None,
    boards: Iterable[tuple[BoardKey, PlannedBoard]],
    now: datetime,
    accepted: Collection[Place] = (),
) -> Following:
    """What the planned boards ask of the match; ``accepted`` are places whose held changes are to be made."""
    planned = sorted(
        boards, key=lambda pair: (list(Room).index(pair[1].room), list(match.boards).index(pair[0]))
    )
    trial = _Trial(match, now)
    entered: list[BoardChange] = []
    held: list[BoardChange] = []
    misfits: list[Misfit] = []
    for index, (key, board) in enumerate(planned):
        goes_on = index + 1 < len(planned) and planned[index + 1][1].room is board.room
        place = (key, board.room)
        shown = None if public is None else public.boards[key].rooms[board.room]
        change = _change(trial.match, shown, key, board, goes_on)
        if change is None:
            continue
        if change.is_held and place not in accepted:
            held.append(change)
            continue
        try:
            trial.carry_out(change)
        except (Refusal, BridgeError) as error:
            misfits.append(Misfit(place, error))
        else:
            entered.append(change)
    return Following(tuple(trial.commands), tuple(entered), tuple(held), tuple(misfits))


class _Trial:
    """The match as it would be, and the commands so far."""

    def __init__(self, match: MatchState, now: datetime) -> None:
        self.match = match
        self.commands: list[MatchCommand] = []
        self._now = now

    def carry_out(self, change: BoardChange) -> None:
        """All of a board's change or none. Raises ``Refusal`` or ``BridgeError``."""
        (key, room), before, sofar = change.place, self.match, len(self.commands)
        try:
            for start in range(0, len(change.entries), MAX_ENTRIES):
                portion = change.entries[start : start + MAX_ENTRIES]
                self._do(EnterInRoom(room, portion, self.match.room_sequences[room]))
            if change.correction is not None:
                self._do(CorrectResult(*key, room, change.correction, RECORDED))
            for comment in change.comments:
                self._do(comment)
        except (Refusal, BridgeError):
            self.match = before
            del self.commands[sofar:]
            raise

    def _do(self, command: MatchCommand) -> None:
        for event in decide(self.match, command, self._now):
            self.match = apply(self.match, Recorded(self.match.sequence + 1, self._now, "", event))
        self.commands.append(command)


def _change(
    match: MatchState, shown: RoomBoard | None, key: BoardKey, board: PlannedBoard, goes_on: bool
) -> BoardChange | None:
    """What a board asks; ``goes_on``: the record has a later board of the room."""
    place, table = (key, board.room), match.boards[key].rooms[board.room]
    comments = _new_comments(match, key, board)
    if not table.is_opened:
        entries = _first_time(match, key, board, goes_on)
        return BoardChange(place, entries, comments=comments, before=table)
    explained, is_reworded = _explanations(table, shown, board)
    entries, correction = _difference(match, key, board, goes_on)
    if not (explained or entries or correction or comments):
        return None
    return BoardChange(
        place,
        (*entries, *explained) if entries and isinstance(entries[0], OpenBoard) else (*explained, *entries),
        correction,
        comments,
        is_held=is_reworded or _alters_public(shown, entries, correction),
        before=table,
        target=tuple(step for step in board.steps if not isinstance(step, Comment)),
    )


def _first_time(match: MatchState, key: BoardKey, board: PlannedBoard, goes_on: bool) -> tuple[Entry, ...]:
    """All steps of a board that the room has not opened yet."""
    entries: list[Entry] = []
    for step in board.steps:
        if isinstance(step, OpenBoard):
            reason = None if match.next_board(board.room) == key else RECORDED
            entries.append(replace(step, segment=key.segment, board=key.number, reason=reason))
        elif isinstance(step, SkipBoard):
            entries += [replace(step, segment=key.segment, board=key.number)] if goes_on else []
        elif not isinstance(step, Comment):
            entries.append(step)
    return tuple(entries)


def _difference(
    match: MatchState, key: BoardKey, board: PlannedBoard, goes_on: bool
) -> tuple[tuple[Entry, ...], BoardResult | None]:
    """Entries that make the room's record of the board the file's, or the result that a ruling has to set."""
    table = match.boards[key].rooms[board.room]
    calls = [step for step in board.steps if isinstance(step, MakeCall)]
    cards = [step for step in board.steps if isinstance(step, PlayCard)]
    ends = [step for step in board.steps if isinstance(step, MakeClaim | EnterResult)]
    same_calls = _common([(made.seat, made.call) for made in table.calls], [(c.seat, c.call) for c in calls])
    same_cards = 0
    if same_calls == len(table.calls):
        played = [(made.seat, made.card) for made in table.cards]
        same_cards = _common(played, [(c.seat, c.card) for c in cards])
    is_longer = len(calls) > same_calls or (same_calls == len(table.calls) and len(cards) > same_cards)
    diverges = is_longer and (same_calls < len(table.calls) or same_cards < len(table.cards))
    ending = None if table.ending is None else table.ending.result
    result = _result(board, table)
    is_open_ended = any(isinstance(step, SkipBoard) for step in board.steps)
    if not is_longer and (result is None or result == ending):
        lies_there = ending is None and table.skipped is None and _is_current(match, key, board.room)
        return ((SkipBoard(*key, RECORDED),) if lies_there and goes_on and is_open_ended else ()), None
    entries: list[Entry] = []
    if not _is_current(match, key, board.room) or table.skipped is not None:
        if _is_busy(match, key, board.room) and not is_longer:
            return (), result
        entries.append(_reopening(board, key))
    if diverges or (is_longer and ending is not None and not entries):
        entries.append(Undo(calls=same_calls, cards=same_cards))
    entries += calls[same_calls:]
    entries += cards[same_cards:]
    if is_longer or (ending is None and ends):
        entries += ends
    elif result is not None:
        entries.append(EnterResult(result, "imported"))
    if goes_on and is_open_ended:
        entries.append(SkipBoard(*key, RECORDED))
    return tuple(entries), None


def _reopening(board: PlannedBoard, key: BoardKey) -> OpenBoard:
    [opening] = [step for step in board.steps if isinstance(step, OpenBoard)]
    return replace(opening, segment=key.segment, board=key.number, reason=RECORDED, deal=None, dealer=None)


def _result(board: PlannedBoard, table: RoomBoard) -> BoardResult | None:
    """The result that the record states or reaches."""
    if board.result is not None:
        return board.result
    claims = [step for step in board.steps if isinstance(step, MakeClaim)]
    if claims and table.auction.is_over and table.auction.contract is not None:
        return BoardResult(table.auction.contract, table.auction.declarer, claims[-1].tricks)
    return None


def _alters_public(shown: RoomBoard | None, entries: Sequence[Entry], correction: BoardResult | None) -> bool:
    """Whether the public has seen something that these entries take back or replace."""
    if shown is None:
        return False
    if shown.ending is not None:
        return correction is not None or any(not isinstance(entry, SkipBoard) for entry in entries)
    undo = next((entry for entry in entries if isinstance(entry, Undo)), None)
    if undo is None:
        return False
    return len(shown.calls) > (undo.calls or 0) or len(shown.cards) > (undo.cards or 0)


def _explanations(
    table: RoomBoard, shown: RoomBoard | None, board: PlannedBoard
) -> tuple[tuple[Entry, ...], bool]:
    """Alerts and explanations that the record has and the room has not; whether one replaces public words."""
    calls = [step for step in board.steps if isinstance(step, MakeCall)]
    entries: list[Entry] = []
    is_reworded = False
    for index, (made, recorded) in enumerate(zip(table.calls, calls, strict=False)):
        if (made.seat, made.call) != (recorded.seat, recorded.call):
            break
        says_more = recorded.explanation is not None and recorded.explanation != made.explanation
        if says_more or (recorded.alert and not made.alert):
            explanation = recorded.explanation or made.explanation
            entries.append(Explain(index, recorded.alert or made.alert, explanation))
            public = shown.calls[index] if shown is not None and index < len(shown.calls) else None
            is_reworded = is_reworded or (public is not None and public.explanation is not None)
    return tuple(entries), is_reworded


def _new_comments(match: MatchState, key: BoardKey, board: PlannedBoard) -> tuple[Comment, ...]:
    known = {(placed.author, placed.text) for placed in match.comments.get((key, board.room), ())}
    return tuple(
        replace(step, segment=key.segment, board=key.number)
        for step in board.steps
        if isinstance(step, Comment) and (step.author, step.text.strip()) not in known
    )


def _is_current(match: MatchState, key: BoardKey, room: Room) -> bool:
    return match.current.get(room) == key


def _is_busy(match: MatchState, key: BoardKey, room: Room) -> bool:
    """Whether the room has another board on the table."""
    standing = match.current.get(room)
    if standing is None or standing == key:
        return False
    board = match.boards[standing]
    return not is_final(board.state(room)) and board.rooms[room].skipped is None


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many at the front are the same."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count

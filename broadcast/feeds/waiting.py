"""What of one board waits at the release gate, and how far the public has followed it in each room.

A board's entries wait in their rooms, in sequence; a ruling on both rooms waits beside them. This file knows
what an undo lets vanish; when a thing is due is ``moments``' matter.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.tables.events import (
    BoardOpened,
    CallExplained,
    CallMade,
    CardPlayed,
    ClaimAnswered,
    ClaimMade,
    EntriesUndone,
    MatchEvent,
    ResultChecked,
    ResultCorrected,
    ResultEntered,
)
from broadcast.tables.recorded import Recorded


@dataclass(frozen=True, slots=True)
class Seen:
    """How far the public has followed a board in a room."""

    is_open: bool = False
    """The public has seen the board opened in this room, or a ruling on the room's result."""
    calls: int = 0
    cards: int = 0
    has_end: bool = False
    """A claim that was not refused or a result stands after the last card."""

    def after(self, event: MatchEvent) -> "Seen":
        match event:
            case BoardOpened():
                return replace(self, is_open=True, has_end=False)
            case CallMade():
                return replace(self, calls=self.calls + 1)
            case CardPlayed():
                return replace(self, cards=self.cards + 1)
            case ClaimMade() | ResultEntered():
                return replace(self, has_end=True)
            case ResultCorrected():
                return replace(self, is_open=True, has_end=True)
            case ClaimAnswered():
                return replace(self, has_end=event.accepted)
            case EntriesUndone():
                return Seen(self.is_open, min(self.calls, event.calls), min(self.cards, event.cards))
            case _:
                return self

    def covers(self, calls: int, cards: int) -> bool:
        """Whether the public has seen the position after so many calls and cards."""
        return self.is_open and self.calls >= calls and self.cards >= cards

    def reaches_beyond(self, undo: EntriesUndone) -> bool:
        """Whether the undo takes something back that stands here."""
        return self.has_end or self.calls > undo.calls or self.cards > undo.cards


@dataclass(frozen=True, slots=True)
class Waiting:
    """A log event that is not public yet."""

    recorded: Recorded[MatchEvent]
    calls: int = 0
    cards: int = 0
    """How many calls and cards stood before it in its room; for an explanation, the index of its call; for a
    comment, its position."""

    @property
    def sequence(self) -> int:
        return self.recorded.sequence

    @property
    def at(self) -> datetime:
        return self.recorded.recorded_at

    @property
    def is_opening(self) -> bool:
        return isinstance(self.recorded.event, BoardOpened)


@dataclass(frozen=True, slots=True)
class WaitingRoom:
    """A board in one room: its entries and the rulings on its result, in sequence, and comments."""

    seen: Seen = field(default_factory=Seen)
    waiting: tuple[Waiting, ...] = ()
    comments: tuple[Waiting, ...] = ()

    def with_entry(self, item: Waiting) -> "WaitingRoom":
        """Of what is said of a call only the last is kept: before it is public nobody needs the rest."""
        waiting = self.waiting
        if isinstance(item.recorded.event, CallExplained):
            waiting = tuple(
                other
                for other in waiting
                if not (isinstance(other.recorded.event, CallExplained) and other.calls == item.calls)
            )
        return replace(self, waiting=self._tidied((*waiting, item)))

    def with_comment(self, item: Waiting) -> "WaitingRoom":
        return replace(self, comments=(*self.comments, item))

    def undone(self, recorded: Recorded[MatchEvent], undo: EntriesUndone) -> "WaitingRoom":
        """What waits and is withdrawn vanishes; the undo itself waits only where it reaches further."""
        past = _past_ends(self.waiting)
        kept = tuple(item for item in self.waiting if not _is_withdrawn(item, undo, past))
        standing = self.seen
        for item in kept:
            standing = standing.after(item.recorded.event)
        if standing.reaches_beyond(undo):
            kept = (*kept, Waiting(recorded, undo.calls, undo.cards))
        return replace(self, waiting=self._tidied(kept))

    def _tidied(self, waiting: tuple[Waiting, ...]) -> tuple[Waiting, ...]:
        """Before the public has seen the board, an opening that a later one replaced is dropped."""
        if self.seen.is_open:
            return waiting
        while len(waiting) > 1 and waiting[0].is_opening and waiting[1].is_opening:
            waiting = waiting[1:]
        return waiting

    def before(self, sequence: int) -> tuple[Waiting, ...]:
        """The entries and rulings waiting from before a place in the log, held openings left out."""
        earlier = tuple(item for item in self.waiting if item.sequence < sequence)
        is_held = not self.seen.is_open and len(earlier) == 1 and earlier[0].is_opening
        return () if is_held else earlier

    def without(self, given: Iterable[Waiting]) -> "WaitingRoom":
        """After these, in order of release, have become public."""
        gone = set()
        seen = self.seen
        for item in given:
            gone.add(item.sequence)
            seen = seen.after(item.recorded.event)
        return WaitingRoom(seen, _left(self.waiting, gone), _left(self.comments, gone))


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board of the match at the gate."""

    rooms: Mapping[Room, WaitingRoom] = field(default_factory=lambda: {room: WaitingRoom() for room in Room})
    rulings: tuple[Waiting, ...] = ()
    """Rulings on both rooms, in sequence."""
    has_public_ruling: bool = False
    final_since: datetime | None = None
    """When the board became final in both rooms; ``None`` while it is not."""

    @property
    def is_public(self) -> bool:
        return self.has_public_ruling or any(room.seen.is_open for room in self.rooms.values())

    @property
    def is_waiting(self) -> bool:
        there, here = self.rooms[Room.OPEN], self.rooms[Room.CLOSED]
        return bool(self.rulings or there.waiting or here.waiting or there.comments or here.comments)

    def with_room(self, room: Room, waiting: WaitingRoom) -> "WaitingBoard":
        return replace(self, rooms={**self.rooms, room: waiting})

    def with_ruling(self, item: Waiting) -> "WaitingBoard":
        return replace(self, rulings=(*self.rulings, item))

    def without(self, given: Mapping[Room, Iterable[Waiting]], rulings: tuple[Waiting, ...]) -> "WaitingBoard":
        return replace(
            self,
            rooms={room: waiting.without(given[room]) for room, waiting in self.rooms.items()},
            rulings=_left(self.rulings, {item.sequence for item in rulings}),
            has_public_ruling=self.has_public_ruling or bool(rulings),
        )


def _past_ends(waiting: tuple[Waiting, ...]) -> set[int]:
    """Sequences of waiting claims, answers, results and checks of them that end nothing any more.

    A claim that was refused, and what stood before the board was opened again, are history: an undo that
    does not go back behind them leaves them.
    """
    past: set[int] = set()
    standing: list[int] = []
    for item in waiting:
        match item.recorded.event:
            case ClaimMade() | ResultEntered() | ClaimAnswered(accepted=True) | ResultChecked():
                standing.append(item.sequence)
            case ClaimAnswered():
                past |= {*standing, item.sequence}
                standing = []
            case BoardOpened():
                past |= set(standing)
                standing = []
            case _:
                continue
    return past


def _is_withdrawn(item: Waiting, undo: EntriesUndone, past: set[int]) -> bool:
    """Whether the undo takes a waiting entry back."""
    match item.recorded.event:
        case CallMade() | CallExplained():
            return item.calls >= undo.calls
        case CardPlayed():
            return item.cards >= undo.cards
        case ClaimMade() | ClaimAnswered() | ResultEntered() | ResultChecked():
            is_beyond = item.calls > undo.calls or item.cards > undo.cards
            return is_beyond or item.sequence not in past
        case _:
            return False


def _left(waiting: tuple[Waiting, ...], gone: set[int]) -> tuple[Waiting, ...]:
    return tuple(item for item in waiting if item.sequence not in gone) if gone else waiting

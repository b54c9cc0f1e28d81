"""The release gate once more, naive and quadratic, straight from the sentences that state it.

For every instant of the log the whole log is looked at anew: what stands in it, what the rule says of each
event, what the public holds already. Nothing is folded and nothing is remembered but what has become public
(released stays released) and what has vanished. Slow and obviously right is all it wants to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from broadcast.bridge.rooms import Room
from broadcast.tables.apply import apply
from broadcast.tables.events import (
    AlarmCleared,
    BoardAwarded,
    BoardCancelled,
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
    CommentMade,
    EntriesUndone,
    EntryWaited,
    LineupNamed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    MatchReopened,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultChecked,
    ResultCorrected,
    ResultDoubted,
    ResultEntered,
    RulingLifted,
    ScoreDisputed,
    SeatingSwapped,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import Release, ReleaseRule
from broadcast.tables.state import MatchState

Log = Sequence[Recorded[MatchEvent]]
Entry = CallMade | CallExplained | CardPlayed | ClaimMade | ClaimAnswered | EntriesUndone | ResultEntered
RoomRuling = ResultCorrected | ResultChecked
BoardRuling = BoardAwarded | BoardCancelled | RulingLifted | SeatingSwapped


def due_by_sentences(log: Log, now: datetime) -> list[Recorded[MatchEvent]]:
    """What ``due`` promises, found the slow way."""
    gate = _Gate()
    for place, recorded in enumerate(log):
        if recorded.recorded_at > now:
            break
        gate.release(log[:place], recorded.recorded_at)
        gate.vanish(log[:place], recorded)
    known = [recorded for recorded in log if recorded.recorded_at <= now]
    gate.release(known, now)
    return gate.public


@dataclass
class _Gate:
    public: list[Recorded[MatchEvent]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    """Sequences of what was undone before anybody saw it."""
    looked: datetime | None = None

    def release(self, log: Log, until: datetime) -> None:
        """Let out whatever is due at any instant up to this one, instant by instant."""
        delays = [r.event.release.seconds for r in log if isinstance(r.event, MatchCreated | ReleaseChanged)]
        instants = {r.recorded_at + timedelta(seconds=delay) for r in log for delay in (0, *delays)}
        for instant in sorted({*instants, until}):
            if instant <= until and (self.looked is None or instant >= self.looked):
                self._release_at(log, instant)
        self.looked = until

    def _release_at(self, log: Log, t: datetime) -> None:
        if not log:
            return
        view = _View([r for r in log if r.sequence not in self.gone], _fold(log), self.public, t)
        seen = {r.sequence for r in self.public}
        self.public += [r for r in view.log if r.sequence not in seen and view.is_due(r)]

    def vanish(self, log: Log, recorded: Recorded[MatchEvent]) -> None:
        """An entry undone before its release never appears; nor does an undo of nothing else.

        Nor what was said of a call and said anew.
        """
        event = recorded.event
        seen = {r.sequence for r in self.public}
        kept = [r for r in log if r.sequence not in self.gone]
        if isinstance(event, EntriesUndone):
            taken_back = _withdrawn(log, event)
            self.gone |= taken_back - seen
            if not taken_back & seen:
                self.gone.add(recorded.sequence)
        if isinstance(event, CallExplained):
            what = (event.key, event.room, event.call_index)
            self.gone |= {r.sequence for r in kept if _said_of(r.event) == what} - seen
        if isinstance(event, MatchReopened):
            ends = {r.sequence for r in kept if isinstance(r.event, MatchClosed | MatchVoided)}
            last_reopened = max((r.sequence for r in kept if isinstance(r.event, MatchReopened)), default=0)
            self.gone |= ends - seen
            if not any(sequence > last_reopened for sequence in ends & seen):
                self.gone.add(recorded.sequence)


def _said_of(event: MatchEvent) -> tuple[BoardKey, Room, int] | None:
    """The call that the event explains."""
    return (event.key, event.room, event.call_index) if isinstance(event, CallExplained) else None


def _withdrawn(log: Log, undo: EntriesUndone) -> set[int]:
    """Sequences of the entries that stand on the table and are taken back."""
    calls: list[list[int]] = []
    """Each call with its explanations."""
    cards: list[int] = []
    refused: list[tuple[int, set[int]]] = []
    """Claims that were refused, or ended a board that was opened again: calls and cards, and what they are."""
    ending: set[int] = set()

    def take(back: EntriesUndone) -> set[int]:
        nonlocal calls, cards, refused, ending
        taken = {*ending, *(s for call in calls[back.calls :] for s in call), *cards[back.cards :]}
        taken |= {s for at, which in refused if _beyond(at, back) for s in which}
        calls, cards, ending = calls[: back.calls], cards[: back.cards], set()
        refused = [(at, which) for at, which in refused if not _beyond(at, back)]
        return taken

    for recorded in log:
        event, sequence = recorded.event, recorded.sequence
        if getattr(event, "key", None) != undo.key or getattr(event, "room", None) is not undo.room:
            continue
        match event:
            case CallMade():
                calls.append([sequence])
            case CallExplained():
                calls[event.call_index].append(sequence)
            case CardPlayed():
                cards.append(sequence)
            case ClaimMade() | ResultEntered() | ClaimAnswered(accepted=True) | ResultChecked():
                ending.add(sequence)
            case ClaimAnswered():
                refused.append((len(calls) * 100 + len(cards), {*ending, sequence}))
                ending = set()
            case BoardOpened():
                refused.append((len(calls) * 100 + len(cards), ending))
                ending = set()
            case EntriesUndone():
                take(event)
            case _:
                continue
    return take(undo)


def _beyond(at: int, undo: EntriesUndone) -> bool:
    return at > undo.calls * 100 + undo.cards


@dataclass
class _View:
    """The log without what has vanished, at one instant."""

    log: list[Recorded[MatchEvent]]
    match: MatchState
    public: list[Recorded[MatchEvent]]
    t: datetime

    def is_due(self, recorded: Recorded[MatchEvent]) -> bool:
        event = recorded.event
        match event:
            case BoardSkipped() | AlarmCleared() | ScoreDisputed() | ResultDoubted():
                return False
            case ClockStopped() | ClockResumed() | EntryWaited():
                return False
            case BoardOpened():
                if any(isinstance(r.event, Entry | RoomRuling) for r in self.in_room(event, until=recorded)):
                    return self.by_rule(recorded)
                following = self.in_room(event, after=recorded)
                return (
                    bool(following)
                    and isinstance(following[0].event, Entry | RoomRuling)
                    and (self.is_out(following[0]))
                )
            case ResultCorrected() | ResultChecked():
                earlier = [r for r in self.in_room(event, until=recorded) if not self.is_held_opening(r)]
                return all(map(self.is_out, earlier)) and (bool(earlier) or self.by_rule(recorded))
            case BoardAwarded() | BoardCancelled() | RulingLifted() | SeatingSwapped():
                earlier = [r for r in self.on_board(event.key, recorded) if not self.is_held_opening(r)]
                return all(map(self.is_out, earlier)) and (bool(earlier) or self.by_rule(recorded))
            case CommentMade():
                return self.is_position_public(event) or (self.is_over and self.is_room_public(event))
            case LineupNamed():
                return event.publish or self.is_over or self.is_segment_public(event.segment)
            case PenaltyGiven():
                return self.match.release.rule is ReleaseRule.BOARD or self.by_rule(recorded)
            case MatchClosed() | MatchVoided():
                return self.is_delay_over(recorded)
            case _ if isinstance(event, Entry):
                return self.by_rule(recorded)
            case _:
                return True

    def is_out(self, recorded: Recorded[MatchEvent]) -> bool:
        return any(r.sequence == recorded.sequence for r in self.public) or self.is_due(recorded)

    def by_rule(self, recorded: Recorded[MatchEvent]) -> bool:
        """Whether an entry is due by the release rule now in force."""
        is_ended = self.match.closed is not None or self.match.voided is not None
        match self.match.release.rule:
            case ReleaseRule.LIVE:
                return True
            case ReleaseRule.DELAY:
                return self.is_delay_over(recorded)
            case ReleaseRule.MATCH:
                return is_ended
            case ReleaseRule.BOARD:
                key = getattr(recorded.event, "key", None)
                return is_ended or (isinstance(key, BoardKey) and self.match.boards[key].is_final)

    def is_delay_over(self, recorded: Recorded[MatchEvent]) -> bool:
        release: Release = self.match.release
        seconds = release.seconds if release.rule is ReleaseRule.DELAY else 0
        return recorded.recorded_at + timedelta(seconds=seconds) <= self.t

    @property
    def is_over(self) -> bool:
        """Closing is public, or about to be: all that is left comes out."""
        closings = [r for r in self.log if isinstance(r.event, MatchClosed | MatchVoided)]
        is_ended = self.match.closed is not None or self.match.voided is not None
        return is_ended and self.is_delay_over(closings[-1])

    def in_room(
        self,
        event: BoardOpened | RoomRuling,
        until: Recorded[MatchEvent] | None = None,
        after: Recorded[MatchEvent] | None = None,
    ) -> list[Recorded[MatchEvent]]:
        """Openings, entries and rulings of the board in the room, before or after one of them."""
        return [
            r
            for r in self.log
            if isinstance(r.event, BoardOpened | Entry | RoomRuling)
            and (r.event.key, r.event.room) == (event.key, event.room)
            and (until is None or r.sequence < until.sequence)
            and (after is None or r.sequence > after.sequence)
        ]

    def on_board(self, key: BoardKey, until: Recorded[MatchEvent]) -> list[Recorded[MatchEvent]]:
        return [
            r
            for r in self.log
            if isinstance(r.event, BoardOpened | Entry | RoomRuling | BoardRuling)
            and r.event.key == key
            and r.sequence < until.sequence
        ]

    def is_held_opening(self, recorded: Recorded[MatchEvent]) -> bool:
        """An opening that waits for its first entry does not hold up a ruling."""
        event = recorded.event
        return isinstance(event, BoardOpened) and not any(
            isinstance(r.event, Entry | RoomRuling) for r in self.in_room(event, until=recorded)
        )

    def is_position_public(self, comment: CommentMade) -> bool:
        return any(calls >= comment.call and cards >= comment.card for calls, cards in self.positions(comment))

    def is_room_public(self, comment: CommentMade) -> bool:
        return bool(self.positions(comment))

    def positions(self, comment: CommentMade) -> list[tuple[int, int]]:
        """Calls and cards on the public's table from just before this instant on, while it is open."""
        before = self.in_place(self.public, comment)
        now = self.in_place(
            [
                r
                for r in self.log
                if r not in self.public and not isinstance(r.event, CommentMade) and self.is_due(r)
            ],
            comment,
        )
        reached = [_position([*before, *now[:count]]) for count in range(len(now) + 1)]
        return [position for position in reached if position is not None]

    def in_place(self, log: Log, comment: CommentMade) -> list[MatchEvent]:
        return [
            r.event
            for r in log
            if getattr(r.event, "key", None) == comment.key and getattr(r.event, "room", None) is comment.room
        ]

    def is_segment_public(self, number: int) -> bool:
        return any(
            isinstance(r.event, BoardOpened) and r.event.key.segment == number and self.is_out(r)
            for r in self.log
        )


def _position(events: list[MatchEvent]) -> tuple[int, int] | None:
    """Calls and cards that stand; ``None`` before the board is opened or ruled on."""
    calls = cards = 0
    is_open = False
    for event in events:
        is_open = is_open or isinstance(event, BoardOpened | ResultCorrected)
        calls += isinstance(event, CallMade)
        cards += isinstance(event, CardPlayed)
        if isinstance(event, EntriesUndone):
            calls, cards = min(calls, event.calls), min(cards, event.cards)
    return (calls, cards) if is_open else None


def _fold(log: Log) -> MatchState:
    state: MatchState | None = None
    for recorded in log:
        state = apply(state, recorded)
    assert state is not None
    return state


def is_ruling(event: MatchEvent) -> bool:
    return isinstance(event, RoomRuling | BoardRuling)


def place_of(event: MatchEvent) -> tuple[BoardKey, Room] | None:
    """The board and room of an entry."""
    key, room = getattr(event, "key", None), getattr(event, "room", None)
    return (key, room) if isinstance(key, BoardKey) and isinstance(room, Room) else None

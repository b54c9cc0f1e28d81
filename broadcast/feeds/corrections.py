"""The public correction log of a match: who changed what was public, when, why, before, after, and what else.

Pure, and made of released events only, one after another as they become public. In it stands whatever changes
what somebody may have seen: rulings on boards, penalties, a result that its room took back, the end of the
match and its opening again, another release rule. The first entry of a result is no change and stands nowhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.feeds import public_json
from broadcast.feeds.public_json import Json
from broadcast.tables.board_states import is_final
from broadcast.tables.events import (
    BoardAwarded,
    BoardCancelled,
    BoardKey,
    MatchClosed,
    MatchEvent,
    MatchReopened,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultCorrected,
    RoomEvent,
    SeatingSwapped,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState

BY_ITSELF = ("complete", "confirmed", "imported_record")
"""Reasons of a closing that nobody ordered."""

Place = tuple[BoardKey, Room]


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """One change. ``before`` and ``after`` are members of the public interface, by ``kind``."""

    kind: str
    """``result award cancelled swapped lifted withdrawn entered penalty release closed reopened void``."""
    at: datetime
    by: str
    reason: str
    key: BoardKey | None = None
    room: Room | None = None
    before: Json | None = None
    after: Json | None = None
    totals_before: Json | None = None
    totals_after: Json | None = None

    def as_json(self) -> Json:
        """The line as the public interface has it."""
        return {
            "kind": self.kind,
            "segment": None if self.key is None else self.key.segment,
            "board": None if self.key is None else self.key.number,
            "room": None if self.room is None else self.room.value,
            "at": public_json.moment(self.at),
            "by": self.by,
            "reason": self.reason,
            "before": self.before,
            "after": self.after,
            "totals": {"before": self.totals_before, "after": self.totals_after},
        }


@dataclass(frozen=True, slots=True)
class CorrectionLog:
    """The lines so far, and the public results that a room has taken back and not yet entered again."""

    lines: tuple[CorrectionLine, ...] = ()
    withdrawn: Mapping[Place, Json] | None = None

    def after(self, before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]) -> "CorrectionLog":
        """With one released event more; the line that it may add has no totals yet."""
        event = recorded.event
        told, log = _ruling(before, after, recorded) or _of_match(before, after, recorded), self
        if told is None and isinstance(event, RoomEvent):
            told, log = self._in_room(before, after, event, recorded)
        return log if told is None else replace(log, lines=(*log.lines, told))

    def with_totals(self, before: Json, after: Json) -> "CorrectionLog":
        """With the match's totals round its last line."""
        *earlier, last = self.lines
        return replace(self, lines=(*earlier, replace(last, totals_before=before, totals_after=after)))

    def _in_room(
        self, before: MatchState, after: MatchState, event: RoomEvent, recorded: Recorded[MatchEvent]
    ) -> tuple[CorrectionLine | None, "CorrectionLog"]:
        """A public result that its own room takes back, or enters again.

        Its operator's reason is for the desk.
        """
        place = (event.key, event.room)
        was, now = _result(before, place), _result(after, place)
        withdrawn = self.withdrawn or {}
        if was is not None and now is None:
            line = _line("withdrawn", recorded, "", place, was, None)
            return line, replace(self, withdrawn={**withdrawn, place: was})
        if was is None and now is not None and place in withdrawn:
            left = {other: member for other, member in withdrawn.items() if other != place}
            return _line("entered", recorded, "", place, withdrawn[place], now), replace(self, withdrawn=left)
        if was is not None and now is not None and was != now:
            return _line("entered", recorded, "", place, was, now), self
        return None, self


def _line(
    kind: str,
    recorded: Recorded[MatchEvent],
    reason: str,
    place: Place,
    before: Json | None,
    after: Json | None,
) -> CorrectionLine:
    key, room = place
    by = recorded.recorded_by
    # The mark of an operator's link is of no use to anybody outside.
    by = "operator" if by.startswith("operator:") else by
    return CorrectionLine(kind, recorded.recorded_at, by, reason, key, room, before, after)


def _result(match: MatchState, place: Place) -> Json | None:
    """What the public sees as the result of a board in a room; ``None`` while there is none."""
    key, room = place
    board = match.boards[key]
    if board.is_cancelled or not is_final(board.state(room)):
        return None
    member = public_json.room_member(board, room, match.created.penalty_scale)
    return {name: member[name] for name in ("state", "contract", "declarer", "tricks", "score_ns")}


def _ruling(before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]) -> CorrectionLine | None:
    """A director's ruling on a board."""
    if len(after.corrections) == len(before.corrections):
        return None
    made = after.corrections[-1]
    told = public_json.correction(made, after.created.penalty_scale)
    match recorded.event:
        case ResultCorrected():
            kind = "result"
        case BoardAwarded():
            kind = "award"
        case BoardCancelled():
            kind = "cancelled"
        case SeatingSwapped():
            kind = "swapped"
        case _:
            kind = "lifted"
    return CorrectionLine(
        kind, made.at, made.by, made.reason, made.key, made.room, told["before"], told["after"]
    )


def _of_match(before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]) -> CorrectionLine | None:
    """What changes the match as a whole."""
    at, by = recorded.recorded_at, recorded.recorded_by
    match recorded.event:
        case PenaltyGiven() as given:
            return CorrectionLine("penalty", at, by, given.reason, after=public_json.penalty(given))
        case ReleaseChanged() as changed:
            was, now = public_json.release(before), public_json.release(after)
            return CorrectionLine("release", at, by, changed.reason, before=was, after=now)
        case MatchClosed() as closed if closed.reason not in BY_ITSELF:
            return CorrectionLine("closed", at, by, closed.reason)
        case MatchReopened() as reopened:
            return CorrectionLine("reopened", at, by, reopened.reason)
        case MatchVoided() as voided:
            return CorrectionLine("void", at, by, voided.reason)
        case _:
            return None

"""The public's match: released events folded, and what each of them adds to the feed.

The order within one released event: its own events, then what the projection derives (comparison), then the
match's own members that changed, and ``closed`` last. Nothing here knows the log beyond what is released.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from broadcast.bridge.rooms import Room
from broadcast.feeds import public_json
from broadcast.feeds.corrections import CorrectionLog
from broadcast.feeds.projection import Projection
from broadcast.feeds.public_events import told
from broadcast.feeds.public_json import Json
from broadcast.feeds.public_records import table_record
from broadcast.feeds.streams import Consequence, PublicEvent, Published
from broadcast.notation.hand_viewer import hand_viewer_address
from broadcast.tables.apply import apply
from broadcast.tables.events import BoardKey, MatchClosed, MatchCreated, MatchEvent, SegmentAdded
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import Board, MatchState

_TELLING = ("totals", "penalties")
"""Members of a match that tell results and are left out where they are hidden."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """What is public of one match: the state folded over released events, and the projection's."""

    id: str
    projection: Projection
    match: MatchState | None = None
    held: Any = None
    number: int = 0
    """The feed's last number."""
    last_at: datetime | None = None
    """Recorded time of the newest released event."""
    corrections: CorrectionLog = field(default_factory=CorrectionLog)

    def after(
        self, recorded: Recorded[MatchEvent], released_at: datetime
    ) -> tuple["PublicState", tuple[Published, ...], tuple[Consequence, ...]]:
        """Release one event: the state with it, the feed's new entries, commands for other streams."""
        before = self.match
        after = apply(before, recorded)
        events: list[PublicEvent] = []
        consequences: tuple[Consequence, ...] = ()
        corrections = self.corrections
        if before is None:
            held = self.projection.start(after, self.id)
            members = self._members(after, held)
            events.append(_match_event(members, recorded))
        else:
            events += told(before, after, recorded)
            derived = self.projection.step(self.held, before, after, recorded)
            held, consequences = derived.held, derived.consequences
            corrections = corrections.after(before, after, recorded)
            if corrections.lines is not self.corrections.lines:
                totals = self.projection.totals
                corrections = corrections.with_totals(totals(self.held, before), totals(held, after))
            events += derived.events
            changed = self._changed(before, after, held, recorded.event)
            if isinstance(recorded.event, SegmentAdded):
                events.append(self._with_segment(after, held, changed, recorded))
            elif changed:
                events.append(_match_event(changed, recorded))
            if isinstance(recorded.event, MatchClosed):
                events.append(_closed(recorded.event, derived.outcome, recorded))
            if derived.worth is not None and events:
                events[-1] = _with_worth(events[-1], derived.worth)
        published = tuple(
            Published(number, recorded.sequence, released_at, event)
            for number, event in enumerate(events, self.number + 1)
        )
        state = PublicState(
            self.id,
            self.projection,
            after,
            held,
            self.number + len(events),
            recorded.recorded_at,
            corrections,
        )
        return state, published, consequences

    def _members(self, match: MatchState, held: Any) -> Json:
        return {
            **public_json.heading(self.id, match),
            "totals": self.projection.totals(held, match),
        }

    def _changed(self, before: MatchState, after: MatchState, held: Any, event: MatchEvent) -> Json:
        """The top-level members that the event changed, each whole; totals only with penalties."""
        is_quiet = (
            before.segments is after.segments
            and before.release is after.release
            and before.penalties is after.penalties
            and public_json.status(before) == public_json.status(after)
        )
        if is_quiet or isinstance(event, MatchCreated):
            return {}
        was, now = public_json.heading(self.id, before), public_json.heading(self.id, after)
        changed = {name: value for name, value in now.items() if was[name] != value}
        if "penalties" in changed:
            changed["totals"] = self.projection.totals(held, after)
        return changed

    def _with_segment(
        self, match: MatchState, held: Any, changed: Json, recorded: Recorded[MatchEvent]
    ) -> PublicEvent:
        """The match with its new boards: ``boards`` whole, as a snapshot has them, and the totals."""
        now = replace(self, match=match, held=held)
        whole = changed | {"totals": self.projection.totals(held, match)}
        shown, hidden = (
            members | {"boards": [now._board(match, board, is_hidden, True) for board in match.boards.values()]}
            for is_hidden, members in ((False, whole), (True, _without_results(changed)))
        )
        at = {"at": public_json.moment(recorded.recorded_at)}
        return PublicEvent("match", shown | at, hidden | at)

    # --- what readers ask for -----------------------------------------------------------------------------

    def heading(self, *, hidden: bool = False) -> Json | None:
        """A match as lists show it: down to totals, without boards and line-ups."""
        if self.match is None:
            return None
        members = self._members(self.match, self.held)
        members["segments"] = [
            {name: value for name, value in segment.items() if name != "lineups"}
            for segment in members["segments"]
        ]
        return _without_results(members) if hidden else members

    def resource(self, *, hidden: bool = False) -> Json | None:
        """``GET /api/matches/{match}`` but for ``last_event``, which the caller adds."""
        return self._whole(hidden=hidden, with_tables=False)

    def snapshot(self, *, hidden: bool = False) -> Json | None:
        """The whole public state; auction and play of the board on the table in each room."""
        return self._whole(hidden=hidden, with_tables=True)

    def _whole(self, *, hidden: bool, with_tables: bool) -> Json | None:
        match = self.match
        if match is None:
            return None
        members = self._members(match, self.held)
        totals = members.pop("totals")
        penalties = members.pop("penalties")
        boards = [self._board(match, board, hidden, with_tables) for board in match.boards.values()]
        whole = members | {"boards": boards, "penalties": penalties, "totals": totals}
        return _without_results(whole) if hidden else whole

    def _board(self, match: MatchState, board: Board, hidden: bool, with_tables: bool) -> Json:
        members = public_json.board_head(board)
        if with_tables:
            members["deal"] = None if board.deal is None else str(board.deal)
        for room in Room:
            member: Json = {} if hidden else public_json.room_member(board, room, match.created.penalty_scale)
            if with_tables and match.current.get(room) == board.key:
                member |= public_json.table_members(board.rooms[room], hidden=hidden)
            members[room.value] = member
        if not hidden:
            members |= self.projection.board(self.held, board.key)
            members["award"] = public_json.award(board.award)
        return members

    def board(self, key: BoardKey) -> Json | None:
        """``GET /api/matches/{match}/boards/{segment}.{board}``: everything public of one board."""
        match = self.match
        board = match.boards.get(key) if match is not None else None
        if match is None or board is None:
            return None
        scale = match.created.penalty_scale
        members = public_json.board_head(board)
        members["deal"] = None if board.deal is None else str(board.deal)
        corrections = [made for made in match.corrections if made.key == key]
        for room in Room:
            table = board.rooms[room]
            comments = match.comments.get((key, room), ())
            record = table_record(match, board, room)
            members[room.value] = {
                **public_json.room_member(board, room, scale),
                **public_json.table_members(table, hidden=False),
                "pace": public_json.pace(table),
                "irregular_cards": [
                    index for index, played in enumerate(table.cards) if played.irregular is not None
                ],
                "comments": [public_json.comment(key, room, placed) for placed in comments],
                "corrections": [
                    public_json.correction(made, scale) for made in corrections if made.room in (room, None)
                ],
                "hand_viewer": None if record is None else hand_viewer_address(record),
            }
        members |= self.projection.board(self.held, key)
        members["award"] = public_json.award(board.award)
        return members

    def comments(self) -> list[Json]:
        """Every public comment, in order of release."""
        if self.match is None:
            return []
        placed = [
            (each.sequence, public_json.comment(key, room, each))
            for (key, room), comments in self.match.comments.items()
            for each in comments
        ]
        return [comment for _, comment in sorted(placed, key=lambda pair: pair[0])]


def _match_event(members: Json, recorded: Recorded[MatchEvent]) -> PublicEvent:
    data = members | {"at": public_json.moment(recorded.recorded_at)}
    hidden = {name: value for name, value in members.items() if name not in _TELLING}
    return PublicEvent("match", data, {**hidden, "at": data["at"]} if hidden else None)


def _closed(event: MatchClosed, outcome: Json | None, recorded: Recorded[MatchEvent]) -> PublicEvent:
    data: Json = {"reason": event.reason, "at": public_json.moment(recorded.recorded_at)}
    return PublicEvent("closed", data if outcome is None else data | {"outcome": outcome}, data)


def _with_worth(event: PublicEvent, worth: Json) -> PublicEvent:
    return PublicEvent(event.name, event.data, event.hidden, event.room, worth)


def _without_results(members: Json) -> Json:
    return {name: value for name, value in members.items() if name not in _TELLING}

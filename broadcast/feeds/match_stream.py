"""A match as a stream: its log's state, the gate, and its public state, moved together.

The one writer asks ``handle`` for a command and ``tick`` for the passing of time. Everything due by an event's
own time is released before the event is taken in, exactly as ``release.due`` folds it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.feeds.errors import BrokenFeed
from broadcast.feeds.projection import Projection
from broadcast.feeds.public_json import Json
from broadcast.feeds.public_state import PublicState
from broadcast.feeds.release import ReleaseState
from broadcast.feeds.streams import Change, Consequence, Published, StreamKey, Summary
from broadcast.tables.alarms import blocking_alarms
from broadcast.tables.apply import apply
from broadcast.tables.commands import Comment, MatchCommand
from broadcast.tables.commenting import check_room
from broadcast.tables.decide import decide
from broadcast.tables.errors import Refusal
from broadcast.tables.events import BoardKey, MatchClosed, MatchEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState

MATCH = "match"


@dataclass(frozen=True, slots=True)
class Batch:
    """Commands carried out one after another, all or none: a whole recorded match, say."""

    commands: tuple[MatchCommand, ...]
    stands_at: tuple[int, int] | None = None
    """Sequence and number of the match that they were made for; ``None`` where that does not matter."""


class MatchMovedOn(Refusal):
    """Something was entered, or became public, since the commands were made."""

    def __init__(self, sequence: int, number: int) -> None:
        super().__init__(
            "moved_on",
            "The match has gone on while the file was compared: send it again",
            sequence=sequence,
            number=number,
        )


@dataclass(frozen=True, slots=True)
class MatchStream:
    """One match. Immutable: each change answers the next one."""

    id: str
    public: PublicState
    match: MatchState | None = None
    """The log folded: what the director sees."""
    gate: ReleaseState = field(default_factory=ReleaseState)

    @property
    def key(self) -> StreamKey:
        return StreamKey(MATCH, self.id)

    @property
    def sequence(self) -> int:
        return 0 if self.match is None else self.match.sequence

    @property
    def number(self) -> int:
        return self.public.number

    @property
    def is_open(self) -> bool:
        match = self.match
        is_ended = match is not None and (match.closed is not None or match.voided is not None)
        return not is_ended or self.gate.next_due() is not None

    def summary(self) -> Summary | None:
        heading, at, match = self.public.heading(), self.public.last_at, self.public.match
        if heading is None or at is None or match is None:
            return None
        created = match.created
        parties = tuple(team.id for team in (created.home, created.visitors) if team.id is not None)
        return Summary(heading["status"], created.title, at, parties, heading)

    def snapshot(self, *, hidden: bool = False) -> Json | None:
        """The whole public state, ``None`` while nothing is public."""
        return self.public.snapshot(hidden=hidden)

    def exclusive(self) -> frozenset[str]:
        return frozenset()

    def next_due(self) -> datetime | None:
        moments = (self.gate.next_due(), self._closing())
        return min((moment for moment in moments if moment is not None), default=None)

    def _closing(self) -> datetime | None:
        """When the match closes itself; ``None`` while boards or blocking alarms are open."""
        match = self.match
        if match is None or match.voided is not None or match.created.imported:
            return None
        closes_at = match.closes_at
        if closes_at is None or any(blocking_alarms(match)):
            return None
        return closes_at

    def handle(self, command: object, now: datetime, by: str) -> Change:
        commands = command.commands if isinstance(command, Batch) else (command,)
        if isinstance(command, Batch) and command.stands_at not in (None, (self.sequence, self.number)):
            raise MatchMovedOn(self.sequence, self.number)
        change = Change(self)
        for each in commands:
            stream = change.stream
            if not isinstance(stream, MatchStream) or not isinstance(each, MatchCommand):
                raise TypeError(f"a match has no command {type(each).__name__}")
            stream.check_position(each)
            if isinstance(each, Comment) and stream.match is not None:
                check_room(stream.match, each)
            standing = stream.public.match if _is_of_the_public(each) else stream.match
            change = change.then(stream.with_events(decide(standing, each, now), now, by))
        return change

    def check_position(self, command: MatchCommand) -> None:
        """A commentator speaks only of what is public. A match that is none is for ``decide`` to say."""
        if not isinstance(command, Comment) or not _is_of_the_public(command):
            return
        match = self.public.match
        if match is None:
            return
        board = match.boards.get(BoardKey(command.segment, command.board))
        table = None if board is None else board.rooms[Room(command.room)]
        is_public = table is not None and table.is_opened
        if table is None or not is_public or command.call > len(table.calls) or command.card > len(table.cards):
            raise Refusal("not_public_yet", "Comments go to a position that is public already")

    def with_events(self, events: Iterable[MatchEvent], now: datetime, by: str) -> Change:
        """The events recorded now, and what they make due."""
        change = Change(self)
        stream = self
        for event in events:
            recorded = Recorded(stream.sequence + 1, now, by, event)
            after = apply(stream.match, recorded)
            gate = stream.gate.entered(recorded, stream.match, after)
            entered = replace(stream, match=after, gate=gate)
            stream, published, consequences = entered._advanced(now)
            change = change.then(Change(stream, (recorded,), published, consequences))
        return change

    def tick(self, now: datetime) -> Change:
        stream, published, consequences = self._advanced(now)
        change = Change(stream, (), published, consequences)
        closing = stream._closing()
        if closing is not None and closing <= now:
            change = change.then(stream.with_events((MatchClosed("complete"),), now, "house"))
        return change

    def _advanced(self, now: datetime) -> tuple["MatchStream", tuple[Published, ...], tuple[Consequence, ...]]:
        gate, given = self.gate.advanced(now)
        if not given:
            return self if gate is self.gate else replace(self, gate=gate), (), ()
        public = self.public
        published: list[Published] = []
        consequences: list[Consequence] = []
        for recorded in given:
            public, entries, following = public.after(recorded, now)
            published += entries
            consequences += following
        return replace(self, gate=gate, public=public), tuple(published), tuple(consequences)

    def restored(
        self, log: Sequence[Recorded[MatchEvent]], released_until: datetime | None, published: int
    ) -> "MatchStream":
        stream = self
        for recorded in log:
            stream = stream._advanced(recorded.recorded_at)[0]
            after = apply(stream.match, recorded)
            gate = stream.gate.entered(recorded, stream.match, after)
            stream = replace(stream, match=after, gate=gate)
        last = log[-1].recorded_at if log else None
        until = max((at for at in (released_until, last) if at is not None), default=None)
        if until is not None:
            stream = stream._advanced(until)[0]
        if stream.number != published:
            raise BrokenFeed(stream.key, stored=published, folded=stream.number)
        return stream


def _is_of_the_public(command: MatchCommand) -> bool:
    """Whether its sender knows no more than everybody, so that its answer may not depend on the log either."""
    return isinstance(command, Comment) and not command.any_position


@dataclass(frozen=True, slots=True)
class MatchKind:
    """Makes empty matches; holds the projection that compares their rooms."""

    projection: Projection
    name: str = MATCH

    def empty(self, id: str) -> MatchStream:
        return MatchStream(id, PublicState(id, self.projection))

"""A ladder as the one writer knows it: a log going in, a public feed going out, both at the same moment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self, get_args

from broadcast.feeds.errors import BrokenFeed
from broadcast.feeds.streams import Change, Published, StreamKey, Summary
from broadcast.tables.recorded import Recorded
from teams.ladder.commands import LadderCommand
from teams.ladder.deadlines import lapse, next_lapse
from teams.ladder.decide import decide
from teams.ladder.decision import Decision
from teams.ladder.events import LadderEvent
from teams.ladder.fold import after
from teams.ladder.publish import count_of_public, public_events
from teams.ladder.state import LadderState
from teams.ladder.views import JsonObject, ladder_json, move_json, row_json

KIND = "ladder"
HOUSE = "house"
"""Who records what the clock brings."""
TOP = 3
"""Rungs, and newest moves, shown in lists of ladders."""


@dataclass(frozen=True, slots=True)
class LadderStream:
    state: LadderState
    number: int = 0
    """The feed's last number."""

    @property
    def key(self) -> StreamKey:
        return StreamKey(KIND, self.state.id)

    @property
    def sequence(self) -> int:
        return self.state.version

    @property
    def is_open(self) -> bool:
        """Always, once it exists: ladders are few, long-lived and asked for on every page."""
        return self.state.exists

    def summary(self) -> Summary | None:
        state = self.state
        if not state.exists:
            return None
        # Lists are the same for viewers who hide results, so they get what those may see.
        body: JsonObject = {
            "id": state.id,
            "name": state.name,
            "kind": state.kind.value,
            "version": state.version,
            "teams": len(state.order),
            "open_challenges": len(state.open),
            "rungs": [row_json(state, team, hidden=True) for team in state.order[:TOP]],
            "moves": [move_json(state, told, hidden=True) for told in reversed(state.history[-TOP:])],
        }
        created = state.created_at or datetime.min.replace(tzinfo=UTC)
        return Summary("open", state.name, created, state.order, body)

    def exclusive(self) -> frozenset[str]:
        """One open challenge per pair of teams, whichever way."""
        return frozenset(
            "/".join((KIND, self.state.id, "pair", *sorted(challenge.pair)))
            for challenge in self.state.open.values()
        )

    def next_due(self) -> datetime | None:
        return next_lapse(self.state)

    def handle(self, command: object, now: datetime, by: str) -> Change:
        """Decide a ladder's command after everything whose time has run out by ``now``.

        Raises what ``teams.ladder.decide.decide`` raises, and ``TypeError`` for another stream's command.
        """
        if not isinstance(command, get_args(LadderCommand)):
            raise TypeError(f"a ladder knows no command {type(command).__name__}")
        lapsed = self.tick(now)
        stream = lapsed.stream
        assert isinstance(stream, LadderStream)  # noqa: S101 - a ladder's change leaves a ladder
        return lapsed.then(stream._changed(decide(stream.state, command, now), now, by))

    def tick(self, now: datetime) -> Change:
        due = self.next_due()
        if due is None or due > now:
            return Change(self)
        return self._changed(lapse(self.state, now), now, HOUSE)

    def restored(self, log: Sequence[Recorded[Any]], released_until: datetime | None, published: int) -> Self:
        """The ladder folded from its log. All of it is released, so ``released_until`` says nothing here."""
        state, number = self.state, self.number
        for recorded in log:
            before, state = state, after(state, recorded.event, recorded.recorded_at)
            number += count_of_public(before, recorded.event, state)
        if number != published:
            raise BrokenFeed(self.key, stored=published, folded=number)
        return replace(self, state=state, number=number)

    def refolded(self, log: Sequence[Recorded[Any]]) -> tuple[Published, ...]:
        """The feed that follows from the whole log, for ``check``."""
        stream, feed = self, list[Published]()
        for recorded in log:
            stream, published = stream._folded(recorded)
            feed.extend(published)
        return tuple(feed)

    def snapshot(self, *, hidden: bool = False) -> JsonObject:
        """The ladder resource, all of it public."""
        return ladder_json(self.state, hidden=hidden)

    def _changed(self, decision: Decision, now: datetime, by: str) -> Change:
        stream = self
        log: list[Recorded[object]] = []
        feed: list[Published] = []
        for event in decision.events:
            recorded: Recorded[LadderEvent] = Recorded(stream.sequence + 1, now, by, event)
            stream, published = stream._folded(recorded)
            log.append(recorded)
            feed.extend(published)
        return Change(stream, tuple(log), tuple(feed), tuple(decision.consequences))

    def _folded(self, recorded: Recorded[LadderEvent]) -> tuple[Self, tuple[Published, ...]]:
        """The ladder after one more fact, and what that tells everybody."""
        state = after(self.state, recorded.event, recorded.recorded_at)
        told = public_events(self.state, recorded.event, state, recorded.recorded_at)
        published = tuple(
            Published(number, recorded.sequence, recorded.recorded_at, event)
            for number, event in enumerate(told, self.number + 1)
        )
        return replace(self, state=state, number=self.number + len(published)), published


class LadderStreams:
    """The kind of stream that ladders are."""

    @property
    def name(self) -> str:
        return KIND

    def empty(self, id: str) -> LadderStream:
        return LadderStream(LadderState(id))

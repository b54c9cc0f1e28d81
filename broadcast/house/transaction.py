"""One transaction of the house: a command, all that follows from it and its answer, stored whole or not at all.

It runs from begin to end in the writing connection's thread. Streams are immutable values, so until the commit
nothing outside has changed, and a transaction that fails is forgotten.
"""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeVar, cast

from broadcast.feeds.streams import Change, Consequence, Stream, StreamKey
from broadcast.house.errors import UnsoundChange
from broadcast.house.kinds import Kinds
from broadcast.storage import answers, event_store, feed_store, read_models
from broadcast.storage.answers import Once

T = TypeVar("T")

CRASH_POINTS = (
    "before begin",
    "after begin",
    "before log",
    "after log",
    "before feed",
    "after feed",
    "before lists",
    "after lists",
    "before answer",
    "after answer",
    "before commit",
    "after commit",
    "after swap",
    "after publish",
)
"""Where a house may die: tests kill it at each. The last two are the writer's, outside the transaction."""

DEPTH = 8
"""How far consequences of consequences may go."""

ROUNDS = 1000
"""How often a stream may be ticked at one moment. Each round makes something due that was not."""


class Transaction:
    """Use once, by ``run``. Afterwards ``changes`` says what was stored and ``streams`` how streams now are."""

    def __init__(
        self,
        kinds: Kinds,
        peek: Callable[[StreamKey], Stream | None],
        now: datetime,
        at: Callable[[str], None],
    ) -> None:
        self.now = now
        self.changes: list[Change] = []
        """In the order in which they were stored."""
        self.streams: dict[StreamKey, Stream] = {}
        """Every stream that was loaded, as it is at the end."""
        self._before: dict[StreamKey, Stream] = {}
        self._kinds = kinds
        self._peek = peek
        self._at = at
        self._connection: sqlite3.Connection

    def run(self, connection: sqlite3.Connection, work: Callable[["Transaction"], T]) -> T:
        """Do the work between begin and commit. Whatever is raised, nothing of it is stored."""
        self._connection = connection
        self._at("before begin")
        if connection.in_transaction:  # a failed disk may have kept a rollback from ending
            connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        try:
            self._at("after begin")
            result = work(self)
            self._at("before commit")
            connection.execute("COMMIT")
        except BaseException:
            self.streams = dict(self._before)
            self.changes = []
            with suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise
        self._at("after commit")
        return result

    def perform(
        self, key: StreamKey, command: object, by: str, once: Once | None, answer: Callable[[Change], bytes]
    ) -> bytes:
        """Carry out a command and all that follows, and answer; or give the answer of the first time again."""
        if once is not None and once.scope is None:
            once = replace(once, scope=key)
        return self.together(lambda house: answer(house.command(key, command, by)), once)

    def together(self, work: Callable[["Transaction"], T], once: Once | None = None) -> T:
        """Work on tables and streams alike: all of it, or nothing. With ``once``, which needs a scope, it makes
        the bytes of an answer, which the same key gives again.
        """
        if once is None:
            result = work(self)
            self.write_lists()
            return result
        scope = once.scope
        if scope is None:
            raise ValueError("An idempotency key needs a scope")
        given = answers.find(self._connection, scope, once)
        if given is not None:
            return cast(T, given)
        result = work(self)
        if not isinstance(result, bytes):
            raise TypeError("What is done once answers bytes")
        self.write_lists()
        self._at("before answer")
        answers.remember(self._connection, scope, once, result)
        self._at("after answer")
        return result

    @property
    def connection(self) -> sqlite3.Connection:
        """For work on tables that are no streams. It begins and ends no transaction of its own."""
        return self._connection

    def stream(self, key: StreamKey) -> Stream:
        """The stream as this transaction has made it so far; an empty one where there is none."""
        return self._load(key)

    def tick(self, key: StreamKey) -> None:
        """Let time pass for a stream, and carry out all that follows."""
        self._tick(key, 0)
        self.write_lists()

    def renew_index(self, key: StreamKey) -> None:
        """Make the stream's part of its index anew, from what is public of it."""
        index = self._kinds.index(key)
        if index is not None:
            index.renew(self._connection, self._load(key))

    def command(self, key: StreamKey, command: object, by: str, depth: int = 0) -> Change:
        """Decide a command after everything due, and store it with what it makes due at once."""
        self._tick(key, depth)
        stream = self._load(key)
        change = stream.handle(command, self.now, by)
        change = change.then(what_is_due(change.stream, self.now))
        self._store(stream, change, depth)
        return change

    def _tick(self, key: StreamKey, depth: int) -> None:
        stream = self._load(key)
        change = what_is_due(stream, self.now)
        if change.stream is not stream:
            self._store(stream, change, depth)

    def _load(self, key: StreamKey) -> Stream:
        stream = self.streams.get(key)
        if stream is None:
            stream = self._peek(key) or self._kinds.restore(self._connection, key) or self._kinds.empty(key)
            self.streams[key] = self._before[key] = stream
        return stream

    def _store(self, before: Stream, change: Change, depth: int) -> None:
        key = before.key
        _examine(before, change)
        self.streams[key] = change.stream
        if change.recorded or change.published or change.consequences:
            self.changes.append(change)
        if change.recorded:
            self._at("before log")
            event_store.append(self._connection, key, self._kinds.codec(key), change.recorded)
            self._at("after log")
        if change.published:
            self._at("before feed")
            feed_store.append(self._connection, key, change.published)
            self._at("after feed")
        for consequence in change.consequences:
            self._carry_out(key, consequence, depth)

    def _carry_out(self, key: StreamKey, consequence: Consequence, depth: int) -> None:
        if depth >= DEPTH:
            raise UnsoundChange(key, f"its consequences go on after {DEPTH} streams")
        self.command(consequence.stream, consequence.command, "house", depth + 1)

    def write_lists(self) -> None:
        """Bring the lists up to date with what the changed streams now say of themselves."""
        changed = [(before, self.streams[key]) for key, before in self._before.items()]
        changed = [(before, after) for before, after in changed if after is not before]
        if not changed:
            return
        self._at("before lists")
        gained = []
        for before, after in changed:
            had = before.summary() if before.sequence else None
            if (summary := after.summary()) != had:
                read_models.write_summary(self._connection, after.key, summary, had)
            index = self._kinds.index(after.key)
            if index is not None:
                index.update(self._connection, before, after)
            if after.is_open != (before.is_open and before.sequence > 0):
                read_models.mark_open(self._connection, after.key, after.is_open)
            held, wanted = before.exclusive() if before.sequence else frozenset(), after.exclusive()
            if held != wanted:
                read_models.release_keys(self._connection, after.key, held - wanted)
                gained.append((after.key, wanted - held))
        for key, keys in gained:
            read_models.hold_keys(self._connection, key, keys)
        self._at("after lists")


def what_is_due(stream: Stream, now: datetime) -> Change:
    """What time does to a stream by now. Raises ``UnsoundChange`` where there is no end of it."""
    change = Change(stream)
    for _ in range(ROUNDS):
        due = change.stream.next_due()
        if due is None or due > now:
            return change
        later = change.stream.tick(now)
        came = later.recorded or later.published or later.consequences
        if not came and later.stream.next_due() == due:
            return change
        change = change.then(later)
    raise UnsoundChange(stream.key, "there is no end of what is due")


def _examine(before: Stream, change: Change) -> None:
    """Raises ``UnsoundChange`` unless the change follows on the stream without gap or repeat."""
    key, after = before.key, change.stream
    sequences = [recorded.sequence for recorded in change.recorded]
    if sequences != list(range(before.sequence + 1, after.sequence + 1)):
        raise UnsoundChange(key, f"log {before.sequence} to {after.sequence} by events {sequences}")
    numbers = [entry.number for entry in change.published]
    if numbers != list(range(before.number + 1, after.number + 1)):
        raise UnsoundChange(key, f"feed {before.number} to {after.number} by entries {numbers}")
    if any(not 1 <= entry.source <= after.sequence for entry in change.published):
        raise UnsoundChange(key, "an entry's source is not in the log")

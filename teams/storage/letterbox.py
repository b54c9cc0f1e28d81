"""Turns what ladders record into messages for captains: once each, restart-safe, beside the writer.

After a commit that changed a ladder its log is read from where it was last told, and the messages are kept
in one transaction with how far it is told now. So nothing is told twice, and what a stopped house had not
told yet is told at its next start. ``on_told`` gets what is new with the connection, to send it on in the
same transaction.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Protocol, Self

from broadcast.feeds.streams import Change, StreamKey
from broadcast.house.relational import raw_job
from broadcast.house.writer import Writer
from broadcast.storage import event_store
from broadcast.storage.database import Database
from teams.captains.messages import Told, messages_of
from teams.ladder.stream import KIND, LadderStream
from teams.storage import club_store, inbox_store, team_store
from teams.storage.ladder_codec import LADDER_CODEC

LOG = logging.getLogger(__name__)


class Post(Protocol):
    """Sends new messages on."""

    def put(self, connection: sqlite3.Connection, now: datetime, told: Sequence[tuple[str, Told]]) -> None:
        """Within the transaction that keeps them; with the account of each."""

    def sent(self) -> None:
        """After that transaction."""


PAUSE_SECONDS = 5.0
"""After a failure, before the next try."""


class Letterbox:
    """Use as a context; ``on_commit`` wakes it."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self.post: Post | None = None
        """Sends on what is told from now on."""
        self._waiting: dict[StreamKey, None] = {}
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def on_commit(self, changes: Sequence[Change]) -> None:
        """Told after each commit, in the event loop; it does not wait."""
        self._want(change.stream.key for change in changes if change.recorded)

    def _want(self, keys: Iterable[StreamKey]) -> None:
        ladders = [key for key in keys if key.kind == KIND]
        if ladders:
            self._waiting.update(dict.fromkeys(ladders))
            self._woken.set()

    async def __aenter__(self) -> Self:
        self._want(await self._database.read(lambda connection: event_store.streams(connection, KIND)))
        self._task = asyncio.create_task(self._run(), name="letterbox")
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                await self.deliver()
            except Exception:
                LOG.exception("Messages could not be made")
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            await self._woken.wait()

    async def deliver(self) -> None:
        """Make every message that is due."""
        while self._waiting:
            key = next(iter(self._waiting))
            del self._waiting[key]
            try:
                await self._tell(key)
            except BaseException:
                self._waiting[key] = None
                raise
        self._woken.clear()

    async def _tell(self, key: StreamKey) -> None:
        stream = await self._writer.stream(key)
        if not isinstance(stream, LadderStream):
            return
        since = await self._database.read(lambda connection: inbox_store.told_until(connection, key.id))
        if since >= stream.sequence:
            return
        log = await self._database.read(
            lambda connection: event_store.read(connection, key, LADDER_CODEC, since)
        )
        # What was recorded since the state was read is told at its own commit, by a state that knows of it.
        log = [recorded for recorded in log if recorded.sequence <= stream.sequence]
        told = [message for recorded in log for message in messages_of(stream.state, recorded)]
        until = log[-1].sequence if log else since

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            addressed = [(account, one) for one in told for account in leaders_of(connection, one.team)]
            new = inbox_store.tell(connection, key.id, until, addressed)
            if self.post is not None:
                self.post.put(connection, now, new)

        await self._writer.write(raw_job(store))
        if self.post is not None:
            self.post.sent()


def leaders_of(connection: sqlite3.Connection, side: str) -> tuple[str, ...]:
    """Accounts that act for a team, or for a club."""
    return team_store.leaders(connection, side) or club_store.officers(connection, side)

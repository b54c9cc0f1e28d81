"""Reading streams and feeds as of the last commit, beside the writer and without waiting for it.

A stream that is not in memory is folded from its log, which takes a second for a long match. So those who ask
for such take turns: whoever goes through the archive leaves a reading connection to everybody else.
"""

import asyncio
import sqlite3
from functools import partial

from broadcast.feeds.streams import Published, Stream, StreamKey
from broadcast.house.errors import DamagedStream
from broadcast.house.kinds import Kinds
from broadcast.house.memory import Memory
from broadcast.storage import feed_store
from broadcast.storage.connections import is_damage
from broadcast.storage.database import Database


class Reading:
    def __init__(self, database: Database, kinds: Kinds, memory: Memory) -> None:
        self._database = database
        self._kinds = kinds
        self._memory = memory
        self._tickets: dict[StreamKey, object] = {}
        """Of the stream being restored. The writer tears a ticket up when it changes the stream."""
        self._turn = asyncio.Lock()

    async def stream(self, key: StreamKey) -> Stream | None:
        """The stream as of the last commit, ``None`` where there is none. Raises ``DamagedStream``."""
        held = self._memory.get(key)
        if held is not None:
            return held
        async with self._turn:
            while True:
                held = self._memory.get(key)
                if held is not None:
                    return held
                if key in self._memory.damaged:
                    raise self._memory.damaged[key]
                ticket = self._tickets[key] = object()
                try:
                    restored = await self._database.read(partial(self._kinds.restore, key=key))
                finally:
                    is_as_read = self._tickets.pop(key, None) is ticket
                if is_as_read:  # else it was changed meanwhile: what was read may be old
                    self._memory.put([] if restored is None else [restored])
                    return restored

    def forget(self, key: StreamKey) -> None:
        """The stream has changed: what is being read of it now is not to be remembered."""
        self._tickets.pop(key, None)

    async def feed(self, key: StreamKey, after: int, limit: int) -> list[Published]:
        """Entries of a feed, in order. Raises ``DamagedStream`` where one is not as it was written."""
        try:
            return await self._database.read(lambda connection: feed_store.read(connection, key, after, limit))
        except (ValueError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise
            raise DamagedStream(key, str(error)) from error

"""The kinds of streams a house keeps, and how one is restored from what is stored of it."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from broadcast.feeds.streams import Published, Stream, StreamKey, StreamKind
from broadcast.house.errors import DamagedStream
from broadcast.storage import event_store, feed_store
from broadcast.storage.connections import is_damage
from broadcast.storage.event_codec import Codec
from broadcast.tables.errors import NoSuchThing
from broadcast.tables.recorded import Recorded

Refold = Callable[[str, Sequence[Recorded[Any]], datetime], Sequence[Published]]
"""From a stream's id and log the feed that is due by a moment; its ``released_at`` means nothing."""


class Index(Protocol):
    """What is kept of streams for searching. It is told every change in the transaction that makes it."""

    def update(self, connection: sqlite3.Connection, before: Stream, after: Stream) -> None:
        """Bring the index from what was public before to what is public now."""

    def renew(self, connection: sqlite3.Connection, stream: Stream) -> None:
        """Make the stream's part anew."""

    def check(self, connection: sqlite3.Connection, stream: Stream) -> Iterator[str]:
        """What of the stream's part is not as the log gives it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of stream, the stored names of its events, and how ``check`` makes its feed again."""

    kind: StreamKind
    codec: Codec
    refold: Refold | None = None
    """``None`` leaves it to ``check`` to compare how many entries there are."""
    index: Index | None = None
    """``None`` where nothing of the kind is searched."""


class Kinds:
    """All kinds, by name."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._kinds = {kind.kind.name: kind for kind in kinds}

    def __contains__(self, name: str) -> bool:
        return name in self._kinds

    def codec(self, key: StreamKey) -> Codec:
        return self._kind(key).codec

    def refold(self, key: StreamKey) -> Refold | None:
        return self._kind(key).refold

    def index(self, key: StreamKey) -> Index | None:
        return self._kind(key).index

    def empty(self, key: StreamKey) -> Stream:
        """The stream before its first event."""
        return self._kind(key).kind.empty(key.id)

    def restore(self, connection: sqlite3.Connection, key: StreamKey) -> Stream | None:
        """The stream as stored, ``None`` where its log is empty.

        Raises ``DamagedStream`` where the log cannot be read or folded, or where the feed is not what the fold
        releases: whatever the fault is, it concerns this stream only.
        """
        empty, codec = self.empty(key), self.codec(key)
        try:
            log = event_store.read(connection, key, codec)
            if not log:
                return None
            number, settled_at = feed_store.extent(connection, key)
            stream = empty.restored(log, settled_at, number)
        except Exception as error:
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise
            raise DamagedStream(key, str(error)) from error
        if (stream.sequence, stream.number) != (log[-1].sequence, number):
            raise DamagedStream(
                key,
                f"restored it stands at {stream.sequence} in the log and {stream.number} in the feed, "
                f"stored are {log[-1].sequence} and {number}",
            )
        return stream

    def _kind(self, key: StreamKey) -> Kind:
        try:
            return self._kinds[key.kind]
        except KeyError:
            raise NoSuchThing("unknown_kind", f"There is no kind of stream called {key.kind}") from None

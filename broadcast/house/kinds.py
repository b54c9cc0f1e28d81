"""The kinds of streams a house keeps, and how one is restored from what is stored of it."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from broadcast.feeds.streams import Stream, StreamKey, StreamKind
from broadcast.house.errors import DamagedStream
from broadcast.storage import event_store, feed_store
from broadcast.storage.event_codec import Codec
from broadcast.tables.errors import NoSuchThing


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of stream and the stored names of its events."""

    kind: StreamKind
    codec: Codec


class Kinds:
    """All kinds, by name."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._kinds = {kind.kind.name: kind for kind in kinds}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._kinds)

    def codec(self, key: StreamKey) -> Codec:
        return self._kind(key).codec

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
        except sqlite3.Error:
            raise
        except Exception as error:
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

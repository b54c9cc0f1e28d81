"""One match or ladder as an edge knows it: what of its feed can still be sent, and its state, folded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from broadcast.edges.fold import Json, fold
from broadcast.edges.layout import SNAPSHOT_EVERY, Fields, from_fields, to_json
from broadcast.feeds.cursor import KEPT_EVENTS, Cursor
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.streams import Published, StreamKey


class Relayed(NamedTuple):
    """An entry as Redis gave it."""

    epoch: int
    number: int
    fields: Fields

    @classmethod
    def read(cls, id: bytes, fields: Fields) -> "Relayed":
        epoch, _, number = id.partition(b"-")
        return cls(int(epoch), int(number), fields)

    def published(self) -> Published:
        return from_fields(self.number, self.fields)


class Misfit(Exception):
    """What Redis gave does not fit together: it has been written anew meanwhile, or has lost something."""


@dataclass
class Followed:
    """Made by ``begin``; ``take`` moves it on."""

    key: StreamKey
    epoch: int
    number: int
    whole: Json
    hidden: Json
    comments: list[Json]
    entries: list[Relayed] = field(default_factory=list)
    """The last entries, as many as a viewer may be behind."""
    used_at: float = 0.0
    """Loop time at which somebody last asked for it."""
    _encoded: dict[bool, tuple[int, bytes]] = field(default_factory=dict)

    @classmethod
    def begin(cls, key: StreamKey, state: Fields, entries: Sequence[Relayed]) -> "Followed":
        """From a snapshot and the feed's last entries, some of which are in the snapshot already.

        Raises ``Misfit`` when there is a gap between them, or within.
        """
        at = Cursor.parse(state[b"at"].decode())
        if at is None or at.epoch is None:
            raise Misfit(f"a snapshot of {key} at {state[b'at']!r}")
        decoded = msgspec.json.decode
        comments = decoded(state.get(b"comments", b"[]"), type=list[dict[str, Any]])
        whole, hidden = to_json(state[b"whole"]) or {}, to_json(state[b"hidden"]) or {}
        begun = cls(key, at.epoch, at.number, whole, hidden, comments)
        begun.entries = [entry for entry in entries if entry.number <= at.number]
        later = entries[len(begun.entries) :]
        known = begun.entries[-1].number if begun.entries else at.number
        if known != at.number or any(entry.epoch != at.epoch for entry in entries):
            raise Misfit(f"the feed of {key} does not reach its snapshot")
        begun.take(later)
        return begun

    def follows(self, entry: Relayed) -> bool:
        return entry.epoch == self.epoch and entry.number == self.number + 1

    def take(self, entries: Sequence[Relayed]) -> list[Published]:
        """Move on by the next entries; what they publish. Raises ``Misfit`` at a gap."""
        taken: list[Published] = []
        for relayed in entries:
            if not self.follows(relayed):
                raise Misfit(f"{self.key}: {relayed.epoch}-{relayed.number} after {self.epoch}-{self.number}")
            entry = relayed.published()
            if self.key.kind == MATCH:
                self._fold(entry)
            self.number = entry.number
            self.entries.append(relayed)
            taken.append(entry)
        if len(self.entries) > KEPT_EVENTS + SNAPSHOT_EVERY:
            del self.entries[:-KEPT_EVENTS]
        return taken

    def _fold(self, entry: Published) -> None:
        event = entry.event
        try:
            self.whole = fold(self.whole, event.name, event.data)
            if event.aside is not None:
                self.whole = fold(self.whole, "worth", event.aside)
            if event.hidden is not None:
                self.hidden = fold(self.hidden, event.name, event.hidden, hidden=True)
        except (KeyError, IndexError) as error:
            raise Misfit(f"{self.key}: event {entry.number} does not fit its snapshot") from error
        if event.name == "comment":
            self.comments.append(event.data)

    def state(self, *, hidden: bool) -> Json:
        """The snapshot with its cursor."""
        return (self.hidden if hidden else self.whole) | {"last_event": str(Cursor(self.epoch, self.number))}

    def encoded(self, *, hidden: bool) -> bytes:
        """The same as JSON, made when somebody asks and kept until something changes."""
        kept = self._encoded.get(hidden)
        if kept is None or kept[0] != self.number:
            kept = self._encoded[hidden] = (self.number, msgspec.json.encode(self.state(hidden=hidden)))
        return kept[1]

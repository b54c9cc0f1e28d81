"""How the public feed lies in Redis: names of keys, and an entry as the fields of a stream's entry.

A match or a ladder has three keys. ``...:feed`` is a Redis stream whose ids are those of the public events, so
that Redis itself refuses a repeat. ``...:state`` holds a snapshot in both encodings, ``at`` an event, and the
comments up to there. ``...:boards`` holds the public resource of every board of a match. The house puts in what
it has released and committed, and nothing else.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from broadcast.bridge.rooms import Room
from broadcast.feeds.cursor import KEPT_EVENTS
from broadcast.feeds.streams import PublicEvent, Published, StreamKey

Fields = Mapping[bytes, bytes]
"""An entry of a Redis stream, or a hash."""

SNAPSHOT_EVERY: Final = 500
"""Events after which a match's snapshot is written again."""
KEPT_ENTRIES: Final = KEPT_EVENTS + SNAPSHOT_EVERY
"""Entries a feed keeps at least: every cursor that is continued, behind the last snapshot."""
MARK: Final = "twinroom:epoch"
"""The epoch of the house that writes here. When it is missing, Redis has lost what it held."""


def feed_name(key: StreamKey) -> str:
    return f"twinroom:{key.kind}:{key.id}:feed"


def state_name(key: StreamKey) -> str:
    return f"twinroom:{key.kind}:{key.id}:state"


def boards_name(key: StreamKey) -> str:
    return f"twinroom:{key.kind}:{key.id}:boards"


def to_fields(entry: Published) -> dict[bytes, bytes]:
    """An entry of the feed; what it does not have is left out."""
    event = entry.event
    fields = {
        b"name": event.name.encode(),
        b"released": str(entry.released_at.timestamp()).encode(),
        b"data": msgspec.json.encode(event.data),
    }
    if event.hidden is not None:
        fields[b"hidden"] = msgspec.json.encode(event.hidden)
    if event.room is not None:
        fields[b"room"] = event.room.value.encode()
    if event.aside is not None:
        fields[b"aside"] = msgspec.json.encode(event.aside)
    return fields


def from_fields(number: int, fields: Fields) -> Published:
    """The entry again. Its source in the log is not told to edges and is 0."""
    room = fields.get(b"room")
    event = PublicEvent(
        fields[b"name"].decode(),
        to_json(fields[b"data"]) or {},
        to_json(fields.get(b"hidden")),
        None if room is None else Room(room.decode()),
        to_json(fields.get(b"aside")),
    )
    return Published(number, 0, datetime.fromtimestamp(float(fields[b"released"]), UTC), event)


def to_json(encoded: bytes | None) -> dict[str, Any] | None:
    return None if encoded is None else msgspec.json.decode(encoded, type=dict[str, Any])

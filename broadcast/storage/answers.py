"""Answers remembered by idempotency key, so that a command sent twice is carried out once.

Only answers to commands that were carried out are remembered; a refused command may be sent again.
"""

import sqlite3
import zlib
from dataclasses import dataclass

from broadcast.feeds.streams import StreamKey
from broadcast.storage.checksums import checksum
from broadcast.tables.errors import Refusal

LONG = 2_000
"""Bytes from which an answer is kept packed: one to hundreds of entries repeats them all."""
PACKED = b"\0zlib:"
"""What a packed answer begins with. No other does: answers are JSON, or a link's token."""


@dataclass(frozen=True, slots=True)
class Once:
    """A command's idempotency key, and the hash of what it asks."""

    key: str
    body_hash: bytes
    scope: StreamKey | None = None
    """Where keys are told apart; ``None`` for the stream the command goes to.

    A command that makes a stream under a new id needs another, like ``("account", "a3")``: sent again it would
    come with another id.
    """


def find(connection: sqlite3.Connection, scope: StreamKey, once: Once) -> bytes | None:
    """The answer given before, ``None`` for a new key. Raises ``Refusal`` for another body under the key."""
    row = connection.execute(
        "SELECT body_hash, answer FROM answers WHERE kind = ? AND stream = ? AND key = ?", (*scope, once.key)
    ).fetchone()
    if row is None:
        return None
    body_hash, answer = row
    if body_hash != once.body_hash:
        raise Refusal(
            "key_reused", "This idempotency key was used for another command: draw a new key", key=once.key
        )
    return unpacked(answer)


def unpacked(kept: bytes) -> bytes:
    """An answer as it was given."""
    return zlib.decompress(kept.removeprefix(PACKED)) if kept.startswith(PACKED) else bytes(kept)


def remember(connection: sqlite3.Connection, scope: StreamKey, once: Once, answer: bytes) -> None:
    kept = PACKED + zlib.compress(answer) if len(answer) > LONG else answer
    row = (*scope, once.key, once.body_hash, kept)
    connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", (*row, checksum(*row)))


def damaged(connection: sqlite3.Connection) -> list[tuple[StreamKey, str]]:
    """Scopes and keys of the answers that are not as they were written."""
    rows = connection.execute("SELECT kind, stream, key, body_hash, answer, checksum FROM answers")
    return [(StreamKey(row[0], row[1]), row[2]) for row in rows if checksum(*row[:-1]) != row[-1]]

"""Answers remembered by idempotency key, so that a command sent twice is carried out once.

Only answers to commands that were carried out are remembered; a refused command may be sent again.
"""

import sqlite3
from dataclasses import dataclass

from broadcast.feeds.streams import StreamKey
from broadcast.tables.errors import Refusal


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
    return bytes(answer)


def remember(connection: sqlite3.Connection, scope: StreamKey, once: Once, answer: bytes) -> None:
    connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", (*scope, once.key, once.body_hash, answer))

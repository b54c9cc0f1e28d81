"""Answers remembered by idempotency key: given again to the byte, and no longer than they need be."""

import os
import sqlite3

import pytest

from broadcast.feeds.streams import StreamKey
from broadcast.storage import answers
from broadcast.storage.answers import Once

SCOPE = StreamKey("match", "m1")


@pytest.fixture
def connection() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE answers (kind, stream, key, body_hash BLOB, answer BLOB, checksum BLOB)")
    return made


@pytest.mark.parametrize(
    "answer", [b"", b'{"id": "m7k2"}', b'{"event": "explain"}' * 10_000, os.urandom(5_000)]
)
def test_answer_comes_back_as_it_was(connection: sqlite3.Connection, answer: bytes) -> None:
    once = Once("k1", b"hash")
    answers.remember(connection, SCOPE, once, answer)
    assert answers.find(connection, SCOPE, once) == answer
    assert answers.damaged(connection) == []


def test_long_answer_is_kept_packed(connection: sqlite3.Connection) -> None:
    """Answers to commands of five hundred entries took as much of the disk as the entries."""
    answers.remember(connection, SCOPE, Once("k1", b"hash"), b'{"event": "explain"}' * 10_000)
    (kept,) = connection.execute("SELECT length(answer) FROM answers").fetchone()
    assert kept < 2_000

"""Whether what is stored holds together: the log folded again, against the feed, the lists and the held keys.

``check`` reads, stream by stream, each at one moment, and may run beside a server. It says where it found
something and repairs nothing.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

import msgspec

from broadcast.feeds.streams import Published, Stream, StreamKey, Summary
from broadcast.house.errors import DamagedStream
from broadcast.house.kinds import Kinds
from broadcast.storage import answers, event_store, feed_store, read_models
from broadcast.storage.database import Database
from broadcast.storage.event_codec import UnknownEvent, UnreadableEvent
from broadcast.tables.recorded import Recorded


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold together."""

    stream: StreamKey | None
    """``None`` concerns the file as a whole."""
    table: str
    number: int | None
    """Sequence in the log or number in the feed."""
    message: str

    def __str__(self) -> str:
        where = [] if self.stream is None else [str(self.stream)]
        where.append(self.table if self.number is None else f"{self.table} {self.number}")
        return f"{', '.join(where)}: {self.message}"


async def check(database: Database, kinds: Kinds) -> list[Finding]:
    """Everything found, by stream; empty when all is well."""
    try:
        findings = await database.read(_check_file)
        findings += await database.read(check_answers)
        keys = await database.read(all_streams)
    except sqlite3.DatabaseError as error:
        return [Finding(None, "database", None, str(error))]
    for key in keys:
        findings += await database.read(partial(check_stream, kinds=kinds, key=key))
    return findings


def check_stream(connection: sqlite3.Connection, kinds: Kinds, key: StreamKey) -> list[Finding]:
    """What does not hold together in one stream."""
    if key.kind not in kinds:
        return [Finding(key, "log", None, "nothing here knows this kind of stream")]
    log, findings = _check_log(connection, kinds, key)
    feed, found = _check_feed(connection, key)
    findings += found
    if findings:
        return findings  # the rest would only repeat it
    findings = list(_check_released(connection, kinds, key, log, feed))
    try:
        stream = kinds.restore(connection, key)
    except DamagedStream as error:
        return findings or [Finding(key, "feed", None, error.reason)]
    findings += _check_lists(connection, key, stream)
    index = kinds.index(key)
    if index is not None and stream is not None:
        findings += [
            Finding(key, "search", None, f"the index {told}") for told in index.check(connection, stream)
        ]
    return findings


def _check_file(connection: sqlite3.Connection) -> list[Finding]:
    rows = connection.execute("PRAGMA integrity_check").fetchall()
    findings = [Finding(None, "database", None, text) for (text,) in rows if text != "ok"]
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    return findings + [Finding(None, str(table), row, "belongs to nothing") for table, row, *_ in broken]


def check_answers(connection: sqlite3.Connection) -> list[Finding]:
    """Remembered answers that are not as they were written."""
    return [
        Finding(key, "answers", None, f"the answer to {once} is not as it was written: its checksum differs")
        for key, once in answers.damaged(connection)
    ]


def all_streams(connection: sqlite3.Connection) -> list[StreamKey]:
    """Every stream of which anything is stored."""
    rows = connection.execute(
        """SELECT kind, stream FROM log UNION SELECT kind, stream FROM feed UNION SELECT kind, id FROM summaries
           UNION SELECT kind, stream FROM exclusive UNION SELECT kind, stream FROM open_streams ORDER BY 1, 2"""
    ).fetchall()
    return [StreamKey(*row) for row in rows]


def _check_log(
    connection: sqlite3.Connection, kinds: Kinds, key: StreamKey
) -> tuple[list[Recorded[Any]], list[Finding]]:
    log: list[Recorded[Any]] = []
    findings: list[Finding] = []
    codec = kinds.codec(key)
    for place, sequence in enumerate(_numbers(connection, "log", "sequence", key), 1):
        if sequence != place:
            return log, [*findings, Finding(key, "log", sequence, f"stands where {place} should")]
        try:
            recorded, strange = event_store.read_closely(connection, key, codec, sequence)
        except (UnknownEvent, UnreadableEvent, ValueError, sqlite3.DatabaseError) as error:
            findings.append(Finding(key, "log", sequence, str(error)))
            continue
        if strange:
            findings.append(
                Finding(key, "log", sequence, f"holds what the event does not: {', '.join(strange)}")
            )
        if log and recorded.recorded_at < log[-1].recorded_at:
            findings.append(Finding(key, "log", sequence, "is recorded before the one it follows"))
        log.append(recorded)
    return log, findings


def _check_feed(connection: sqlite3.Connection, key: StreamKey) -> tuple[list[Published], list[Finding]]:
    feed: list[Published] = []
    findings: list[Finding] = []
    for place, number in enumerate(_numbers(connection, "feed", "number", key), 1):
        if number != place:
            return feed, [*findings, Finding(key, "feed", number, f"stands where {place} should")]
        try:
            feed += feed_store.read(connection, key, after=number - 1, limit=1)
        except (ValueError, sqlite3.DatabaseError) as error:
            findings.append(Finding(key, "feed", number, f"cannot be read: {error}"))
    return feed, findings


def _numbers(connection: sqlite3.Connection, table: str, column: str, key: StreamKey) -> list[int]:
    rows = connection.execute(
        f"SELECT {column} FROM {table} WHERE kind = ? AND stream = ? ORDER BY {column}",  # noqa: S608
        key,
    ).fetchall()
    return [number for (number,) in rows]


def _check_released(
    connection: sqlite3.Connection,
    kinds: Kinds,
    key: StreamKey,
    log: list[Recorded[Any]],
    feed: list[Published],
) -> Iterator[Finding]:
    """The feed against the log folded again: number, source, content."""
    refold = kinds.refold(key)
    settled_at = feed_store.extent(connection, key).settled_at
    if refold is None or settled_at is None:
        return
    try:
        folded = refold(key.id, log, settled_at)
    except Exception as error:  # a damaged log may break any rule
        yield Finding(key, "log", None, f"cannot be folded: {error}")
        return
    for stored, again in zip_longest(feed, folded):
        if stored is None:
            yield Finding(key, "feed", again.number, f"lacks a {again.event.name} that is due")
        elif again is None:
            yield Finding(key, "feed", stored.number, f"holds a {stored.event.name} that is not due")
        elif _content(stored) != _content(again):
            yield Finding(key, "feed", stored.number, f"is {_content(stored)}, the log gives {_content(again)}")
    moments = [entry.released_at for entry in feed]
    for earlier, later, entry in zip(moments, moments[1:], feed[1:], strict=False):
        if later < earlier:
            yield Finding(key, "feed", entry.number, "is released before the one it follows")


def _content(entry: Published) -> tuple[object, ...]:
    event = entry.event
    data, hidden, aside = (_as_decoded(value) for value in (event.data, event.hidden, event.aside))
    return entry.number, entry.source, event.name, event.room, data, hidden, aside


def _check_lists(connection: sqlite3.Connection, key: StreamKey, stream: Stream | None) -> Iterator[Finding]:
    summary = None if stream is None else stream.summary()
    try:
        if _line(read_models.read_summary(connection, key)) != _line(summary):
            yield Finding(key, "summaries", None, "the line in lists is not what the log gives")
    except (ValueError, sqlite3.DatabaseError) as error:
        yield Finding(key, "summaries", None, f"the line in lists cannot be read: {error}")
    held, wanted = read_models.held_keys(connection, key), frozenset() if stream is None else stream.exclusive()
    for name in sorted(held ^ wanted):
        told = "is held but not by the log" if name in held else "is not held but should be"
        yield Finding(key, "exclusive", None, f"{name} {told}")
    if read_models.is_marked_open(connection, key) != (stream is not None and stream.is_open):
        yield Finding(key, "open_streams", None, "is not marked as the log says")


def _line(summary: Summary | None) -> tuple[object, ...] | None:
    if summary is None:
        return None
    body = _as_decoded(summary.body)
    return summary.status, summary.title, summary.sort_at, frozenset(summary.parties), body


def _as_decoded(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))

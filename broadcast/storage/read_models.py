"""What is folded from the logs and kept beside them: lines in lists, keys held once, streams that are open.

All of it could be made again from the logs; ``check`` compares. Functions take the connection they work on and
begin no transaction of their own.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from broadcast.feeds.streams import StreamKey, Summary
from broadcast.storage.moments import from_text, to_text
from broadcast.tables.errors import Refusal


class Listed(NamedTuple):
    """A line of a list."""

    key: StreamKey
    summary: Summary


def write_summary(
    connection: sqlite3.Connection, key: StreamKey, summary: Summary | None, had: Summary | None = None
) -> None:
    """Put the line in place of the one it ``had``; ``None`` takes it away."""
    if summary is None:
        connection.execute("DELETE FROM summaries WHERE kind = ? AND id = ?", key)
        return
    connection.execute(
        """INSERT INTO summaries VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET status = excluded.status,
           title = excluded.title, sort_at = excluded.sort_at, body = excluded.body""",
        (
            *key,
            summary.status,
            summary.title,
            to_text(summary.sort_at),
            msgspec.json.encode(summary.body).decode(),
        ),
    )
    if had is None or had.parties != summary.parties:
        connection.execute("DELETE FROM summary_parties WHERE kind = ? AND id = ?", key)
        connection.executemany(
            "INSERT OR IGNORE INTO summary_parties VALUES (?, ?, ?)",
            [(*key, party) for party in summary.parties],
        )


def read_summary(connection: sqlite3.Connection, key: StreamKey) -> Summary | None:
    row = connection.execute(
        "SELECT status, title, sort_at, body FROM summaries WHERE kind = ? AND id = ?", key
    ).fetchone()
    return None if row is None else _summary(connection, key, *row)


def list_summaries(
    connection: sqlite3.Connection,
    kind: str,
    *,
    statuses: Iterable[str] = (),
    party: str | None = None,
    before: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[Listed]:
    """Lines of a kind, newest first: of these statuses (none given: all), of this team, after a cursor.

    ``before`` is ``(sort_at, id)`` of the last line seen.
    """
    wanted = tuple(statuses)
    where = ["kind = ?"]
    values: list[Any] = [kind]
    if wanted:
        where.append(f"status IN ({', '.join('?' * len(wanted))})")
        values.extend(wanted)
    if party is not None:
        where.append("id IN (SELECT id FROM summary_parties WHERE party = ? AND kind = ?)")
        values.extend((party, kind))
    if before is not None:
        where.append("(sort_at, id) < (?, ?)")
        values.extend((to_text(before[0]), before[1]))
    rows = connection.execute(
        f"""SELECT id, status, title, sort_at, body FROM summaries WHERE {" AND ".join(where)}
            ORDER BY sort_at DESC, id DESC LIMIT ?""",  # noqa: S608 (only our own words are put in)
        (*values, limit),
    ).fetchall()
    return [
        Listed(key, _summary(connection, key, *rest)) for id, *rest in rows for key in [StreamKey(kind, id)]
    ]


def listed_ids(connection: sqlite3.Connection, kind: str) -> list[str]:
    """The ids of all streams of a kind of which something is public."""
    rows = connection.execute("SELECT id FROM summaries WHERE kind = ? ORDER BY id", (kind,)).fetchall()
    return [id for (id,) in rows]


def _summary(
    connection: sqlite3.Connection, key: StreamKey, status: str, title: str, sort_at: str, body: str
) -> Summary:
    parties = connection.execute(
        "SELECT party FROM summary_parties WHERE kind = ? AND id = ? ORDER BY party", key
    ).fetchall()
    return Summary(
        status,
        title,
        from_text(sort_at),
        tuple(party for (party,) in parties),
        msgspec.json.decode(body, type=dict[str, Any]),
    )


def release_keys(connection: sqlite3.Connection, key: StreamKey, keys: Iterable[str]) -> None:
    """Give up keys that the stream held."""
    connection.executemany(
        "DELETE FROM exclusive WHERE key = ? AND kind = ? AND stream = ?", [(held, *key) for held in keys]
    )


def hold_keys(connection: sqlite3.Connection, key: StreamKey, keys: Iterable[str]) -> None:
    """Hold keys from now on. Raises ``Refusal`` where another stream holds one."""
    for wanted in sorted(keys):
        row = connection.execute("SELECT kind, stream FROM exclusive WHERE key = ?", (wanted,)).fetchone()
        if row is not None:
            raise Refusal(
                "exclusive",
                f"{wanted} is taken: {StreamKey(*row)} holds it",
                key=wanted,
                held_by=str(StreamKey(*row)),
            )
        connection.execute("INSERT INTO exclusive VALUES (?, ?, ?)", (wanted, *key))


def held_keys(connection: sqlite3.Connection, key: StreamKey) -> frozenset[str]:
    rows = connection.execute("SELECT key FROM exclusive WHERE kind = ? AND stream = ?", key).fetchall()
    return frozenset(held for (held,) in rows)


def mark_open(connection: sqlite3.Connection, key: StreamKey, is_open: bool) -> None:
    """Note whether time alone may still change the stream."""
    if is_open:
        connection.execute("INSERT OR IGNORE INTO open_streams VALUES (?, ?)", key)
    else:
        connection.execute("DELETE FROM open_streams WHERE kind = ? AND stream = ?", key)


def is_marked_open(connection: sqlite3.Connection, key: StreamKey) -> bool:
    row = connection.execute("SELECT 1 FROM open_streams WHERE kind = ? AND stream = ?", key).fetchone()
    return row is not None


def open_streams(connection: sqlite3.Connection) -> list[StreamKey]:
    """The streams to restore at the start."""
    rows = connection.execute("SELECT kind, stream FROM open_streams ORDER BY kind, stream").fetchall()
    return [StreamKey(*row) for row in rows]

"""When a match began, and when what lists say of it last changed: read from its public feed.

Feeds and calendars take their times from here, so that they say the same whenever they are made.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from broadcast.feeds.streams import StreamKey
from broadcast.storage.moments import from_text

_HEADING = ("match", "closed")
_SCORE = (*_HEADING, "comparison", "penalty")


class TurningPoints(NamedTuple):
    """Moments of release."""

    started_at: datetime | None
    """The first board was opened; ``None`` before."""
    heading_at: datetime
    """Title, status or segments changed: what viewers who hide results are told."""
    score_at: datetime
    """That, or the score, changed."""


def turning_points(connection: sqlite3.Connection, key: StreamKey) -> TurningPoints:
    """Of a match with something public. Raises ``LookupError`` where nothing is."""
    heading_at = _moment(connection, key, _HEADING, "DESC")
    score_at = _moment(connection, key, _SCORE, "DESC")
    if heading_at is None or score_at is None:
        raise LookupError(key)
    return TurningPoints(_moment(connection, key, ("board",), "ASC"), heading_at, score_at)


def _moment(
    connection: sqlite3.Connection, key: StreamKey, names: Iterable[str], order: str
) -> datetime | None:
    wanted = tuple(names)
    row = connection.execute(
        f"""SELECT released_at FROM feed WHERE kind = ? AND stream = ?
            AND name IN ({", ".join("?" * len(wanted))}) ORDER BY number {order} LIMIT 1""",  # noqa: S608 (ours)
        (*key, *wanted),
    ).fetchone()
    return None if row is None else from_text(row[0])

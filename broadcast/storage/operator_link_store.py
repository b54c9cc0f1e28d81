"""Operators' links by who made them, in SQL: counted, and withdrawn when the maker is to open rooms no more."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from broadcast.storage.moments import to_text


def made_by(connection: sqlite3.Connection, makers: Sequence[str], now: datetime) -> int:
    """How many good links to rooms somebody made, as the log names them: ``captain:ann``."""
    marks = ", ".join("?" * len(makers))
    (count,) = connection.execute(
        f"SELECT count(*) FROM operator_links WHERE made_by IN ({marks}) "  # noqa: S608
        "AND revoked_at IS NULL AND expires_at > ?",
        (*makers, to_text(now)),
    ).fetchone()
    return int(count)


def end_made_by(
    connection: sqlite3.Connection, makers: Sequence[str], now: datetime, party: str | None = None
) -> None:
    """Withdraw them, with the sessions that they opened; with a ``party``, those to its matches only."""
    marks = ", ".join("?" * len(makers))
    connection.execute(
        f"UPDATE operator_links SET revoked_at = ? WHERE made_by IN ({marks}) AND revoked_at IS NULL "  # noqa: S608
        "AND (? IS NULL OR match IN (SELECT id FROM summary_parties WHERE kind = 'match' AND party = ?))",
        (to_text(now), *makers, party, party),
    )

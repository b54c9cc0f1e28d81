"""Operators' links by who made them, in SQL: listed, counted, withdrawn."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from broadcast.bridge.rooms import Room, Team
from broadcast.storage.moments import from_text, to_text


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


@dataclass(frozen=True, slots=True)
class TakenLink:
    """An operator's link that a captain made."""

    room: Room
    by: str
    """As the log names them: ``captain:ann``."""
    at: datetime
    is_good: bool


def links_taken(connection: sqlite3.Connection, match: str, now: datetime) -> tuple[TakenLink, ...]:
    """Every link to a room of the match that a captain made, the oldest first."""
    rows = connection.execute(
        "SELECT room, made_by, made_at, revoked_at IS NULL AND expires_at > ? FROM operator_links "
        "WHERE match = ? AND made_by IS NOT NULL ORDER BY made_at, room",
        (to_text(now), match),
    )
    return tuple(TakenLink(Room(room), by, from_text(at), bool(is_good)) for room, by, at, is_good in rows)


def count_links_taken(
    connection: sqlite3.Connection, match: str, room: Room, by: str, now: datetime, since: datetime
) -> int:
    """How many links to the room somebody made that are good, or were made since."""
    (count,) = connection.execute(
        "SELECT count(*) FROM operator_links WHERE match = ? AND room = ? AND made_by = ? "
        "AND (made_at > ? OR (revoked_at IS NULL AND expires_at > ?))",
        (match, room.value, by, to_text(since), to_text(now)),
    ).fetchone()
    return int(count)


def count_links_of(connection: sqlite3.Connection, match: str, team: Team, since: datetime) -> int:
    """How many links to rooms of the match captains of one team have made since."""
    (count,) = connection.execute(
        "SELECT count(*) FROM operator_links WHERE match = ? AND team = ? AND made_at > ?",
        (match, team.value, to_text(since)),
    ).fetchone()
    return int(count)


def end_links_taken(connection: sqlite3.Connection, match: str, makers: Sequence[str], now: datetime) -> None:
    """Withdraw the links of a match that somebody made, with the sessions that they opened."""
    connection.executemany(
        "UPDATE operator_links SET revoked_at = ? WHERE match = ? AND made_by = ? AND revoked_at IS NULL",
        [(to_text(now), match, by) for by in makers],
    )

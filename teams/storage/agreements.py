"""Captains' agreement to clear a blocking alarm of their match, until the other captain agrees too.

As with the score, what captains agree on holds for the match as it stood: an entry or ruling after it makes it
void.
"""

import sqlite3

from broadcast.storage.migrations import Migration
from teams.ladder.challenges import Side


def _create_agreements(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE alarm_agreements (
            challenge TEXT NOT NULL, alarm TEXT NOT NULL, side TEXT NOT NULL, standing INTEGER NOT NULL,
            agreed_by TEXT NOT NULL,
            PRIMARY KEY (challenge, alarm, side)
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (Migration("members.alarm_agreements", _create_agreements),)


def agree(
    connection: sqlite3.Connection, challenge: str, alarm: str, side: Side, standing: int, by: str
) -> dict[Side, str]:
    """Who agrees to clear the alarm of the match as it stands, as the log names them; ``by`` does so now."""
    connection.execute(
        "INSERT OR REPLACE INTO alarm_agreements VALUES (?, ?, ?, ?, ?)",
        (challenge, alarm, side.value, standing, by),
    )
    rows = connection.execute(
        "SELECT side, agreed_by FROM alarm_agreements WHERE challenge = ? AND alarm = ? AND standing = ? "
        "ORDER BY side",
        (challenge, alarm, standing),
    )
    return {Side(side): named for side, named in rows}


def agreed(connection: sqlite3.Connection, challenge: str, standing: int) -> dict[str, frozenset[Side]]:
    """By alarm, the sides that agree with the match as it stands."""
    rows = connection.execute(
        "SELECT alarm, side FROM alarm_agreements WHERE challenge = ? AND standing = ?", (challenge, standing)
    )
    found: dict[str, frozenset[Side]] = {}
    for alarm, side in rows:
        found[alarm] = found.get(alarm, frozenset()) | {Side(side)}
    return found

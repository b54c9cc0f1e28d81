"""Captains' agreement with the score of a challenge's match, until the other captain agrees too (Law 79B).

A confirmation holds for the match's log as it stood, comments aside: a ruling or an entry after it makes it
void. It is kept beside the ladder, because what captains agree on before the match is closed for everyone is
not public.
"""

import sqlite3

from broadcast.storage.migrations import Migration
from teams.ladder.challenges import Side


def _create_confirmations(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE score_confirmations (
            challenge TEXT NOT NULL,
            side TEXT NOT NULL,
            match_sequence INTEGER NOT NULL,
            PRIMARY KEY (challenge, side)
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATION = Migration("members.confirmations", _create_confirmations)


def confirm(connection: sqlite3.Connection, challenge: str, side: Side, match_sequence: int) -> frozenset[Side]:
    """Who agrees with the match as it stands at this sequence (comments not counted), the side that does so now
    among them.
    """
    connection.execute(
        "INSERT OR REPLACE INTO score_confirmations VALUES (?, ?, ?)", (challenge, side.value, match_sequence)
    )
    return confirmed(connection, challenge, match_sequence)


def confirmed(connection: sqlite3.Connection, challenge: str, match_sequence: int) -> frozenset[Side]:
    """Who agrees with the match as it stands at this sequence."""
    rows = connection.execute(
        "SELECT side FROM score_confirmations WHERE challenge = ? AND match_sequence = ?",
        (challenge, match_sequence),
    )
    return frozenset(Side(side) for (side,) in rows)

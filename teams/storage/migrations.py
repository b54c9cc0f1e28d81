"""Tables of accounts, tokens, teams and players. ``server.py`` hands the steps to ``Database.open``."""

import sqlite3

from broadcast.storage.migrations import Migration
from teams.storage import confirmations, session_store


def _create_accounts(connection: sqlite3.Connection) -> None:
    """``name_key`` is the name without regard to case and width; of a token only the hash is stored."""
    connection.execute(
        """CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            password_hash TEXT,
            made_at TEXT NOT NULL
        ) STRICT"""
    )
    connection.execute(
        """CREATE TABLE account_roles (
            account TEXT NOT NULL REFERENCES accounts,
            role TEXT NOT NULL,
            PRIMARY KEY (account, role)
        ) STRICT, WITHOUT ROWID"""
    )
    connection.execute(
        """CREATE TABLE account_tokens (
            hash TEXT PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            made_at TEXT NOT NULL,
            revoked_at TEXT
        ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX account_tokens_account ON account_tokens (account)")


def _create_teams(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE teams (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            club TEXT,
            captain TEXT REFERENCES accounts,
            made_at TEXT NOT NULL
        ) STRICT"""
    )
    connection.execute("CREATE INDEX teams_captain ON teams (captain)")
    connection.execute("CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT")
    connection.execute(
        """CREATE TABLE team_players (
            team TEXT NOT NULL REFERENCES teams,
            player TEXT NOT NULL REFERENCES players,
            place INTEGER NOT NULL,
            PRIMARY KEY (team, player)
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (
    Migration("members.accounts", _create_accounts),
    Migration("members.teams", _create_teams),
    confirmations.MIGRATION,
    *session_store.MIGRATIONS,
)
"""The tables of the members, in order."""

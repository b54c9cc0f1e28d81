"""Tables of accounts, tokens, teams and players. ``server.py`` hands the steps to ``Database.open``."""

import sqlite3

from broadcast.storage.migrations import Migration
from teams.storage import (
    address_store,
    agreements,
    captain_settings,
    club_store,
    confirmations,
    inbox_store,
    invitation_store,
    link_store,
    session_store,
)


def _create_accounts(connection: sqlite3.Connection) -> None:
    """``name_key`` is the name without regard to case and width; of a token only the hash is stored.

    An account that is closed stays: records name it, and nobody else can be given its name.
    """
    connection.execute(
        """CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            password_hash TEXT,
            made_at TEXT NOT NULL,
            closed_at TEXT
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
            club TEXT REFERENCES clubs,
            captain TEXT REFERENCES accounts,
            deputy TEXT REFERENCES accounts,
            colour TEXT NOT NULL,
            made_at TEXT NOT NULL
        ) STRICT"""
    )
    connection.execute("CREATE INDEX teams_captain ON teams (captain)")
    connection.execute("CREATE INDEX teams_deputy ON teams (deputy)")
    connection.execute("CREATE INDEX teams_club ON teams (club)")
    connection.execute(
        """CREATE TABLE players (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, account TEXT UNIQUE REFERENCES accounts
        ) STRICT"""
    )
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
    *club_store.MIGRATIONS,
    Migration("members.teams", _create_teams),
    *club_store.MEMBERS_MIGRATIONS,
    confirmations.MIGRATION,
    *agreements.MIGRATIONS,
    *invitation_store.MIGRATIONS,
    *session_store.MIGRATIONS,
    *address_store.MIGRATIONS,
    *link_store.MIGRATIONS,
    *captain_settings.MIGRATIONS,
    *inbox_store.MIGRATIONS,
)
"""The tables of the members, in order."""

"""Clubs in SQL: their members, their officers. Functions take the connection and begin no transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime

from broadcast.storage.migrations import Migration
from broadcast.storage.moments import to_text
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.members.clubs import MOST_CLUBS, MOST_MEMBERS, MOST_OFFICERS, Club
from teams.members.colours import Colour
from teams.members.names import clean_name, name_key
from teams.members.rosters import Captain, KnownPlayer, Player, TeamMark
from teams.storage import team_store


def _create_clubs(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE clubs (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
            colour TEXT NOT NULL, made_at TEXT NOT NULL
        ) STRICT"""
    )
    connection.execute(
        """CREATE TABLE club_officers (
            club TEXT NOT NULL REFERENCES clubs, account TEXT NOT NULL REFERENCES accounts,
            since TEXT NOT NULL, PRIMARY KEY (club, account)
        ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX club_officers_account ON club_officers (account)")


def _create_members(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE club_members (
            club TEXT NOT NULL REFERENCES clubs, player TEXT NOT NULL REFERENCES players,
            since TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (club, player)
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (Migration("members.clubs", _create_clubs),)
"""Before the teams, which may belong to one."""
MEMBERS_MIGRATIONS = (Migration("members.club_members", _create_members),)
"""After the players."""


def add(
    connection: sqlite3.Connection, id: str, name: str, colour: Colour, officer: str | None, now: datetime
) -> Club:
    """Found a club. Raises ``Refusal`` ``bad_name`` or ``name_taken``."""
    name = clean_name(name, "club's name")
    _require_free(connection, id, name)
    connection.execute(
        "INSERT INTO clubs VALUES (?, ?, ?, ?, ?)", (id, name, name_key(name), colour.value, to_text(now))
    )
    if officer is not None:
        add_officer(connection, id, officer, now)
    return read(connection, id)


def _require_free(connection: sqlite3.Connection, id: str, name: str) -> None:
    taken = connection.execute(
        "SELECT 1 FROM clubs WHERE name_key = ? AND id <> ?", (name_key(name), id)
    ).fetchone()
    if taken is not None:
        raise Refusal("name_taken", f"There is a club named {name} already", name=name)


def named(connection: sqlite3.Connection, name: str) -> str | None:
    """The id of the club of that name."""
    row = connection.execute("SELECT id FROM clubs WHERE name_key = ?", (name_key(name),)).fetchone()
    return None if row is None else row[0]


def read(connection: sqlite3.Connection, id: str) -> Club:
    """Raises ``NoSuchThing``."""
    row = connection.execute("SELECT name, colour FROM clubs WHERE id = ?", (id,)).fetchone()
    if row is None:
        raise NoSuchThing("no_such_club", f"There is no club {id}", club=id)
    officers = connection.execute(
        """SELECT accounts.id, accounts.name FROM club_officers JOIN accounts ON accounts.id = account
           WHERE club = ? ORDER BY since, accounts.id""",
        (id,),
    )
    members = connection.execute(
        """SELECT players.id, players.name FROM club_members JOIN players ON players.id = player
           WHERE club = ? ORDER BY place""",
        (id,),
    )
    return Club(
        id,
        row[0],
        Colour(row[1]),
        tuple(Captain(*officer) for officer in officers),
        tuple(Player(*member) for member in members),
        team_store.fielded_by(connection, id),
    )


def all_clubs(connection: sqlite3.Connection) -> tuple[tuple[str, str, str, int], ...]:
    """Id, name, colour and number of members of every club, by name."""
    rows = connection.execute(
        """SELECT id, name, colour, (SELECT count(*) FROM club_members WHERE club = clubs.id)
           FROM clubs ORDER BY name_key"""
    )
    return tuple((id, name, colour, members) for id, name, colour, members in rows)


def officered_by(connection: sqlite3.Connection, account: str) -> tuple[TeamMark, ...]:
    """Every club the account is an officer of, the oldest first."""
    rows = connection.execute(
        """SELECT clubs.id, clubs.name FROM club_officers JOIN clubs ON clubs.id = club
           WHERE account = ? ORDER BY since, clubs.id""",
        (account,),
    )
    return tuple(TeamMark(*row) for row in rows)


def check_may_found_another(connection: sqlite3.Connection, account: str) -> None:
    """Raises ``Refusal`` ``clubs_full`` for an officer who founds a club beyond ``MOST_CLUBS``."""
    if len(officered_by(connection, account)) >= MOST_CLUBS:
        raise Refusal(
            "clubs_full",
            f"You are an officer of {MOST_CLUBS} clubs already: leave one first, or ask a director",
            most=MOST_CLUBS,
        )


def officers(connection: sqlite3.Connection, id: str) -> tuple[str, ...]:
    """Accounts of a club's officers."""
    rows = connection.execute("SELECT account FROM club_officers WHERE club = ? ORDER BY since", (id,))
    return tuple(account for (account,) in rows)


def describe(connection: sqlite3.Connection, id: str, name: str, colour: Colour) -> Club:
    """Give a club another name and colour. Raises as ``add`` does."""
    name = clean_name(name, "club's name")
    _require_free(connection, id, name)
    connection.execute(
        "UPDATE clubs SET name = ?, name_key = ?, colour = ? WHERE id = ?",
        (name, name_key(name), colour.value, id),
    )
    return read(connection, id)


def add_officer(connection: sqlite3.Connection, id: str, account: str, now: datetime) -> None:
    if len(officers(connection, id)) >= MOST_OFFICERS:
        raise Refusal("club_full", f"A club has at most {MOST_OFFICERS} officers", most=MOST_OFFICERS)
    connection.execute("INSERT OR IGNORE INTO club_officers VALUES (?, ?, ?)", (id, account, to_text(now)))


def remove_officer(connection: sqlite3.Connection, id: str, account: str) -> None:
    """Raises ``Refusal`` for the last officer: somebody must answer for the club."""
    if officers(connection, id) == (account,):
        raise Refusal("last_officer", "A club keeps at least one officer: name another one first")
    dismiss_officer(connection, id, account)


def dismiss_officer(connection: sqlite3.Connection, id: str, account: str) -> None:
    """A director takes somebody's office, also the last one's."""
    connection.execute("DELETE FROM club_officers WHERE club = ? AND account = ?", (id, account))


def add_members(
    connection: sqlite3.Connection,
    id: str,
    players: Sequence[str | KnownPlayer],
    new_id: Callable[[str], str],
    now: datetime,
) -> None:
    """Raises ``Refusal`` ``bad_name`` or ``club_full``, ``NoSuchThing`` for a player."""
    cleaned = [each if isinstance(each, KnownPlayer) else clean_name(each, "player's name") for each in players]
    for player in team_store.found_or_made(connection, cleaned, new_id):
        connection.execute(
            "INSERT OR IGNORE INTO club_members SELECT ?, ?, ?, coalesce(max(place), 0) + 1 FROM club_members "
            "WHERE club = ?",
            (id, player.id, to_text(now), id),
        )
    (count,) = connection.execute("SELECT count(*) FROM club_members WHERE club = ?", (id,)).fetchone()
    if count > MOST_MEMBERS:
        raise Refusal("club_full", f"A club has at most {MOST_MEMBERS} members", most=MOST_MEMBERS)


def remove_member(connection: sqlite3.Connection, id: str, player: str) -> None:
    connection.execute("DELETE FROM club_members WHERE club = ? AND player = ?", (id, player))

"""Teams and players in SQL. Functions take the connection they work on and begin no transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime

from broadcast.storage.moments import to_text
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.members.colours import Colour
from teams.members.names import clean_name, name_key
from teams.members.rosters import (
    FEWEST_PLAYERS,
    MOST_TEAMS,
    Captain,
    KnownPlayer,
    Player,
    Team,
    TeamMark,
    check_roster,
)


def add(
    connection: sqlite3.Connection,
    name: str,
    captain: Captain | None,
    players: Sequence[str | KnownPlayer],
    club: str | None,
    new_id: Callable[[str], str],
    now: datetime,
    colour: Colour = Colour.PINE,
    fewest: int = FEWEST_PLAYERS,
) -> Team:
    """Make a team; ``club`` is an id.

    Raises ``Refusal`` ``bad_name bad_roster name_taken``, ``NoSuchThing`` for a player.
    """
    name = clean_name(name, "team's name")
    listed = check_roster(players, fewest)
    if connection.execute("SELECT 1 FROM teams WHERE name_key = ?", (name_key(name),)).fetchone() is not None:
        raise Refusal("name_taken", f"There is a team named {name} already", name=name)
    id, account = new_id("t"), None if captain is None else captain.account
    seated = found_or_made(connection, listed, new_id)
    connection.execute(
        "INSERT INTO teams (id, name, name_key, club, captain, colour, made_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id, name, name_key(name), club, account, colour.value, to_text(now)),
    )
    _seat(connection, id, seated)
    return read(connection, id)


def replace_roster(
    connection: sqlite3.Connection,
    id: str,
    players: Sequence[str | KnownPlayer],
    new_id: Callable[[str], str],
    fewest: int = FEWEST_PLAYERS,
) -> Team:
    """Give a team another roster. Players that it leaves stay in the house. Raises as ``add`` does."""
    read(connection, id)
    listed = found_or_made(connection, check_roster(players, fewest), new_id)
    connection.execute("DELETE FROM team_players WHERE team = ?", (id,))
    _seat(connection, id, listed)
    return read(connection, id)


def found_or_made(
    connection: sqlite3.Connection, players: Sequence[str | KnownPlayer], new_id: Callable[[str], str]
) -> tuple[Player, ...]:
    listed = []
    for each in players:
        if isinstance(each, KnownPlayer):
            row = connection.execute("SELECT id, name FROM players WHERE id = ?", (each.id,)).fetchone()
            if row is None:
                raise NoSuchThing("no_such_player", f"There is no player {each.id}", player=each.id)
            listed.append(Player(*row))
        else:
            made = Player(new_id("p"), each)
            connection.execute("INSERT INTO players (id, name) VALUES (?, ?)", (made.id, made.name))
            listed.append(made)
    return tuple(listed)


def _seat(connection: sqlite3.Connection, team: str, players: Sequence[Player]) -> None:
    rows = [(team, player.id, place) for place, player in enumerate(players, 1)]
    connection.executemany("INSERT INTO team_players VALUES (?, ?, ?)", rows)


def read(connection: sqlite3.Connection, id: str) -> Team:
    """Raises ``NoSuchThing``."""
    row = connection.execute(
        """SELECT teams.name, teams.colour, clubs.id, clubs.name, captains.id, captains.name,
                  deputies.id, deputies.name
           FROM teams LEFT JOIN clubs ON clubs.id = teams.club
           LEFT JOIN accounts AS captains ON captains.id = teams.captain
           LEFT JOIN accounts AS deputies ON deputies.id = teams.deputy WHERE teams.id = ?""",
        (id,),
    ).fetchone()
    if row is None:
        raise NoSuchThing("no_such_team", f"There is no team {id}", team=id)
    name, colour, club, club_name, captain, captain_name, deputy, deputy_name = row
    players = connection.execute(
        """SELECT players.id, players.name FROM team_players JOIN players ON players.id = team_players.player
           WHERE team_players.team = ? ORDER BY team_players.place""",
        (id,),
    ).fetchall()
    return Team(
        id,
        name,
        None if captain is None else Captain(captain, captain_name),
        tuple(Player(*player) for player in players),
        club,
        club_name,
        Colour(colour),
        None if deputy is None else Captain(deputy, deputy_name),
    )


def exists(connection: sqlite3.Connection, id: str) -> bool:
    return connection.execute("SELECT 1 FROM teams WHERE id = ?", (id,)).fetchone() is not None


def led_by(connection: sqlite3.Connection, account: str) -> tuple[TeamMark, ...]:
    """Every team the account is captain or deputy of, the oldest first."""
    rows = connection.execute(
        "SELECT id, name FROM teams WHERE ? IN (captain, deputy) ORDER BY made_at, id", (account,)
    )
    return tuple(TeamMark(*row) for row in rows)


def check_may_have_another(connection: sqlite3.Connection, account: str) -> None:
    """Raises ``Refusal`` ``teams_full`` for a captain who makes a team beyond ``MOST_TEAMS``."""
    (count,) = connection.execute("SELECT count(*) FROM teams WHERE captain = ?", (account,)).fetchone()
    if count >= MOST_TEAMS:
        raise Refusal(
            "teams_full",
            f"You are captain of {MOST_TEAMS} teams already: hand one over, or ask a director to make another",
            most=MOST_TEAMS,
        )


def fielded_by(connection: sqlite3.Connection, club: str) -> tuple[TeamMark, ...]:
    """The teams of a club, by name."""
    rows = connection.execute("SELECT id, name FROM teams WHERE club = ? ORDER BY name_key", (club,))
    return tuple(TeamMark(*row) for row in rows)


def leaders(connection: sqlite3.Connection, id: str) -> tuple[str, ...]:
    """Accounts of the team's captain and deputy."""
    row = connection.execute("SELECT captain, deputy FROM teams WHERE id = ?", (id,)).fetchone()
    return tuple(account for account in row or () if account is not None)


def describe(connection: sqlite3.Connection, id: str, name: str, colour: Colour) -> Team:
    """Give a team another name and colour. Raises ``NoSuchThing``, ``Refusal`` ``bad_name name_taken``."""
    name = clean_name(name, "team's name")
    read(connection, id)
    taken = connection.execute(
        "SELECT 1 FROM teams WHERE name_key = ? AND id <> ?", (name_key(name), id)
    ).fetchone()
    if taken is not None:
        raise Refusal("name_taken", f"There is a team named {name} already", name=name)
    connection.execute(
        "UPDATE teams SET name = ?, name_key = ?, colour = ? WHERE id = ?",
        (name, name_key(name), colour.value, id),
    )
    return read(connection, id)


def set_leaders(connection: sqlite3.Connection, id: str, captain: str | None, deputy: str | None) -> None:
    """Accounts; ``None``: nobody."""
    connection.execute("UPDATE teams SET captain = ?, deputy = ? WHERE id = ?", (captain, deputy, id))


def player_of(
    connection: sqlite3.Connection, account: str, name: str, new_id: Callable[[str], str]
) -> KnownPlayer:
    """The player that an account is; one under its name is made the first time."""
    known = find_player(connection, account)
    if known is None:
        known = new_id("p")
        connection.execute("INSERT INTO players VALUES (?, ?, ?)", (known, clean_name(name), account))
    return KnownPlayer(known)


def find_player(connection: sqlite3.Connection, account: str | None) -> str | None:
    """The id of the player that an account is; ``None`` for an account that plays nowhere."""
    row = connection.execute("SELECT id FROM players WHERE account = ?", (account,)).fetchone()
    return None if row is None else row[0]


def all_teams(connection: sqlite3.Connection) -> tuple[TeamMark, ...]:
    """Every team, by name."""
    return tuple(TeamMark(*row) for row in connection.execute("SELECT id, name FROM teams ORDER BY name_key"))

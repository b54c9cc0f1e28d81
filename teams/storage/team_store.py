"""Teams and players in SQL. Functions take the connection they work on and begin no transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime

from broadcast.storage.moments import to_text
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.members.names import clean_name, name_key
from teams.members.rosters import Captain, Player, Team, TeamMark, check_roster


def add(
    connection: sqlite3.Connection,
    name: str,
    captain: Captain | None,
    players: Sequence[str],
    club: str | None,
    new_id: Callable[[str], str],
    now: datetime,
) -> Team:
    """Make a team with new players. Raises ``Refusal`` ``bad_name``, ``bad_roster`` or ``name_taken``."""
    name = clean_name(name, "team's name")
    club = None if club is None else clean_name(club, "club's name")
    names = check_roster(players)
    if connection.execute("SELECT 1 FROM teams WHERE name_key = ?", (name_key(name),)).fetchone() is not None:
        raise Refusal("name_taken", f"There is a team named {name} already", name=name)
    team = Team(new_id("t"), name, captain, tuple(Player(new_id("p"), player) for player in names), club)
    connection.execute(
        "INSERT INTO teams VALUES (?, ?, ?, ?, ?, ?)",
        (team.id, name, name_key(name), club, None if captain is None else captain.account, to_text(now)),
    )
    for place, player in enumerate(team.players, 1):
        connection.execute("INSERT INTO players VALUES (?, ?)", (player.id, player.name))
        connection.execute("INSERT INTO team_players VALUES (?, ?, ?)", (team.id, player.id, place))
    return team


def read(connection: sqlite3.Connection, id: str) -> Team:
    """Raises ``NoSuchThing``."""
    row = connection.execute(
        """SELECT teams.id, teams.name, teams.club, accounts.id, accounts.name
           FROM teams LEFT JOIN accounts ON accounts.id = teams.captain WHERE teams.id = ?""",
        (id,),
    ).fetchone()
    if row is None:
        raise NoSuchThing("no_such_team", f"There is no team {id}", team=id)
    _, name, club, account, captain = row
    players = connection.execute(
        """SELECT players.id, players.name FROM team_players JOIN players ON players.id = team_players.player
           WHERE team_players.team = ? ORDER BY team_players.place""",
        (id,),
    ).fetchall()
    held = None if account is None else Captain(account, captain)
    return Team(id, name, held, tuple(Player(*player) for player in players), club)


def captained_by(connection: sqlite3.Connection, account: str) -> tuple[TeamMark, ...]:
    """Every team the account is captain of, the oldest first."""
    rows = connection.execute("SELECT id, name FROM teams WHERE captain = ? ORDER BY made_at, id", (account,))
    return tuple(TeamMark(*row) for row in rows)


def all_teams(connection: sqlite3.Connection) -> tuple[TeamMark, ...]:
    """Every team, by name."""
    return tuple(TeamMark(*row) for row in connection.execute("SELECT id, name FROM teams ORDER BY name_key"))

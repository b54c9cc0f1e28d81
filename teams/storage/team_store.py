"""Teams and players in SQL. Functions take the connection they work on and begin no transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime

from broadcast.storage.moments import to_text
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.members.names import clean_name, name_key
from teams.members.rosters import Captain, KnownPlayer, Player, Team, TeamMark, check_roster


def add(
    connection: sqlite3.Connection,
    name: str,
    captain: Captain | None,
    players: Sequence[str | KnownPlayer],
    club: str | None,
    new_id: Callable[[str], str],
    now: datetime,
) -> Team:
    """Make a team. Raises ``Refusal`` ``bad_name bad_roster name_taken``, ``NoSuchThing`` for a player."""
    name = clean_name(name, "team's name")
    club = None if club is None else clean_name(club, "club's name")
    listed = check_roster(players)
    if connection.execute("SELECT 1 FROM teams WHERE name_key = ?", (name_key(name),)).fetchone() is not None:
        raise Refusal("name_taken", f"There is a team named {name} already", name=name)
    team = Team(new_id("t"), name, captain, _found_or_made(connection, listed, new_id), club)
    connection.execute(
        "INSERT INTO teams VALUES (?, ?, ?, ?, ?, ?)",
        (team.id, name, name_key(name), club, None if captain is None else captain.account, to_text(now)),
    )
    _seat(connection, team.id, team.players)
    return team


def replace_roster(
    connection: sqlite3.Connection,
    id: str,
    players: Sequence[str | KnownPlayer],
    new_id: Callable[[str], str],
) -> Team:
    """Give a team another roster. Players that it leaves stay in the house. Raises as ``add`` does."""
    team = read(connection, id)
    listed = _found_or_made(connection, check_roster(players), new_id)
    connection.execute("DELETE FROM team_players WHERE team = ?", (id,))
    _seat(connection, id, listed)
    return Team(team.id, team.name, team.captain, listed, team.club)


def _found_or_made(
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
            connection.execute("INSERT INTO players VALUES (?, ?)", (made.id, made.name))
            listed.append(made)
    return tuple(listed)


def _seat(connection: sqlite3.Connection, team: str, players: Sequence[Player]) -> None:
    rows = [(team, player.id, place) for place, player in enumerate(players, 1)]
    connection.executemany("INSERT INTO team_players VALUES (?, ?, ?)", rows)


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

"""PBN games put together: which are one match, which segment, which room.

PBN knows team tags but does not say which team sits where. Three habits occur. With ``Room`` tags the rooms are
named. RealBridge writes no room and names the team that sits North-South as the home team, so that the two
tables of a match have the names exchanged. Others keep one home team and give the two tables of each board in
turn. In all three the home team of the first (open) table is taken to sit North-South there.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.pbn_lexing import Game
from broadcast.notation.pbn_tags import read_players, read_room

Teams = tuple[str, str]
MatchKey = tuple[str, str, str, frozenset[str]]

_NUMBERED_STAGE = re.compile(r"(\S+):\d+")


@dataclass(frozen=True, slots=True)
class Placed:
    """A game with its number and room."""

    game: Game
    number: int
    room: Room


@dataclass(slots=True)
class SegmentGames:
    title: str
    games: list[tuple[Game, int]] = field(default_factory=list)

    @property
    def teams_in_turn(self) -> list[Teams]:
        return list(dict.fromkeys(teams_of(game) for game, _ in self.games))


@dataclass(slots=True)
class MatchGames:
    first: Game
    """The game that names event, round, site and date."""
    segments: dict[str, SegmentGames] = field(default_factory=dict)


def teams_of(game: Game) -> Teams:
    return game.title("HomeTeam"), game.title("VisitTeam")


def is_team_game(game: Game) -> bool:
    home, visitors = teams_of(game)
    return bool(home and visitors) and home != visitors


def grouped(games: Iterable[tuple[Game, int]]) -> list[MatchGames]:
    """Team games by match (event, stage, round, both teams) and segment, in order of appearance."""
    matches: dict[MatchKey, MatchGames] = {}
    for game, number in games:
        stage = game.title("Stage")
        numbered = _NUMBERED_STAGE.fullmatch(stage)
        key = (
            game.title("Event"),
            numbered[1] if numbered else "",
            game.title("Round"),
            frozenset(teams_of(game)),
        )
        match = matches.setdefault(key, MatchGames(game))
        match.segments.setdefault(stage, SegmentGames(stage)).games.append((game, number))
    return list(matches.values())


def with_rooms(segment: SegmentGames) -> tuple[list[Placed], list[tuple[Game, int]]]:
    """Every game with its room, and those for which a board has no third table."""
    orders = segment.teams_in_turn
    placed: list[Placed] = []
    surplus: list[tuple[Game, int]] = []
    taken: set[tuple[int, Room]] = set()
    lineups: dict[Room, dict[Seat, str]] = {}
    for game, number in segment.games:
        names = read_players(game)
        room = read_room(game)
        if room is None and len(orders) > 1:
            room = Room.OPEN if teams_of(game) == orders[0] else Room.CLOSED
        if room is None:
            free = [room for room in Room if (number, room) not in taken]
            room = _room_by_players(names, free, lineups)
        if room is None or (number, room) in taken:
            surplus.append((game, number))
            continue
        taken.add((number, room))
        if names:
            lineups[room] = names
        placed.append(Placed(game, number, room))
    return placed, surplus


def _room_by_players(
    names: dict[Seat, str], free: list[Room], lineups: dict[Room, dict[Seat, str]]
) -> Room | None:
    """The table these four have sat at before, else the first table that has no record of the board."""
    for room in free:
        if names and lineups.get(room) == names:
            return room
    return free[0] if free else None


def north_south_in_open(segment: SegmentGames, placed: Iterable[Placed]) -> Teams:
    """The two teams, first the one that sits North-South in the open room."""
    for entry in placed:
        if entry.room is Room.OPEN:
            return teams_of(entry.game)
    home, visitors = segment.teams_in_turn[0]
    return home, visitors

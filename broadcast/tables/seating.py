"""Whether a team sat the same way in both rooms of a board, as the players recorded at the tables show.

The line-ups say who plays for which team; a table whose known players all sit against their team's direction is
turned. One turned table means that a team held the same cards twice. Two turned tables are a comparable board
under the wrong names, which the director puts right by ruling (``swap_seating``).
"""

from collections.abc import Mapping

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Side
from broadcast.tables.setup import PlayerName, Segment
from broadcast.tables.state import Board, MatchState, RoomBoard


def sits_alike(state: MatchState, board: Board) -> bool:
    """Whether exactly one of the two tables is turned. A table whose players are not known is not."""
    return len(turned(state, board)) == 1


def turned(state: MatchState, board: Board) -> frozenset[Room]:
    """The rooms whose table is turned."""
    teams = _teams_of(state.segments)
    ns_open = state.ns_open(board.key)
    north_south = {Room.OPEN: ns_open, Room.CLOSED: ns_open.other}
    return frozenset(room for room, team in north_south.items() if _is_turned(board.rooms[room], team, teams))


def _is_turned(table: RoomBoard, north_south: Team, teams: Mapping[str, Team]) -> bool:
    """Whether every player whose team is known, some on both sides, sits in the other team's direction."""
    against = set()
    for seat, player in table.players.items():
        team = teams.get(_identity(player))
        if team is None:
            continue
        if team is (north_south if seat.side is Side.NS else north_south.other):
            return False
        against.add(seat.side)
    return against == set(Side)


def _teams_of(segments: tuple[Segment, ...]) -> dict[str, Team]:
    """Each player's team by the line-ups of all segments; whoever stands in both teams' is left out."""
    found: dict[str, set[Team]] = {}
    for segment in segments:
        for room, lineup in segment.lineups.items():
            north_south = segment.ns_open if room is Room.OPEN else segment.ns_open.other
            for seat, player in lineup.items():
                team = north_south if seat.side is Side.NS else north_south.other
                found.setdefault(_identity(player), set()).add(team)
    return {player: next(iter(teams)) for player, teams in found.items() if len(teams) == 1}


def _identity(player: PlayerName) -> str:
    """A player's id, or for a free name the name itself; ids and names never meet."""
    return f"name {player.name}" if player.id is None else f"id {player.id}"

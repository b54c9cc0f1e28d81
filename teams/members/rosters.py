"""Teams and their rosters. A team has a captain, who is an account, and players, who need none.

Source: the club regulation, rule 9: four to eight players.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from broadcast.tables.errors import Refusal
from teams.members.names import clean_name

FEWEST_PLAYERS = 4
MOST_PLAYERS = 8


@dataclass(frozen=True, slots=True)
class Player:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player that the house has already, named by id."""

    id: str


@dataclass(frozen=True, slots=True)
class TeamMark:
    """A team in a list."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Captain:
    """The account that answers for a team."""

    account: str
    name: str


@dataclass(frozen=True, slots=True)
class Team:
    id: str
    name: str
    captain: Captain | None
    players: tuple[Player, ...] = ()
    club: str | None = None

    def json(self) -> dict[str, object]:
        """The team resource. Accounts are private: the captain is shown by name."""
        return {
            "id": self.id,
            "name": self.name,
            "club": self.club,
            "captain": None if self.captain is None else {"name": self.captain.name},
            "players": [{"id": player.id, "name": player.name} for player in self.players],
        }


def check_roster(players: Sequence[str | KnownPlayer]) -> tuple[str | KnownPlayer, ...]:
    """The players as they are kept: names of new ones, ids of known ones.

    Two players may have the same name: they have different ids. Raises ``Refusal`` ``bad_roster``,
    ``bad_name``, or ``player_twice`` for an id that stands there twice.
    """
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise Refusal(
            "bad_roster",
            f"A team has {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {len(players)}",
            least=FEWEST_PLAYERS,
            most=MOST_PLAYERS,
            given=len(players),
        )
    known = [player.id for player in players if isinstance(player, KnownPlayer)]
    if len(set(known)) < len(known):
        raise Refusal("player_twice", "A player stands on a roster once")
    return tuple(
        player if isinstance(player, KnownPlayer) else clean_name(player, "player's name") for player in players
    )

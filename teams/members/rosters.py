"""Teams and their rosters. A team has a captain and may have a deputy, who are accounts; players need none.

Source: the club regulation, rule 9: four to eight players. A team that is being put together may have fewer; it
enters no ladder before it has four.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from broadcast.tables.errors import Refusal
from teams.members.colours import Colour
from teams.members.names import clean_name

FEWEST_PLAYERS = 4
MOST_PLAYERS = 8
MOST_TEAMS = 20
"""Of which one account makes itself captain: nobody fills the lists of a club. A director may give it more."""


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
    """Id of the club that fields it."""
    club_name: str | None = None
    colour: Colour = Colour.PINE
    deputy: Captain | None = None
    """Has the captain's rights, but for leaving a ladder and for handing the team over."""

    @property
    def is_full(self) -> bool:
        """It has the players that a ladder wants."""
        return len(self.players) >= FEWEST_PLAYERS

    def json(self) -> dict[str, object]:
        """The team resource. Accounts are private: the captain is shown by name."""
        return {
            "id": self.id,
            "name": self.name,
            "club": None if self.club is None else {"id": self.club, "name": self.club_name},
            "colour": self.colour.value,
            "captain": None if self.captain is None else {"name": self.captain.name},
            "deputy": None if self.deputy is None else {"name": self.deputy.name},
            "players": [{"id": player.id, "name": player.name} for player in self.players],
        }


def check_roster(
    players: Sequence[str | KnownPlayer], fewest: int = FEWEST_PLAYERS
) -> tuple[str | KnownPlayer, ...]:
    """The players as they are kept: names of new ones, ids of known ones.

    ``fewest`` is lower for a team that is being put together. Two players may have the same name: they have
    different ids. Raises ``Refusal`` ``bad_roster``, ``bad_name``, or ``player_twice`` for an id that
    stands there twice.
    """
    if not fewest <= len(players) <= MOST_PLAYERS:
        raise Refusal(
            "bad_roster",
            f"A team has {fewest} to {MOST_PLAYERS} players, not {len(players)}",
            least=fewest,
            most=MOST_PLAYERS,
            given=len(players),
        )
    known = [player.id for player in players if isinstance(player, KnownPlayer)]
    if len(set(known)) < len(known):
        raise Refusal("player_twice", "A player stands on a roster once")
    return tuple(
        player if isinstance(player, KnownPlayer) else clean_name(player, "player's name") for player in players
    )

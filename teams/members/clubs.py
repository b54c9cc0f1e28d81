"""Clubs (帮派): they own members and field teams. Officers, who are accounts, act for them.

A member is a player of the house and may belong to several clubs; on a ladder of clubs a club fields any of its
members, and nobody plays for two clubs of one ladder.
"""

from dataclasses import dataclass

from teams.members.colours import Colour
from teams.members.rosters import Captain, Player, Team, TeamMark

MOST_MEMBERS = 200
MOST_OFFICERS = 8
MOST_CLUBS = 5
"""Of which one account makes itself an officer by founding them."""


@dataclass(frozen=True, slots=True)
class Club:
    id: str
    name: str
    colour: Colour
    officers: tuple[Captain, ...] = ()
    """Accounts that answer for it, the longest in office first."""
    members: tuple[Player, ...] = ()
    teams: tuple[TeamMark, ...] = ()

    def side(self) -> Team:
        """The club as what stands on a ladder of clubs: its members play for it."""
        captain = self.officers[0] if self.officers else None
        return Team(self.id, self.name, captain, self.members, self.id, self.name, self.colour)

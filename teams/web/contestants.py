"""Who stands on a ladder's rungs: teams, or clubs, which field any of their members."""

from starlette.requests import Request

from teams.ladder.rules import LadderKind
from teams.members.rosters import Team
from teams.web.authority import members_of

ADDRESSES = {LadderKind.TEAMS: "/teams/", LadderKind.CLUBS: "/clubs/"}
"""Where the pages of those who stand on a ladder of this kind are."""


async def contestant(request: Request, kind: LadderKind, id: str) -> Team:
    """A team, or a club as a team that has all its members for players. Raises ``NoSuchThing``."""
    members = members_of(request)
    return await (members.team(id) if kind is LadderKind.TEAMS else members.club_side(id))

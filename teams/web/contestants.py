"""Who stands on a ladder's rungs: teams, or clubs, which field any of their members."""

from starlette.requests import Request

from broadcast.tables.errors import Refusal
from broadcast.web.authority import Who
from broadcast.web.problems import Problem
from teams.ladder.commands import EnterTeam
from teams.ladder.rules import LadderKind
from teams.ladder.state import LadderState
from teams.members.rosters import FEWEST_PLAYERS, Team
from teams.web.authority import members_of

ADDRESSES = {LadderKind.TEAMS: "/teams/", LadderKind.CLUBS: "/clubs/"}
"""Where the pages of those who stand on a ladder of this kind are."""


async def contestant(request: Request, kind: LadderKind, id: str) -> Team:
    """A team, or a club as a team that has all its members for players. Raises ``NoSuchThing``."""
    members = members_of(request)
    return await (members.team(id) if kind is LadderKind.TEAMS else members.club_side(id))


def require_leader(sender: Who, side: Team) -> None:
    """What a deputy may not do. Raises ``Problem`` 403."""
    is_deputy = side.deputy is not None and side.deputy.account == sender.account
    if is_deputy and not (side.captain is not None and side.captain.account == sender.account):
        raise Problem(403, "captain_only", "Only the captain does that, not the deputy", team=side.id)


def entry(state: LadderState, side: Team) -> EnterTeam:
    """Raises ``Refusal`` for a team that is still being put together, or a club on a ladder of teams."""
    is_club = side.club == side.id
    if is_club is not (state.kind is LadderKind.CLUBS):
        raise Refusal("other_kind", "Clubs enter ladders of clubs, teams those of teams", kind=state.kind.value)
    if not side.is_full:
        raise Refusal(
            "not_full",
            f"{side.name} needs {FEWEST_PLAYERS} players before it enters a ladder",
            least=FEWEST_PLAYERS,
            given=len(side.players),
        )
    captain = None if side.captain is None else side.captain.account
    return EnterTeam(side.id, side.name, captain, side.club, tuple(player.id for player in side.players))

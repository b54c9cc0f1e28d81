"""Fulfils the question of ``broadcast``: whose token is this, and what may they do?"""

from starlette.requests import Request

from broadcast.web.authority import Who
from broadcast.web.requests import house_of
from teams.storage.members import Members


class MembersAccounts:
    """Accounts of the house's members, as ``broadcast.web.authority.Accounts``."""

    def __init__(self, members: Members) -> None:
        self._members = members

    async def who(self, token: str) -> Who | None:
        """The holder of a token; ``None`` for one that is unknown or revoked."""
        holder = await self._members.holder(token)
        if holder is None:
            return None
        return Who(
            holder.account.name,
            frozenset(role.value for role in holder.account.roles),
            account=holder.account.id,
            teams=frozenset(team.id for team in holder.teams),
        )


def members_of(request: Request) -> Members:
    """The members of the house that serves this request."""
    house = house_of(request)
    return Members(house.database, house.writer)

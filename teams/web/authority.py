"""Fulfils the question of ``broadcast``: whose token or session is this, and what may they do?"""

from dataclasses import replace
from datetime import datetime

from starlette.requests import Request

from broadcast.web.authority import Who
from broadcast.web.requests import house_of
from teams.storage.members import Holder, Members
from teams.storage.sessions import Sessions


class MembersAccounts:
    """Accounts of the house's members, as ``broadcast.web.authority.Accounts``."""

    def __init__(self, members: Members, sessions: Sessions) -> None:
        self._members = members
        self._sessions = sessions

    async def who(self, token: str) -> Who | None:
        """The holder of a token; ``None`` for one that is unknown or revoked."""
        holder = await self._members.holder(token)
        return None if holder is None else _who(holder)

    async def session(self, secret: str, now: datetime) -> Who | None:
        """The account that a session signs in; ``None`` for one that is unknown, ended or over."""
        found = await self._sessions.find(secret, now)
        return None if found is None else replace(_who(found.holder), until=found.session.ends_at)


def _who(holder: Holder) -> Who:
    """What an account may do, the same by token and by session."""
    return Who(
        holder.account.name,
        frozenset(role.value for role in holder.account.roles),
        account=holder.account.id,
        teams=frozenset(team.id for team in holder.teams),
        time_zone=holder.time_zone,
    )


def members_of(request: Request) -> Members:
    """The members of the house that serves this request."""
    house = house_of(request)
    return Members(house.database, house.writer)


def sessions_of(request: Request) -> Sessions:
    """The sessions of the house that serves this request."""
    house = house_of(request)
    return Sessions(house.database, house.writer)

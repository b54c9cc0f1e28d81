"""Teams and clubs as their captains and officers keep them: names, colours, leaders, members, invitations.

Read at once and written through the one writer. What ladders must be asked first is asked in ``teams.web``.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from broadcast.house.relational import raw_job
from broadcast.house.writer import Writer
from broadcast.storage.database import Database
from broadcast.tables.errors import Refusal
from teams.members.accounts import Role
from teams.members.clubs import Club
from teams.members.colours import Colour
from teams.members.rosters import Captain, KnownPlayer, Team
from teams.members.tokens import new_token, token_hash
from teams.storage import account_store, club_store, invitation_store, lockout, team_store
from teams.storage.invitation_store import Invitation, Post
from teams.storage.members import new_id

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation with whom it is to."""

    invitation: Invitation
    name: str
    """Of the team or club."""


class Parties:
    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    # --- teams ---------------------------------------------------------------------------------------------

    async def register(
        self,
        name: str,
        captain: Captain,
        players: Sequence[str],
        colour: Colour,
        club: str | None,
        *,
        plays: bool,
    ) -> Team:
        """A team that is being put together, its captain a player of it if it ``plays``. ``club`` is an id.

        Raises ``Refusal`` ``bad_name bad_roster name_taken not_officer teams_full``.
        """

        def store(connection: sqlite3.Connection, now: datetime) -> Team:
            team_store.check_may_have_another(connection, captain.account)
            account_store.give_role(connection, captain.account, Role.CAPTAIN)
            if club is not None and captain.account not in club_store.officers(connection, club):
                raise Refusal("not_officer", "Teams of a club are made by its officers", club=club)
            own = [team_store.player_of(connection, captain.account, captain.name, new_id)] if plays else []
            return team_store.add(
                connection, name, captain, [*own, *players], club, new_id, now, colour, fewest=0
            )

        return await self._write(store)

    async def hand_over(self, id: str) -> None:
        """The deputy becomes captain, and the captain deputy."""

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            team = team_store.read(connection, id)
            if team.deputy is None:
                raise Refusal("no_deputy", "Name a deputy first: the team is handed over to the deputy")
            former = None if team.captain is None else team.captain.account
            team_store.set_leaders(connection, id, team.deputy.account, former)
            if former is not None:  # the next deputy is the new captain's to choose
                invitation_store.end_made_by(connection, former, now, party=id, posts=[Post.DEPUTY])

        await self._write(store)

    async def dismiss_deputy(self, id: str) -> None:
        """With what the deputy made: invitations, links to rooms."""

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            _set_deputy(connection, id, None, now)

        await self._write(store)

    # --- clubs ---------------------------------------------------------------------------------------------

    async def club(self, id: str) -> Club:
        """Raises ``NoSuchThing``."""
        return await self._database.read(lambda connection: club_store.read(connection, id))

    async def clubs(self) -> tuple[tuple[str, str, str, int], ...]:
        """Id, name, colour and number of members of every club, by name."""
        return await self._database.read(club_store.all_clubs)

    async def found(
        self, name: str, colour: Colour, officer: Captain, players: Sequence[str], *, plays: bool
    ) -> Club:
        """A club with its first officer, who is a member if it ``plays``, and these members: all or nothing.

        Raises ``Refusal`` ``bad_name name_taken club_full clubs_full``.
        """

        def store(connection: sqlite3.Connection, now: datetime) -> Club:
            club_store.check_may_found_another(connection, officer.account)
            account_store.give_role(connection, officer.account, Role.CAPTAIN)
            id = club_store.add(connection, new_id("c"), name, colour, officer.account, now).id
            own = [team_store.player_of(connection, officer.account, officer.name, new_id)] if plays else []
            club_store.add_members(connection, id, [*own, *players], new_id, now)
            return club_store.read(connection, id)

        return await self._write(store)

    async def remove_officer(self, id: str, account: str) -> None:
        """With what the officer made. Raises ``Refusal`` ``last_officer``."""

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            is_officer = account in club_store.officers(connection, id)
            club_store.remove_officer(connection, id, account)
            if is_officer:
                lockout.end_post(connection, account, id, now)

        await self._write(store)

    # --- invitations ---------------------------------------------------------------------------------------

    async def invite(self, party: str, post: Post, by: str | None) -> str:
        """The link's secret, told once. Raises ``Refusal`` ``invitations_full``."""
        token = new_token()
        await self._write(
            lambda connection, now: invitation_store.add(connection, token_hash(token), party, post, by, now)
        )
        return token

    async def invitations(self, party: str, now: datetime) -> tuple[Invitation, ...]:
        return await self._database.read(lambda connection: invitation_store.waiting(connection, party, now))

    async def withdraw_invitation(self, party: str, mark: str) -> None:
        await self._write(lambda connection, now: invitation_store.withdraw(connection, party, mark, now))

    async def invited(self, token: str, now: datetime) -> Invited:
        """Raises ``NoSuchThing`` or ``Refusal`` for one that is not good."""

        def read(connection: sqlite3.Connection) -> Invited:
            invitation = invitation_store.read(connection, token_hash(token), now)
            if invitation.post.is_of_club:
                return Invited(invitation, club_store.read(connection, invitation.party).name)
            return Invited(invitation, team_store.read(connection, invitation.party).name)

        return await self._database.read(read)

    async def _write(self, work: Callable[[sqlite3.Connection, datetime], T]) -> T:
        return await self._writer.write(raw_job(work))


def _set_deputy(connection: sqlite3.Connection, id: str, account: str | None, now: datetime) -> None:
    """Another deputy, or none; what the former made for the team ends."""
    team = team_store.read(connection, id)
    former = None if team.deputy is None else team.deputy.account
    team_store.set_leaders(connection, id, None if team.captain is None else team.captain.account, account)
    if former is not None and former != account:
        lockout.end_post(connection, former, id, now)


def take(
    connection: sqlite3.Connection,
    token: str,
    player: str | Captain | None,
    account: str | None,
    now: datetime,
) -> None:
    """Take an invitation: a player or member, by name or by account, or an account as deputy or officer.

    Raises ``NoSuchThing`` or ``Refusal``, of an invitation used meanwhile, too.
    """
    hashed = token_hash(token)
    invitation = invitation_store.read(connection, hashed, now)
    invitation_store.end(connection, hashed, now)
    known: str | KnownPlayer | None = (
        team_store.player_of(connection, player.account, player.name, new_id)
        if isinstance(player, Captain)
        else player
    )
    _take(connection, invitation, known, account, now)


def _take(
    connection: sqlite3.Connection,
    invitation: Invitation,
    player: str | KnownPlayer | None,
    account: str | None,
    now: datetime,
) -> None:
    party = invitation.party
    if invitation.post is Post.PLAYER and player is not None:
        team = team_store.read(connection, party)
        kept = [KnownPlayer(each.id) for each in team.players]
        if player not in kept:
            team_store.replace_roster(connection, party, [*kept, player], new_id, fewest=1)
    elif invitation.post is Post.MEMBER and player is not None:
        club_store.add_members(connection, party, [player], new_id, now)
    elif invitation.post is Post.DEPUTY and account is not None:
        captain = team_store.read(connection, party).captain
        if captain is not None and captain.account == account:
            raise Refusal("own_deputy", "The captain cannot be the deputy, too: give the link to somebody else")
        account_store.give_role(connection, account, Role.CAPTAIN)
        _set_deputy(connection, party, account, now)
    elif invitation.post is Post.OFFICER and account is not None:
        account_store.give_role(connection, account, Role.CAPTAIN)
        club_store.add_officer(connection, party, account, now)
    else:
        raise Refusal("account_needed", "Sign in first: this invitation is for an account")

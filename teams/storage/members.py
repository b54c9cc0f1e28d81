"""The members of a house: accounts, tokens and teams, read at once and written through the one writer.

Hashing of passwords runs in threads of its own, outside any transaction.
"""

import secrets
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar, overload

from broadcast.house.relational import raw_job
from broadcast.house.writer import Writer
from broadcast.storage.answers import Once
from broadcast.storage.database import Database
from broadcast.tables.errors import Refusal
from teams.members.accounts import Account, Role
from teams.members.colours import Colour
from teams.members.rosters import Captain, KnownPlayer, Team, TeamMark
from teams.members.tokens import new_token, token_hash
from teams.storage import (
    account_store,
    captain_settings,
    club_store,
    lockout,
    passwords,
    team_store,
)

T = TypeVar("T")

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without those taken for one another when read aloud or copied by hand."""
_LENGTH = 7


def new_id(prefix: str) -> str:
    """A new id like ``t4m7kq2r``: 31 to the 7th possible; a table's primary key refuses the rare repeat."""
    return prefix + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


@dataclass(frozen=True, slots=True)
class Holder:
    """The account that a token or a session belongs to, and the teams and clubs it answers for."""

    account: Account
    teams: tuple[TeamMark, ...]
    time_zone: str | None = None
    """IANA name of the zone that the account has chosen."""


def held_by(connection: sqlite3.Connection, account: Account) -> Holder:
    """The account with what it answers for: the same whether a token or a session says that it asks."""
    led = (*team_store.led_by(connection, account.id), *club_store.officered_by(connection, account.id))
    return Holder(account, led, captain_settings.read(connection, account.id).time_zone)


def _check_may_make_another(connection: sqlite3.Connection, captain: str, club: str | None) -> None:
    """Raises ``Refusal`` ``teams_full``, or ``clubs_full`` where the club would be a new one."""
    team_store.check_may_have_another(connection, captain)
    if club is not None and club_store.named(connection, club) is None:
        club_store.check_may_found_another(connection, captain)


def fielding(
    connection: sqlite3.Connection, captain: Captain | None, club: str | None, now: datetime
) -> str | None:
    """The id of the club that fields a team. Raises ``Refusal`` where the captain does not act for it."""
    if club is None:
        return None
    known = club_store.named(connection, club)
    if known is None:
        officer = None if captain is None else captain.account
        return club_store.add(connection, new_id("c"), club, Colour.PINE, officer, now).id
    if captain is not None and captain.account not in club_store.officers(connection, known):
        raise Refusal("not_officer", f"Teams of {club} are made by its officers", club=known)
    return known


def side_of(connection: sqlite3.Connection, id: str) -> Team:
    """A team, or a club as what stands on a ladder of clubs. Raises ``NoSuchThing``."""
    if team_store.exists(connection, id):
        return team_store.read(connection, id)
    return club_store.read(connection, id).side()


class Members:
    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    # --- accounts ------------------------------------------------------------------------------------------

    async def add_account(self, name: str, roles: Iterable[Role], password: str | None = None) -> Account:
        """Raises ``Refusal`` ``bad_name``, ``name_taken`` or ``bad_password``."""
        stored = None if password is None else await passwords.hashed(password)
        held = tuple(roles)
        return await self._write(
            lambda connection, now: account_store.add(connection, new_id("a"), name, held, stored, now)
        )

    async def account(self, name: str) -> Account:
        """The account of that name. Raises ``NoSuchThing``."""
        return await self._database.read(lambda connection: account_store.named(connection, name))

    async def set_password(self, name: str, password: str) -> Account:
        """Whoever knew the old password is out (``lockout.store_password``).

        Raises ``NoSuchThing`` or ``Refusal`` ``bad_password account_closed``.
        """
        stored = await passwords.hashed(password)

        return await self._write(lambda connection, now: lockout.store_password(connection, name, stored, now))

    async def check_password(self, name: str, password: str) -> Account | None:
        """The account, if the password is its own; equally slow for names that do not exist."""
        stored = await self._database.read(lambda connection: account_store.password_hash_of(connection, name))
        if not await passwords.matches(stored, password):
            return None
        return await self.account(name)

    # --- tokens --------------------------------------------------------------------------------------------

    async def add_token(self, name: str) -> str:
        """A new bearer token of the account, told once: only its hash is stored.

        Raises ``NoSuchThing``, ``Refusal`` ``account_closed``.
        """
        token = new_token()

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            account = account_store.open_named(connection, name)
            account_store.add_token(connection, account.id, token_hash(token), now)

        await self._write(store)
        return token

    async def revoke_token(self, token: str) -> bool:
        """Whether the token was good until now."""
        hashed = token_hash(token)
        return await self._write(lambda connection, now: account_store.revoke_token(connection, hashed, now))

    async def holder(self, token: str) -> Holder | None:
        """Whose token this is; ``None`` for one that is unknown or revoked."""
        hashed = token_hash(token)

        def read(connection: sqlite3.Connection) -> Holder | None:
            account = account_store.holder_of(connection, hashed)
            if account is None:
                return None
            return held_by(connection, account)

        return await self._database.read(read)

    # --- teams ---------------------------------------------------------------------------------------------

    @overload
    async def add_team(
        self, name: str, captain: str | None, players: Sequence[str | KnownPlayer], club: str | None = None
    ) -> Team: ...

    @overload
    async def add_team(
        self,
        name: str,
        captain: str | None,
        players: Sequence[str | KnownPlayer],
        club: str | None = None,
        *,
        once: Once,
        answer: Callable[[Team], bytes],
        is_own: bool = False,
    ) -> bytes: ...

    async def add_team(
        self,
        name: str,
        captain: str | None,
        players: Sequence[str | KnownPlayer],
        club: str | None = None,
        *,
        once: Once | None = None,
        answer: Callable[[Team], bytes] | None = None,
        is_own: bool = False,
    ) -> Team | bytes:
        """Make a team; players by name are new. ``captain`` is the name of an account, which becomes one.

        ``club`` is the name of the club which fields it, founded if there is none of the name.

        With ``once`` and ``answer`` the same key gives the first answer again. ``is_own``: the captain asks for
        it, and has so many at most. Raises ``NoSuchThing`` for the captain, ``Refusal`` ``bad_name bad_roster
        name_taken teams_full clubs_full``.
        """

        def store(connection: sqlite3.Connection, now: datetime) -> Team:
            held = None
            if captain is not None:
                account = account_store.open_named(connection, captain)
                if is_own:
                    _check_may_make_another(connection, account.id, club)
                account_store.give_role(connection, account.id, Role.CAPTAIN)
                held = Captain(account.id, account.name)
            return team_store.add(
                connection, name, held, players, fielding(connection, held, club, now), new_id, now
            )

        if once is None or answer is None:
            return await self._write(store)

        def store_and_answer(connection: sqlite3.Connection, now: datetime) -> bytes:
            return answer(store(connection, now))

        return await self._writer.write(raw_job(store_and_answer), once)

    async def team(self, id: str) -> Team:
        """Raises ``NoSuchThing``."""
        return await self._database.read(lambda connection: team_store.read(connection, id))

    async def club_side(self, id: str) -> Team:
        """A club as what stands on a ladder of clubs. Raises ``NoSuchThing``."""
        return await self._database.read(lambda connection: club_store.read(connection, id).side())

    async def side(self, id: str) -> Team:
        """A team, or a club as what stands on a ladder of clubs. Raises ``NoSuchThing``."""

        return await self._database.read(lambda connection: side_of(connection, id))

    async def teams(self) -> tuple[TeamMark, ...]:
        """Every team, by name."""
        return await self._database.read(team_store.all_teams)

    async def _write(self, work: Callable[[sqlite3.Connection, datetime], T]) -> T:
        return await self._writer.write(raw_job(work))

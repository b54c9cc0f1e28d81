"""Taking roles from an account, giving it others, closing it: what that changes, and doing it.

``effects_of`` says what a change would do, ``carry_out`` does exactly that; functions take the connection they
work on and begin no transaction. Whatever is taken ends every session and token of the account, so that whoever
holds one signs in anew as what they are now, and the links that the account made as what it no longer is.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from broadcast.tables.errors import Refusal
from teams.members.accounts import Account, Role, made_as
from teams.members.rosters import TeamMark
from teams.storage import (
    account_store,
    address_store,
    captain_settings,
    club_store,
    invitation_store,
    link_store,
    session_store,
    team_store,
)

LEADS_TEAMS: Final = frozenset({Role.CAPTAIN})
"""Roles without which an account answers for no team."""
LEADS_CLUBS: Final = frozenset({Role.CAPTAIN, Role.CLUB})


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of an account. Giving a role to one that is closed opens it again."""

    give: frozenset[Role] = frozenset()
    take: frozenset[Role] = frozenset()
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Handed:
    """A team that is without its captain then."""

    team: TeamMark
    to: str | None
    """The deputy who goes on as captain, by name; ``None``: nobody is left, and a director names somebody."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What a change does; without anything taken, only ``given`` and ``opens``."""

    account: Account
    given: tuple[Role, ...]
    taken: tuple[Role, ...]
    closes: bool
    opens: bool
    sessions: int = 0
    tokens: int = 0
    links: int = 0
    """Invitations and links to a new password that nobody can use then."""
    handed: tuple[Handed, ...] = ()
    deputy_of: tuple[TeamMark, ...] = ()
    """Teams without their deputy then."""
    clubs: tuple[TeamMark, ...] = ()
    """Of which the account is an officer no longer."""

    @property
    def makers(self) -> tuple[str, ...]:
        """As what it made links that end, in the words of the log: ``captain:ann``."""
        return made_as(self.account, self.taken)


def effects_of(connection: sqlite3.Connection, name: str, change: Change, now: datetime) -> Effects:
    """What the change does to the account of that name.

    Raises ``NoSuchThing``, ``Refusal`` ``account_closed last_director nothing_changes role_twice``.
    """
    account = account_store.named(connection, name)
    if change.give & change.take:
        raise Refusal("role_twice", "A role is either given or taken: choose one of both")
    if account.is_closed and not change.give:
        account_store.open_named(connection, name)
    given = tuple(role for role in Role if role in change.give - account.roles)
    gone = account.roles if change.closes else change.take & account.roles
    taken = tuple(role for role in Role if role in gone)
    if not (given or taken or change.closes):
        raise Refusal("nothing_changes", f"This changes no role of {account.name}: choose others")
    if Role.DIRECTOR in gone and account_store.holders_of_role(connection, Role.DIRECTOR) == {account.id}:
        raise Refusal(
            "last_director",
            f"{account.name} is the only director: make somebody else a director first",
            name=account.name,
        )
    if not (taken or change.closes):
        return Effects(account, given, (), closes=False, opens=account.is_closed)
    makers = made_as(account, taken)
    return Effects(
        account,
        given,
        taken,
        closes=change.closes,
        opens=False,
        sessions=len(session_store.of_account(connection, account.id, now)),
        tokens=account_store.tokens_of(connection, account.id),
        links=len(link_store.made_or_for(connection, makers, account.id, now))
        + invitation_store.made_by(connection, account.id, now) * _leads(taken),
        handed=_handed(connection, account.id) if LEADS_TEAMS.intersection(taken) or change.closes else (),
        deputy_of=_deputy_of(connection, account.id)
        if LEADS_TEAMS.intersection(taken) or change.closes
        else (),
        clubs=club_store.officered_by(connection, account.id) if _leads(taken) or change.closes else (),
    )


def carry_out(connection: sqlite3.Connection, name: str, change: Change, now: datetime) -> Effects:
    """Make the change. Raises as ``effects_of`` does, and then nothing is changed."""
    effects = effects_of(connection, name, change, now)
    id = effects.account.id
    if effects.taken or effects.closes:
        _end(connection, effects, now)
    for role in effects.taken:
        account_store.take_role(connection, id, role)
    if effects.closes:
        address_store.change(connection, id, "", "")
        captain_settings.revoke_address(connection, id)
        account_store.close(connection, id, now)
        return effects
    if effects.opens:
        account_store.reopen(connection, id)
    for role in effects.given:
        account_store.give_role(connection, id, role)
    return effects


def _end(connection: sqlite3.Connection, effects: Effects, now: datetime) -> None:
    id = effects.account.id
    session_store.end_all(connection, id)
    account_store.revoke_tokens(connection, id, now)
    for link in link_store.made_or_for(connection, effects.makers, id, now):
        link_store.end(connection, link, now)
    if _leads(effects.taken):
        invitation_store.end_made_by(connection, id, now)
    for each in effects.handed:
        deputy = team_store.read(connection, each.team.id).deputy
        team_store.set_leaders(connection, each.team.id, None if deputy is None else deputy.account, None)
    for team in effects.deputy_of:
        captain = team_store.read(connection, team.id).captain
        team_store.set_leaders(connection, team.id, None if captain is None else captain.account, None)
    for club in effects.clubs:
        club_store.dismiss_officer(connection, club.id, id)


def _leads(taken: tuple[Role, ...]) -> bool:
    return bool(LEADS_CLUBS.intersection(taken))


def _handed(connection: sqlite3.Connection, account: str) -> tuple[Handed, ...]:
    teams = [team_store.read(connection, mark.id) for mark in team_store.led_by(connection, account)]
    return tuple(
        Handed(TeamMark(team.id, team.name), None if team.deputy is None else team.deputy.name)
        for team in teams
        if team.captain is not None and team.captain.account == account
    )


def _deputy_of(connection: sqlite3.Connection, account: str) -> tuple[TeamMark, ...]:
    captained = {each.team.id for each in _handed(connection, account)}
    return tuple(mark for mark in team_store.led_by(connection, account) if mark.id not in captained)


def without_leader(connection: sqlite3.Connection) -> tuple[TeamMark, ...]:
    """Teams without captain and clubs without officers, by name: nobody answers for them."""
    rows = connection.execute(
        """SELECT id, name, name_key FROM teams WHERE captain IS NULL
           UNION ALL SELECT id, name, name_key FROM clubs WHERE id NOT IN (SELECT club FROM club_officers)
           ORDER BY name_key"""
    )
    return tuple(TeamMark(id, name) for id, name, _ in rows)

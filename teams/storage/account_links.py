"""Invitations to an account and links to a new password: made, mailed where there is mail, used once.

A link and the letter that brings it are stored in one transaction; using a link, what it makes and its end in
another.
"""

import sqlite3
from collections.abc import Callable
from datetime import datetime

from broadcast.house.mail import Mail
from broadcast.house.relational import raw_job
from broadcast.house.writer import Writer
from broadcast.storage.database import Database
from broadcast.storage.mail_store import Letter
from broadcast.tables.errors import Refusal
from teams.members.accounts import Account, Role
from teams.storage import account_store, address_store, link_store, lockout, passwords, team_store
from teams.storage.address_store import Address
from teams.storage.link_store import GOOD_FOR, LONGEST_NOTE, MAIL, Kind, Link
from teams.storage.members import new_id

Compose = Callable[[Link, Address], Letter]
"""Words a letter that brings a link."""


class AccountLinks:
    def __init__(self, database: Database, writer: Writer, mail: Mail) -> None:
        self._database = database
        self._writer = writer
        self._mail = mail

    async def invite(
        self, role: Role, team: str | None, note: str, to: Address | None, by: str, compose: Compose
    ) -> Link:
        """Invite somebody to an account with a role; with ``team`` they become its captain.

        ``to`` gets the invitation by mail, where this house has mail. Raises ``Refusal``
        ``team_without_captain``, ``bad_address`` or ``links_full``, ``NoSuchThing`` for the team.
        """
        if team is not None and role is not Role.CAPTAIN:
            raise Refusal(
                "team_without_captain", "Only a captain is invited for a team: choose the role captain"
            )

        def store(connection: sqlite3.Connection, now: datetime) -> Link:
            if team is not None:
                team_store.read(connection, team)
            expires_at = now + GOOD_FOR[Kind.JOIN]
            is_mailed = to is not None and self._mail.is_on
            words = " ".join(note.split())[:LONGEST_NOTE]
            link = Link(new_id("j"), Kind.JOIN, None, role, team, words, expires_at, is_mailed)
            link_store.add(connection, link, by, now)
            if to is not None:
                self._mail.put(connection, compose(link, to), now)
            return link

        made = await self._writer.write(raw_job(store))
        self._mail.wake()
        return made

    async def reset_by_director(self, account: str, by: str, compose: Compose) -> Link:
        """A link to a new password for the account of that name, mailed too where it has an address.

        Raises ``NoSuchThing``, ``Refusal`` ``account_closed``.
        """

        def store(connection: sqlite3.Connection, now: datetime) -> Link:
            return self._reset(connection, account_store.open_named(connection, account), by, compose, now)

        made = await self._writer.write(raw_job(store))
        self._mail.wake()
        return made

    async def reset_by_mail(self, name: str, compose: Compose) -> None:
        """Mail a link to a new password, if there is such an account and it has an address.

        Whoever asks learns nothing of that; for a name that does not exist the same transaction is begun.
        """

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            account = account_store.find_named(connection, name)
            if account is not None and address_store.of_account(connection, account.id) is not None:
                self._reset(connection, account, MAIL, compose, now)

        await self._writer.write(raw_job(store))
        self._mail.wake()

    def _reset(
        self, connection: sqlite3.Connection, account: Account, by: str, compose: Compose, now: datetime
    ) -> Link:
        to = address_store.of_account(connection, account.id)
        is_mailed = to is not None and self._mail.is_on
        expires_at = now + GOOD_FOR[Kind.RESET]
        link = Link(new_id("r"), Kind.RESET, account.id, None, None, account.name, expires_at, is_mailed)
        link_store.add(connection, link, by, now)
        if to is not None:
            self._mail.put(connection, compose(link, to), now)
        return link

    async def good(self, kind: Kind, id: str | None, now: datetime) -> Link:
        """The link, if it may still be used. Raises ``Refusal``."""
        return await self._database.read(lambda raw: link_store.good(raw, kind, id, now))

    async def open_links(self, kind: Kind, now: datetime) -> list[Link]:
        return await self._database.read(lambda raw: link_store.open_links(raw, kind, now))

    async def withdraw(self, id: str) -> None:
        await self._writer.write(raw_job(lambda raw, now: link_store.end(raw, id, now)))

    # --- using a link --------------------------------------------------------------------------------------

    async def join(self, id: str | None, name: str, password: str, now: datetime) -> Account:
        """Make the account that an invitation is for.

        Raises ``Refusal`` for the link, ``bad_name``, ``name_taken`` or ``bad_password``.
        """
        stored = await self._hashed(Kind.JOIN, id, password, now)

        def store(connection: sqlite3.Connection, now: datetime) -> Account:
            link = link_store.good(connection, Kind.JOIN, id, now)
            role = link.role or Role.PLAYER
            account = account_store.add(connection, new_id("a"), name, [role], stored, now)
            self._used(connection, link, account.id, now)
            return account

        return await self._writer.write(raw_job(store))

    async def _hashed(self, kind: Kind, id: str | None, password: str, now: datetime) -> str:
        """The password, hashed only for a link that is good: a hash costs much more than a look.

        The transaction that uses the link looks again.
        """
        await self.good(kind, id, now)
        return await passwords.hashed(password)

    async def join_as(self, id: str | None, account: str) -> None:
        """Take an invitation with an account that one has already. Raises ``Refusal`` for the link."""

        def store(connection: sqlite3.Connection, now: datetime) -> None:
            link = link_store.good(connection, Kind.JOIN, id, now)
            account_store.give_role(connection, account, link.role or Role.PLAYER)
            self._used(connection, link, account, now)

        await self._writer.write(raw_job(store))

    @staticmethod
    def _used(connection: sqlite3.Connection, link: Link, account: str, now: datetime) -> None:
        if link.team is not None:
            former = team_store.read(connection, link.team).captain
            connection.execute("UPDATE teams SET captain = ? WHERE id = ?", (account, link.team))
            if former is not None and former.account != account:
                lockout.end_post(connection, former.account, link.team, now)
        link_store.end(connection, link.id, now)

    async def new_password(self, id: str | None, password: str, now: datetime) -> str:
        """Set the password that a link allows; whoever knew the old one is out. The account's id.

        Raises ``Refusal`` for the link or ``bad_password``.
        """
        stored = await self._hashed(Kind.RESET, id, password, now)

        def store(connection: sqlite3.Connection, now: datetime) -> str:
            link = link_store.good(connection, Kind.RESET, id, now)
            account = account_store.with_id(connection, link.account or "")
            lockout.store_password(connection, account.name, stored, now)
            return account.id

        return await self._writer.write(raw_job(store))

    # --- the accounts themselves -----------------------------------------------------------------------------

    async def accounts(self) -> list[tuple[Account, Address | None]]:
        """Every account by name, with where its mail goes."""

        def read(connection: sqlite3.Connection) -> list[tuple[Account, Address | None]]:
            return [
                (account, address_store.of_account(connection, account.id))
                for account in account_store.everyone(connection)
            ]

        return await self._database.read(read)

    async def address(self, account: str) -> Address | None:
        return await self._database.read(lambda raw: address_store.of_account(raw, account))

    async def change_address(self, account: str, address: str, language: str) -> None:
        """Where the account's mail goes; empty for nowhere. Raises ``Refusal`` ``bad_address``."""
        await self._writer.write(
            raw_job(lambda raw, now: address_store.change(raw, account, address, language))
        )

"""Sessions of a house's accounts: begun at signing in, each time under a new secret, ended at signing out."""

import logging
import sqlite3
from dataclasses import dataclass
from datetime import datetime

from broadcast.house.errors import HouseUnavailable
from broadcast.house.relational import raw_job
from broadcast.house.writer import Writer
from broadcast.storage.database import Database
from teams.members.tokens import new_token, token_hash
from teams.storage import session_store
from teams.storage.members import Holder, held_by, new_id
from teams.storage.session_store import SEEN, Session

LONGEST_DEVICE = 200
"""Characters kept of what a browser says it is."""
LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session in use, and whose it is."""

    holder: Holder
    session: Session


class Sessions:
    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def begin(self, account: str, device: str, before: str | None = None) -> tuple[str, Session]:
        """A new session and its secret. ``before`` is the secret that the browser brought: its session ends.

        The secret is always a new one, so that nobody can have put it into the browser beforehand.
        """
        secret = new_token()

        def store(connection: sqlite3.Connection, now: datetime) -> Session:
            if before is not None:
                session_store.end(connection, token_hash(before))
            return session_store.add(
                connection, token_hash(secret), new_id("s"), account, device[:LONGEST_DEVICE], now
            )

        return secret, await self._writer.write(raw_job(store))

    async def find(self, secret: str, now: datetime) -> SignedIn | None:
        """Whom the secret signs in, ``None`` where its session is over. Keeps that it was used."""
        hashed = token_hash(secret)

        def read(connection: sqlite3.Connection) -> SignedIn | None:
            found = session_store.find(connection, hashed, now)
            if found is None:
                return None
            account, session = found
            return SignedIn(held_by(connection, account), session)

        found = await self._database.read(read)
        if found is not None and now - found.session.seen_at >= SEEN:
            try:
                await self._writer.write(raw_job(lambda raw, at: session_store.touch(raw, hashed, at)))
            except HouseUnavailable:
                LOG.debug("That a session is in use could not be stored; it is good all the same")
        return found

    async def of_account(self, account: str, now: datetime) -> list[Session]:
        """The account's sessions, the last used first."""
        return await self._database.read(lambda raw: session_store.of_account(raw, account, now))

    async def end(self, secret: str) -> None:
        hashed = token_hash(secret)
        await self._writer.write(raw_job(lambda raw, now: session_store.end(raw, hashed)))

    async def end_one(self, account: str, id: str) -> None:
        """End one of the account's own sessions."""
        await self._writer.write(raw_job(lambda raw, now: session_store.end_one(raw, account, id)))

    async def end_all(self, account: str) -> None:
        await self._writer.write(raw_job(lambda raw, now: session_store.end_all(raw, account)))

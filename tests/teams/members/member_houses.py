"""A whole house in one process, for tests over HTTP: SQLite, the writer, the routes, a clock moved by hand."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from broadcast.feeds.hub import Hub
from broadcast.feeds.publishing import Publishing
from broadcast.house.dealing import random_deal
from broadcast.house.kinds import Kinds
from broadcast.house.mail import Mail
from broadcast.house.match_kind import match_kind
from broadcast.house.writer import Writer
from broadcast.storage import mail_store
from broadcast.storage.database import Database
from broadcast.storage.match_codec import MATCH_CODEC
from broadcast.web import authority
from broadcast.web.application import Application
from broadcast.web.house import House
from broadcast.web.match_routes import match_routes
from broadcast.web.room_routes import room_routes
from teams.matches.projection import MatchComparison
from teams.members.accounts import Role
from teams.storage.ladder_kind import ladder_kind
from teams.storage.members import Members
from teams.storage.migrations import MIGRATIONS
from teams.storage.sessions import Sessions
from teams.web.authority import MembersAccounts
from teams.web.regulations import TeamRegulations
from teams.web.routes import team_routes
from tests.broadcast.house.counters import HandClock

Json = dict[str, Any]


@dataclass
class Club:
    """The house, and people who send it requests by their tokens."""

    house: House
    members: Members
    clock: HandClock
    client: httpx.AsyncClient
    application: Application

    async def person(self, name: str, *roles: Role) -> str:
        """Make an account; its token."""
        await self.members.add_account(name, roles)
        return await self.members.add_token(name)

    async def get(self, path: str, token: str | None = None) -> httpx.Response:
        return await self.client.get(path, headers=_bearer(token))

    async def post(
        self, path: str, body: Mapping[str, Any], token: str | None = None, key: str | None = None
    ) -> httpx.Response:
        headers = {"Idempotency-Key": key or secrets.token_hex(8), **_bearer(token)}
        return await self.client.post(path, json=dict(body), headers=headers)


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def club(directory: Path) -> AsyncIterator[Club]:
    clock = HandClock()
    steps = (*authority.MIGRATIONS, *mail_store.MIGRATIONS, *MIGRATIONS)
    kinds = Kinds((match_kind(MatchComparison()), ladder_kind()))
    async with await Database.open(directory / "twinroom.sqlite3", migrations=steps) as database:
        writer = Writer(database, kinds, clock, keeps_time=False)
        async with writer:
            members = Members(database, writer)
            application = Application(
                [*match_routes(), *room_routes(), *team_routes()], lifespan=lambda app: _nothing()
            )
            house = House(
                database=database,
                writer=writer,
                publishing=Publishing(Hub(), database.epoch, writer),
                authority=authority.Authority(database, MembersAccounts(members, Sessions(database, writer))),
                clock=clock,
                regulations=TeamRegulations(database, members),
                match_codec=MATCH_CODEC,
                origin="http://club.example",
                secret=b"of the tests",
                mail=Mail(database, writer, clock, None),
                deal=random_deal,
            )
            application.routed.state.house = house
            transport = httpx.ASGITransport(application)
            async with httpx.AsyncClient(transport=transport, base_url="http://club.example") as client:
                yield Club(house, members, clock, client, application)


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield

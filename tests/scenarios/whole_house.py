"""A whole house with the server's own routes, spoken to in process, and everyone who may send it requests.

The application is ``server.py``'s; only the clock is moved by hand. Requests go to it as ASGI messages, so
that a stream can be read until it has nothing more to say.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.types import Message, Scope

import server
from broadcast.feeds.hub import Hub
from broadcast.feeds.pace import Pace
from broadcast.feeds.publishing import Publishing
from broadcast.house.dealing import random_deal
from broadcast.house.mail import Mail
from broadcast.house.relational import raw_job
from broadcast.house.settings import Settings
from broadcast.house.signing import signed
from broadcast.house.writer import Writer
from broadcast.storage.database import Database
from broadcast.storage.mail_store import Letter
from broadcast.storage.match_codec import MATCH_CODEC
from broadcast.web import authority
from broadcast.web.application import Application
from broadcast.web.house import House
from broadcast.web.local import marked_local
from teams.members.accounts import Role
from teams.members.colours import Colour
from teams.members.rosters import Captain
from teams.storage import captain_settings
from teams.storage.account_links import AccountLinks
from teams.storage.invitation_store import Post
from teams.storage.members import Members
from teams.storage.parties import Parties
from teams.storage.sessions import Sessions
from teams.web.authority import MembersAccounts
from teams.web.regulations import TeamRegulations
from tests.broadcast.house.counters import HandClock

Json = dict[str, Any]
DELAY_SECONDS = 600
RELEASES: dict[str, Json] = {
    "delay": {"rule": "delay", "seconds": DELAY_SECONDS},
    "board": {"rule": "board"},
    "match": {"rule": "match"},
}


@dataclass
class Answer:
    """What came back: of a stream, all that it had to say at the moment."""

    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def json(self) -> Any:
        return json.loads(self.body)


def request_scope(method: str, address: str, headers: Mapping[str, str]) -> Scope:
    path, _, query = address.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(path).decode("utf-8", "replace"),
        "raw_path": path.encode(),
        "query_string": query.encode("utf-8", "replace"),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("club.example", 80),
    }


@dataclass
class WholeHouse:
    application: Application
    house: House
    members: Members
    clock: HandClock
    tokens: dict[str, str] = field(default_factory=dict)
    """Bearer tokens by person; ``anonymous`` has none."""
    links: dict[str, str] = field(default_factory=dict)
    """Links that are open: ``join`` to an account, ``reset`` of pia's password; ``account`` is ann's id."""

    async def ask(
        self,
        method: str,
        address: str,
        token: str | None = None,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        local: bool = False,
    ) -> Answer:
        """One request. A stream is left when it waits for its viewer to go: then it has said everything."""
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        answer, has_body = Answer(), False

        async def receive() -> Message:
            nonlocal has_body
            if not has_body:
                has_body = True
                return {"type": "http.request", "body": body, "more_body": False}
            await asyncio.sleep(0)
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = [
                    (name.decode(), value.decode("latin-1")) for name, value in message["headers"]
                ]
            elif method != "HEAD":  # its body is the server's to leave out
                answer.body += message.get("body", b"")

        application = marked_local(self.application) if local else self.application
        await application(request_scope(method, address, sent), receive, send)
        return answer

    async def get(self, address: str, token: str | None = None) -> Answer:
        return await self.ask("GET", address, token)

    async def post(
        self, address: str, body: Any, token: str | None = None, key: str | None = None, local: bool = False
    ) -> Answer:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or secrets.token_hex(8)}
        return await self.ask("POST", address, token, json.dumps(body).encode(), headers, local)

    async def done(self, address: str, body: Any, token: str | None = None) -> Json:
        """A request that is carried out; its answer."""
        answer = await self.post(address, body, token)
        assert answer.status in (200, 201), (address, body, answer.status, answer.body)
        made: Json = answer.json()
        return made

    async def person(self, name: str, *roles: Role) -> None:
        await self.members.add_account(name, roles)
        self.tokens[name] = await self.members.add_token(name)

    def change(self, **settings: Any) -> None:
        """Another setting of the house."""
        self.house = replace(self.house, **settings)
        self.application.routed.state.house = self.house

    async def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await self.house.writer.tick_due()

    async def private_addresses(self, team: str) -> tuple[str, str, str]:
        """A club of ann's, an invitation to her team, and her secret address; ``links`` of accounts, too."""
        parties = Parties(self.house.database, self.house.writer)
        ann = (await self.members.account("ann")).id
        club = await parties.found("Zarja club", Colour.SKY, Captain(ann, "ann"), [], plays=False)
        invitation = await parties.invite(team, Post.PLAYER, ann)
        secret = await self.house.writer.write(
            raw_job(lambda raw, now: captain_settings.renew_address(raw, ann, self.house.secret))
        )
        self.links["account"] = ann
        links = AccountLinks(self.house.database, self.house.writer, self.house.mail)
        nobody = Letter("nobody@club.example", "", "")
        for link in (
            await links.invite(Role.PLAYER, None, "", None, "director:dora", lambda link, to: nobody),
            await links.reset_by_director("pia", "director:dora", lambda link, to: nobody),
        ):
            self.links[link.kind.value] = signed(self.house.secret, link.kind, link.id)
        return club.id, invitation, secret


class Viewer:
    """Someone who watches a stream all the time."""

    def __init__(self, house: WholeHouse, address: str) -> None:
        self.address = address
        self._heard = b""
        self._gone = asyncio.Event()
        self._task = asyncio.create_task(self._watch(house))

    async def _watch(self, house: WholeHouse) -> None:
        async def receive() -> Message:
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            self._heard += message.get("body", b"")

        await house.application(request_scope("GET", self.address, {}), receive, send)

    async def received(self) -> str:
        """Everything that has come by now."""
        for _ in range(5):
            await asyncio.sleep(0)
        return self._heard.decode()

    async def leave(self) -> None:
        self._gone.set()
        await self._task


@asynccontextmanager
async def whole_house(directory: Path, people: bool = True) -> AsyncIterator[WholeHouse]:
    """The house opened, with accounts: dora (director), cora (commentator), pia (player), and captains ann of
    the home team, vic of the visitors, nil of none; without ``people`` as it was left."""
    clock, hub = HandClock(), Hub(Pace(hold_seconds=0))
    application = server.Server(Settings(directory)).app
    async with await Database.open(directory / "house.db", migrations=server.STEPS) as database:
        publishing: Publishing | None = None
        writer = Writer(
            database,
            server.KINDS,
            clock,
            on_commit=lambda changes: publishing.on_commit(changes) if publishing else None,
            keeps_time=False,
        )
        publishing = Publishing(hub, database.epoch, writer)
        async with writer:
            members = Members(database, writer)
            house = House(
                database=database,
                writer=writer,
                publishing=publishing,
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
            opened = WholeHouse(application, house, members, clock)
            if people:
                await opened.person("dora", Role.DIRECTOR)
                await opened.person("cora", Role.COMMENTATOR)
                await opened.person("pia", Role.PLAYER)
                for name in ("ann", "vic", "nil"):
                    await opened.person(name, Role.CAPTAIN)
            yield opened
            hub.close()


@dataclass
class Contest:
    """A challenge on a ladder whose match is being played in two rooms, and another match beside it."""

    house: WholeHouse
    ladder: str
    teams: dict[str, str]
    """Ids of ``home`` and ``visitors``, captained by ann and vic."""
    challenge: str
    match: str
    other_match: str
    boards: int
    club: str
    """Its officer is ann."""
    invitation: str
    """To the home team, not yet taken."""
    secret: str
    """Of the address at which ann reads her calendar and her messages."""

    @property
    def tokens(self) -> dict[str, str]:
        return self.house.tokens

    async def enter(self, room: str, *commands: Json) -> Json:
        """Entries of a room, by its operator."""
        path = f"/api/matches/{self.match}/rooms/{room}/commands"
        return await self.house.done(path, {"commands": [*commands]}, self.tokens[f"operator {room}"])

    async def name_lineup(self, side: str) -> None:
        """The players of ``home`` or ``visitors`` for both rooms, by their captain."""
        team = (await self.house.get(f"/api/teams/{self.teams[side]}")).json()
        players = [{"id": player["id"]} for player in team["players"]]
        own = {"open": "NS", "closed": "EW"} if side == "home" else {"open": "EW", "closed": "NS"}
        for room, pair in (("open", players[:2]), ("closed", players[2:4])):
            body = {"room": room, "seats": dict(zip(own[room], pair, strict=True))}
            captain = self.tokens["ann" if side == "home" else "vic"]
            await self.house.done(f"/api/challenges/{self.challenge}/lineup", body, captain)

    async def rule(self, type: str, **fields: Any) -> Json:
        body = {"type": type, "reason": "as ruled", **fields}
        return await self.house.done(f"/api/matches/{self.match}/rulings", body, self.tokens["dora"])


async def contest(house: WholeHouse, release: str = "board", boards: int = 3) -> Contest:
    """Teams, a ladder, an accepted challenge; operators of both rooms and one of the other match."""
    dora = house.tokens["dora"]
    rules = {
        "schedule": "at_once",
        "boards": boards,
        "deals": "typed",
        "correction_minutes": 30,
        "release": RELEASES.get(release, {"rule": release}),
    }
    ladder = (await house.done("/api/ladders", {"name": "Club ladder", "rules": rules}, dora))["id"]
    teams = {}
    for side, captain, name in (("home", "ann", "Modra"), ("visitors", "vic", "Vihar")):
        players = [f"{name} {number}" for number in range(1, 5)]
        body = {"name": name, "players": players}
        teams[side] = (await house.done("/api/teams", body, house.tokens[captain]))["id"]
        await house.done(f"/api/ladders/{ladder}/entries", {"team": teams[side]}, house.tokens[captain])
    version = (await house.get(f"/api/ladders/{ladder}")).json()["version"]
    issued = await house.done(
        f"/api/ladders/{ladder}/challenges",
        {"opponent": teams["home"], "ladder_version": version},
        house.tokens["vic"],
    )
    accepted = await house.done(f"/api/challenges/{issued['id']}/accept", {}, house.tokens["ann"])
    match = accepted["match"]
    for room in ("open", "closed"):
        made = await house.done(f"/api/matches/{match}/rooms/{room}/operators", {}, dora)
        house.tokens[f"operator {room}"] = made["token"]
    segments = [{"title": "1 of 1", "first": 1, "last": 1}]
    other = {"title": "Other", "home": "Zora", "visitors": "Zarja", "segments": segments}
    made = await house.done("/api/matches", other, dora)
    house.tokens["operator elsewhere"] = made["rooms"]["open"]["token"]
    club, invitation, secret = await house.private_addresses(teams["home"])
    return Contest(house, ladder, teams, issued["id"], match, made["id"], boards, club, invitation, secret)

"""Requests of a whole house that nobody would send in good faith: by token, and by people who are signed in.

Programs send JSON, files and whatever else by bearer token; browsers that are signed in send forms and uploads
from the site's own pages, as no reader is met otherwise. Names of fields are those that the commands and the
templates have, so that the rules behind the reading are met, too.
"""

import json
import random
import re
from typing import Any
from urllib.parse import quote, urlencode

from argon2 import PasswordHasher

from broadcast.web.templating import TEMPLATE_DIRECTORY
from teams.members import accounts
from tests.bench.fuzz.readers import LIN_FILES, PBN_FILES, Failure, spoiled
from tests.scenarios.outlets import filled
from tests.scenarios.test_hostile_input import AWKWARD, CODES, FIELDS, PLAUSIBLE, QUESTIONS, TYPES
from tests.scenarios.test_roles import TABLE
from tests.scenarios.whole_house import Contest
from tests.teams.web.browsing import FORM, PASSWORD, Browser

TEMPLATES = [path.read_text() for path in sorted(TEMPLATE_DIRECTORY.rglob("*.html"))]
FORM_FIELDS = sorted({name for text in TEMPLATES for name in re.findall(r'\bname="([a-z_0-9]+)"', text)})
FORM_VALUES = sorted({value for text in TEMPLATES for value in re.findall(r'\bvalue="([a-z_0-9]+)"', text)})
BOUNDARY = "----fuzz"
JSON = "application/json"
SIGNED_IN = ("dora", "ann", "pia")
"""A director, a captain and a player, each with a browser."""


class Requests:
    """Requests of a house with a match under way, by whoever."""

    def __init__(self, stage: Contest) -> None:
        self._stage = stage
        self._posts = [row.split()[1] for row in TABLE if row.startswith("POST ")]
        self._gets = [row.split()[1] for row in TABLE if row.startswith("GET ")]
        self._forms = [path for path in self._posts if not path.startswith(("/api/", "/local/"))]
        self._browsers: dict[str, Browser] = {}

    async def sign_in(self) -> None:
        """Give the people their browsers. Passwords are hashed weakly: they are nobody's."""
        weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        accounts._hasher = lambda: weak  # type: ignore[assignment]
        house = self._stage.house
        for name in SIGNED_IN:
            await house.members.set_password(name, PASSWORD)
            house.tokens[name] = await house.members.add_token(name)
            self._browsers[name] = Browser(house)
            await self._browsers[name].sign_in(name)

    async def ask(self, chance: random.Random) -> None:
        if chance.random() < 0.3:
            await self._by_browser(chance)
        else:
            await self._by_token(chance)

    async def _by_token(self, chance: random.Random) -> None:
        method = chance.choice(("GET", "POST"))
        address = self._address(chance, self._gets if method == "GET" else self._posts)
        sender = chance.choice([None, *self._stage.tokens])
        token = None if sender is None else self._stage.tokens[sender]
        headers = {"Last-Event-ID": chance.choice(["1-1", "9-9", "x", "1-" + "9" * 400])}
        body = b""
        if method == "POST":
            kind = chance.choice((JSON, JSON, FORM, "text/x"))
            headers |= {"Content-Type": kind, "Idempotency-Key": f"k{chance.randrange(50)}"}
            body = self._body(chance)
        answer = await self._stage.house.ask(method, address, token, body, headers)
        if not 200 <= answer.status < 500:
            raise Failure(f"{method} {address} by {sender} with {body[:300]!r} was answered {answer.status}")

    async def _by_browser(self, chance: random.Random) -> None:
        name = chance.choice(SIGNED_IN)
        browser = self._browsers[name]
        address = self._address(chance, self._forms)
        kind, body = FORM, urlencode(self._fields(chance)).encode(errors="surrogatepass")
        match chance.randrange(4):
            case 0:
                kind, body = f"multipart/form-data; boundary={BOUNDARY}", self._upload(chance)
            case 1:
                body = spoiled(chance, [body or b"a=b"])
            case _:
                pass  # the form as it was filled in
        answer = await browser.ask("POST", address, body, kind)
        if not 200 <= answer.status < 500:
            raise Failure(f"{address} by {name} with {body[:300]!r} was answered {answer.status}")
        if browser.cookie is None or answer.status == 401:  # signed out by the form
            await browser.sign_in(name)

    def _address(self, chance: random.Random, paths: list[str]) -> str:
        address = chance.choice(filled(chance.choice(paths), self._stage))
        names = chance.sample(QUESTIONS, chance.randint(0, 3))
        if names:
            address += "?" + "&".join(f"{name}={quote(self._text(chance))}" for name in names)
        return address

    def _text(self, chance: random.Random) -> str:
        return chance.choice([*AWKWARD, *CODES, "1-1", "9" * 300, str(chance.randrange(-5, 99))])

    def _fields(self, chance: random.Random) -> list[tuple[str, str]]:
        known = [self._stage.match, *self._stage.teams.values(), self._stage.club, PASSWORD]
        return [
            (name, chance.choice([self._text(chance), chance.choice(FORM_VALUES), chance.choice(known)]))
            for name in chance.sample(FORM_FIELDS, chance.randint(0, 12))
        ]

    def _upload(self, chance: random.Random) -> bytes:
        parts = [(f'name="{name}"', value.encode()) for name, value in self._fields(chance)]
        for name in ("file", "files", "record", "deals"):
            sent = spoiled(chance, LIN_FILES + PBN_FILES)
            parts.append((f'name="{name}"; filename="{quote(self._text(chance))}.lin"', sent))
        whole = b"".join(
            f"--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + value + b"\r\n"
            for head, value in parts
        )
        whole += f"--{BOUNDARY}--\r\n".encode()
        return spoiled(chance, [whole]) if chance.random() < 0.5 else whole

    def _body(self, chance: random.Random) -> bytes:
        if chance.random() < 0.2:
            return spoiled(chance, LIN_FILES + PBN_FILES)
        command: dict[str, Any] = {"type": chance.choice(TYPES)}
        for name in chance.sample(FIELDS, chance.randint(0, 8)):
            command[name] = self._value(chance, name, 3)
        body = chance.choice((command, {"command": command}, {"commands": [command, command]}))
        data = json.dumps(body).encode()
        return spoiled(chance, [data]) if chance.random() < 0.3 else data

    def _value(self, chance: random.Random, name: str, depth: int) -> Any:
        if name in PLAUSIBLE and chance.random() < 0.7:
            return chance.choice(PLAUSIBLE[name])
        if depth and chance.random() < 0.2:
            return {inner: self._value(chance, inner, depth - 1) for inner in chance.sample(FIELDS, 2)}
        return chance.choice([None, True, -1, 0, 10**18, 1.5, [], self._text(chance), [self._text(chance)] * 3])

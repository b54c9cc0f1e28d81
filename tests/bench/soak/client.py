"""A client as the published protocol wants it: a key for every command, sent until it is answered."""

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from tests.serving import NO_TLS, Json

PAUSE_SECONDS = 0.1
"""Between one attempt and the next."""
MOST_SECONDS = 600.0
"""So long a command may go without an answer."""
AWAY = (502, 503, 504)


class Refused(Exception):
    """A command was answered, and not carried out."""


@dataclass
class Ledger:
    """What the house has said it has done."""

    acknowledged: int = 0
    """Commands that were answered and carried out."""
    answers: dict[str, bytes] = field(default_factory=dict)
    """The answer to each of them that entered something in a room, by its key."""
    marks: list[str] = field(default_factory=list)
    """Words of acknowledged rulings and comments, each to be found in the log once."""
    attempts: int = 0
    backups: int = 0
    challenges: int = 0
    matches: int = 0
    reads: int = 0


class Client:
    """Sends commands to one address by one token."""

    def __init__(self, address: str, ledger: Ledger, chance: Random, token: str | None = None) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        limits = httpx.Limits(max_connections=None)
        self._http = httpx.AsyncClient(
            base_url=address, headers=headers, timeout=60, limits=limits, verify=NO_TLS, trust_env=False
        )
        self._ledger = ledger
        self._chance = chance
        self._address = address

    def as_(self, token: str) -> "Client":
        return Client(self._address, self._ledger, self._chance, token)

    async def close(self) -> None:
        await self._http.aclose()

    async def done(self, path: str, body: Json) -> Any:
        """The answer to a command that is sent until there is one.

        Now and then the sender hangs up before it comes, and sends again. Raises ``Refused``.
        """
        key = f"{self._chance.getrandbits(64):016x}"
        async with asyncio.timeout(MOST_SECONDS):
            while True:
                self._ledger.attempts += 1
                patience = None if self._chance.random() < 0.97 else self._chance.random() / 100
                try:
                    async with asyncio.timeout(patience):
                        response = await self._http.post(path, json=body, headers={"idempotency-key": key})
                except (httpx.TransportError, TimeoutError):
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                if response.status_code in AWAY:
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                break
        if not response.is_success:
            raise Refused(f"{path} {body}: {response.status_code} {response.text}")
        self._ledger.acknowledged += 1
        if path.endswith("/commands"):
            self._ledger.answers[key] = response.content
        return response.json()

    async def get(self, path: str) -> Any:
        """The JSON at an address, asked until there is some."""
        async with asyncio.timeout(MOST_SECONDS):
            while True:
                try:
                    response = await self._http.get(path)
                except httpx.TransportError:
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                if response.is_success:
                    self._ledger.reads += 1
                    return response.json()
                await asyncio.sleep(PAUSE_SECONDS)

    def stream(self, path: str, headers: dict[str, str]) -> Any:
        return self._http.stream("GET", path, headers=headers)

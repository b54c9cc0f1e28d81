"""What an application works with, assembled once by ``server.py`` and reached by every handler."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from broadcast.analysis.double_dummy import DoubleDummy
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.publishing import Publishing
from broadcast.feeds.streams import Stream, StreamKey
from broadcast.house.clock import Clock
from broadcast.house.mail import Mail
from broadcast.house.writer import Writer
from broadcast.storage.database import Database
from broadcast.storage.event_codec import Codec
from broadcast.web.authority import Authority
from broadcast.web.metrics import Meters
from broadcast.web.throttles import Throttles

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Of ids: no letter that is easily taken for another."""


class Regulations(Protocol):
    """What ``broadcast`` asks of whoever knows scales and teams."""

    def check_scales(self, scale: str, imp_scale: str, boards: int) -> None:
        """Raise ``Refusal`` for a scale that is unknown or has no row for so many boards."""

    def imps(self, difference: int, imp_scale: str) -> int:
        """IMPs of a difference in score points."""

    async def team_name(self, id: str) -> str | None:
        """The name of a registered team."""

    def scales(self, boards: int) -> list[dict[str, Any]]:
        """VP scales to choose from over so many boards: ``name``, ``has_row``, ``whole`` (the most), ``blitz``
        (the margin that wins all) and ``examples`` ``[{imps, winner, loser}]``."""

    async def teams(self) -> list[dict[str, Any]]:
        """Registered teams by name: ``id``, ``name`` and ``players`` ``[{id, name}]``."""

    def moves(self, ladder: Stream, match: str) -> list[dict[str, Any]]:
        """Moves on a ladder because of a match: ``at`` (the moment), ``team from to cause``."""

    async def ladders(self) -> list[dict[str, Any]]:
        """Ladders as the home page shows them: id, name, top rungs, newest moves."""


class RelayState(Protocol):
    """How well the public feed reaches Redis."""

    @property
    def is_connected(self) -> bool: ...

    @property
    def behind(self) -> int:
        """Streams not yet up to date there."""


@dataclass(frozen=True, slots=True)
class House:
    database: Database
    writer: Writer
    publishing: Publishing
    authority: Authority
    clock: Clock
    regulations: Regulations
    match_codec: Codec
    origin: str
    """The public address, like ``https://club.example``; without a slash at the end."""
    secret: bytes
    """Signs the first links of a match."""
    mail: Mail
    deal: Callable[[], Any]
    """A random deal from the system's randomness."""
    meters: Meters = field(default_factory=Meters)
    analysis: DoubleDummy | None = None
    """Double-dummy tricks, where they are asked for."""
    relay: RelayState | None = None
    """The public feed's way to Redis, where it is also appended there."""

    sign_up_is_open: bool = False
    """Whether anybody may make an account of a player; else accounts are made by invitation."""
    throttles: Throttles = field(default_factory=Throttles)
    """How often somebody tried what may not be tried for ever."""
    searching: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One search at a time, so that a crowd of them leaves a reading connection to everything else."""

    async def match(self, id: str) -> MatchStream | None:
        """The match as of the last commit, ``None`` where there is none."""
        stream = await self.writer.stream(StreamKey(MATCH, id))
        return stream if isinstance(stream, MatchStream) else None


def new_id(length: int = 8) -> str:
    """An id that cannot be guessed from another."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))

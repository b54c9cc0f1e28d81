"""What the one writer knows of a stream: a log going in, a public feed going out.

A match is a stream, a ladder is a stream. A stream is an immutable value that holds its folded state. Asked to
``handle`` a command or to let time pass (``tick``) it answers a ``Change``: the events for its log, the entries
for its public feed, and commands for other streams, all to be stored in one transaction or not at all. The
stream does no I/O and reads no clock, so a failed transaction leaves nothing to repair: the change is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, Self

from broadcast.bridge.rooms import Room
from broadcast.tables.recorded import Recorded


class StreamKey(NamedTuple):
    """Names a stream: ``("match", "m7k2")``."""

    kind: str
    id: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}"


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """A fact for everyone before it has a number: an SSE event's name and JSON data."""

    name: str
    data: dict[str, Any]
    hidden: dict[str, Any] | None
    """The data for viewers who hide results; ``None`` leaves the event out for them."""
    room: Room | None = None
    """The one room it concerns; ``None`` concerns both."""
    aside: dict[str, Any] | None = None
    """Data of a ``worth`` message without number that rides behind this one."""


@dataclass(frozen=True, slots=True)
class Published:
    """An entry of the public feed. It is stored and never recomputed or renumbered."""

    number: int
    """From 1 without gaps in the stream's feed."""
    source: int
    """Sequence of the log event whose release made it."""
    released_at: datetime
    event: PublicEvent


@dataclass(frozen=True, slots=True)
class Consequence:
    """A command for another stream, carried out in the same transaction."""

    stream: StreamKey
    command: object


@dataclass(frozen=True, slots=True)
class Summary:
    """A line in lists and search, written with the change and rebuilt by ``check``."""

    status: str
    title: str
    sort_at: datetime
    """Newest first in lists."""
    parties: tuple[str, ...]
    """Ids of the teams concerned."""
    body: dict[str, Any]
    """What a list shows; public facts only."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a command or the passing of time does to a stream."""

    stream: "Stream"
    """The stream afterwards."""
    recorded: tuple[Recorded[object], ...] = ()
    published: tuple[Published, ...] = ()
    consequences: tuple[Consequence, ...] = ()

    def then(self, later: "Change") -> "Change":
        """This change and after it the later one, as one."""
        return Change(
            later.stream,
            self.recorded + later.recorded,
            self.published + later.published,
            self.consequences + later.consequences,
        )


class Stream(Protocol):
    """An immutable aggregate behind a log and before a feed."""

    @property
    def key(self) -> StreamKey: ...

    @property
    def sequence(self) -> int:
        """The log's last sequence, 0 before the first event."""

    @property
    def number(self) -> int:
        """The feed's last number, 0 while nothing is public."""

    @property
    def is_open(self) -> bool:
        """Whether time alone may still change it. What is not open need not be kept in memory."""

    def summary(self) -> Summary | None:
        """Its line in lists, ``None`` while nothing of it is public."""

    def exclusive(self) -> frozenset[str]:
        """Keys that no other stream, nor this one twice, may hold at once; kept unique by the database."""

    def next_due(self) -> datetime | None:
        """The next moment at which ``tick`` would do something, ``None`` when nothing waits for the clock."""

    def handle(self, command: object, now: datetime, by: str) -> Change:
        """Decide a command after everything due by ``now`` has been released (``tick``).

        Raises the refusing rule's error (``broadcast.tables.errors.Refusal`` or a bridge error).
        """

    def tick(self, now: datetime) -> Change:
        """Close what has run out, then release what is due. Often nothing."""

    def restored(self, log: Sequence[Recorded[Any]], released_until: datetime | None, published: int) -> Self:
        """The stream folded from its stored log, released as far as its stored feed says.

        ``published`` is how many entries the stored feed holds; raises ``BrokenFeed`` when the fold differs.
        """


class StreamKind(Protocol):
    """A kind of stream: how to begin an empty one. The codec and the summaries are registered beside it."""

    @property
    def name(self) -> str: ...

    def empty(self, id: str) -> Stream: ...

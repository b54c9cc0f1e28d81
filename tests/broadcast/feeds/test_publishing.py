"""Channels filled from storage while the writer goes on."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from broadcast.feeds.hub import Hub
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.polling import poll
from broadcast.feeds.public_state import PublicState
from broadcast.feeds.publishing import Encoding, Publishing, desk_channel
from broadcast.feeds.role_views import Logged, match_log
from broadcast.feeds.streams import Change, PublicEvent, Published, Stream, StreamKey
from broadcast.tables.events import MatchEvent
from broadcast.tables.recorded import Recorded
from teams.matches.projection import MatchComparison
from tests.builders import new_match

AT = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)
WHOLE = Encoding()


@dataclass
class Shown:
    """A stream as far as a channel asks of it."""

    key: StreamKey
    number: int
    sequence: int = 0

    def snapshot(self, *, hidden: bool = False) -> dict[str, Any]:
        return {"number": self.number}


@dataclass
class Stored:
    """Streams as they are in memory, and the entries that storage already holds of each."""

    numbers: dict[str, int]
    ahead: int = 0
    """So many entries are committed but not told yet."""
    streams: dict[str, Shown] = field(default_factory=dict)

    async def stream(self, key: StreamKey) -> Stream | None:
        if key.id not in self.numbers:
            return None
        held = self.streams.setdefault(key.id, Shown(key, self.numbers[key.id]))
        return cast(Stream, held)

    async def feed(self, key: StreamKey, after: int = 0, limit: int = -1) -> list[Published]:
        last = self.numbers[key.id] + self.ahead
        return [entry(number) for number in range(after + 1, last + 1)]


def entry(number: int) -> Published:
    data = {"number": number}
    return Published(number, number, AT, PublicEvent("call", data, data))


def key(id: str) -> StreamKey:
    return StreamKey("match", id)


def change(id: str, number: int) -> Change:
    return Change(cast(Stream, Shown(key(id), number)), (), (entry(number),))


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), timeout=5))


def test_entry_committed_but_not_yet_told_while_a_channel_is_filled_comes_once() -> None:
    """Storage is ahead of memory between a commit and ``on_commit``. A channel filled just then held the new
    entry already, ``on_commit`` failed over the repeat, and every other channel missed the commit for good.
    """

    async def scenario() -> None:
        stored = Stored({"m1": 2, "m2": 0}, ahead=1)
        publishing = Publishing(Hub(), 1, stored)
        channel = await publishing.channel(key("m1"), WHOLE)
        assert channel is not None
        publishing.on_commit([change("m1", 3)])
        assert [each["id"] for each in poll(channel, "1-0")["events"]] == ["1-1", "1-2", "1-3"]
        publishing.hub.close()

    run(scenario)


def test_log_event_committed_but_not_yet_told_comes_once_in_a_private_stream() -> None:
    async def scenario() -> None:
        created = MatchStream("m1", PublicState("m1", MatchComparison())).handle(
            new_match(), AT, "director:ann"
        )
        publishing = Publishing(Hub(), 1, Stored({"m1": 0}))

        async def log() -> list[Logged]:
            return list(match_log(cast(tuple[Recorded[MatchEvent], ...], created.recorded)))

        channel = await publishing.private_channel(desk_channel("m1"), key("m1"), log)
        publishing.on_commit([created])
        assert [each["id"] for each in poll(channel, "0")["events"]] == ["1"]
        publishing.hub.close()

    run(scenario)

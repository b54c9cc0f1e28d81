"""Channels filled from storage while the writer goes on."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

import pytest
from starlette.types import Message

from broadcast.feeds import publishing as publishing_module
from broadcast.feeds.hub import Hub
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.polling import poll
from broadcast.feeds.public_state import PublicState
from broadcast.feeds.publishing import Encoding, Publishing, desk_channel
from broadcast.feeds.role_views import match_log
from broadcast.feeds.streams import Change, PublicEvent, Published, Stream, StreamKey
from broadcast.tables.commands import ChangeRelease
from broadcast.tables.events import MatchEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import Release
from broadcast.web.sse import StreamResponse
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

        async def log(after: int) -> Sequence[Recorded[MatchEvent]]:
            return cast(tuple[Recorded[MatchEvent], ...], created.recorded)[after:]

        channel = await publishing.private_channel(desk_channel("m1"), key("m1"), log, match_log)
        publishing.on_commit([created])
        assert [each["id"] for each in poll(channel, "0")["events"]] == ["1"]
        publishing.hub.close()

    run(scenario)


def test_private_stream_that_opens_while_a_room_is_busy_reads_on_and_not_all_again() -> None:
    """Each commit made it read the whole log anew, so that in a busy match it did not open for a long time."""

    async def scenario() -> None:
        stream = MatchStream("m1", PublicState("m1", MatchComparison()))
        grown = [stream.handle(new_match(), AT, "director:ann")]
        for _ in range(3):
            reason = ChangeRelease(Release(), "busy")
            grown.append(grown[-1].stream.handle(reason, AT, "director:ann"))
        recorded = [each for change in grown for each in change.recorded]
        feeds, asked = Stored({"m1": 0}), list[int]()

        async def standing(key: StreamKey) -> Stream:
            return grown[min(len(asked), 3)].stream  # a commit comes during each reading

        async def log(after: int) -> Sequence[Recorded[MatchEvent]]:
            asked.append(after)
            return cast(list[Recorded[MatchEvent]], recorded)[after : len(asked)]

        feeds.stream = standing  # type: ignore[method-assign]
        publishing = Publishing(Hub(), 1, feeds)
        channel = await publishing.private_channel(desk_channel("m1"), key("m1"), log, match_log)
        assert asked == [0, 1, 2, 3]
        assert [each["id"] for each in poll(channel, "0")["events"]] == ["1", "2", "3", "4"]
        publishing.hub.close()

    run(scenario)


def test_channel_is_kept_while_the_start_of_its_response_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A response had its channel let go, and the stream with it, while its client took the headers slowly; the
    snapshot then failed with a ``KeyError`` in the middle of the response.
    """
    monkeypatch.setattr(publishing_module, "MOST_CHANNELS", 0)

    async def scenario() -> None:
        publishing = Publishing(Hub(), 1, Stored({"m1": 1, "m2": 1}))
        channel = await publishing.channel(key("m1"), WHOLE)
        assert channel is not None
        has_room, sent = asyncio.Event(), asyncio.Queue[Message]()

        async def send(message: Message) -> None:
            await has_room.wait()
            sent.put_nowait(message)

        async def receive() -> Message:
            await asyncio.Event().wait()
            raise AssertionError

        response = StreamResponse(channel, None, partial(publishing.snapshot, key("m1"), WHOLE))
        answering = asyncio.create_task(response({"type": "http", "method": "GET"}, receive, send))
        await asyncio.sleep(0)
        await publishing.channel(key("m2"), WHOLE)
        has_room.set()
        assert (await sent.get())["status"] == 200
        assert b"event: snapshot" in (await sent.get())["body"]
        answering.cancel()

    run(scenario)


def test_channel_asked_for_again_is_let_go_after_those_that_were_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing_module, "MOST_CHANNELS", 1)

    async def scenario() -> None:
        publishing = Publishing(Hub(), 1, Stored({"m1": 1, "m2": 1, "m3": 1}))
        for id in ("m1", "m2", "m1", "m3"):
            await publishing.channel(key(id), WHOLE)
        assert [channel.key for channel in publishing.hub.channels] == [
            "match/m1/whole/both",
            "match/m3/whole/both",
        ]
        publishing.hub.close()

    run(scenario)

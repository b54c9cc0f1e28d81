"""Channels and viewers against a ``send`` that the test opens and closes by hand."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from starlette.types import Message

from broadcast.feeds.channels import PIECE_BYTES, Channel
from broadcast.feeds.cursor import Reset, ResetReason, Tail
from broadcast.feeds.frames import Frame
from broadcast.feeds.hub import Hub
from broadcast.feeds.pace import Pace
from broadcast.feeds.polling import poll
from broadcast.feeds.viewers import Viewer

QUICK = Pace(hold_seconds=0, heartbeat_seconds=60)


class Connection:
    """Stands for a server's connection: takes bytes while its buffer has room."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.has_room = asyncio.Event()
        self.has_room.set()
        self.failure: Exception | None = None

    async def send(self, message: Message) -> None:
        if self.failure is not None:
            raise self.failure
        await self.has_room.wait()
        self.messages.append(message)

    @property
    def numbers(self) -> list[int]:
        """Numbers of the events written, in order."""
        lines = b"".join(message["body"] for message in self.messages).split(b"\n")
        return [int(line.rpartition(b"-")[2]) for line in lines if line.startswith(b"id: ")]

    @property
    def text(self) -> str:
        return b"".join(message["body"] for message in self.messages).decode()


def event(number: int, data: bytes = b"{}") -> Frame:
    return Frame.numbered(1, number, "call", data)


def events(*numbers: int) -> list[Frame]:
    return [event(number) for number in numbers]


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), timeout=5))


async def turns(count: int = 5) -> None:
    """Let the event loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)


async def watch_until_ended(viewer: Viewer, left: list[str], name: str = "viewer") -> None:
    """What a request's task does: enter, wait for its client to go, leave."""
    with viewer:
        await asyncio.Event().wait()
    left.append(name)


def test_viewer_gets_what_follows_its_cursor_and_then_every_event_once() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1, frames=events(1, 2, 3))
        connection = Connection()
        with channel.subscribe(connection.send, b"", after=1):
            assert connection.numbers == [2, 3]
            channel.append(events(4))
            channel.append(events(5, 6))
            await turns()
            assert connection.numbers == [2, 3, 4, 5, 6]
            assert len(connection.messages) == 2, "what came in one turn goes out in one write"
        assert channel.viewers == 0

    run(scenario)


def test_viewers_at_one_position_share_the_bytes() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)
        one, other = Connection(), Connection()
        with (
            channel.subscribe(one.send, b"", after=0),
            channel.subscribe(other.send, b"", after=0),
        ):
            channel.append(events(1, 2))
            await turns()
        assert one.messages[0]["body"] is other.messages[0]["body"]

    run(scenario)


def test_burst_is_held_after_a_broadcast_and_goes_out_in_one_write() -> None:
    async def scenario() -> None:
        channel = Hub(Pace(hold_seconds=0.02)).open("m", epoch=1)
        connection = Connection()
        with channel.subscribe(connection.send, b"", after=0):
            channel.append(events(1))
            await turns()
            assert connection.numbers == [1], "an idle channel does not hold"
            for number in (2, 3, 4):
                channel.append(events(number))
                await turns()
            assert connection.numbers == [1]
            await asyncio.sleep(0.04)
            assert connection.numbers == [1, 2, 3, 4]
            assert len(connection.messages) == 2

    run(scenario)


def test_full_connection_parks_its_viewer_alone_and_it_catches_up() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)
        slow, quick = Connection(), Connection()
        with (
            channel.subscribe(slow.send, b"", after=0) as viewer,
            channel.subscribe(quick.send, b"", after=0),
        ):
            slow.has_room.clear()
            for number in (1, 2, 3):
                channel.append(events(number))
                await turns()
            assert viewer.is_parked is True
            assert (slow.numbers, quick.numbers) == ([], [1, 2, 3])
            slow.has_room.set()
            await turns()
            channel.append(events(4))
            await turns()
            assert slow.numbers == quick.numbers == [1, 2, 3, 4]

    run(scenario)


def test_viewer_too_far_behind_is_let_go_in_order_and_its_cursor_is_reset() -> None:
    async def scenario() -> None:
        channel = Hub(Pace(hold_seconds=0, slow_events=10)).open("m", epoch=1)
        connection, left = Connection(), list[str]()
        connection.has_room.clear()
        viewer = channel.subscribe(connection.send, b"retry: 1\n\n", after=0)
        request = asyncio.create_task(watch_until_ended(viewer, left))
        await turns()
        for number in range(1, 3_001):
            channel.append(events(number))
            if number % 100 == 0:
                await turns(2)
        connection.has_room.set()
        await request
        assert left == ["viewer"]
        assert connection.numbers == []
        assert connection.messages[-1]["more_body"] is False
        assert (channel.dropped, channel.viewers) == (1, 0)
        assert channel.resume("1-0") == Reset(ResetReason.BEHIND)

    run(scenario)


def test_parked_viewer_whose_frames_are_gone_is_let_go() -> None:
    async def scenario() -> None:
        channel = Hub(Pace(hold_seconds=0, slow_events=1_000_000)).open("m", epoch=1)
        connection, left = Connection(), list[str]()
        connection.has_room.clear()
        viewer = channel.subscribe(connection.send, b": hello\n\n", after=0)
        request = asyncio.create_task(watch_until_ended(viewer, left))
        await turns()
        channel.append(events(*range(1, 3_001)))
        connection.has_room.set()
        await request
        assert (connection.numbers, channel.dropped) == ([], 1)
        assert [message["more_body"] for message in connection.messages] == [True, False]

    run(scenario)


def test_viewer_that_takes_nothing_is_cut_off() -> None:
    async def scenario() -> None:
        channel = Hub(Pace(slow_seconds=0.01, watch_seconds=0.005)).open("m", epoch=1)
        connection, left = Connection(), list[str]()
        connection.has_room.clear()
        tasks = len(asyncio.all_tasks())
        await watch_until_ended(channel.subscribe(connection.send, b"x", after=0), left)
        await turns()
        assert left == ["viewer"]
        assert (connection.messages, channel.dropped) == ([], 1)
        assert len(asyncio.all_tasks()) == tasks

    run(scenario)


def test_subscription_ends_by_exception_and_by_cancellation_of_its_request() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)

        async def fail_inside() -> None:
            with channel.subscribe(Connection().send, b"", after=0):
                raise LookupError

        with pytest.raises(LookupError):
            await fail_inside()
        assert channel.viewers == 0
        left: list[str] = []
        viewer = channel.subscribe(Connection().send, b"", after=0)
        request = asyncio.create_task(watch_until_ended(viewer, left))
        await turns()
        assert channel.viewers == 1
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        assert (channel.viewers, left) == (0, [])

    run(scenario)


@pytest.mark.parametrize("failure", [OSError("gone"), RuntimeError("broken")])
def test_failing_send_ends_its_own_viewer_only(failure: Exception) -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)
        broken, sound, left = Connection(), Connection(), list[str]()
        viewer = channel.subscribe(broken.send, b"", after=0)
        request = asyncio.create_task(watch_until_ended(viewer, left))
        await turns()
        with channel.subscribe(sound.send, b"", after=0):
            broken.failure = failure
            channel.append(events(1))
            if isinstance(failure, OSError):
                await request
                assert left == ["viewer"]
            else:
                with pytest.raises(RuntimeError, match="broken"):
                    await request
            assert sound.numbers == [1]
            assert channel.viewers == 1

    run(scenario)


def test_closing_writes_what_is_pending_then_a_farewell_even_to_a_parked_viewer() -> None:
    async def scenario() -> None:
        hub = Hub(QUICK)
        channel = hub.open("m", epoch=1)
        parked, ready, left = Connection(), Connection(), list[str]()
        requests = [
            asyncio.create_task(
                watch_until_ended(channel.subscribe(connection.send, b": hello\n\n", after=0), left, name)
            )
            for connection, name in ((parked, "parked"), (ready, "ready"))
        ]
        parked.has_room.clear()
        await turns()
        channel.append(events(1))
        hub.close()
        hub.close()
        await turns()
        assert left == ["ready"]
        parked.has_room.set()
        await asyncio.gather(*requests)
        for connection in (parked, ready):
            assert connection.numbers == [1]
            assert "retry: " in connection.text
            assert [message["more_body"] for message in connection.messages].count(False) == 1
            assert connection.messages[-1]["more_body"] is False
        assert hub.viewers == 0

    run(scenario)


def test_replay_is_written_in_bounded_pieces() -> None:
    async def scenario() -> None:
        frames = [event(number, b'"%s"' % (b"x" * 2_000)) for number in range(1, 501)]
        channel = Hub(QUICK).open("m", epoch=1, frames=frames)
        connection = Connection()
        with channel.subscribe(connection.send, b"retry: 1\n\n", after=0):
            assert connection.numbers == list(range(1, 501))
        assert len(connection.messages) > 5
        assert max(len(message["body"]) for message in connection.messages) <= PIECE_BYTES + 100

    run(scenario)


def test_broadcast_to_many_viewers_reaches_all_and_lets_others_in_between() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)
        connections = [Connection() for _ in range(1_300)]
        viewers = [channel.subscribe(connection.send, b"", after=0) for connection in connections]
        for viewer in viewers:
            viewer.__enter__()
        channel.append(events(1))
        await turns(2)
        assert 0 < sum(connection.numbers == [1] for connection in connections) < 1_300
        viewers[-1].__exit__(None, None, None)
        channel.append(events(2))
        await turns(20)
        assert all(connection.numbers == [1, 2] for connection in connections[:-1])
        assert connections[-1].numbers == []

    run(scenario)


def test_channel_keeps_the_last_2000_events_and_not_all() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)
        for number in range(1, 10_001):
            channel.append(events(number))
        assert channel.resume("1-8000") == Tail(8_000)
        assert [frame.number for frame in channel.after(8_000)] == list(range(8_001, 10_001))
        assert channel.resume("1-7999") == Reset(ResetReason.BEHIND)
        assert len(list(channel.after(0))) <= 2_500

    run(scenario)


def test_one_room_channel_skips_numbers_and_knows_how_far_the_feed_is() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m/open", epoch=1, frames=events(2, 5), floor=0)
        channel.append([], last_number=9)
        connection = Connection()
        with channel.subscribe(connection.send, b"", after=3):
            channel.append(events(12), last_number=13)
            await turns()
            assert connection.numbers == [5, 12]
        assert channel.resume("1-13") == Tail(13)
        assert channel.resume("1-14") == Reset(ResetReason.UNKNOWN)
        assert channel.resume("1-0") == Tail(0)
        assert [frame.number for frame in channel.after(2)] == [5, 12]

    run(scenario)


def test_channel_opened_late_knows_what_it_does_not_hold() -> None:
    channel = Channel("m", QUICK, epoch=1, last_number=412, frames=events(400, 410))
    assert channel.resume("1-399") == Tail(399)
    assert channel.resume("1-398") == Reset(ResetReason.BEHIND)
    empty = Channel("m", QUICK, epoch=1, last_number=412)
    assert empty.resume("1-411") == Reset(ResetReason.BEHIND)
    assert empty.resume("1-412") == Tail(412)


def test_event_is_published_once() -> None:
    channel = Channel("m", QUICK, epoch=1, frames=events(1, 2))
    with pytest.raises(ValueError, match="Event 2 is not after event 2"):
        channel.append(events(2))


def test_rider_is_sent_again_to_a_viewer_who_may_have_missed_it() -> None:
    async def scenario() -> None:
        channel = Hub(QUICK).open("m", epoch=1)
        channel.append([event(1), Frame.rider(1, "worth", b"1"), event(2), Frame.rider(2, "worth", b"2")])
        resumed, fresh = Connection(), Connection()
        with (
            channel.subscribe(resumed.send, b"", after=2),
            channel.subscribe(fresh.send, b"", after=2, with_riders=False),
        ):
            channel.append([Frame.rider(2, "analysis", b"3"), event(3)])
            await turns()
        assert resumed.text.count("worth") == 1
        assert fresh.text.count("worth") == 0
        assert fresh.text.count("analysis") == resumed.text.count("analysis") == 1
        assert fresh.numbers == resumed.numbers == [3]

    run(scenario)


def test_polling_answers_the_same_events_by_the_same_cursor() -> None:
    channel = Channel("m", QUICK, epoch=1, last_number=4, floor=0)
    assert poll(channel, "1-2") == {"events": [], "last": "1-4"}
    channel.append([event(5, b'{"n": 5}'), Frame.rider(5, "worth", b"[]")], last_number=6)
    answer = poll(channel, "1-4")
    assert answer["last"] == "1-6"
    assert [(entry["id"], entry["event"], bytes(entry["data"])) for entry in answer["events"]] == [
        ("1-5", "call", b'{"n": 5}'),
        (None, "worth", b"[]"),
    ]
    assert poll(channel, "2-4") == {"reset": "epoch"}
    assert poll(channel, "1-7") == poll(channel, None) == {"reset": "unknown"}

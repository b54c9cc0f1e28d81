"""Streams over a real socket: exact resumption, resets, endings, slow viewers."""

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from broadcast.feeds.pace import Pace
from tests.live_streams import EPOCH, Client, live_server, stalled_reader


def test_stream_without_cursor_begins_with_a_snapshot_and_goes_on_from_it() -> None:
    with live_server() as server:
        server.publish(3)
        with Client(server.port) as client:
            [snapshot] = client.read_events(1)
            assert (snapshot.event, snapshot.id, snapshot.data) == ("snapshot", f"{EPOCH}-3", '{"last": 3}')
            server.publish(2)
            assert [event.id for event in client.read_events(2)] == [f"{EPOCH}-4", f"{EPOCH}-5"]


def test_empty_feed_has_a_snapshot_numbered_zero_that_can_be_resumed() -> None:
    with live_server() as server:
        with Client(server.port) as client:
            assert client.read_events(1)[0].id == f"{EPOCH}-0"
        server.publish()
        with Client(server.port, last_id=f"{EPOCH}-0") as client:
            assert client.read_events(1)[0].id == f"{EPOCH}-1"


def test_stream_headers_let_any_site_read_and_no_proxy_store_or_buffer() -> None:
    with live_server() as server, Client(server.port) as client:
        headers = client.response.headers
        assert headers["Content-Type"].startswith("text/event-stream")
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Accel-Buffering"] == "no"
        assert headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("behind_middleware", [False, True])
def test_head_answers_headers_and_opens_no_stream(behind_middleware: bool) -> None:
    with (
        live_server(
            application=lambda feed: (
                feed.application_behind_middleware() if behind_middleware else feed.application
            )
        ) as server,
        Client(server.port, method="HEAD") as client,
    ):
        assert client.response.status == 200
        assert client.response.headers["Content-Type"].startswith("text/event-stream")
        assert client.response.read() == b""
        assert server.call(lambda: server.feed.hub.viewers) == 0


def test_300_random_disconnects_lose_and_repeat_nothing() -> None:
    chance = random.Random(2024)
    total = 1_800
    with live_server() as server:

        async def publish() -> None:
            while (missing := total - server.feed.channel.last_number) > 0:
                server.feed.publish(min(missing, chance.randint(1, 4)))
                await asyncio.sleep(0)
                if chance.random() < 0.8:
                    await asyncio.sleep(chance.random() * 0.004)

        publishing = asyncio.run_coroutine_threadsafe(publish(), server.loop)
        reading = random.Random(7)
        seen: list[int] = []
        last, disconnects = f"{EPOCH}-0", 0
        while len(seen) < total:
            how = {"last_id": last} if reading.random() < 0.5 else {"query": f"?after={last}"}
            with Client(server.port, **how) as client:
                for event in client.read_events(min(reading.randint(0, 9), total - len(seen))):
                    assert event.event == "call"
                    assert event.id is not None
                    last = event.id
                    seen.append(json.loads(event.data or "")["n"])
                    assert last == f"{EPOCH}-{seen[-1]}"
            disconnects += 1
        publishing.result(timeout=10)
        assert seen == list(range(1, total + 1))
        assert disconnects >= 300


@pytest.mark.parametrize(
    ("cursor", "reason"),
    [
        (f"{EPOCH - 1}-2990", "epoch"),
        (f"{EPOCH}-3001", "unknown"),
        (f"{EPOCH}-999", "behind"),
        ("x' OR 1=1", "unknown"),
    ],
)
def test_cursor_that_cannot_be_continued_gets_reset_then_snapshot(cursor: str, reason: str) -> None:
    with live_server() as server:
        server.publish(3_000)
        with Client(server.port, last_id=cursor) as client:
            reset, snapshot = client.read_events(2)
            assert (reset.event, reset.id) == ("reset", None)
            assert json.loads(reset.data or "") == {"reason": reason}
            assert (snapshot.event, snapshot.id) == ("snapshot", f"{EPOCH}-3000")
        with Client(server.port, last_id=f"{EPOCH}-1000") as client:
            assert client.read_events(2_000)[-1].id == f"{EPOCH}-3000"


def test_header_is_newer_than_the_address() -> None:
    with live_server() as server:
        server.publish(9)
        with Client(server.port, last_id=f"{EPOCH}-7", query=f"?lang=en&after={EPOCH}-2") as client:
            assert client.read_events(1)[0].id == f"{EPOCH}-8"


def test_silent_viewers_get_pings_that_carry_no_id() -> None:
    with live_server(Pace(heartbeat_seconds=0.03, watch_seconds=0.01)) as server, Client(server.port) as client:
        client.read_events(1)
        ping = client.read()
        assert ping is not None
        assert ping.comment == "ping"
        assert (ping.id, ping.event, ping.data) == (None, None, None)


def test_each_viewer_is_told_another_moment_to_come_back() -> None:
    with live_server() as server, ExitStack() as clients:
        times = []
        for _ in range(20):
            message = clients.enter_context(Client(server.port)).read()
            assert message is not None
            times.append(int(message.retry or ""))
        assert len(set(times)) == 20
        assert all(2_000 <= milliseconds < 8_000 for milliseconds in times)


def test_500_opened_and_closed_streams_leave_no_task_and_no_viewer() -> None:
    with live_server() as server:
        server.publish(5)
        before = server.tasks()
        for _ in range(10):
            with ExitStack() as clients:
                for _ in range(50):
                    clients.enter_context(Client(server.port)).read_events(1)
                assert server.call(lambda: server.feed.hub.viewers) == 50
            server.until(lambda: server.feed.hub.viewers == 0)
        server.until(lambda: len(asyncio.all_tasks(server.loop)) <= before + 1)  # and the waiting task itself
        assert server.tasks() == before


def test_two_servers_in_two_threads_have_nothing_in_common() -> None:
    with live_server() as one, live_server() as other, Client(one.port) as viewer, Client(other.port) as guest:
        one.publish(2)
        other.publish(1)
        assert [event.id for event in viewer.read_events(3)] == [f"{EPOCH}-{number}" for number in (0, 1, 2)]
        assert [event.id for event in guest.read_events(2)] == [f"{EPOCH}-{number}" for number in (0, 1)]
        assert one.call(lambda: one.feed.hub.viewers) == other.call(lambda: other.feed.hub.viewers) == 1


def test_stalled_reader_is_closed_with_memory_flat_and_the_other_viewer_undisturbed() -> None:
    """A viewer who never reads once held every event not yet read; here it holds two bounded buffers."""
    with (
        live_server(unacknowledged_seconds=0.5) as server,
        Client(server.port) as client,
        stalled_reader(server.port) as stalled,
    ):
        server.feed.padding = "x" * 2_000
        client.read_events(1)
        server.until(lambda: server.feed.hub.viewers == 2)
        memory = 0
        for number in range(1, 5_001, 100):
            server.publish(100)
            ids = [event.id for event in client.read_events(100)]
            assert ids == [f"{EPOCH}-{number + offset}" for offset in range(100)]
            if number == 2_501:  # the channel itself has grown to its full size by now
                memory = _resident_kilobytes()
        assert _resident_kilobytes() - memory < 3_000
        server.until(lambda: server.feed.hub.viewers == 1)
        assert server.feed.channel.dropped <= 1, "on a slow machine the kernel is the first to close it"
        assert stalled.fileno() >= 0
        with Client(server.port, last_id=f"{EPOCH}-0") as returned:
            reset, snapshot = returned.read_events(2)
            assert json.loads(reset.data or "") == {"reason": "behind"}
            assert snapshot.id == f"{EPOCH}-5000"


def test_slow_reader_catches_up_by_its_position() -> None:
    with live_server() as server, Client(server.port) as client:
        server.feed.padding = "x" * 2_000
        client.read_events(1)
        server.publish(1_000)
        server.until(lambda: server.feed.channel.delivered > 0)
        server.publish(500)
        ids = [event.id for event in client.read_events(1_500)]
        assert ids == [f"{EPOCH}-{number}" for number in range(1, 1_501)]
        assert server.feed.channel.dropped == 0


def test_reader_too_slow_for_one_write_is_cut_off() -> None:
    pace = Pace(slow_seconds=0.05, watch_seconds=0.01)
    with live_server(pace) as server, stalled_reader(server.port):
        server.until(lambda: server.feed.hub.viewers == 1)
        server.feed.padding = "x" * 2_000
        server.publish(1_000)
        server.until(lambda: server.feed.hub.viewers == 0)
        assert server.feed.channel.dropped == 1


def test_forgotten_channel_ends_its_streams_in_order() -> None:
    with live_server() as server, Client(server.port) as client:
        client.read_events(1)
        server.publish()
        server.call(server.feed.hub.forget, server.feed.channel.key)
        assert client.read_events(1)[0].id == f"{EPOCH}-1"
        farewell = client.read()
        assert farewell is not None
        assert farewell.retry is not None
        assert client.read() is None
        with Client(server.port) as late:
            assert late.read_events(1)[0].event == "snapshot"
            assert late.read() is not None
            assert late.read() is None


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_stop_with_50_open_streams_is_clean_and_quick(stop: signal.Signals) -> None:
    """The server once waited for its streams for ever, or left with the signal's own status."""
    with _server_process() as (process, port), ExitStack() as clients:
        streams = [clients.enter_context(Client(port)) for _ in range(50)]
        for client in streams:
            client.read_events(1)
        begun = time.monotonic()
        process.send_signal(stop)
        retries = []
        for client in streams:
            farewell = client.read()
            assert farewell is not None
            retries.append(int(farewell.retry or ""))
            assert client.read() is None
        assert process.wait(timeout=5) == 0
        assert time.monotonic() - begun < 5
        busiest = max(sum(second <= at < second + 1_000 for at in retries) for second in range(0, 14_000, 250))
        assert busiest <= 6, "more than a tenth would come back within one second"


def test_stop_does_not_wait_for_a_stalled_reader() -> None:
    with (
        _server_process() as (process, port),
        stalled_reader(port, query=f"?after={EPOCH}-0"),
        Client(port) as client,
    ):
        client.read_events(1)
        begun = time.monotonic()
        process.terminate()
        assert process.wait(timeout=10) == 0
        assert time.monotonic() - begun < 5


@contextmanager
def _server_process() -> Iterator[tuple[subprocess.Popen[str], int]]:
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-m", "tests.live_streams"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def _resident_kilobytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4

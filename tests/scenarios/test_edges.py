"""Edges on a real Redis: the house's bytes, every event once and in order whatever breaks, and no leak."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.scenarios.edge_nodes import (
    RedisServer,
    asked,
    board_played,
    caught_up,
    edging,
    free_port,
    last_of,
    memory_of,
    needs_redis,
    running_redis,
    wait_for,
    wired,
)
from tests.scenarios.entered_matches import Entered, calls, claim, entered, one_notrump, opening
from tests.scenarios.viewers import Viewer, agree, watching
from tests.serving import Served, serving

pytestmark = needs_redis
STREAMS = ("", "/open", "/closed")
Play = Callable[[int], None]


@contextmanager
def house_and_edge(directory: Path, **wanted: Any) -> Iterator[tuple[RedisServer, Entered, Served]]:
    with (
        running_redis(directory / "redis") as redis,
        serving(directory / "house", "--redis", redis.url) as house,
        edging(redis.url, house.address) as edge,
        entered(house, **wanted) as match,
    ):
        caught_up(edge, match)
        yield redis, match, edge


# --- the same as the house ----------------------------------------------------------------------------------


def test_edge_answers_with_the_same_bytes_as_the_house(tmp_path: Path) -> None:
    with house_and_edge(tmp_path, boards=4) as (_, match, edge):
        for number in (1, 2):
            board_played(match, number)
        match.rules("penalty", side="home", unit="imps", amount=2)
        match.open.enters(opening(3), *calls(3, "1C", "X"))
        match.open.enters({"type": "undo", "steps": 1})
        caught_up(edge, match)
        paths = [f"/api/matches/{match.id}", f"/matches/{match.id}", f"/embed/matches/{match.id}", "/embed.js"]
        paths += [f"{paths[1]}/boards/1.{number}?room=open&call=2" for number in (1, 2, 3, 4)]
        paths += [f"{paths[0]}/boards/1.{number}" for number in (1, 2, 3, 4)]
        paths += [f"{paths[0]}/events?after=1-{number}" for number in (0, 5, 99_999)]
        with match.served.client() as at_house, edge.client() as at_edge:
            for path in paths:
                for query in ("", "results=hidden", "lang=zh"):
                    address = f"{path}{'&' if '?' in path else '?'}{query}"
                    theirs, ours = at_house.get(address), at_edge.get(address)
                    assert (ours.status_code, address) == (200, address)
                    assert told(ours) == told(theirs), address
            moved = at_edge.get(f"/matches/{match.id}/boards/3")
            assert (moved.status_code, moved.headers["location"]) == (308, f"/matches/{match.id}/boards/1.3")
        for path in STREAMS:
            for query in (
                "",
                "?after=1-3&results=hidden",
                *(() if path else ("?results=hidden", "?after=7-1")),
            ):
                address = f"/matches/{match.id}/events{path}{query}"
                assert begun(edge, address) == begun(match.served, address), address


def told(answer: httpx.Response) -> str:
    """What an answer says, but for who says it; the static files' version is that of each process's start."""
    return re.sub(r"/static/[0-9a-f]{8}/|http://127\.0\.0\.1:\d+", "", answer.text)


def begun(node: Served, address: str) -> list[str]:
    """The lines of a stream up to all that there is to say."""
    lines: list[str] = []
    with node.client() as client:
        with client.stream("HEAD", address) as head:
            assert head.status_code == 200
        with suppress(httpx.ReadTimeout), client.stream("GET", address, timeout=0.4) as stream:
            assert stream.headers["access-control-allow-origin"] == "*"
            assert stream.headers["x-accel-buffering"] == "no"
            for line in stream.iter_lines():
                if not line.startswith("retry:"):
                    lines.append(line)
    return lines


def test_ladder_is_followed_with_its_snapshot(tmp_path: Path) -> None:
    with (
        running_redis(tmp_path / "redis") as redis,
        serving(tmp_path / "house", "--redis", redis.url) as house,
        edging(redis.url, house.address) as edge,
    ):
        ladder = house.post("/api/ladders", {"name": "Club ladder"})["id"]
        path = f"/api/ladders/{ladder}"
        wait_for(lambda: asked(edge, path).status_code == 200)
        asyncio.run(_ladder_moves(house, edge, ladder))
        assert asked(edge, path).content == asked(house, path).content


async def _ladder_moves(house: Served, edge: Served, ladder: str) -> None:
    viewer = Viewer(f"/ladders/{ladder}/events")
    async with watching(edge, viewer):
        for name in ("Modra", "Vihar", "Zora"):
            team = await asyncio.to_thread(
                house.post, "/api/teams", {"name": name, "players": [f"{name} {seat}" for seat in "NESW"]}
            )
            await asyncio.to_thread(house.post, f"/api/ladders/{ladder}/entries", {"team": team["id"]})
        last = (await asyncio.to_thread(house.get, f"/api/ladders/{ladder}"))["last_event"]
        await viewer.reached(last)
    assert [event.event for event in viewer.read[1:]] == ["rung"] * 3


def test_everything_else_is_the_houses(tmp_path: Path) -> None:
    with house_and_edge(tmp_path) as (_, match, edge), edge.client() as client:
        for path in ("/", "/matches?lang=zh", "/ladders", "/matches/nothing", f"/matches/{match.id}.pbn", "/x"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["location"]) == (307, match.served.address + path)
        posted = client.post(f"/api/matches/{match.id}/rooms/open/commands", json={})
        assert posted.status_code == 307
        assert client.get("/matches/nothing/events").status_code == 307
        assert client.get("/health").json() == {"live": True, "ready": True, "redis": True, "streams": 1}
        assert "twinroom_edge_arrival_seconds_count" in client.get("/metrics").text


def test_edge_without_a_house_says_what_it_has(tmp_path: Path) -> None:
    with running_redis(tmp_path / "redis") as redis, edging(redis.url) as edge, edge.client() as client:
        answer = client.get("/api/matches")
        assert (answer.status_code, answer.json()["error"]) == (404, "not_here")


# --- whatever breaks ----------------------------------------------------------------------------------------


def test_every_event_comes_once_though_everything_breaks(tmp_path: Path) -> None:
    """The edge is killed, Redis and the house are stopped and started, the wires between them are cut."""
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(tmp_path / "redis"))
        to_house = stack.enter_context(wired(redis.port))
        to_edge = stack.enter_context(wired(redis.port))
        urls = [f"redis://127.0.0.1:{wire.port}/0" for wire in (to_house, to_edge)]
        port, edge_port = free_port(), free_port()
        house = stack.enter_context(serving(tmp_path / "house", "--redis", urls[0], port=port))
        edge = stack.enter_context(edging(urls[1], house.address, edge_port))
        match = stack.enter_context(entered(house, boards=8))
        caught_up(edge, match)

        edges = [edge]

        def breaks(number: int) -> None:
            """Before a board is played, something breaks; while it is away, the board is played."""
            match number:
                case 2:
                    to_edge.cut()
                case 3:
                    to_house.cut()
                case 4:
                    redis.stop()
                case 5:
                    edges[-1].kill()
                case 6:
                    assert house.stop() == 0
                    stack.enter_context(serving(tmp_path / "house", "--redis", urls[0], port=port))
                case 7:
                    assert edges[-1].stop() == 0

        def mended(number: int) -> None:
            match number:
                case 2:
                    to_edge.mend()
                case 3:
                    to_house.mend()
                case 4:
                    redis.start()
                case 5 | 7:
                    edges.append(stack.enter_context(edging(urls[1], house.address, edge_port)))

        asyncio.run(_evening(edge, match, 8, breaks, mended))


async def _evening(edge: Served, match: Entered, boards: int, breaks: Play, mended: Play) -> None:
    viewers = [Viewer(f"/matches/{match.id}/events", every) for every in (None, None, 7)]
    async with watching(edge, *viewers) as client:
        for number in range(1, boards + 1):
            await asyncio.to_thread(breaks, number)
            await asyncio.to_thread(board_played, match, number)
            await asyncio.to_thread(mended, number)
        last = await asyncio.to_thread(last_of, match.served, match)
        await agree(client, last, *viewers)


def test_redis_that_has_lost_everything_is_written_again(tmp_path: Path) -> None:
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(tmp_path / "redis", keeps=False))
        house = stack.enter_context(serving(tmp_path / "house", "--redis", redis.url))
        edge = stack.enter_context(edging(redis.url, house.address))
        match = stack.enter_context(entered(house, boards=3))
        caught_up(edge, match)

        def loses(number: int) -> None:
            if number == 2:
                redis.stop()
                redis.start()

        asyncio.run(_evening(edge, match, 3, loses, lambda number: None))
        with edging(redis.url) as fresh:
            caught_up(fresh, match)


def test_commands_never_wait_for_redis(tmp_path: Path) -> None:
    """Nobody answers at the address, or a connection is taken and nothing ever said."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        with serving(tmp_path, "--redis", url) as house, entered(house, boards=1) as match:
            begun = time.monotonic()
            board_played(match, 1)
            assert time.monotonic() - begun < 3


# --- what it never holds --------------------------------------------------------------------------------------

UNRELEASED = "Roman key-card with the queen of trumps"


@pytest.mark.parametrize("rule", [{"rule": "board"}, {"rule": "delay", "seconds": 3}])
def test_neither_redis_nor_an_edge_ever_holds_what_is_not_released(
    tmp_path: Path, rule: dict[str, Any]
) -> None:
    with house_and_edge(tmp_path, boards=2, release=rule) as (redis, match, edge):
        made = calls(1, "4NT", "Pass", "5S")
        made[0] |= {"alert": True, "explanation": UNRELEASED}
        marked = [opening(1), *made]
        match.open.enters(*marked)
        match.open.enters({"type": "undo", "steps": 1})
        held = redis.everything()
        found = [UNRELEASED.encode() in piece for piece in memory_of(edge)]
        shown = [asked(edge, path).content for path in public_paths(match)]
        if rule["rule"] == "board" or b'"4NT"' not in held:
            assert UNRELEASED.encode() not in held
            assert not any(found)
            assert not [body for body in shown if UNRELEASED.encode() in body]
        # The control: once it is released, the same search finds it.
        if rule["rule"] == "board":
            rest = calls(1, "4NT", "Pass", "5S", "Pass", "6S", "Pass", "Pass", "Pass")[2:]
            match.open.enters(*rest, {"type": "result", "contract": "6S", "declarer": "S", "tricks": 12})
            match.closed.enters(*one_notrump(1), claim(1, 7))
        wait_for(lambda: UNRELEASED.encode() in redis.everything())
        caught_up(edge, match)
        assert any(UNRELEASED.encode() in piece for piece in memory_of(edge))


def public_paths(match: Entered) -> list[str]:
    return [
        f"/api/matches/{match.id}",
        f"/api/matches/{match.id}/boards/1.1",
        f"/api/matches/{match.id}/events?after=1-0",
        f"/matches/{match.id}",
        f"/matches/{match.id}/boards/1.1",
    ]


def test_match_that_has_ended_leaves_redis_in_the_end(tmp_path: Path) -> None:
    """Its viewers are then sent to the house; a ruling brings it back for a while."""
    environment = {"TWINROOM_ARCHIVE_HOURS": "0.0006"}
    with (
        running_redis(tmp_path / "redis") as redis,
        serving(tmp_path / "house", "--redis", redis.url, environment=environment) as house,
        entered(house, boards=1, correction_minutes=0) as match,
    ):
        board_played(match, 1)
        assert match.json()["status"] == "closed"
        wait_for(lambda: match.id.encode() not in redis.everything())
        match.rules("penalty", side="home", unit="imps", amount=1)
        wait_for(lambda: match.id.encode() in redis.everything())
        with edging(redis.url, house.address) as edge:
            wait_for(lambda: match.id.encode() not in redis.everything())
            assert asked(edge, f"/matches/{match.id}").status_code == 307

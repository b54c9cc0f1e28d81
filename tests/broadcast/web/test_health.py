"""Health and figures: what anybody may know of a server, and what only its keepers."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.scenarios.whole_house import whole_house
from tests.serving import SERVER, serving

MATCH = {"title": "Final", "home": "Modra", "visitors": "Vihar", "segments": [{"first": 1, "last": 2}]}


def test_anybody_may_ask_whether_it_lives_and_nothing_more(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            answer = await house.get("/health")
            assert (answer.status, answer.json()) == (200, {"live": True, "ready": True})
            assert (await house.get("/metrics")).status == 401
            assert (await house.get("/metrics", house.tokens["ann"])).status == 403

    asyncio.run(told())


def test_director_sees_the_figures(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            figures = (await house.get("/health", house.tokens["dora"])).json()
            assert figures["release_lag_seconds"] == 0
            assert figures["write_ahead_bytes"] > 0
            assert figures["waiting_commands"] == 0
            assert figures["free_bytes"] > 0
            assert figures["relay"] is None

    asyncio.run(told())


def test_house_that_stops_is_live_and_not_ready(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            house.house.publishing.hub.close()
            answer = await house.get("/health")
            assert (answer.status, answer.json()) == (
                503,
                {"live": True, "ready": False, "reason": "stopping"},
            )

    asyncio.run(told())


def test_metrics_count_commits_events_and_viewers(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        token = served.token("Dora", "director")
        match = served.post("/api/matches", MATCH)["id"]
        with served.client(token) as client, client.stream("GET", f"/matches/{match}/events") as stream:
            viewing = stream.iter_lines()
            next(viewing)
            lines = client.get("/metrics").raise_for_status().text.splitlines()
    figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert float(figures["twinroom_viewers"]) == 1
    assert float(figures["twinroom_public_events_total"]) == 1
    assert float(figures["twinroom_commit_seconds_count"]) >= 1
    assert float(figures["twinroom_release_seconds_count"]) == 1
    assert float(figures["twinroom_release_lag_seconds"]) == 0
    assert float(figures["twinroom_open_streams"]) == 1
    assert "process_open_fds" in figures


def test_few_places_are_said_at_the_start(tmp_path: Path) -> None:
    """The open-file limit is one place for each viewer; who asks for more than it holds is told."""
    with serving(tmp_path, environment={"TWINROOM_VIEWERS": "1000000"}) as served:
        pass
    assert any("Open files are limited to" in line for line in served.errors)


def test_log_for_programs_is_an_object_on_each_line(tmp_path: Path) -> None:
    command = [sys.executable, *SERVER, "--data", str(tmp_path), "--port", "0", "--log", "json"]
    environment = {**os.environ, "TWINROOM_VIEWERS": "1000000"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        lines = [json.loads(process.stderr.readline()) for _ in range(2)]
        httpx.get(lines[0]["message"].split()[1] + "/health").raise_for_status()
        process.terminate()
        lines += [json.loads(line) for line in process.stderr]
    assert process.returncode == 0
    assert all({"at", "level", "logger", "message"} == set(line) for line in lines)
    assert [line["level"] for line in lines[:2]] == ["info", "warning"]

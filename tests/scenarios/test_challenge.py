"""A challenge by command line and HTTP alone: issued, accepted, played by a replayed record, rungs swapped."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx

from teams.ladder.views import replayed
from tests.serving import ROOT, SECONDS, Json, Served, posted, serving

RECORD = "data/lin/vugraph/forrestrice_usbf_sf_14502.lin"
BOARDS = 15
"""Of the record; its second team wins by 41 IMPs to 30."""
RULES: Json = {
    "schedule": "at_once",
    "boards": BOARDS,
    "deals": "typed",
    "release": {"rule": "live"},
    "correction_minutes": 0,
}


@dataclass
class Challenged:
    """Two teams on a ladder, the lower having challenged the upper, whose acceptance made the match."""

    ladder: str
    challenge: str
    match: str
    upper: str
    lower: str
    director: str


def challenged(served: Served) -> Challenged:
    director = served.token("Dora", "director")
    with served.client(director) as client:
        ladder = posted(client, "/api/ladders", {"name": "Club ladder", "rules": RULES})["id"]
    tokens, teams = {}, {}
    for name in ("Modra", "Vihar"):
        tokens[name] = served.token(f"Captain of {name}", "captain")
        with served.client(tokens[name]) as client:
            players = [f"{name} {seat}" for seat in "NESW"]
            teams[name] = posted(client, "/api/teams", {"name": name, "players": players})["id"]
            entry = posted(client, f"/api/ladders/{ladder}/entries", {"team": teams[name]})
    with served.client(tokens["Vihar"]) as client:
        body = {"opponent": teams["Modra"], "ladder_version": entry["version"]}
        challenge = posted(client, f"/api/ladders/{ladder}/challenges", body)["id"]
    with served.client(tokens["Modra"]) as client:
        match = posted(client, f"/api/challenges/{challenge}/accept", {})["match"]
    return Challenged(ladder, challenge, match, teams["Modra"], teams["Vihar"], director)


def replaying(served: Served, story: Challenged, record: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, str(ROOT / "server.py"), "replay", str(record), "--instant"]
    options = ["--match", story.match, "--server", served.address, "--token", story.director]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def assert_swapped_once(served: Served, story: Challenged) -> None:
    match = served.get(f"/api/matches/{story.match}")
    assert (match["status"], match["totals"]["imps"]) == ("closed", {"home": 30, "visitors": 41})
    moves = served.get(f"/api/ladders/{story.ladder}/history")["moves"]
    assert [move["match"] for move in moves].count(story.match) == 2
    rungs = [row["team"]["id"] for row in served.get(f"/api/ladders/{story.ladder}")["rungs"]]
    assert rungs == [story.lower, story.upper] == replayed(moves)
    decision = served.get(f"/api/challenges/{story.challenge}")["decision"]
    assert decision["imps"] == {"challenger": 41, "defender": 30}


def checked(data: Path) -> None:
    """The log, the feed and the lists of both streams agree."""
    command = [sys.executable, str(ROOT / "server.py"), "check", "--data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert (done.returncode, done.stdout) == (0, "")


def test_rungs_are_swapped_once_when_the_server_is_killed_near_the_end(shared: Path, tmp_path: Path) -> None:
    """The replay finds the new server at the same address and sends again what was not answered.

    The match closes itself with its last result, and in that transaction the rungs are swapped.
    """
    with serving(tmp_path) as served:
        story = challenged(served)
        replay = replaying(served, story, shared / RECORD)
        while served.get(f"/api/matches/{story.match}")["totals"]["boards_compared"] < BOARDS - 1:
            assert replay.poll() is None, replay.communicate()
        served.kill()
    port = httpx.URL(served.address).port
    assert port is not None
    with serving(tmp_path, port=port) as again:
        output, errors = replay.communicate(timeout=5 * SECONDS)
        assert (replay.returncode, output.strip()) == (0, f"/matches/{story.match}"), errors
        assert_swapped_once(again, story)
    checked(tmp_path)

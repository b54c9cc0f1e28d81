"""The page's fold: each event once, in order, onto a snapshot, equals a fresh snapshot.

Whole matches with slips, undos, claims and reopened boards are drawn, told to the public by the server's own
code, and folded by ``fold.js`` in node. Comments, corrections and analysis stand aside.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from broadcast.feeds.public_state import PublicState
from broadcast.tables.events import BoardAwarded, BoardCancelled, BoardSkipped
from broadcast.web.static_files import STATIC_DIRECTORY
from teams.matches.projection import MatchComparison
from tests import sample_states
from tests.builders import Told
from tests.strategies import matches

NOT_AS_LOGGED = (BoardSkipped, BoardAwarded, BoardCancelled)
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def folded(state: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """The state after the events, by the module of the page."""
    asked = {"modules": str(STATIC_DIRECTORY / "js"), "state": state, "events": events}
    program = Path(__file__).with_name("fold_events.mjs")
    answer = subprocess.run(
        [str(NODE), str(program)], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


def told_to_the_public(told: Told) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A snapshot after each log event, and the feed's events (with the riders) in order."""
    public = PublicState("m1", MatchComparison())
    snapshots: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    for recorded in told.log:
        public, published, _ = public.after(recorded, recorded.recorded_at)
        for each in published:
            events.append({"id": f"1-{each.number}", "name": each.event.name, "data": each.event.data})
            if each.event.aside is not None:
                events.append({"id": None, "name": "worth", "data": each.event.aside})
        snapshot = public.snapshot()
        if snapshot is not None:
            snapshots.append(snapshot | {"last_event": f"1-{public.number}"})
    return snapshots, events


def comparable(state: dict[str, Any]) -> Any:
    """As JSON, without what the page alone remembers: times, and the contract a result covers."""

    def without_times(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_times(each) for key, each in value.items() if key not in ("at", "bid")}
        return [without_times(each) for each in value] if isinstance(value, list) else value

    return without_times(json.loads(json.dumps(state)))


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two JSON values differ, each place in a line."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted({*one, *other})
        return [
            line for name in names for line in differences(one.get(name), other.get(name), f"{where}.{name}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for place, (a, b) in pairs for line in differences(a, b, f"{where}[{place}]")]
    return [] if one == other else [f"{where}: {one!r} folded, {other!r} fresh"]


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=(Phase.generate,),  # shrinking a match takes minutes
)
@given(matches(most=60), st.integers(0, 99))
def test_folding_every_event_onto_a_snapshot_equals_a_fresh_snapshot(told: Told, arrival: int) -> None:
    # The release gate, no part of this test, keeps some openings back: of skipped and of ruled boards.
    assume(not any(isinstance(recorded.event, NOT_AS_LOGGED) for recorded in told.log))
    snapshots, events = told_to_the_public(told)
    start = snapshots[arrival * len(snapshots) // 100]
    # Events the snapshot already holds come again after a reconnect; they must change nothing. A rider has no
    # id of its own and travels with the event before it, so the tail begins with a numbered event.
    number = int(start["last_event"].split("-")[1])
    tail = [
        place for place, event in enumerate(events) if event["id"] and int(event["id"][2:]) > max(0, number - 3)
    ]
    rest = events[tail[0] :] if tail else []
    wrong = differences(comparable(folded(start, rest)), comparable(snapshots[-1]))
    assert not wrong, "\n".join([*wrong, *(event["name"] for event in rest)])


def test_repeated_events_change_nothing() -> None:
    state = sample_states.match_state(11)
    events: list[dict[str, Any]] = [
        {"id": f"1-{413 + place}", "name": name, "data": data}
        for place, (name, data) in enumerate(sample_states.feed(29, "open"))
    ]
    assert folded(state, events) == folded(state, events + events[5:])


def test_withdrawn_card_leaves_no_trace() -> None:
    """Symptom: after an undo, viewers stayed on the dead line. What an undo withdraws is gone."""
    state = sample_states.match_state(11)
    events: list[dict[str, Any]] = [
        {"id": f"1-{413 + place}", "name": name, "data": data}
        for place, (name, data) in enumerate(sample_states.feed(29, "open"))
    ]
    first_card = next(place for place, event in enumerate(events) if event["name"] == "card")
    before, card = events[:first_card], events[first_card]
    number = 413 + first_card
    undo = {
        "id": f"1-{number + 1}",
        "name": "undo",
        "data": {
            **{name: card["data"][name] for name in ("segment", "board", "room", "at")},
            "to": {"calls": first_card - 2, "cards": 0},
            "turn": card["data"]["seat"],
            "tricks_ns": 0,
            "tricks_ew": 0,
        },
    }
    withdrawn = folded(state, [*before, card, undo])
    assert comparable(withdrawn) | {"last_event": ""} == comparable(folded(state, before)) | {"last_event": ""}
    assert card["data"]["card"] not in json.dumps([board["open"].get("play") for board in withdrawn["boards"]])

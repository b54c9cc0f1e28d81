"""A client that applies each event once, in order, onto a snapshot equals a fresh snapshot.

Whole matches with slips, undos, claims, rulings, skipped and reopened boards, through the release gate and its
every rule; folded by ``tests/sse_client.py``, which knows the interface and none of the product's code.
"""

import json
from datetime import datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from broadcast.feeds.match_stream import MatchKind, MatchStream
from broadcast.feeds.streams import Change
from broadcast.tables.events import MatchEvent
from teams.matches.projection import MatchComparison
from tests.builders import Told
from tests.sse_client import Message, State, cleaned, folded
from tests.strategies import matches


def as_received(value: Any) -> Any:
    return json.loads(json.dumps(value))


def sent(change: Change) -> list[Message]:
    """The messages of a change, riders behind their events."""
    messages = []
    for entry in change.published:
        messages.append(Message(f"1-{entry.number}", entry.event.name, as_received(entry.event.data)))
        if entry.event.aside is not None:
            messages.append(Message(None, "worth", as_received(entry.event.aside)))
    return messages


def snapshot(stream: MatchStream) -> State | None:
    whole = stream.snapshot()
    return None if whole is None else as_received(whole | {"last_event": f"1-{stream.number}"})


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two JSON values differ, each place in a line."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted({*one, *other})
        pairs = [(f"{where}.{name}", one.get(name, "absent"), other.get(name, "absent")) for name in names]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{where}[{place}]", a, b) for place, (a, b) in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [f"{where}: {one!r} folded, {other!r} fresh"]
    return [line for name, a, b in pairs for line in differences(a, b, name)]


@settings(
    max_examples=15,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=(Phase.generate,),  # shrinking a match takes minutes
)
@given(matches(most=60), st.integers(0, 99))
def test_folded_events_equal_a_fresh_snapshot(told: Told, arrival: int) -> None:
    stream = MatchKind(MatchComparison()).empty("m1")
    snapshots: list[State] = []
    events: list[Message] = []
    changes: list[tuple[datetime, tuple[MatchEvent, ...]]] = [
        (recorded.recorded_at, (recorded.event,)) for recorded in told.log
    ]
    changes.append((told.now + timedelta(days=1), ()))
    for at, recorded in changes:
        change = stream.with_events(recorded, at, "d") if recorded else stream.tick(at)
        assert isinstance(change.stream, MatchStream)
        stream = change.stream
        events += sent(change)
        state = snapshot(stream)
        if state is not None:
            snapshots.append(state)
    start = snapshots[arrival * len(snapshots) // 100]
    held = int(start["last_event"].rpartition("-")[2])
    place = next((n for n, event in enumerate(events) if event.id and event.number > held), len(events))
    wrong = differences(cleaned(folded(start, events[place:])), cleaned(snapshots[-1]))
    names = [f"{event.event} {event.data.get('room')} {event.data.get('board')}" for event in events[place:]]
    assert not wrong, "\n".join([*wrong, *names])

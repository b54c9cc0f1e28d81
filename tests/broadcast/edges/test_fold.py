"""The edges' fold: each public event once, in order, onto a snapshot, equals the fresh one, byte for byte.

In both encodings, for matches drawn with slips, undos, claims, rulings and reopened boards, behind every
release rule, and for recorded ones.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from broadcast.bridge.rooms import Room
from broadcast.edges.fold import fold, without_tables
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.public_state import PublicState
from broadcast.feeds.streams import Published
from broadcast.imports.plan import as_import, plan_match
from broadcast.imports.readers import read_record
from broadcast.tables.commands import CancelBoard, EnterInRoom, MatchCommand
from broadcast.tables.setup import Release, ReleaseRule
from teams.matches.projection import MatchComparison
from tests.builders import Told, new_match
from tests.strategies import matches

Json = dict[str, Any]
BEGUN = datetime(2026, 5, 1, 18, 0, tzinfo=UTC)
Step = tuple[MatchStream, tuple[Published, ...]]
"""A stream after a change, and what the change published."""


def applied(snapshot: Json, entries: Iterable[Published], *, hidden: bool) -> Json:
    for entry in entries:
        event = entry.event
        data = event.hidden if hidden else event.data
        if data is not None:
            snapshot = fold(snapshot, event.name, as_received(data), hidden=hidden)
        if event.aside is not None and not hidden:
            snapshot = fold(snapshot, "worth", as_received(event.aside))
    return snapshot


def as_received(data: Json) -> Json:
    decoded: Json = msgspec.json.decode(msgspec.json.encode(data))
    return decoded


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


def follow(steps: Iterable[Step]) -> int:
    """Fold what every step published and compare; how many events there were."""
    held: dict[bool, Json] = {}
    count = 0
    for stream, published in steps:
        count += len(published)
        for hidden in (False, True):
            fresh = stream.snapshot(hidden=hidden) if published else None
            if fresh is None:
                continue
            if hidden in held:
                before = msgspec.json.encode(held[hidden])
                folded = applied(held[hidden], published, hidden=hidden)
                assert msgspec.json.encode(held[hidden]) == before, "the snapshot given was changed"
                told = [(entry.event.name, entry.event.data) for entry in published]
                wrong = differences(folded, as_received(fresh))
                assert not wrong, f"{wrong} {told}"
                assert msgspec.json.encode(folded) == msgspec.json.encode(fresh), "another order"
                held[hidden] = folded
                resource = stream.public.resource(hidden=hidden)
                assert msgspec.json.encode(without_tables(folded, hidden=hidden)) == msgspec.json.encode(
                    resource
                )
            else:
                held[hidden] = as_received(fresh)
    return count


def steps_of(told: Told) -> Iterator[Step]:
    """A drawn match's log, event by event through the release gate."""
    stream = MatchStream("m1", PublicState("m1", MatchComparison()))
    for recorded in told.log:
        change = stream.with_events([recorded.event], recorded.recorded_at, recorded.recorded_by)
        assert isinstance(change.stream, MatchStream)
        stream = change.stream
        yield stream, change.published


@settings(max_examples=15, suppress_health_check=list(HealthCheck), database=None, phases=(Phase.generate,))
@given(matches(most=60))
def test_folding_every_event_equals_the_fresh_snapshot(told: Told) -> None:
    follow(steps_of(told))


def entries_of(commands: Iterable[MatchCommand]) -> Iterator[MatchCommand]:
    """The commands with every call and card on its own, as a table enters them."""
    for command in commands:
        if isinstance(command, EnterInRoom):
            yield from (EnterInRoom(command.room, (entry,)) for entry in command.entries)
        else:
            yield command


def steps_of_record(file: Path, rule: ReleaseRule) -> Iterator[Step]:
    """A recorded match as it would be replayed, through the release gate."""
    (record,) = read_record(file.read_bytes()).matches
    plan = plan_match(record, release=Release(rule))
    stream = MatchStream("m1", PublicState("m1", MatchComparison()))
    for second, command in enumerate(entries_of(as_import(plan))):
        change = stream.handle(command, BEGUN + timedelta(seconds=second), "replay")
        assert isinstance(change.stream, MatchStream)
        stream = change.stream
        yield stream, change.published


@pytest.mark.parametrize("rule", [ReleaseRule.LIVE, ReleaseRule.BOARD, ReleaseRule.MATCH])
def test_folding_a_recorded_match_equals_the_fresh_snapshot(shared: Path, rule: ReleaseRule) -> None:
    """Whole where it comes board by board; its first boards where every card is compared."""
    file = min((shared / "data" / "lin" / "matches").glob("*/*.lin"))
    assert follow(islice(steps_of_record(file, rule), 300 if rule is ReleaseRule.LIVE else None)) > 250


def test_cancelled_board_opened_again_in_one_room_counts_again_in_the_other() -> None:
    """Symptom: viewers went on seeing the other room's board as cancelled. No event told of its state."""
    told = Told(new_match(release=Release(ReleaseRule.LIVE)))
    told.played(Room.OPEN, 1).played(Room.CLOSED, 1)
    told.do(CancelBoard(1, 1, "a fouled board"), "director:d")
    told.open(Room.OPEN, 1, "not fouled")
    assert told.state(Room.CLOSED, 1).code == "played"
    assert follow(steps_of(told)) > 0

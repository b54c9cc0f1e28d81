"""Extra boards: a level match goes on in a segment of its own, for its rooms and for the public."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from broadcast.edges.fold import fold
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.public_state import PublicState
from broadcast.feeds.role_views import match_log
from broadcast.feeds.streams import Change
from broadcast.tables.commands import AddBoards, CancelBoard, CloseMatch, MatchCommand
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import Challenge, Release, ReleaseRule
from teams.matches.projection import MatchComparison
from tests.builders import CLOSED, OPEN, Told, deal_of, new_match

EXTRA = AddBoards(2, "level", (deal_of(31), deal_of(32)))


def level() -> Told:
    return Told(new_match(1)).played(OPEN, 1).played(CLOSED, 1)


def test_segment_follows_the_last_with_its_numbers_deals_and_directions() -> None:
    told = level()
    told.do(EXTRA)
    added = told.match.segments[-1]
    assert (added.number, added.title, added.first, added.last) == (2, "+2", 2, 3)
    assert added.ns_open is told.match.segments[0].ns_open
    assert (told.match.is_complete, told.match.closes_at) == (False, None)
    told.open(OPEN, 2, segment=2)
    assert told.table(OPEN).deal == deal_of(31)
    told.result(OPEN, "3NT S 9").played(OPEN, 3, segment=2)
    told.played(CLOSED, 2, segment=2).played(CLOSED, 3, segment=2)
    assert told.match.is_complete and told.match.closes_at is not None
    told.do(EXTRA)
    assert told.match.segments[-1].first == 4


@pytest.mark.parametrize(
    ("before", "rule"),
    [((CloseMatch("x"),), "reopen_first"), ((AddBoards(1, "x"),), "boards_left")],
)
def test_extra_boards_come_when_all_are_final_and_before_the_end(
    before: tuple[MatchCommand, ...], rule: str
) -> None:
    told = level()
    for command in before:
        told.do(command)
    with pytest.raises(Refusal) as refused:
        told.do(EXTRA)
    assert refused.value.rule == rule


def test_challenge_has_none_and_their_number_is_bounded() -> None:
    challenge = Told(replace(new_match(1), challenge=Challenge("l1", "c1")))
    challenge.do(CancelBoard(1, 1, "x"))
    with pytest.raises(Refusal, match="leaves the defender"):
        challenge.do(EXTRA)
    for boards in (0, 65):
        with pytest.raises(Refusal, match="1 to 64"):
            level().do(AddBoards(boards, "x"))


def test_deals_of_extra_boards_are_on_no_private_stream() -> None:
    told = level()
    told.do(EXTRA)
    assert str(deal_of(31)) not in str([logged.data for logged in match_log(told.log)])


def folded(change: Change, snapshot: dict[str, Any], *, hidden: bool) -> dict[str, Any]:
    for entry in change.published:
        data = entry.event.hidden if hidden else entry.event.data
        if data is not None:
            snapshot = fold(snapshot, entry.event.name, data, hidden=hidden)
    return snapshot


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("rule", "seconds", "after"),
    [(ReleaseRule.BOARD, 0, 0), (ReleaseRule.LIVE, 0, 0), (ReleaseRule.DELAY, 600, 600)],
)
def test_viewers_who_follow_have_the_new_boards_as_a_fresh_snapshot_has_them(
    hidden: bool, rule: ReleaseRule, seconds: int, after: int
) -> None:
    told = Told(new_match(1, release=Release(rule, seconds), no_devices=True)).played(OPEN, 1).played(CLOSED, 1)
    stream = MatchStream("m1", PublicState("m1", MatchComparison()))
    for recorded in told.log:
        stream = stream.with_events((recorded.event,), recorded.recorded_at, "t").stream  # type: ignore[assignment]
    now = told.now + timedelta(seconds=seconds)
    stream = stream.tick(now).stream  # type: ignore[assignment]
    before = stream.snapshot(hidden=hidden)
    assert before is not None
    change = stream.handle(EXTRA, now, "director:d")
    assert bool(change.published) is (after == 0)
    change = change.then(change.stream.tick(now + timedelta(seconds=after)))
    assert folded(change, before, hidden=hidden) == change.stream.snapshot(hidden=hidden)  # type: ignore[attr-defined]

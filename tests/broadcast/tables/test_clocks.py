"""Thinking time from the log: whose it is, what is nobody's, and that none is lost or invented."""

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx

from broadcast.bridge.calls import Call
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat, Side
from broadcast.tables.clocks import BoardTime, board_times, team_times
from broadcast.tables.commands import EnterInRoom, MakeCall, ResumeClock, StopClock
from broadcast.tables.events import CallMade, EntryWaited
from tests.builders import CLOSED, OPEN, Told, new_match
from tests.strategies import matches


def told() -> Told:
    """Board 1 (dealer North) opened in the open room."""
    return Told(new_match(2)).open(OPEN, 1)


def only(story: Told) -> BoardTime:
    [time] = board_times(story.log, story.now)
    return time


def test_time_belongs_to_the_side_in_turn() -> None:
    story = told().wait(10).calls(OPEN, "1NT").wait(20).calls(OPEN, "Pass").wait(3)
    assert (only(story).thinking, only(story).neutral) == ({Side.NS: 13, Side.EW: 20}, 0)


def test_cards_of_dummy_are_declarers_time() -> None:
    story = told().calls(OPEN, "1NT Pass Pass Pass").wait(5).cards(OPEN, 1)
    before = only(story).thinking
    story.wait(7)
    assert only(story).thinking == {Side.NS: before[Side.NS] + 7, Side.EW: before[Side.EW]}


def test_stopped_clock_makes_time_neutral_until_it_is_resumed() -> None:
    story = told().wait(10)
    story.enter(OPEN, StopClock("director called"))
    story.wait(300).enter(OPEN, ResumeClock())
    story.wait(5)
    assert (only(story).thinking[Side.NS], only(story).neutral) == (15, 300)


def test_next_call_ends_neutral_time_that_nobody_ended() -> None:
    story = told().wait(10)
    story.enter(OPEN, StopClock("director called"))
    story.wait(300).calls(OPEN, "1NT").wait(5)
    assert (only(story).thinking, only(story).neutral) == ({Side.NS: 10, Side.EW: 5}, 300)
    assert story.match.neutral == {}


def test_claim_that_waits_for_its_answer_is_neutral() -> None:
    story = told().calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 1)
    story.claim(OPEN, 7, accepted=False).wait(40).answer(OPEN, False)
    assert only(story).neutral == 40


def test_no_time_runs_between_boards_or_while_one_is_skipped() -> None:
    story = told().wait(5).calls(OPEN, "Pass Pass Pass Pass").wait(600).open(OPEN, 2).wait(9)
    story.skip(OPEN, 2).wait(600)
    assert [time.seconds for time in board_times(story.log, story.now)] == [5, 9]


def test_what_was_undone_has_taken_its_time() -> None:
    story = told().wait(10).calls(OPEN, "1C").wait(20).undo(OPEN).wait(4)
    assert only(story).thinking == {Side.NS: 14, Side.EW: 20}


def test_teams_are_told_by_where_they_sit() -> None:
    story = told().wait(10).open(CLOSED, 1).wait(3)
    totals = team_times(board_times(story.log, story.now), story.match)
    assert totals[Room.OPEN, Team.HOME] == 13
    assert totals[Room.CLOSED, Team.VISITORS] == 3
    assert totals[Room.OPEN, Team.VISITORS] == totals[Room.CLOSED, Team.HOME] == 0


@settings(max_examples=25, deadline=None)
@given(matches(most=25), st.floats(0, 5000))
def test_no_time_is_lost_or_invented(story: Told, more: float) -> None:
    """Of any match: nothing is negative, no room's boards take more than has passed, time only grows."""
    until = story.now + timedelta(seconds=more)
    times = {(time.key, time.room): time for time in board_times(story.log, until)}
    passed = (until - story.log[0].recorded_at).total_seconds()
    for room in Room:
        of_room = [time for time in times.values() if time.room is room]
        assert sum(time.seconds for time in of_room) <= passed + 1e-6
    for place, earlier in {(t.key, t.room): t for t in board_times(story.log)}.items():
        later = times[place]
        assert all(0 <= earlier.thinking[side] <= later.thinking[side] for side in Side)
        assert 0 <= earlier.neutral <= later.neutral
        assert later.seconds >= earlier.seconds
    totals = team_times(times.values(), story.match)
    assert sum(totals.values()) == approx(sum(sum(time.thinking.values()) for time in times.values()))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 900), st.booleans()), min_size=1, max_size=8))
def test_pauses_of_one_auction_add_up_to_what_passed(pauses: list[tuple[float, bool]]) -> None:
    """Every pause, marked neutral or not, stands once in the board's time."""
    story = told()
    began: datetime = story.now
    for seconds, is_neutral in pauses:
        if is_neutral:
            story.do(EnterInRoom(OPEN, (StopClock("away"),)))
        story.wait(seconds)
        turn = story.table(OPEN).auction.turn
        assert turn is not None
        story.do(EnterInRoom(OPEN, (MakeCall(turn, story.table(OPEN).auction.legal_calls()[-1]),)))
        if story.table(OPEN).auction.is_over:
            break
    time = only(story)
    assert time.seconds == approx((story.now - began).total_seconds())


def test_entries_that_waited_on_a_device_count_when_they_were_made() -> None:
    """A minute without a network: North called after 10 seconds, East after 30, both came after 60."""
    story = told()
    north, east = story.table(OPEN).auction.turn, Seat.E
    assert north is not None
    story.wait(60)
    story.do(EnterInRoom(OPEN, (MakeCall(north, Call.NT1),), waited=50))
    story.do(EnterInRoom(OPEN, (MakeCall(east, Call.PASS),), waited=30))
    story.wait(5)
    assert (only(story).thinking, only(story).neutral) == ({Side.NS: 45, Side.EW: 20}, 0)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 900), st.floats(0, 2000)), min_size=1, max_size=8))
def test_what_a_device_says_moves_time_and_makes_none(pauses: list[tuple[float, float]]) -> None:
    """However long entries claim to have waited, all time is told once and none runs backward."""
    story = told()
    began = story.now
    for seconds, waited in pauses:
        story.wait(seconds)
        turn = story.table(OPEN).auction.turn
        assert turn is not None
        story.do(
            EnterInRoom(OPEN, (MakeCall(turn, story.table(OPEN).auction.legal_calls()[-1]),), waited=waited)
        )
        if story.table(OPEN).auction.is_over:
            break
    time = only(story)
    assert all(seconds >= 0 for seconds in time.thinking.values())
    assert sum(time.thinking.values()) <= (story.now - began).total_seconds() + 1e-6


def test_time_on_a_device_changes_nothing_but_the_clocks() -> None:
    late, prompt = told().wait(60), told().wait(60)
    late.do(EnterInRoom(OPEN, (MakeCall(Seat.N, Call.NT1),), waited=50))
    prompt.do(EnterInRoom(OPEN, (MakeCall(Seat.N, Call.NT1),), waited=0.4))
    assert late.match.boards == prompt.match.boards
    assert late.match.room_sequences == prompt.match.room_sequences
    assert late.match.standing == prompt.match.standing
    assert [each.recorded_at for each in late.log if isinstance(each.event, CallMade)] == [late.now]
    assert [type(each.event) for each in prompt.log].count(EntryWaited) == 0

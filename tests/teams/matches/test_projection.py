"""The comparison as a fold: what it tells, and that what it tells is all there is to know."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.feeds.projection import Derived, Projection
from broadcast.feeds.streams import StreamKey
from broadcast.tables.events import (
    BoardKey,
    BoardSkipped,
    ClaimAnswered,
    ClaimMade,
    EntriesUndone,
    LineupNamed,
    MatchReopened,
    MatchVoided,
)
from broadcast.tables.setup import CarryOver, Challenge
from broadcast.tables.state import MatchState
from teams.ladder.commands import DecideChallenge, VoidChallenge
from teams.matches.comparison import compare
from teams.matches.projection import Compared, MatchComparison
from teams.matches.totals import tally, totals
from tests.teams.matches.stories import (
    CLOSED,
    HOME,
    OPEN,
    TOLD,
    VISITORS,
    Story,
    artificial,
    assigned,
    deal_of,
    seats,
    split,
    weighted,
)

COMPARISON = MatchComparison()
MEMBERS = ("imps_home", "imps_visitors", "pending", "held", "award")
THREE_NOTRUMP = ("Pass", "Pass", "3NT", "Pass", "Pass", "Pass")


def steps(story: Story, projection: Projection = COMPARISON) -> list[Derived]:
    """What each event after the creation led to."""
    held = projection.start(story.states[0], "m1")
    derived = []
    for before, after, recorded in zip(story.states, story.states[1:], story.log[1:], strict=False):
        step = projection.step(held, before, after, recorded)
        held = step.held
        derived.append(step)
    return derived


def told(story: Story) -> list[dict[str, Any]]:
    """The data of every ``comparison`` event."""
    return [event.data for step in steps(story) for event in step.events]


class Viewer:
    """A client that knows only what it was told."""

    def __init__(self, match: MatchState) -> None:
        held = COMPARISON.start(match, "m1")
        self.boards: dict[BoardKey, dict[str, Any]] = {
            key: COMPARISON.board(held, key) | {"award": None} for key in match.boards
        }
        self.totals = COMPARISON.totals(held, match)

    def sees(self, derived: Derived, before: MatchState, after: MatchState) -> None:
        for event in derived.events:
            board = self.boards[BoardKey(event.data["segment"], event.data["board"])]
            board |= {name: event.data[name] for name in MEMBERS}
            self.totals = event.data["totals"]
            self._worth(event.aside)
        self._worth(derived.worth)
        if before.penalties != after.penalties:
            # Totals come with the match's own event where no board has changed.
            self.totals = COMPARISON.totals(derived.held, after)

    def _worth(self, data: dict[str, Any] | None) -> None:
        if data is None:
            return
        board = self.boards[BoardKey(data["segment"], data["board"])]
        board["worth"] = {"room": data["room"], "outcomes": data["outcomes"]} if data["outcomes"] else None


# --- what is told -----------------------------------------------------------------------------------------


def test_a_comparison_tells_the_board_and_the_totals() -> None:
    events = told(Story(carry_over=CarryOver(12, 0, 15)).compared(1, "4S N 10", "4S N 9"))
    assert [event["pending"] for event in events] == ["open_in_play", "closed_missing", "closed_in_play", None]
    assert events[-1] == {
        "segment": 1,
        "board": 1,
        "at": "2026-03-14T19:00:05.000Z",
        "imps_home": 10,
        "imps_visitors": -10,
        "pending": None,
        "held": None,
        "award": None,
        "totals": {
            "imps": {"home": 22, "visitors": 0},
            "vps": {"home": 15.38, "visitors": 4.62},
            "vps_reason": None,
            "boards_compared": 1,
            "boards_total": 16,
        },
    }


def test_nothing_is_told_to_viewers_who_hide_results() -> None:
    for step in steps(Story().compared(1, "4S N 10", "4S N 9").corrected(1, OPEN, "4S N 11")):
        assert all(event.hidden is None and event.room is None for event in step.events)


def test_calls_and_cards_tell_nothing_while_both_rooms_play() -> None:
    story = Story().opened(1, OPEN, CLOSED).bid(1, OPEN, *THREE_NOTRUMP).played(1, OPEN, 20)
    assert [event["pending"] for event in told(story)] == ["open_in_play", "both_in_play"]


def test_fractions_are_told_to_two_decimals() -> None:
    story = Story().compared(1, "4S N 9", "4S N 10").awarded(1, weighted(OPEN, (420, 33), (-50, 67)))
    assert (told(story)[-1]["imps_home"], told(story)[-1]["totals"]["imps"]) == (
        -6.7,
        {"home": 0, "visitors": 6.7},
    )


def test_award_without_effect_on_the_figure_is_told_all_the_same() -> None:
    events = told(Story().compared(1, "Pass", "Pass").awarded(1, artificial("=", "=")))
    assert events[-1]["award"] == {"kind": "artificial", "home": "=", "visitors": "="}


def test_worth_rides_behind_what_changed_it() -> None:
    """430 in the open room; in the closed one the contract becomes known, and then a trick is decided."""
    story = Story().scored(1, OPEN, "3NT S 10").opened(1, CLOSED).bid(1, CLOSED, *THREE_NOTRUMP)
    known = steps(story)[-1].worth
    assert known is not None
    assert (known["segment"], known["board"], known["room"]) == (1, 1, "closed")
    made = {"contract": "3NT", "declarer": "S", "tricks": 9, "score_ns": 400, "imps_home": 1}
    assert known["outcomes"][3] == made
    key = BoardKey(1, 1)
    story.happens(ClaimMade(key, CLOSED, Seat.S, 9), ClaimAnswered(key, CLOSED, True))
    ended = steps(story)[-1]
    assert ended.worth is None
    assert ended.events[-1].data["imps_home"] == 1
    assert ended.events[-1].aside == {"segment": 1, "board": 1, "room": "closed", "outcomes": []}


def test_undo_of_the_last_pass_brings_back_what_was_common_before_the_contract() -> None:
    story = Story().scored(1, OPEN, "3NT S 10").opened(1, CLOSED).bid(1, CLOSED, *THREE_NOTRUMP)
    story.happens(EntriesUndone(BoardKey(1, 1), CLOSED, 5, 0))
    worth = steps(story)[-1].worth
    assert worth is not None
    contracts = {(outcome["contract"], outcome["tricks"]) for outcome in worth["outcomes"]}
    assert contracts == {("3NT", 9), ("3NT", 10), ("3NT", 11), ("3NT", 8)}


def test_board_resource_holds_comparison_and_worth() -> None:
    story = Story().scored(1, OPEN, "3NT S 10").opened(1, CLOSED).bid(1, CLOSED, *THREE_NOTRUMP)
    board = COMPARISON.board(steps(story)[-1].held, BoardKey(1, 1))
    assert {name: board[name] for name in ("imps_home", "imps_visitors", "pending", "held")} == {
        "imps_home": None,
        "imps_visitors": None,
        "pending": "closed_in_play",
        "held": None,
    }
    assert board["worth"]["room"] == "closed"


def test_closing_says_that_a_board_in_play_will_have_no_result() -> None:
    story = Story().scored(1, OPEN, "Pass").opened(1, CLOSED).compared(2, "Pass", "Pass").closed()
    closing = steps(story)[-1].events
    assert [(event.data["board"], event.data["pending"]) for event in closing] == [(1, "no_result")]
    story.happens(MatchReopened("played on"))
    assert [event.data["pending"] for event in steps(story)[-1].events] == ["closed_in_play"]


# --- challenges -------------------------------------------------------------------------------------------


def challenge_story() -> Story:
    return Story(last=2, challenge=Challenge("l1", "c7")).compared(1, "4S N 9", "4S N 10")


def decided(story: Story) -> list[object]:
    projection = COMPARISON
    held: Compared = projection.start(story.states[0], "m1")
    commands: list[object] = []
    for before, after, recorded in zip(story.states, story.states[1:], story.log[1:], strict=False):
        step = projection.step(held, before, after, recorded)
        held = step.held
        assert all(each.stream == StreamKey("ladder", "l1") for each in step.consequences)
        commands += [each.command for each in step.consequences]
    return commands


def test_closing_a_challenge_tells_the_outcome_and_the_ladder() -> None:
    story = challenge_story().compared(2, "Pass", "Pass").closed()
    assert steps(story)[-1].outcome == {
        "result": "won",
        "winner": "visitors",
        "imps": {"home": 0, "visitors": 10},
    }
    assert decided(story) == [DecideChallenge("c7", "m1", 0.0, 10.0, story.log[-1].recorded_at)]


@pytest.mark.parametrize(
    ("carry", "result", "winner"), [(10, "tied", "home"), (11, "held", "home"), (9, "won", "visitors")]
)
def test_tie_leaves_the_defender(carry: int, result: str, winner: str) -> None:
    story = Story(challenge=Challenge("l1", "c7"), carry_over=CarryOver(carry, 0, 8))
    story.compared(1, "4S N 9", "4S N 10").closed()
    outcome = steps(story)[-1].outcome
    assert outcome is not None
    assert (outcome["result"], outcome["winner"]) == (result, winner)


def test_ruling_after_closing_tells_the_ladder_again() -> None:
    story = challenge_story().closed()
    closed_at = story.log[-1].recorded_at
    story.corrected(1, OPEN, "4S N 11").corrected(1, CLOSED, "4S N 10").penalised(HOME, "imps", 3)
    assert decided(story)[1:] == [
        DecideChallenge("c7", "m1", 1.0, 0.0, closed_at),
        DecideChallenge("c7", "m1", -2.0, 0.0, closed_at),
    ]
    assert all(step.outcome is None for step in steps(story)[-3:])


def test_void_match_voids_its_challenge() -> None:
    story = challenge_story().happens(MatchVoided("both absent"))
    assert decided(story) == [VoidChallenge("c7", "both absent", "m1")]


def test_a_match_without_a_challenge_tells_no_ladder() -> None:
    story = Story().compared(1, "4S N 9", "4S N 10").closed().corrected(1, OPEN, "4S N 11")
    assert all(step.outcome is None and step.consequences == () for step in steps(story))


# --- a viewer misses nothing ------------------------------------------------------------------------------


def other_deal(story: Story, board: int, room: Room) -> None:
    story.opened(board, room, deal=deal_of(9))


def skipped(story: Story, board: int, room: Room) -> None:
    story.happens(BoardSkipped(BoardKey(1, board), room, "slow play"))


BOARDS = st.integers(1, 3)
ROOMS = st.sampled_from(Room)
RESULTS = st.sampled_from(["Pass", "4S N 10", "4S N 9", "3NT W 11", "6HX E 8"])
AWARDS = st.sampled_from(
    [
        artificial("+", "-"),
        artificial("-", "="),
        assigned(OPEN, 420),
        assigned(CLOSED, -100),
        weighted(OPEN, (420, 40), (-50, 60)),
        split(assigned(OPEN, 50), artificial("=", "+")),
    ]
)
HAPPENINGS = st.one_of(
    st.tuples(st.just(Story.opened), BOARDS, ROOMS),
    st.tuples(st.just(other_deal), BOARDS, ROOMS),
    st.tuples(st.just(skipped), BOARDS, ROOMS),
    st.tuples(st.just(Story.scored), BOARDS, ROOMS, RESULTS),
    st.tuples(st.just(Story.compared), BOARDS, RESULTS, RESULTS),
    st.tuples(st.just(Story.corrected), BOARDS, ROOMS, RESULTS),
    st.tuples(st.just(Story.awarded), BOARDS, AWARDS),
    st.tuples(st.just(Story.cancelled), BOARDS),
    st.tuples(st.just(Story.swapped), BOARDS),
    st.tuples(st.just(Story.penalised), st.just(VISITORS), st.sampled_from(["imps", "vps"]), st.just(1.5)),
    st.tuples(st.just(Story.closed)),
    st.tuples(st.just(Story.happens), st.just(MatchReopened("played on"))),
    st.tuples(st.just(Story.happens), st.just(LineupNamed(1, OPEN, {}))),
)


def bid_in(story: Story, board: int, room: Room) -> None:
    """A contract in a room that has just opened the board."""
    table = story.state.boards[BoardKey(1, board)].rooms[room]
    if table.is_opened and not table.calls and table.ending is None:
        story.bid(board, room, *THREE_NOTRUMP)


@TOLD
@given(st.lists(HAPPENINGS, max_size=14), BOARDS, ROOMS)
def test_viewer_who_applies_what_is_told_knows_what_a_fresh_one_is_given(
    happenings: list[tuple[Any, ...]], board: int, room: Room
) -> None:
    story = Story(last=3)
    for happening, *how in happenings:
        happening(story, *how)
        bid_in(story, board, room)
    viewer, held = Viewer(story.states[0]), COMPARISON.start(story.states[0], "m1")
    for before, after, recorded in zip(story.states, story.states[1:], story.log[1:], strict=False):
        step = COMPARISON.step(held, before, after, recorded)
        held = step.held
        viewer.sees(step, before, after)
        for key, seen in viewer.boards.items():
            award = seen.pop("award")
            assert seen == COMPARISON.board(held, key)
            seen["award"] = award
        assert viewer.totals == COMPARISON.totals(held, after)
    state = story.state
    assert held.boards == {key: compare(state, key) for key in state.boards}
    assert held.totals == totals(state, tally(held.boards.values()))


def test_players_named_late_are_compared_with_the_line_ups() -> None:
    """A line-up named after the boards were opened may show that a team sat the same way in both rooms."""
    story = Story().opened(1, OPEN, players=seats("h1", "v1", "h2", "v2"))
    story.opened(1, CLOSED, players=seats("h3", "v3", "h4", "v4"))
    story.happens(LineupNamed(1, OPEN, seats("h1", "v1", "h2", "v2")))
    assert steps(story)[-1].events == ()
    story.happens(LineupNamed(1, CLOSED, seats("v3", "h3", "v4", "h4")))
    assert [event.data["held"] for event in steps(story)[-1].events] == ["same_seating"]

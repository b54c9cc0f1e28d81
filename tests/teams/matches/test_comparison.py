"""Boards compared between the rooms: swings, why there are none, and rulings."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat
from broadcast.tables.awards import Award
from broadcast.tables.events import AlarmCleared, BoardKey
from broadcast.tables.setup import Challenge, PlayerName, Segment
from teams.matches.comparison import Comparison, Pending, compare
from teams.scales.imps import ImpScale, imps
from tests.teams.matches.stories import (
    CLOSED,
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

CHALLENGE = Challenge("ladder", "c1")
SCORES = st.integers(-760, 760).map(lambda tens: 10 * tens)


def board(story: Story, number: int = 1) -> Comparison:
    return compare(story.state, BoardKey(1, number))


def figures(story: Story, number: int = 1) -> tuple[object, object]:
    compared = board(story, number)
    return compared.home, compared.visitors


# --- swings -----------------------------------------------------------------------------------------------


def test_swing_goes_to_the_team_north_south_in_the_open_room() -> None:
    """430 against 400 is a difference of 30: 1 IMP."""
    assert figures(Story().compared(1, "3NT S 10", "3NT S 9")) == (1, -1)
    assert figures(Story(ns_open=VISITORS).compared(1, "3NT S 10", "3NT S 9")) == (-1, 1)


def test_each_segment_has_its_own_seating() -> None:
    second = Segment(2, "2", 1, 16, VISITORS)
    story = Story(more_segments=(second,)).compared(1, "4S N 10", "4S N 9", segment=2)
    assert compare(story.state, BoardKey(2, 1)).visitors == 10
    assert compare(story.state, BoardKey(1, 1)).pending is Pending.NOT_PLAYED


def test_swapped_seating_turns_the_swing_round() -> None:
    assert figures(Story().compared(1, "3NT S 10", "3NT S 9").swapped(1)) == (-1, 1)


def test_passed_out_board_is_a_score_of_zero_and_counts() -> None:
    """A board passed out in one room against -420 in the other is worth 9 IMPs."""
    assert figures(Story().compared(1, "Pass", "4S W 10")) == (9, -9)
    assert figures(Story().compared(1, "Pass", "Pass")) == (0, 0)


def test_largest_swings_lose_no_step() -> None:
    """2220 in one room and 800 for the other side in the other: 3020 is 22 IMPs."""
    assert figures(Story().compared(4, "7NT N 13", "4SX N 7"), 4) == (22, -22)


def test_each_room_is_scored_by_its_own_vulnerability_and_the_match_by_its_scale() -> None:
    assert figures(Story(imp_scale="1948").compared(1, "3NT S 10", "3NT S 8")) == (
        imps(480, ImpScale.SINCE_1948),
        -5,
    )


@TOLD
@given(SCORES, SCORES, st.sampled_from(Team), st.sampled_from(ImpScale))
def test_swing_and_its_mirror_are_opposite(there: int, here: int, ns_open: Team, scale: ImpScale) -> None:
    def home(first: int, second: int, team: Team) -> Fraction | None:
        story = Story(ns_open=team, imp_scale=scale).compared(1, "Pass", "Pass")
        one_room = assigned(OPEN, first - second)
        return board(story.awarded(1, one_room)).home

    swing = home(there, here, ns_open)
    assert swing is not None
    assert swing == -(home(here, there, ns_open) or 0)
    assert swing == -(home(there, here, ns_open.other) or 0)


# --- nothing yet is not zero ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "pending"),
    [
        (Story(), Pending.NOT_PLAYED),
        (Story().opened(1, OPEN, CLOSED), Pending.BOTH_IN_PLAY),
        (Story().opened(1, OPEN), Pending.OPEN_IN_PLAY),
        (Story().opened(1, CLOSED), Pending.CLOSED_IN_PLAY),
        (Story().scored(1, CLOSED, "Pass").opened(1, OPEN), Pending.OPEN_IN_PLAY),
        (Story().scored(1, OPEN, "Pass").opened(1, CLOSED), Pending.CLOSED_IN_PLAY),
        (Story().scored(1, CLOSED, "Pass"), Pending.OPEN_MISSING),
        (Story().scored(1, OPEN, "4H N 10"), Pending.CLOSED_MISSING),
        (Story().compared(1, "Pass", "Pass").cancelled(1), Pending.NO_RESULT),
        (Story().scored(1, OPEN, "Pass").opened(1, CLOSED).closed(), Pending.NO_RESULT),
        (Story().scored(1, OPEN, "Pass").closed(), Pending.CLOSED_MISSING),
    ],
)
def test_board_without_both_results_is_pending_and_says_why(story: Story, pending: Pending) -> None:
    """Board 7, 620 in one room and nothing yet in the other, used to be read as 620 against zero."""
    compared = board(story)
    assert (compared.home, compared.visitors, compared.pending) == (None, None, pending)
    assert not compared.is_compared


def test_reopened_board_is_pending_again() -> None:
    story = Story().compared(1, "3NT S 10", "3NT S 9").opened(1, OPEN, reason="wrong board")
    assert board(story).pending is Pending.OPEN_IN_PLAY


def test_late_correction_moves_the_board() -> None:
    story = Story().compared(3, "3NT S 9", "3NT S 9").scored(4, OPEN, "Pass")
    assert figures(story, 3) == (0, 0)
    assert figures(story.corrected(3, OPEN, "3NT S 10"), 3) == (1, -1)


# --- held for the director --------------------------------------------------------------------------------


def test_rooms_with_different_deals_are_held_and_the_rest_scores_on() -> None:
    """Cards put back a quarter round: another deal, not an arrow switch."""
    turned = {seat.left: deal_of(1)[seat] for seat in Seat}
    story = Story().scored(1, OPEN, "3NT S 10").opened(1, CLOSED, deal=type(deal_of(1))(turned))
    assert board(story) == Comparison(pending=Pending.HELD, held="different_deals")
    story.scored(2, OPEN, "3NT S 9").scored(2, CLOSED, "3NT S 9")
    assert figures(story, 2) == (0, 0)


def test_an_award_lifts_what_was_held() -> None:
    story = Story().opened(1, OPEN).opened(1, CLOSED, deal=deal_of(2))
    assert board(story).held == "different_deals"
    compared = board(story.awarded(1, artificial("+", "+")))
    assert compared == Comparison(Fraction(3), Fraction(3))


def test_clearing_the_alarm_does_not_make_the_rooms_comparable() -> None:
    story = Story().opened(1, OPEN).opened(1, CLOSED, deal=deal_of(2))
    story.happens(AlarmCleared("different_deals:1.1", "seen"))
    assert board(story).held == "different_deals"


LINEUPS = {
    OPEN: seats("h1", "v1", "h2", "v2"),
    CLOSED: seats("v3", "h3", "v4", "h4"),
}


def test_team_north_south_in_both_rooms_is_held() -> None:
    story = Story(lineups=LINEUPS).opened(1, OPEN, players=LINEUPS[OPEN])
    story.opened(1, CLOSED, players=seats("h3", "v3", "h4", "v4"))
    assert board(story) == Comparison(pending=Pending.HELD, held="same_seating")


def test_teams_turned_in_both_rooms_are_comparable() -> None:
    story = Story(lineups=LINEUPS).opened(1, OPEN, players=seats("v1", "h1", "v2", "h2"))
    story.opened(1, CLOSED, players=seats("h3", "v3", "h4", "v4"))
    assert board(story).held is None


@pytest.mark.parametrize(
    "closed",
    [
        LINEUPS[CLOSED],
        seats("v4", "h4", "v3", "h3"),
        seats("v3", "h3", "new", "h4"),
        seats("new", "other", "third", "fourth"),
        seats("h3", "other", "h4", "fourth"),
        {},
    ],
)
def test_seating_as_agreed_or_unknown_holds_nothing(closed: dict[Seat, PlayerName]) -> None:
    story = Story(lineups=LINEUPS).opened(1, OPEN, players=LINEUPS[OPEN]).opened(1, CLOSED, players=closed)
    assert board(story).held is None


def test_in_an_imported_record_only_the_cards_must_agree() -> None:
    """A compiler renumbered the boards and wrote another dealer for one room; the deal is the same."""
    live, record = Story(), Story(imported=True)
    for story in (live, record):
        story.opened(1, OPEN).opened(1, CLOSED, dealer=Seat.E).compared(1, "3NT S 10", "3NT S 9")
    assert board(live).held == "different_deals"
    assert figures(record) == (1, -1)
    record.opened(2, OPEN).opened(2, CLOSED, deal=deal_of(3))
    assert board(record, 2).held == "different_deals"


# --- rulings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("home", "visitors", "expected"),
    [("+", "-", (3, -3)), ("=", "=", (0, 0)), ("+", "+", (3, 3)), ("-", "=", (-3, 0)), ("-", "-", (-3, -3))],
)
def test_artificial_scores_are_three_imps_either_way(
    home: str, visitors: str, expected: tuple[int, int]
) -> None:
    """They need no result at all, and may stand on a board that nobody has played."""
    assert figures(Story().awarded(1, artificial(home, visitors))) == expected


def test_assigned_score_replaces_one_rooms_result() -> None:
    story = Story().compared(1, "3NT S 9", "3NT S 9").awarded(1, assigned(OPEN, -50))
    assert figures(story) == (-10, 10)


def test_assigned_score_still_waits_for_the_other_room() -> None:
    story = Story().opened(1, CLOSED).awarded(1, assigned(OPEN, 420))
    assert board(story).pending is Pending.CLOSED_IN_PLAY
    assert figures(story.scored(1, CLOSED, "4S N 10")) == (0, 0)


def test_weighted_score_is_converted_and_then_weighted() -> None:
    """Against 420: 60 % of 0 IMPs and 40 % of -10; the weighted score would have been -180, that is 5 IMPs."""
    story = Story().compared(1, "4S N 9", "4S N 10").awarded(1, weighted(OPEN, (420, 60), (-50, 40)))
    assert figures(story) == (-4, 4)
    assert figures(story.awarded(1, weighted(OPEN, (420, 25), (-50, 75)))) == (
        Fraction(-15, 2),
        Fraction(15, 2),
    )


def test_split_score_gives_each_side_its_own() -> None:
    story = Story().compared(1, "4S N 10", "4S N 10")
    story.awarded(1, split(assigned(OPEN, -50), assigned(OPEN, 420)))
    assert figures(story) == (-10, 0)
    assert figures(story.awarded(1, split(artificial("+", "="), assigned(CLOSED, -50)))) == (3, -10)


def test_split_score_waits_only_for_rooms_that_some_side_needs() -> None:
    half = split(artificial("+", "="), assigned(OPEN, 420))
    assert board(Story().scored(1, OPEN, "Pass").awarded(1, half)).pending is Pending.CLOSED_MISSING
    assert figures(Story().scored(1, CLOSED, "4S N 10").awarded(1, half)) == (3, 0)


def test_in_a_challenge_an_award_that_does_not_balance_becomes_the_mean() -> None:
    story = Story(challenge=CHALLENGE)
    assert figures(story.awarded(1, artificial("-", "="))) == (Fraction(-3, 2), Fraction(3, 2))
    assert figures(story.awarded(1, artificial("+", "+"))) == (0, 0)
    assert figures(story.awarded(1, artificial("+", "-"))) == (3, -3)


def test_a_cancelled_board_has_no_figure_even_after_an_award() -> None:
    story = Story().awarded(1, artificial("+", "-")).cancelled(1)
    assert board(story) == Comparison(pending=Pending.NO_RESULT)


AWARDS = st.deferred(
    lambda: st.one_of(
        st.builds(artificial, st.sampled_from("+=-"), st.sampled_from("+=-")),
        st.builds(assigned, st.sampled_from(Room), SCORES),
        st.builds(
            lambda room, one, other, percent: weighted(room, (one, percent), (other, 100 - percent)),
            st.sampled_from(Room),
            SCORES,
            SCORES,
            st.integers(0, 100),
        ),
    )
)


@TOLD
@given(st.one_of(AWARDS, st.builds(split, AWARDS, AWARDS)), st.booleans())
def test_under_any_award_both_sides_have_a_figure_or_neither(award: Award, finished: bool) -> None:
    story = Story().scored(1, OPEN, "3NT S 9").awarded(1, award)
    if finished:
        story.scored(1, CLOSED, "3NT S 10").awarded(1, award)
    compared = board(story)
    assert (compared.home is None) == (compared.visitors is None) == (compared.pending is not None)
    if finished:
        assert compared.is_compared
    if award.kind in ("assigned", "weighted") and compared.home is not None:
        assert compared.visitors == -compared.home

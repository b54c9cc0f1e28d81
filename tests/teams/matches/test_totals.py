"""The match as a whole: IMPs, VPs, boards counted; and that nothing unfinished moves them."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.rooms import Room, Team
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import CarryOver, Challenge
from teams.matches.comparison import compare
from teams.matches.totals import NoVps, Totals, gains, tally, totals
from teams.scales.organiser_scale import scale_from_csv
from tests.teams.matches.stories import CLOSED, HOME, OPEN, TOLD, VISITORS, Story, artificial, split, weighted

FIGURES = st.fractions(-24, 24, max_denominator=100)


def totals_of(story: Story) -> Totals:
    state = story.state
    return totals(state, tally(compare(state, key) for key in state.boards))


def imps(story: Story) -> tuple[object, object]:
    total = totals_of(story)
    return total.home, total.visitors


def vps(story: Story) -> tuple[str, str] | None:
    found = totals_of(story).vps
    return None if found is None else (str(found.home), str(found.visitors))


def won_by_ten(boards: int = 16) -> Story:
    """Home wins the first board by 10 IMPs; the others are flat."""
    story = Story(last=boards).compared(1, "4S N 10", "4S N 9")
    for number in range(2, boards + 1):
        story.compared(number, "Pass", "Pass")
    return story


# --- IMPs -------------------------------------------------------------------------------------------------


def test_each_side_has_the_sum_of_its_gains() -> None:
    story = Story().compared(1, "4S N 10", "4S N 9").compared(2, "3NT S 9", "3NT S 10")
    story.compared(3, "Pass", "4S W 10")
    assert imps(story) == (22, 1)
    assert totals_of(story).leader is HOME


def test_carry_over_is_added_and_imp_penalties_are_taken() -> None:
    story = Story(carry_over=CarryOver(12, 3, 16)).compared(1, "4S N 10", "4S N 9")
    assert imps(story) == (22, 3)
    assert imps(story.penalised(HOME, "imps", 1.5).penalised(VISITORS, "imps", 5)) == (Fraction(41, 2), -2)


def test_missing_room_moves_no_total() -> None:
    """620 in one room and nothing yet in the other are not 12 IMPs; the total stands after 1 of 16 boards."""
    story = Story().compared(1, "Pass", "Pass").scored(7, OPEN, "4H N 10").opened(8, OPEN, CLOSED)
    total = totals_of(story)
    assert (total.home, total.visitors) == (Fraction(0), Fraction(0))
    assert (total.boards_compared, total.boards_total) == (1, 16)


def test_held_board_moves_no_total_and_the_rest_scores_on() -> None:
    story = Story().scored(1, OPEN, "4H N 10").opened(1, CLOSED, dealer="S").scored(1, CLOSED, "Pass")
    story.compared(2, "4S N 10", "4S N 9")
    total = totals_of(story)
    assert (total.home, total.boards_compared) == (Fraction(12), 1)


def test_correction_of_an_earlier_board_reaches_the_totals() -> None:
    story = Story().compared(3, "3NT S 9", "3NT S 9").opened(4, OPEN)
    assert imps(story) == (0, 0)
    assert imps(story.corrected(3, OPEN, "3NT S 10")) == (1, 0)


def test_losses_that_nobody_gains_are_still_lost() -> None:
    assert imps(Story().awarded(1, artificial("-", "="))) == (-3, 0)
    assert imps(Story().awarded(1, artificial("-", "-"))) == (-3, -3)
    assert imps(Story().awarded(1, artificial("+", "+"))) == (3, 3)
    assert totals_of(Story().awarded(1, artificial("+", "+"))).leader is None


@given(FIGURES)
def test_an_ordinary_swing_is_one_sides_gain(home: Fraction) -> None:
    assert gains(home, -home) == (max(home, Fraction(0)), max(-home, Fraction(0)))


@given(FIGURES, FIGURES)
def test_gains_are_even_handed_and_a_gain_is_never_cut(home: Fraction, visitors: Fraction) -> None:
    assert gains(visitors, home) == gains(home, visitors)[::-1]
    if home > 0:
        assert gains(home, visitors)[0] == home


@TOLD
@given(st.permutations(range(8)), st.randoms(use_true_random=False))
def test_order_of_arrival_does_not_matter(order: list[int], chance: Random) -> None:
    endings = ["Pass", "3NT S 9", "4S N 10", "2H W 7", "6NT E 12", "1C N 4", "3DX S 10", "5C W 11"]
    results = [(number, room, endings[(number * 3 + place) % 8]) for number in range(1, 5) for place, room in
               enumerate(Room)]  # fmt: skip
    straight, shuffled = Story(last=5), Story(last=5)
    for number, room, text in results:
        straight.scored(number, room, text)
    for place in order:
        number, room, text = results[place]
        if chance.random() < 0.5:
            shuffled.opened(number, room)
        shuffled.scored(number, room, text)
    assert totals_of(shuffled) == totals_of(straight)


@TOLD
@given(st.lists(st.sampled_from(["open", "closed", "both", "cancelled", "nothing"]), min_size=1, max_size=6))
def test_pending_boards_never_count_as_zero(boards: list[str]) -> None:
    story = Story(last=len(boards))
    for number, finished in enumerate(boards, start=1):
        if finished in ("open", "both", "cancelled"):
            story.scored(number, OPEN, "4S N 10")
        if finished in ("closed", "both", "cancelled"):
            story.scored(number, CLOSED, "4S N 9" if number % 2 else "4S N 11")
        if finished == "cancelled":
            story.cancelled(number)
    state, total = story.state, totals_of(story)
    finished_boards = [number for number, finished in enumerate(boards, start=1) if finished == "both"]
    assert total.boards_compared == len(finished_boards)
    assert total.boards_total == len(boards) - boards.count("cancelled")
    net = sum(compare(state, BoardKey(1, number)).home or 0 for number in finished_boards)
    assert total.home - total.visitors == net


# --- VPs --------------------------------------------------------------------------------------------------


def test_vps_are_for_the_boards_that_counted() -> None:
    """Ten IMPs over 16 boards; then one cancelled, then two."""
    story = won_by_ten()
    assert vps(story) == ("12.80", "7.20")
    assert vps(story.cancelled(16)) == ("12.88", "7.12")
    assert vps(story.cancelled(15)) == ("12.97", "7.03")


def test_artificial_award_counts_as_a_board() -> None:
    story = won_by_ten().cancelled(16)
    assert vps(story.awarded(16, artificial("=", "="))) == ("12.80", "7.20")


def test_boards_of_the_carry_over_count() -> None:
    story = Story(carry_over=CarryOver(10, 0, 15)).compared(1, "Pass", "Pass")
    assert vps(story) == ("12.80", "7.20")


def test_vps_while_the_match_runs_are_for_the_boards_so_far() -> None:
    story = Story().compared(1, "4S N 10", "4S N 9").scored(2, OPEN, "6NT S 12")
    assert totals_of(story).boards_compared == 1
    assert vps(story) == vps(won_by_ten(1))


def test_losing_side_and_draw() -> None:
    lost = Story(ns_open=VISITORS, last=1).compared(1, "4S N 10", "4S N 9")
    assert vps(lost) == tuple(reversed(vps(won_by_ten(1)) or ()))
    assert vps(Story().compared(1, "Pass", "Pass")) == ("10.00", "10.00")


def test_imp_penalty_comes_before_conversion_and_vp_penalty_after() -> None:
    assert vps(won_by_ten().penalised(HOME, "imps", 10)) == ("10.00", "10.00")
    assert vps(won_by_ten().penalised(HOME, "vps", 0.5)) == ("12.30", "7.20")
    assert vps(won_by_ten().penalised(VISITORS, "vps", 8)) == ("12.80", "-0.80")


def test_fractional_net_is_rounded_once_half_away_from_zero() -> None:
    """A swing of 7.5 IMPs enters the scale as 8, whoever has it; two of them as 15."""

    def flat(boards: int, penalty: int, ns_open: Team = HOME) -> tuple[str, str] | None:
        story = Story(last=boards).compared(1, "Pass", "Pass").penalised(ns_open, "imps", penalty)
        return vps(story if boards == 1 else story.compared(2, "Pass", "Pass"))

    half = weighted(OPEN, (420, 25), (-50, 75))
    for ns_open in Team:
        story = Story(ns_open=ns_open, last=2).compared(1, "Pass", "4S N 10").awarded(1, half)
        assert vps(story) == flat(1, 8, ns_open)
        story.compared(2, "Pass", "4S N 10").corrected(2, CLOSED, "4S N 9")
        story.compared(2, "Pass", "Pass").awarded(2, weighted(OPEN, (-420, 50), (-300, 50)))
        net = totals_of(story)
        assert abs(net.home - net.visitors) == Fraction(31, 2)
        assert vps(story) == flat(2, 16, ns_open)


def test_no_scale_no_row_and_unknown_boards_are_said() -> None:
    reasons = [
        (Story(scale="none").compared(1, "Pass", "Pass"), NoVps.NO_SCALE),
        (Story(), NoVps.NO_ROW),
        (Story(scale="acbl-20").compared(1, "Pass", "Pass"), NoVps.NO_ROW),
        (Story(carry_over=CarryOver(5, 0, None)).compared(1, "Pass", "Pass"), NoVps.CARRY_OVER_WITHOUT_BOARDS),
        (Story(carry_over=CarryOver(5, 0, 0)).compared(1, "Pass", "Pass"), NoVps.CARRY_OVER_WITHOUT_BOARDS),
    ]
    for story, reason in reasons:
        total = totals_of(story)
        assert (total.vps, total.vps_reason) == (None, reason)


def test_no_carry_over_needs_no_boards() -> None:
    assert vps(Story(carry_over=CarryOver(0, 0, None)).compared(1, "Pass", "Pass")) == ("10.00", "10.00")


def test_table_scale_gives_vps_from_its_shortest_row_on() -> None:
    story = Story(scale="wbf-2013-discrete")
    for number in range(1, 5):
        assert vps(story.compared(number, "Pass", "Pass")) is None
    assert vps(story.compared(5, "4S N 10", "4S N 9")) is not None


def test_organisers_scale_is_taken_by_its_name() -> None:
    scale = scale_from_csv("club", "boards,margin,winner,loser\n1,0,5,5\n1,10,8,1\n")
    state = Story(scale="club").compared(1, "4S N 10", "4S N 9").state
    total = totals(state, tally(compare(state, key) for key in state.boards), {"club": scale})
    assert total.vps is not None
    assert (str(total.vps.home), str(total.vps.visitors)) == ("8.00", "1.00")


def test_each_side_is_scored_by_its_own_net_after_an_award_that_does_not_balance() -> None:
    ahead, level = vps(Story(last=1).awarded(1, artificial("+", "-"))), "10.00"
    assert ahead is not None
    assert vps(Story(last=1).awarded(1, artificial("+", "="))) == (ahead[0], level)
    assert vps(Story(last=1).awarded(1, artificial("-", "-"))) == (ahead[1], ahead[1])
    assert vps(Story(last=1).awarded(1, split(artificial("=", "="), artificial("-", "-")))) == (level, ahead[1])


def test_challenge_is_decided_by_the_same_totals_as_are_shown() -> None:
    story = Story(challenge=Challenge("l", "c"), carry_over=CarryOver(0, 1, 8)).awarded(1, artificial("+", "="))
    assert imps(story) == (Fraction(3, 2), 1)
    assert totals_of(story).leader is HOME


@pytest.mark.parametrize("side", [HOME, VISITORS])
@TOLD
@given(st.lists(st.sampled_from(["4S N 10", "4S N 9", "3NT W 9", "Pass", "7NTXX E 7"]), max_size=6))
def test_vps_sum_to_twenty_and_follow_the_net(side: object, results: list[str]) -> None:
    ns_open = HOME if side is HOME else VISITORS
    story = Story(ns_open=ns_open).compared(16, "Pass", "Pass")
    for number, text in enumerate(results, start=1):
        story.compared(number, text, "2S N 8")
    total = totals_of(story)
    assert total.vps is not None
    assert total.vps.home + total.vps.visitors == 20
    assert (total.vps.home > total.vps.visitors) == (total.home > total.visitors)

"""What a won challenge does to the order: the three movements and the way back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teams.ladder.rules import LadderRules, Movement
from teams.ladder.rungs import Move, Order, after_turned_win, after_win, moves_between, rung_of, with_moves

SWAP = LadderRules()
CAPPED = LadderRules(movement=Movement.CAPPED)
INSERT = LadderRules(movement=Movement.INSERT)


def order_of(size: int) -> Order:
    return tuple(f"t{rung}" for rung in range(1, size + 1))


def test_winner_and_defender_exchange_rungs() -> None:
    assert after_win(tuple("ABCDE"), "E", "B", 5, SWAP) == tuple("AECDB")


def test_defender_lands_no_lower_than_where_it_was_challenged_from() -> None:
    """E challenged from rung 4 and has sunk to 5: B falls to 4, D gives way."""
    assert after_win(tuple("ABCDE"), "E", "B", 4, SWAP) == tuple("AECBD")


def test_challenger_that_rose_meanwhile_leaves_the_defender_its_present_rung() -> None:
    assert after_win(tuple("ABCDE"), "C", "B", 5, SWAP) == tuple("ACBDE")


def test_nobody_falls_by_winning() -> None:
    for rules in (SWAP, CAPPED, INSERT):
        assert after_win(tuple("ABCDE"), "B", "D", 5, rules) == tuple("ABCDE")


def test_capped_fall_is_ten_and_those_between_give_way() -> None:
    after = after_win(order_of(40), "t40", "t20", 40, CAPPED)
    assert rung_of(after, "t40") == 20
    assert rung_of(after, "t20") == 30
    assert [rung_of(after, f"t{rung}") for rung in (29, 30, 39)] == [29, 31, 40]


def test_insert_moves_everyone_between_down_one() -> None:
    assert after_win(tuple("ABCDE"), "E", "B", 5, INSERT) == tuple("AEBCD")


def test_moves_name_the_winner_first_then_the_defender() -> None:
    moves = moves_between(tuple("ABCDE"), tuple("AECBD"), ("E", "B"))
    assert moves == (Move("E", 5, 2), Move("B", 2, 4), Move("D", 4, 5))


def test_moves_that_leave_a_rung_empty_are_not_moves() -> None:
    with pytest.raises(ValueError, match="empty or held by two"):
        with_moves(tuple("ABC"), (Move("C", 3, 1),))
    with pytest.raises(ValueError, match="stands on rung 3"):
        with_moves(tuple("ABC"), (Move("C", 2, 1), Move("A", 1, 2)))


@st.composite
def wins(draw: st.DrawFn) -> tuple[Order, str, str, int, LadderRules]:
    """An order, two teams anywhere on it, any rung that the challenge may have come from, any movement."""
    size = draw(st.integers(2, 60))
    order = tuple(draw(st.permutations(order_of(size))))
    challenger, defender = draw(st.lists(st.sampled_from(order), min_size=2, max_size=2, unique=True))
    challenged_from = draw(st.integers(1, size))
    rules = replace(SWAP, movement=draw(st.sampled_from(Movement)), fall_cap=draw(st.integers(1, 12)))
    return order, challenger, defender, challenged_from, rules


@given(wins())
def test_every_team_stays_on_exactly_one_rung(win: tuple[Order, str, str, int, LadderRules]) -> None:
    order, challenger, defender, challenged_from, rules = win
    after = after_win(order, challenger, defender, challenged_from, rules)
    assert sorted(after) == sorted(order)
    assert with_moves(order, moves_between(order, after, (challenger, defender))) == after


@given(wins())
def test_a_win_never_lowers_the_winner_and_takes_it_to_the_defenders_rung(
    win: tuple[Order, str, str, int, LadderRules],
) -> None:
    order, challenger, defender, challenged_from, rules = win
    after = after_win(order, challenger, defender, challenged_from, rules)
    stood = rung_of(order, challenger), rung_of(order, defender)
    assert rung_of(after, challenger) == min(stood)


@given(wins())
def test_defenders_fall_is_bounded(win: tuple[Order, str, str, int, LadderRules]) -> None:
    """Never below the challenger's rung at issue or now (one rung is the least that a climb past it costs)."""
    order, challenger, defender, challenged_from, rules = win
    after = after_win(order, challenger, defender, challenged_from, rules)
    stood, stands = rung_of(order, defender), rung_of(after, defender)
    assert stood <= stands <= max(stood + 1, min(challenged_from, rung_of(order, challenger)))
    if rules.movement is Movement.CAPPED:
        assert stands - stood <= rules.fall_cap
    if rules.movement is Movement.INSERT:
        assert stands - stood <= 1


@given(wins())
def test_nobody_else_moves_by_more_than_one_rung(win: tuple[Order, str, str, int, LadderRules]) -> None:
    order, challenger, defender, challenged_from, rules = win
    after = after_win(order, challenger, defender, challenged_from, rules)
    others = [team for team in order if team not in (challenger, defender)]
    assert all(0 <= rung_of(after, team) - rung_of(order, team) <= 1 for team in others)


@given(wins())
def test_turning_a_win_with_nothing_in_between_undoes_it(
    win: tuple[Order, str, str, int, LadderRules],
) -> None:
    order, challenger, defender, challenged_from, rules = win
    climbed_from = rung_of(order, challenger)
    after = after_win(order, challenger, defender, challenged_from, rules)
    if after != order:
        assert after_turned_win(after, challenger, defender, climbed_from) == order


@given(wins(), st.integers(1, 60))
def test_turning_a_win_lets_no_third_team_fall(
    win: tuple[Order, str, str, int, LadderRules], climbed_from: int
) -> None:
    order, challenger, defender, _, _ = win
    after = after_turned_win(order, challenger, defender, climbed_from)
    assert sorted(after) == sorted(order)
    others = [team for team in order if team != challenger]
    assert all(rung_of(after, team) <= rung_of(order, team) for team in others)

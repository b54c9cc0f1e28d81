"""The order at a moment is the fold of the history until then."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from teams.ladder.commands import LeaveLadder, StartSeason
from teams.ladder.past import changes_beside, order_at, season_moves, season_numbered, turns
from tests.teams.ladder.ladder_builders import House, ladder_of


def seasoned() -> House:
    """ABCDE, then C beats A, E leaves, and a new season turns the order round."""
    house = ladder_of("ABCDE")
    house.played("C", "A", home=0, visitors=10)
    house.wait(days=1)
    house.do(LeaveLadder("E"))
    house.wait(days=1)
    house.do(StartSeason("Spring", order=("D", "A", "B", "C")))
    house.wait(days=30)
    house.played("B", "A", home=0, visitors=3)
    return house


def test_order_at_each_change_is_the_order_that_stood_then() -> None:
    history = seasoned().state.history
    moments = sorted({told.at for told in history})
    orders = ["".join(order_at(history, at)) for at in moments]
    assert orders == ["ABCDE", "CBADE", "CBAD", "DABC", "DBAC"]
    assert order_at(history, moments[0] - timedelta(seconds=1)) == ()
    assert "".join(order_at(history, moments[1] + timedelta(hours=5))) == "CBADE"


@given(st.lists(st.tuples(st.sampled_from("ABCDE"), st.sampled_from("ABCDE"), st.integers(-5, 5)), max_size=8))
def test_order_at_any_time_of_a_season_is_what_the_ladder_was(games: list[tuple[str, str, int]]) -> None:
    house = ladder_of("ABCDE")
    stood = [(house.now, house.state.order)]
    for one, other, imps in games:
        house.wait(days=15)
        order = house.state.order
        upper, lower = sorted((one, other), key=order.index)
        if upper != lower and order.index(lower) - order.index(upper) <= 3:
            house.played(lower, upper, home=0, visitors=imps)
        stood.append((house.now, house.state.order))
    assert all(order_at(house.state.history, at) == order for at, order in stood)


def test_neighbouring_changes_lead_through_the_whole_history() -> None:
    history = seasoned().state.history
    moments = sorted({told.at for told in history})
    assert changes_beside(history, moments[0]) == (None, moments[1])
    assert changes_beside(history, moments[2] + timedelta(minutes=1)) == (moments[1], moments[3])
    assert changes_beside(history, moments[-1]) == (moments[-2], None)


def test_each_season_has_its_own_moves_and_turns() -> None:
    state = seasoned().state
    first, second = season_numbered(state, 1), season_numbered(state, 2)
    assert first is not None and second is not None and season_numbered(state, 3) is None
    assert first.order == ("C", "B", "A", "D")
    since, until = season_moves(state, first)
    assert (since, until) == (0, second.first_move) and season_moves(state, second) == (second.first_move, None)
    assert [sorted(turn.rungs, key=turn.rungs.__getitem__) for turn in turns(state.history, since, until)] == [
        list("ABCDE"),
        list("CBADE"),
        list("CBAD"),
    ]
    assert len(turns(state.history, second.first_move)) == 2

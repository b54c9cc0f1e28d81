"""The header, the swings and what is at stake, taken from the public state."""

import pytest

from broadcast.web.match_view import (
    at_stake,
    biggest_swings,
    current_board,
    current_segment,
    leader,
    newest,
    spoken,
    swing_chart,
)
from tests import sample_states as sample


def test_board_on_the_table_is_the_one_whose_auction_the_snapshot_holds() -> None:
    state = sample.match_state(11)
    board = current_board(state, "open")
    assert board is not None and board["number"] == 28
    assert current_board(sample.match_state(0) | {"boards": []}, "open") is None
    assert current_segment(state)["number"] == 2


def test_leader_is_who_has_more_imps_and_nobody_when_level_or_hidden() -> None:
    assert leader({"totals": {"imps": {"home": 4, "visitors": 3}}}) == "home"
    assert leader({"totals": {"imps": {"home": 3, "visitors": 4}}}) == "visitors"
    assert leader({"totals": {"imps": {"home": 3, "visitors": 3}}}) is None
    assert leader({}) is None


def test_swings_stand_above_the_line_for_home_and_below_for_visitors() -> None:
    state = sample.match_state(11)
    chart = swing_chart(state)
    assert chart is not None
    for bar in chart.bars:
        gain = bar.board["imps_home"]
        assert bar.side == (None if not gain else "home" if gain > 0 else "visitors")
        if bar.side == "home":
            assert abs(bar.y + bar.height - chart.middle) < 0.11
        if bar.side == "visitors":
            assert bar.y == chart.middle
        assert bar.height <= chart.middle
    assert len(chart.line.split()) == 12  # the carry-over and eleven boards


def test_no_swings_before_a_board_is_compared_or_with_hidden_results() -> None:
    assert swing_chart(sample.match_state(0)) is None
    assert swing_chart(sample.hidden(sample.match_state(11))) is None


def test_split_ruling_counts_each_side_apart() -> None:
    """Both sides may gain on one board; the lead then stays where it was."""
    state = sample.match_state(1)
    state["boards"][0] |= {"imps_home": 3, "imps_visitors": 3}
    chart = swing_chart(state)
    assert chart is not None
    first, second = (point.split(",")[1] for point in chart.line.split())
    assert first == second


def test_worth_is_shown_of_the_board_at_stake() -> None:
    board = at_stake(sample.match_state(11))
    assert board is not None and board["worth"]["room"] == "open"
    assert at_stake(sample.match_state(16)) is None


def test_comment_about_an_earlier_board_is_not_of_the_board_on_the_table() -> None:
    state = sample.match_state(11)
    here, earlier = sample.COMMENTS[0], sample.COMMENTS[0] | {"board": 20}
    assert spoken(state, [here, earlier], hidden=True) == [here]
    assert spoken(state, [here, earlier], hidden=False) == [here, earlier]


@pytest.mark.parametrize(
    ("until", "first", "last"),
    [
        ("", 70, 120),
        ("70", 20, 70),
        ("20", 0, 20),
        ("0", 70, 120),
        ("9999", 70, 120),
        ("x", 70, 120),
        ("²", 70, 120),
    ],
)
def test_page_shows_the_last_comments_or_those_before_so_many(until: str, first: int, last: int) -> None:
    said = newest([{"text": str(number)} for number in range(120)], until)
    assert [each["text"] for each in said.shown] == [str(number) for number in range(first, last)]
    assert (said.earlier, said.is_newest) == (first, last == 120)


def test_biggest_swings_are_named_and_level_boards_are_none() -> None:
    boards = [
        {"segment": 1, "number": n, "imps_home": imps} for n, imps in enumerate((0, -5, None, 5, 12, 1), 1)
    ]
    assert [board["number"] for board in biggest_swings({"boards": boards})] == [5, 2, 4]
    assert biggest_swings({"boards": boards[:1]}) == []
    assert biggest_swings(sample.hidden(sample.match_state(11))) == []

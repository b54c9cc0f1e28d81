"""What the results still possible in one room would be worth against the other room's."""

from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.rooms import Room
from broadcast.tables.events import BoardKey
from teams.matches.comparison import compare
from teams.matches.worth import room_at_stake, worth
from tests.teams.matches.stories import (
    CLOSED,
    OPEN,
    TOLD,
    VISITORS,
    Story,
    artificial,
    assigned,
    deal_of,
    weighted,
)

KEY = BoardKey(1, 1)
THREE_NOTRUMP = ("Pass", "Pass", "3NT", "Pass", "Pass", "Pass")


def outcomes(story: Story) -> list[tuple[int, int, object]]:
    return [(each.result.tricks or 0, each.score_ns, each.imps_home) for each in worth(story.state, KEY)]


def common(story: Story) -> dict[str, object]:
    """IMPs for home of each result shown before the contract, as ``4S S 10``."""
    return {
        f"{each.result.contract} {each.result.declarer} {each.result.tricks}": each.imps_home
        for each in worth(story.state, KEY)
    }


def bidding(there: str, *calls: str) -> Story:
    return Story().scored(1, OPEN, there).opened(1, CLOSED).bid(1, CLOSED, *calls)


def playing() -> Story:
    """430 for North-South in the open room; South is declarer in 3NT in the closed."""
    return Story().scored(1, OPEN, "3NT S 10").opened(1, CLOSED).bid(1, CLOSED, *THREE_NOTRUMP)


def test_outcomes_of_the_contract_in_play() -> None:
    assert outcomes(playing()) == [
        (6, -150, 11),
        (7, -100, 11),
        (8, -50, 10),
        (9, 400, 1),
        (10, 430, 0),
        (11, 460, -1),
    ]
    assert room_at_stake(playing().state, KEY) is CLOSED


def test_before_the_contract_the_common_results_stand_there() -> None:
    """The other room's game with a trick more or less and its part score, then also the bid that stands."""
    assert common(bidding("4S S 10")) == {"4S S 9": 10, "3S S 10": 6, "4S S 10": 0, "4S S 11": -1}
    assert common(bidding("4S S 10", "1NT", "Pass")) == {
        "1NT N 6": 10,
        "4S S 9": 10,
        "1NT N 7": 8,
        "3S S 10": 6,
        "4S S 10": 0,
        "4S S 11": -1,
    }
    assert worth(bidding("4S S 10", "1NT", "Pass", "3NT", "Pass", "Pass").state, KEY)


def test_common_results_are_those_the_auction_still_allows() -> None:
    """North has named spades first and would declare them; the part score is out of reach."""
    assert list(common(bidding("4S S 10", "1S", "4H"))) == ["4H E 10", "4S N 9", "4H E 9", "4S N 10", "4S N 11"]
    assert list(common(bidding("3NT S 9", "1C", "4S"))) == ["4S E 10", "4S E 9"]


def test_common_results_of_slams_part_scores_and_a_board_passed_out() -> None:
    assert set(common(bidding("6H N 12"))) == {"6H N 12", "4H N 12", "6H N 11", "6H N 13"}
    assert set(common(bidding("4H N 13"))) == {"4H N 13", "3H N 13", "6H N 13", "7H N 13", "4H N 12"}
    assert set(common(bidding("2D W 11"))) == {"2D W 11", "5D W 11", "2D W 10", "2D W 12"}
    assert set(common(bidding("2D W 9"))) == {"2D W 9", "2D W 8", "2D W 10"}
    assert common(bidding("Pass", "Pass")) == {"None None None": 0}
    assert common(bidding("Pass", "1H")) == {"1H N 6": 2, "1H N 7": -2}


def test_nothing_is_at_stake_while_both_play_or_when_both_have_finished() -> None:
    story = Story().opened(1, OPEN, CLOSED).bid(1, CLOSED, *THREE_NOTRUMP)
    assert outcomes(story) == []
    assert outcomes(playing().scored(1, CLOSED, "3NT S 9")) == []
    assert outcomes(playing().closed()) == []
    assert outcomes(playing().cancelled(1)) == []


def test_nothing_is_at_stake_on_a_held_board_or_one_with_an_artificial_score() -> None:
    held = Story().scored(1, OPEN, "3NT S 10").opened(1, CLOSED, deal=deal_of(2)).bid(1, CLOSED, *THREE_NOTRUMP)
    assert outcomes(held) == []
    assert outcomes(playing().awarded(1, artificial("+", "-"))) == []
    assert outcomes(playing().awarded(1, assigned(CLOSED, 400))) == []


def test_outcomes_stand_against_what_was_assigned_to_the_other_room() -> None:
    assert outcomes(playing().awarded(1, assigned(OPEN, 400)))[3] == (9, 400, 0)
    half = weighted(OPEN, (400, 50), (-50, 50))
    assert outcomes(playing().awarded(1, half))[3] == (9, 400, -5)


def test_open_room_at_stake_and_the_other_seating() -> None:
    story = Story(ns_open=VISITORS).scored(1, CLOSED, "3NT S 10").opened(1, OPEN).bid(1, OPEN, *THREE_NOTRUMP)
    assert outcomes(story)[2] == (8, -50, 10)
    assert room_at_stake(story.state, KEY) is OPEN


def test_window_follows_the_play() -> None:
    """After eleven tricks at most two are open, whatever the contract needs."""
    story = playing().played(1, CLOSED, 44)
    play = story.state.boards[KEY].rooms[CLOSED].play
    assert play is not None
    tricks = [outcome.result.tricks for outcome in worth(story.state, KEY)]
    assert tricks == list(range(play.declarer_tricks, 14 - play.defender_tricks))


@TOLD
@given(st.integers(0, 51), st.sampled_from(["1C", "3NT", "7S"]), st.sampled_from(Room))
def test_every_outcome_is_what_the_comparison_then_says(cards: int, bid: str, room: Room) -> None:
    story = Story().scored(1, room.other, "4H E 9").opened(1, room).bid(1, room, bid, "Pass", "Pass", "Pass")
    story.played(1, room, cards)
    table = story.state.boards[KEY].rooms[room]
    found = worth(story.state, KEY)
    assert 1 <= len(found) <= 6
    assert table.play is not None
    for outcome in found:
        tricks = outcome.result.tricks
        assert tricks is not None and table.play.declarer_tricks <= tricks <= 13 - table.play.defender_tricks
        ended = Story().scored(1, room.other, "4H E 9").scored(1, room, f"{bid} N {tricks}")
        assert compare(ended.state, KEY).home == outcome.imps_home

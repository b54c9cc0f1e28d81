"""Members of the public JSON that are more than a field of the state."""

from broadcast.feeds.public_json import pace
from tests.builders import LIVE, OPEN, Told, new_match


def test_pace_of_a_board_is_told_in_seconds_since_its_first_call() -> None:
    told = Told(new_match(release=LIVE)).open(OPEN, 1)
    assert pace(told.table(OPEN)) is None
    told.wait(40)
    for call, seconds in [("1NT", 7), ("Pass", 30), ("Pass", 2), ("Pass", 100)]:
        told.calls(OPEN, call).wait(seconds)
    told.cards(OPEN, 1).wait(4).cards(OPEN, 2)
    assert pace(told.table(OPEN)) == {"calls": [0, 7, 37, 39], "cards": [139, 143, 143]}
    told.undo(OPEN, 2).wait(10).cards(OPEN, 1)
    assert pace(told.table(OPEN)) == {"calls": [0, 7, 37, 39], "cards": [139, 153]}

"""A made-up result releases the other room's board; whoever takes it back and plays on is told of.

Symptom: an operator entered ``1C N 7``, read what the other room had done, undid it and played, and neither the
desk nor a captain saw anything.
"""

import pytest

from broadcast.tables.alarms import blocking_alarms, is_open_notice, taken_back
from broadcast.tables.commands import ClearAlarm, EnterResult, OpenBoard, PlayCard, Undo
from broadcast.tables.setup import Release
from tests.builders import BY_BOARD, BY_MATCH, CLOSED, LIVE, OPEN, Told, new_match, result

BIDDING = "1NT Pass 3NT Pass Pass Pass"


def notices(told: Told) -> list[str]:
    return [alarm.id for alarm in taken_back(told.match)]


def with_other_room_done(release: Release = BY_BOARD) -> Told:
    told = Told(new_match(2, release=release))
    told.open(CLOSED, 1).calls(CLOSED, BIDDING).cards(CLOSED, 3).claim(CLOSED, 11)
    return told


def claimed(told: Told, tricks: int = 9) -> Told:
    return told.open(OPEN, 1).calls(OPEN, BIDDING).cards(OPEN, 5).claim(OPEN, tricks)


def test_made_up_result_taken_back_is_noticed_while_play_goes_on_and_after() -> None:
    told = with_other_room_done().open(OPEN, 1).result(OPEN, "1C N 7")
    assert notices(told) == []
    told.undo(OPEN)
    assert notices(told) == ["taken_back:1.1:open"]
    noted = told.table(OPEN).taken_back
    assert noted is not None
    assert (noted.result, noted.by, noted.at) == (result("1C N 7"), "operator:t", told.now)
    told.calls(OPEN, BIDDING).cards(OPEN, 4).claim(OPEN, 10)
    assert notices(told) == ["taken_back:1.1:open"]
    assert list(blocking_alarms(told.match)) == []


def test_it_is_noticed_whichever_room_finished_first() -> None:
    told = Told().open(OPEN, 1).result(OPEN, "1C N 7")
    told.open(CLOSED, 1).calls(CLOSED, BIDDING).cards(CLOSED, 3).claim(CLOSED, 11)
    told.undo(OPEN)
    assert notices(told) == ["taken_back:1.1:open"]


def test_four_passes_and_an_opening_again_and_a_result_over_it_are_noticed_too() -> None:
    told = with_other_room_done().open(OPEN, 1).calls(OPEN, "Pass Pass Pass Pass").undo(OPEN, 4)
    assert notices(told) == ["taken_back:1.1:open"]
    told = claimed(with_other_room_done())
    told.enter(OPEN, OpenBoard(1, 1, "again"))
    assert notices(told) == ["taken_back:1.1:open"]
    told = claimed(with_other_room_done()).result(OPEN, "4S W 10")
    assert notices(told) == ["taken_back:1.1:open"]


def test_other_cards_are_noticed_though_as_many_were_played() -> None:
    told = claimed(with_other_room_done()).undo_to(OPEN, 6, 3)
    seat, card = told.next_card(OPEN, 1)
    assert card != told.next_card(OPEN)[1]
    told.enter(OPEN, PlayCard(seat, card))
    told.cards(OPEN, 1).claim(OPEN, 9)
    assert notices(told) == ["taken_back:1.1:open"]


def test_slip_in_the_number_of_tricks_is_no_matter_when_it_is_put_right_soon() -> None:
    told = claimed(with_other_room_done()).wait(170).undo(OPEN)
    assert notices(told) == ["taken_back:1.1:open"]
    assert notices(told.claim(OPEN, 10)) == []
    told.wait(20).undo(OPEN).claim(OPEN, 11)
    assert notices(told) == ["taken_back:1.1:open"]


def test_the_same_result_entered_again_is_no_matter_at_any_time() -> None:
    told = claimed(with_other_room_done()).wait(3600).undo(OPEN).claim(OPEN, 9)
    assert notices(told) == []


@pytest.mark.parametrize("release", [BY_MATCH, LIVE])
def test_nothing_is_noticed_where_being_final_releases_nothing(release: Release) -> None:
    told = claimed(with_other_room_done(release)).undo(OPEN).cards(OPEN, 4).claim(OPEN, 10)
    assert notices(told) == []


def test_result_taken_back_before_the_other_room_has_finished_is_no_matter() -> None:
    told = claimed(Told()).undo(OPEN).cards(OPEN, 4).claim(OPEN, 10)
    assert notices(told) == []


def test_cleared_it_stays_so_until_another_result_is_taken_back() -> None:
    told = with_other_room_done().open(OPEN, 1).result(OPEN, "1C N 7").undo(OPEN)
    assert is_open_notice(told.match, "taken_back:1.1:open")
    told.do(ClearAlarm("taken_back:1.1:open", "wrong board"), "director:ann")
    told.enter(OPEN, EnterResult(result("2H E 8")))
    assert notices(told) == []
    told.enter(OPEN, Undo(1))
    assert notices(told) == ["taken_back:1.1:open"]


def test_match_closes_by_itself_though_a_result_was_taken_back() -> None:
    told = with_other_room_done().open(OPEN, 1).result(OPEN, "1C N 7").undo(OPEN).result(OPEN, "2H E 8")
    told.played(OPEN, 2).played(CLOSED, 2)
    assert notices(told) == ["taken_back:1.1:open"]
    assert told.match.is_complete and told.match.closes_at is not None

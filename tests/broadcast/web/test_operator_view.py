"""What the operator's page is given: reasons, scores, doubts about claims, and no deal of another board."""

import json

from broadcast.bridge.calls import Call
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.feeds.public_json import Json
from broadcast.web.languages import Language
from broadcast.web.operator_view import room_table
from tests.builders import OPEN, Told, deal_of, new_match


def drawn(told: Told, language: Language = Language.ENGLISH) -> Json:
    return room_table("m1", told.match, OPEN, language)


def test_every_call_is_legal_or_has_its_reason_and_whether_it_may_stand() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT")
    view = drawn(told)
    assert set(view["legal"]["calls"]) | set(view["refused"]["calls"]) == {call.value for call in Call}
    assert view["refused"]["calls"]["1S"] == {
        "message": "1S is not enough over 1NT",
        "irregular": "insufficient",
    }
    assert view["refused"]["calls"]["XX"]["irregular"] is None
    assert view["refused"]["seats"]["W"] == {
        "message": "West may not call: it is East's turn",
        "irregular": "out_of_turn",
    }
    assert drawn(told, Language.CHINESE)["refused"]["calls"]["1S"]["message"] != "1S is not enough over 1NT"


def test_every_card_of_the_hand_to_play_is_legal_or_has_its_reason() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 1)
    view = drawn(told)
    turn = view["board"]["turn"]
    hand = {card.value for card in deal_of(1)[Seat(turn)]}
    assert set(view["legal"]["cards"]) | set(view["refused"]["cards"]) == hand
    assert {reason["irregular"] for reason in view["refused"]["cards"].values()} <= {"revoke"}
    assert len(view["scores"]) == 14


def test_no_deal_but_that_of_the_open_board_is_given() -> None:
    told = Told(new_match(3)).open(OPEN, 1).calls(OPEN, "Pass Pass Pass Pass")
    text = json.dumps(drawn(told))
    assert str(deal_of(1)) in text
    for number in (2, 3):
        for hand in str(deal_of(number))[2:].split():
            assert hand not in text


def test_claim_tells_who_may_claim_and_which_totals_are_possible() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass")
    claim = drawn(told)["claim"]
    assert claim["seats"]["N"] is None
    assert claim["seats"]["S"] == "Dummy may not claim"
    assert (claim["least"], claim["most"]) == (0, 13)
    assert claim["least"] <= claim["certain_least"] <= claim["certain_most"] <= claim["most"]
    assert drawn(told.claim(OPEN, 8))["claim"] is None


def test_other_boards_are_given_with_this_room_s_results_only() -> None:
    told = Told(new_match(2, is_dealt=False)).played(OPEN, 1)
    told.played(Room.CLOSED, 1, "6NT S 7")
    boards = drawn(told)["boards"]
    assert [board["number"] for board in boards] == [1, 2]
    assert (boards[0]["contract"], boards[0]["tricks"]) == ("3NT", 9)
    assert boards[1]["needs_deal"] is True
    assert "6NT" not in json.dumps(boards)

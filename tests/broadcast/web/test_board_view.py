"""A board at any position: hands that keep their places, auction columns, tricks, whose turn."""

import pytest

from broadcast.web.board_view import deal_hands, is_vulnerable, table_view, team_at
from tests import sample_states as sample

MATCH = sample.match_state()


def test_start_of_a_board_shows_all_cards_and_the_dealer_to_call() -> None:
    board = sample.board_resource(22)
    view = table_view(MATCH, board, "open", 0, 0)
    held = [place for hand in view.hands.values() for _, cards in hand.suits or () for place in cards]
    assert len(held) == 52 and not any(place.played for place in held)
    assert view.turn == board["dealer"] and view.hands[board["dealer"]].is_dealer
    assert view.phase == "bidding" and view.contract is None


def test_played_cards_leave_their_places() -> None:
    board = sample.board_resource(22)
    calls = len(board["open"]["auction"])
    view = table_view(MATCH, board, "open", calls, 7)
    played = {
        place.card
        for hand in view.hands.values()
        for _, cards in hand.suits or ()
        for place in cards
        if place.played
    }
    assert played == {card["card"] for card in board["open"]["play"][:7]}
    assert view.trick is not None and view.trick.number == 2 and len(view.trick.cards) == 3
    assert view.last_trick is not None and len(view.last_trick.cards) == 4
    assert view.tricks_ns + view.tricks_ew == 1
    assert view.turn == board["open"]["play"][7]["seat"]


def test_before_the_last_call_no_card_and_no_contract_is_shown() -> None:
    board = sample.board_resource(22)
    calls = len(board["open"]["auction"])
    view = table_view(MATCH, board, "open", calls - 1, 20)
    assert view.cards == 0 and view.contract is None and view.trick is None


def test_end_of_a_finished_board_tells_tricks_and_score() -> None:
    board = sample.board_resource(22)
    view = table_view(MATCH, board, "closed")
    assert view.is_at_end and view.turn is None
    assert (view.tricks, view.score_ns) == (board["closed"]["tricks"], board["closed"]["score_ns"])
    assert table_view(MATCH, board, "closed", 99, 12).score_ns is None


def test_calls_stand_under_their_seats_also_when_out_of_turn() -> None:
    board = {
        "segment": 2,
        "number": 17,
        "dealer": "N",
        "open": {"state": "in_play", "auction": [_call("N", "1C"), _call("S", "1S"), _call("W", "Pass")]},
    }
    grid = table_view(MATCH, board, "open").grid
    assert [cell.call if cell else None for cell in grid] == [None, "1C", None, "1S", "Pass"]


def _call(seat: str, call: str) -> dict[str, object]:
    return {"seat": seat, "call": call, "alert": False, "explanation": None, "irregular": None}


def test_unreleased_hands_stay_unknown() -> None:
    deal = "E:KQ97.Q9.AK54.J75 - - -"
    board = {"segment": 2, "number": 17, "dealer": "N", "deal": deal, "open": {"auction": []}}
    view = table_view(MATCH, board, "open")
    assert view.hands["E"].suits is not None
    assert [seat for seat in "NSW" if view.hands[seat].suits is None] == ["N", "S", "W"]
    assert deal_hands(None) == {}


@pytest.mark.parametrize(
    ("vulnerable", "seat", "answer"),
    [
        ("None", "N", False),
        ("None", "E", False),
        ("NS", "S", True),
        ("NS", "E", False),
        ("EW", "E", True),
        ("All", "N", True),
    ],
)
def test_vulnerable_sides(vulnerable: str, seat: str, answer: bool) -> None:
    assert is_vulnerable(vulnerable, seat) is answer


def test_teams_change_direction_between_the_rooms() -> None:
    board = MATCH["boards"][0]
    assert [team_at(MATCH, board, "open", seat) for seat in "NE"] == ["home", "visitors"]
    assert [team_at(MATCH, board, "closed", seat) for seat in "NE"] == ["visitors", "home"]

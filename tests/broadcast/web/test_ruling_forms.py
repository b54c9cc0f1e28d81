"""Rulings as a director types them, and as the public interface takes them."""

from typing import Any

import pytest

from broadcast.tables.decide import decide
from broadcast.web import match_json
from broadcast.web.problems import Problem
from broadcast.web.ruling_forms import FORMS, fields_of
from tests.builders import OPEN, Told, deal_of

PLACE = {"board": "1.1", "room": "open", "reason": "Law 12"}
MATCH = Told().played(OPEN, 1, "3NT S 9").match


def read(name: str, **given: str) -> dict[str, Any]:
    return fields_of(FORMS[name], {**PLACE, **given}, MATCH)


@pytest.mark.parametrize(
    ("typed", "score"),
    [
        ("620", 620),
        ("−50", -50),
        ("4S= N", 420),
        ("4♠ N +1", 450),
        ("3nt-2 e", 100),
        ("3NT E −2", 100),
        ("4SX-3 S", -500),
        ("1NTXX= W", -560),
    ],
)
def test_score_is_typed_as_points_or_as_a_result_of_the_board(typed: str, score: int) -> None:
    """Board 1 is vulnerable for nobody."""
    assert read("assigned", score=typed)["award"]["score_ns"] == score


@pytest.mark.parametrize("typed", ["", "4S", "8S= N", "4S+9 N", "six", "4S= Q"])
def test_score_that_is_neither_is_told_by_its_field(typed: str) -> None:
    with pytest.raises(Problem) as refused:
        read("assigned", score=typed)
    assert (refused.value.code, refused.value.facts["field"]) == ("bad_field", "score")


def test_split_score_gives_one_side_an_average_and_the_other_weighted_results() -> None:
    award = read(
        "split", home_kind="+", visitors_kind="score", visitors_score1="4S= N", visitors_percent1="60",
        visitors_score2="4S-1 N", visitors_percent2="40",
    )["award"]  # fmt: skip
    assert award["home"] == {"kind": "artificial", "home": "+", "visitors": "+"}
    assert award["visitors"]["parts"] == [{"score_ns": 420, "percent": 60}, {"score_ns": -50, "percent": 40}]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("correct_result", {"contract": "3NT", "declarer": "S", "tricks": "10"}),
        ("correct_result", {"passed_out": "1"}),
        ("tricks_transferred", {"tricks": "1", "to": "EW"}),
        ("average", {"home": "+", "visitors": "-"}),
        ("assigned", {"score": "4S= N"}),
        ("weighted", {"score1": "420", "percent1": "50", "score2": "-50", "percent2": "50"}),
        ("split", {"home_kind": "-", "visitors_kind": "score", "visitors_score1": "420"}),
        ("cancel_board", {}),
        ("swap_seating", {}),
        ("penalty", {"side": "home", "unit": "vps", "amount": "0,5"}),
        ("lineup", {"segment": "1", "seat_N": "Ana"}),
        ("release", {"rule": "match"}),
        ("close", {}),
        ("void", {}),
    ],
)
def test_every_form_is_a_ruling_that_the_match_takes(name: str, given: dict[str, str]) -> None:
    assert decide(MATCH, match_json.ruling(read(name, **given), lambda: deal_of(1)), Told().now)


def test_forms_make_every_ruling_but_those_with_pages_of_their_own() -> None:
    made = {"award" if name in ("average", "assigned", "weighted", "split") else name for name in FORMS}
    assert {*match_json.RULINGS, match_json.EXTRA_BOARDS} ^ made == {"clear_alarm"}

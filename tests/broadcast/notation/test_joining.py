"""Segments of one match put together by who plays, never by position."""

from dataclasses import replace
from decimal import Decimal

import pytest

from broadcast.notation.joining import join_segments
from broadcast.notation.lin import read_lin
from broadcast.notation.problems import Reason
from broadcast.notation.records import MatchRecord
from tests.broadcast.notation.sample_files import lin_board, lin_match


def a_match(teams: str, results: str = "3NS+1,3NS=") -> MatchRecord:
    """One board; 430 against 400 is 1 IMP to the first team."""
    return read_lin(lin_match(lin_board("o1"), results, teams)).matches[0]


def one_imp(difference: int) -> int:
    return (difference > 10) - (difference < -10)


def test_teams_change_places_and_the_carry_over_follows_the_names() -> None:
    joining = join_segments([a_match("Modra,0,Vihar,0"), a_match("Vihar,0,Modra,1")], one_imp)
    assert joining.problems == ()
    assert [segment.team1 for segment in joining.match.segments] == ["Modra", "Vihar"]
    assert [segment.number for segment in joining.match.segments] == [1, 2]
    assert {board.segment for board in joining.match.segments[1].boards} == {2}


@pytest.mark.parametrize("name", ["USA", "usa 2", "USA II", "USA2"])
def test_names_that_vary_are_one_team(name: str) -> None:
    joining = join_segments([a_match("USA 2,0,Vihar,0"), a_match(f"Vihar,0,{name},1")], one_imp)
    assert joining.problems == ()
    assert [segment.team2 for segment in joining.match.segments] == ["Vihar", "USA 2"]


def test_two_teams_of_one_country_are_kept_apart() -> None:
    joining = join_segments([a_match("USA I,0,USA II,0"), a_match("USA2,0,USA1,1")], one_imp)
    assert joining.problems == ()
    assert [segment.team1 for segment in joining.match.segments] == ["USA I", "USA II"]


@pytest.mark.parametrize("teams", ["Kova,0,Lipa,0", "Kova,0,Vihar,0"])
def test_segment_of_other_teams_is_left_out_and_listed(teams: str) -> None:
    joining = join_segments([a_match("Modra,0,Vihar,0"), a_match(teams)], one_imp)
    assert len(joining.match.segments) == 1
    assert [problem.reason for problem in joining.problems] == [Reason.UNKNOWN_TEAMS]


def test_carry_over_that_does_not_chain_is_listed_and_counting_goes_on_from_it() -> None:
    matches = [a_match("Modra,0,Vihar,0"), a_match("Modra,5,Vihar,0"), a_match("Modra,6,Vihar,0")]
    problems = join_segments(matches, one_imp).problems
    assert [(p.segment, p.reason) for p in problems] == [(2, Reason.CARRY_OVER_DIFFERS)]
    assert "brings in 5-0" in problems[0].text
    assert "add up to 1-0" in problems[0].text


def test_carry_over_of_nothing_states_nothing() -> None:
    matches = [a_match("Modra,7,Vihar,2"), a_match("Modra,0,Vihar,0"), a_match("Modra,9,Vihar,2")]
    assert join_segments(matches, one_imp).problems == ()


def test_exchanged_carry_overs_are_named_as_such() -> None:
    problems = join_segments([a_match("Modra,0,Vihar,0"), a_match("Modra,0,Vihar,1")], one_imp).problems
    assert "the teams exchanged" in problems[0].text


def test_carry_over_into_the_first_segment_stays_with_the_match() -> None:
    match = join_segments([a_match("Modra,12.5,Vihar,3")], one_imp).match
    assert (match.carry_home, match.carry_visitors) == (Decimal("12.5"), Decimal(3))


def test_nothing_to_join_is_refused() -> None:
    with pytest.raises(ValueError, match="no match"):
        join_segments([], one_imp)


def test_joining_leaves_the_given_matches_unchanged() -> None:
    first = a_match("Modra,0,Vihar,0")
    copy = replace(first)
    join_segments([first, first], one_imp)
    assert first == copy

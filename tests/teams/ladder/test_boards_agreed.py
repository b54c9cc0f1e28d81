"""How long the match of a challenge is: as proposed and agreed, else as the ladder has it."""

import pytest

from broadcast.tables.commands import CreateMatch
from broadcast.tables.errors import Refusal
from teams.ladder.commands import AcceptChallenge, IssueChallenge
from teams.ladder.rules import rules_from
from tests.teams.ladder.ladder_builders import House

RULES = rules_from({"schedule": "at_once", "deals": "typed", "boards": 20, "inactivity": False})


def proposed(boards: int | None) -> House:
    house = House(RULES)
    house.enter("a", "b")
    house.do(IssueChallenge("b", "a", house.state.version, boards))
    return house


@pytest.mark.parametrize(
    ("asked", "answered", "played"),
    [(None, None, 20), (8, None, 8), (12, 12, 12), (12, 20, 20), (20, None, 20)],
)
def test_match_is_as_long_as_agreed(asked: int | None, answered: int | None, played: int) -> None:
    house = proposed(asked)
    change = house.do(AcceptChallenge("l1-1", "a", "m1", boards=answered))
    (made,) = (each.command for each in change.consequences)
    assert isinstance(made, CreateMatch)
    assert made.segments[0].last == played


def test_other_lengths_are_not_proposed() -> None:
    with pytest.raises(Refusal) as refused:
        proposed(10)
    assert (refused.value.rule, refused.value.facts["choices"]) == ("bad_boards", [8, 12, 16, 20])


def test_who_accepts_takes_what_is_proposed_or_the_ladder_s_own() -> None:
    house = proposed(8)
    with pytest.raises(Refusal) as refused:
        house.do(AcceptChallenge("l1-1", "a", "m1", boards=16))
    assert refused.value.facts["choices"] == [8, 20]

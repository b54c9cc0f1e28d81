"""Whose step is awaited is reminded at two thirds of the time and when the grace begins, each time once."""

from datetime import datetime, timedelta

import pytest

from teams.ladder.challenges import Side
from teams.ladder.events import ChallengeReminded
from tests.teams.ladder.ladder_builders import House, ladder_of
from tests.teams.ladder.test_deadlines import BY_DATE, MAKERS, dated, offered


def given(house: House) -> list[tuple[datetime, Side]]:
    return [
        (recorded.recorded_at, recorded.event.side)
        for change in house.changes
        for recorded in change.recorded
        if isinstance(recorded.event, ChallengeReminded)
    ]


@pytest.mark.parametrize(
    ("state", "side"),
    [
        ("issued", Side.DEFENDER),
        ("accepted, no dates", Side.DEFENDER),
    ],
)
def test_reminders_come_after_two_days_and_after_three(state: str, side: Side) -> None:
    house = ladder_of("ABC", BY_DATE)
    began = house.now
    MAKERS[state](house)
    for _ in range(80):
        house.wait(hours=1)
        house.tick()
    assert given(house) == [(began + timedelta(days=days), side) for days in (2, 3)]


def test_challenger_is_reminded_of_its_choice_and_nobody_once_it_is_made() -> None:
    house = ladder_of("ABC", BY_DATE)
    offered(house)
    house.wait(days=2, hours=12)
    house.tick()
    assert [side for _, side in given(house)] == [Side.CHALLENGER]
    other = ladder_of("ABC", BY_DATE)
    dated(other)
    other.wait(days=1)
    other.tick()
    assert given(other) == []


def test_house_that_was_down_gives_what_is_due_once() -> None:
    house = ladder_of("ABC", BY_DATE)
    house.challenge("C", "A")
    house.wait(days=3, hours=1)
    house.tick()
    house.tick()
    assert len(given(house)) == 2
    assert given(house)[0][0] == house.now

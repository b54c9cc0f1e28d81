"""What a challenge needs of which captain, in every state, and what comes first."""

from datetime import timedelta

import pytest

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.setup import PlayerName
from teams.captains.needs import MatchFacts, Need, deadline_of, due_at, needs_of, urgency
from teams.ladder.challenges import Challenge, Side
from teams.ladder.commands import AcceptChallenge, ChooseDate, NameSeats, OfferDates
from teams.ladder.rules import rules_from
from tests.teams.ladder.ladder_builders import START, House

RULES = rules_from({"deals": "typed", "boards": 8, "inactivity": False})
UP_AND_DOWN = {Side.DEFENDER: "a", Side.CHALLENGER: "b"}


def dated() -> tuple[House, str]:
    """A ladder with a challenge whose date is agreed, five days from now."""
    house = House(RULES)
    house.enter("a", "b")
    challenge = house.challenge("b", "a")
    house.do(AcceptChallenge(challenge, "a", "m1"))
    dates = tuple(START + timedelta(days=day) for day in (5, 6, 7))
    house.do(OfferDates(challenge, "a", dates))
    house.do(ChooseDate(challenge, "b", dates[0], "m1"))
    return house, challenge


def needs(house: House, challenge: str, facts: MatchFacts | None = None) -> dict[Side, tuple[Need, ...]]:
    found = house.state.open[challenge]
    return {side: needs_of(found, side, facts or MatchFacts(), house.now) for side in Side}


def one(house: House, id: str) -> Challenge:
    return house.state.open[id]


def test_until_the_date_each_step_needs_one_captain() -> None:
    house = House(RULES)
    house.enter("a", "b")
    challenge = house.challenge("b", "a")
    assert needs(house, challenge) == {Side.DEFENDER: (Need.ANSWER,), Side.CHALLENGER: ()}
    assert due_at(one(house, challenge)) == START + timedelta(days=3)
    assert deadline_of(one(house, challenge), MatchFacts(), RULES) == START + timedelta(days=4)
    house.do(AcceptChallenge(challenge, "a", "m1"))
    assert needs(house, challenge) == {Side.DEFENDER: (Need.OFFER,), Side.CHALLENGER: ()}
    house.do(OfferDates(challenge, "a", tuple(START + timedelta(days=day) for day in (5, 6, 7))))
    assert needs(house, challenge) == {Side.DEFENDER: (), Side.CHALLENGER: (Need.CHOOSE,)}


def test_line_up_is_needed_of_each_captain_until_it_is_named_or_play_begins() -> None:
    house, challenge = dated()
    assert set(needs(house, challenge).values()) == {(Need.LINEUP,)}
    for room, seats in ((Room.OPEN, "EW"), (Room.CLOSED, "NS")):
        named = {Seat(seat): PlayerName(seat, seat) for seat in seats}
        house.do(NameSeats(challenge, "b", 1, {room: named}))
    assert needs(house, challenge) == {Side.DEFENDER: (Need.LINEUP,), Side.CHALLENGER: ()}
    assert set(needs(house, challenge, MatchFacts(is_started=True)).values()) == {()}
    house.wait(days=5)
    assert set(needs(house, challenge, MatchFacts(is_started=True)).values()) == {(Need.PLAY,)}


def test_score_is_confirmed_by_who_has_not_and_only_when_no_alarm_is_open() -> None:
    house, challenge = dated()
    house.wait(days=5)
    scored = MatchFacts(is_started=True, is_complete=True, confirmed=frozenset({Side.CHALLENGER}))
    assert needs(house, challenge, scored) == {Side.DEFENDER: (Need.CONFIRM,), Side.CHALLENGER: ()}
    agreed = {"disputed:1.1": frozenset({Side.DEFENDER})}
    alarmed = MatchFacts(is_started=True, is_complete=True, alarms=("disputed:1.1",), agreed=agreed)
    assert needs(house, challenge, alarmed) == {Side.DEFENDER: (), Side.CHALLENGER: (Need.CLEAR,)}
    assert set(needs(house, challenge, MatchFacts(is_over=True)).values()) == {()}


@pytest.mark.parametrize("side", Side)
def test_challenge_that_is_over_needs_nobody(side: Side) -> None:
    house = House()
    house.enter("a", "b")
    challenge = house.played("b", "a", 10, 20)
    assert needs_of(house.state.ended[challenge], side, MatchFacts(), house.now) == ()


def test_alarms_come_first_then_what_runs_out_first_and_what_waits_for_others_last() -> None:
    soon, later = START, START + timedelta(days=1)
    cards = [
        ((), soon),
        ((Need.ANSWER,), later),
        ((Need.LINEUP,), None),
        ((Need.CHOOSE,), soon),
        ((Need.CLEAR,), None),
    ]
    ordered = sorted(cards, key=lambda card: urgency(*card))
    assert [needs[0] if needs else None for needs, _ in ordered] == [
        Need.CLEAR,
        Need.CHOOSE,
        Need.ANSWER,
        Need.LINEUP,
        None,
    ]

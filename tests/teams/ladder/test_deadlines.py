"""Rule 4, and what the clock does: every open state has a deadline and a written exit."""

import inspect
import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.commands import CreateMatch, NameLineup, VoidMatch
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import PlayerName
from teams.ladder import deadlines
from teams.ladder.challenges import Accepted, Forfeited, Playing, Voided
from teams.ladder.commands import (
    AcceptChallenge,
    BeginPlay,
    ChooseDate,
    DecideChallenge,
    NameSeats,
    OfferDates,
    RefuseDates,
)
from teams.ladder.eligibility import Refused, Rule, may_challenge
from teams.ladder.rules import LadderRules, rules_from
from tests.teams.ladder.ladder_builders import AT_ONCE, House, ladder_of

BY_DATE = rules_from({"deals": "typed", "boards": 8, "inactivity": False})
SEATS = {("defender", Room.OPEN): "NS", ("defender", Room.CLOSED): "EW"}


def dates_of(house: House) -> tuple[datetime, ...]:
    noon = house.now.replace(hour=12, minute=0)
    return tuple(noon + timedelta(days=day) for day in (1, 2, 3))


def issued(house: House) -> str:
    return house.challenge("C", "A")


def accepted(house: House) -> str:
    id = issued(house)
    house.do(AcceptChallenge(id, "A", "m1"))
    return id


def offered(house: House) -> str:
    id = accepted(house)
    house.do(OfferDates(id, "A", dates_of(house)))
    return id


def dated(house: House) -> str:
    id = offered(house)
    house.do(ChooseDate(id, "C", dates_of(house)[1], "m1"))
    return id


def come(house: House, id: str, team: str) -> None:
    challenge = house.state.challenge(id)
    assert challenge is not None
    side = challenge.side_of(team)
    for room in Room:
        own = SEATS.get((str(side), room), "EW" if room is Room.OPEN else "NS")
        seats = {Seat(seat): PlayerName(f"{team}{seat}", f"{team}-{seat}") for seat in own}
        house.do(NameSeats(id, team, 1, {room: seats}))


def one_came(house: House) -> str:
    id = dated(house)
    come(house, id, "A")
    return id


def both_came(house: House) -> str:
    id = one_came(house)
    come(house, id, "C")
    return id


def begun(house: House) -> str:
    id = dated(house)
    house.do(BeginPlay(id, "m1"))
    assert house.do(BeginPlay(id, "m1")).recorded == (), "told twice it changes nothing"
    return id


def at_once(house: House) -> str:
    id = house.challenge("C", "A")
    house.accept(id)
    return id


MAKERS: dict[str, Callable[[House], str]] = {
    "issued": issued,
    "accepted, no dates": accepted,
    "accepted, dates offered": offered,
    "playing, one line-up named": one_came,
    "playing, no line-up named": dated,
    "playing, line-ups named": both_came,
    "playing, begun": begun,
    "playing, made at once": at_once,
}


def table() -> dict[str, tuple[str, str]]:
    """The rows of the module's table: state to deadline and exit."""
    text = inspect.getdoc(deadlines) or ""
    rows = re.findall(r"^((?:issued|accepted|playing)\S*.*?)  +(\S.*?)  +(\S.*)$", text, re.MULTILINE)
    return {state: (deadline, exit) for state, deadline, exit in rows}


def deadline_in_words(words: str, house: House, began: datetime) -> datetime:
    """The moment that a row's words give, from the rules that they name."""
    rules = LadderRules()
    days = {
        name: timedelta(days=getattr(rules, name)) for name in re.findall(r"\w+_days", words)
    }  # play_days, offer_days ...
    spare = sum(days.values(), timedelta())
    if "grace_hours" in words:
        spare += timedelta(hours=rules.grace_hours)
    if "late_minutes" in words:
        spare += timedelta(minutes=rules.late_minutes)
    if "after the date" in words:
        began = dates_of(house)[1]
    moment = began + spare
    return min(moment, dates_of(house)[-1]) if "last date" in words else moment


def test_table_has_a_row_for_every_state() -> None:
    assert set(table()) == set(MAKERS)


@pytest.mark.parametrize("state", MAKERS)
def test_clock_does_what_the_table_says(state: str) -> None:
    deadline, exit = table()[state]
    house = ladder_of("ABC", AT_ONCE if state.endswith("at once") else BY_DATE)
    began = house.now
    id = MAKERS[state](house)
    before = house.state.open[id]
    due = deadlines.runs_out_at(before, house.state.rules)
    assert due is not None and due == deadline_in_words(deadline, house, began)
    house.now = due - timedelta(seconds=1)
    house.tick()
    assert house.state.open[id].state == before.state
    assert house.stream.next_due() == due
    house.now = due
    house.tick()
    challenge = house.state.challenge(id)
    assert challenge is not None
    final = challenge.state
    if isinstance(final, Forfeited):
        loser = final.winner.other.value if state != "playing, one line-up named" else "the late"
        told = f"forfeited by {loser}: {final.cause.value}"
    else:
        assert isinstance(final, Voided)
        told = f"voided: {final.reason}"
    assert told == exit
    assert house.tick().recorded == ()


def test_offer_that_never_comes_costs_the_defender_its_rung() -> None:
    house = ladder_of("ABC", BY_DATE)
    accepted(house)
    house.wait(days=4)
    house.tick()
    assert house.order == "CBA"


def test_choice_that_never_comes_costs_the_challenge_only() -> None:
    house = ladder_of("ABC", BY_DATE)
    offered(house)
    house.wait(days=4)
    house.tick()
    assert house.order == "ABC"


def test_refusing_every_date_is_the_defenders_decline_once_and_then_the_house_sets_the_date() -> None:
    house = ladder_of("ABC", BY_DATE)
    first = offered(house)
    house.do(RefuseDates(first, "C", "m1"))
    challenge = house.state.challenge(first)
    assert challenge is not None
    assert challenge.state == Voided(house.now, "dates_refused")
    assert house.state.entrants["A"].declines == 1
    waits = Refused(Rule.VOID_PAUSE, house.now + timedelta(days=7))
    assert may_challenge(house.state, "C", "B", house.now) == waits
    house.wait(days=15)
    second = offered(house)
    told = house.do(RefuseDates(second, "C", "m2"))
    challenge = house.state.challenge(second)
    assert challenge is not None
    playing = challenge.state
    assert isinstance(playing, Playing)
    assert playing.starts_at == dates_of(house)[1], "the first with a day's notice"
    assert isinstance(told.consequences[0].command, CreateMatch)
    assert house.state.entrants["A"].declines == 1


def test_dates_are_refused_by_the_challenger_and_only_when_there_are_some() -> None:
    house = ladder_of("ABC", BY_DATE)
    id = accepted(house)
    for team in ("A", "C"):
        with pytest.raises(Refusal):
            house.do(RefuseDates(id, team, "m1"))
    challenge = house.state.challenge(id)
    assert challenge is not None and isinstance(challenge.state, Accepted)


def test_walkover_voids_the_match_and_moves_like_a_win() -> None:
    house = ladder_of("ABC", BY_DATE)
    id = dated(house)
    come(house, id, "C")
    house.wait(days=3)
    change = house.tick()
    assert house.order == "CBA"
    assert [each.command for each in change.consequences] == [VoidMatch("challenge_forfeited")]


def test_both_absent_makes_the_challenger_wait() -> None:
    house = ladder_of("ABC", BY_DATE)
    dated(house)
    house.wait(days=3)
    change = house.tick()
    assert [each.command for each in change.consequences] == [VoidMatch("both_absent")]
    assert house.state.entrants["C"].waits_until == house.now + timedelta(days=7)
    assert house.state.entrants["A"].declines == 0


def test_line_ups_of_two_captains_are_put_together() -> None:
    """Each captain's naming replaced the whole room: whoever came second took the other's players out."""
    house = ladder_of("ABC", BY_DATE)
    id = both_came(house)
    rooms = [
        each.command
        for change in house.changes
        for each in change.consequences
        if isinstance(each.command, NameLineup)
    ]
    assert [len(named.seats) for named in rooms] == [2, 2, 4, 4]
    challenge = house.state.challenge(id)
    assert challenge is not None and isinstance(challenge.state, Playing)
    assert len(challenge.state.present) == 2


def test_match_that_was_not_played_in_time_decides_if_it_is_closed_after_all() -> None:
    house = ladder_of("ABC")
    id = at_once(house)
    house.wait(days=14)
    assert house.tick().consequences == ()
    house.do(DecideChallenge(id, f"m-{id}", 0, 10, house.now), "house")
    assert house.order == "CBA"

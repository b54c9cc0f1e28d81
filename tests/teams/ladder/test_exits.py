"""The exits that a challenge's page tells are those that the rules take."""

from collections.abc import Callable

import pytest

from broadcast.tables.errors import Refusal
from teams.ladder.challenges import Challenge, Forfeited, Side
from teams.ladder.commands import (
    AcceptChallenge,
    ChooseDate,
    DecideChallenge,
    DeclineChallenge,
    LadderCommand,
    OfferDates,
    RefuseDates,
    WithdrawChallenge,
)
from teams.ladder.deadlines import runs_out_at
from teams.ladder.exits import Exit, exits
from tests.teams.ladder.ladder_builders import AT_ONCE, House, ladder_of
from tests.teams.ladder.test_deadlines import BY_DATE, MAKERS, dates_of

STATES = {"dates": "accepted", "house_date": "playing"}
"""Where an exit leads that has a name of its own."""


def standing(state: str) -> tuple[House, Challenge]:
    house = ladder_of("ABC", AT_ONCE if state.endswith("at once") else BY_DATE)
    id = MAKERS[state](house)
    return house, house.state.open[id]


def commands(house: House, challenge: Challenge) -> dict[str, Callable[[str], LadderCommand]]:
    id, match = challenge.id, str(challenge.match)
    return {
        "accept": lambda team: AcceptChallenge(id, team, "m1"),
        "decline": lambda team: DeclineChallenge(id, team),
        "offer": lambda team: OfferDates(id, team, dates_of(house)),
        "choose": lambda team: ChooseDate(id, team, dates_of(house)[0], "m1"),
        "refuse": lambda team: RefuseDates(id, team, "m1"),
        "withdraw": lambda team: WithdrawChallenge(id, team),
        "close": lambda team: DecideChallenge(id, match, 0, 5, house.now),
    }


def ended(house: House, id: str) -> tuple[str, Side | None]:
    challenge = house.state.challenge(id)
    assert challenge is not None
    final = challenge.state
    return final.code, final.winner.other if isinstance(final, Forfeited) else None


@pytest.mark.parametrize("state", MAKERS)
def test_every_exit_leads_where_it_says_and_there_is_no_other(state: str) -> None:
    house, challenge = standing(state)
    told = exits(house.state, challenge)
    for step, make in commands(*standing(state)).items():
        for side in Side:
            house, challenge = standing(state)
            ways = [way for way in told if way.step == step and way.by in (side, None)]
            try:
                is_taken = house.do(make(challenge.team(side))).recorded != ()
            except Refusal:
                assert not ways, f"{step} by the {side} is told, and refused"
                continue
            assert len(ways) == is_taken, f"{step} by the {side}: taken {is_taken}, told {len(ways)} times"
            if not is_taken:
                continue  # what is done already, or comes too late from a match, changes nothing
            expected = STATES.get(ways[0].leads_to, ways[0].leads_to)
            assert ended(house, challenge.id) == (expected, ways[0].loser)


@pytest.mark.parametrize("state", MAKERS)
def test_the_clock_does_what_is_told_when_it_is_told(state: str) -> None:
    house, challenge = standing(state)
    clock = exits(house.state, challenge)[-1]
    assert clock.step == "clock" and clock.at == runs_out_at(challenge, house.state.rules)
    assert clock.at is not None
    house.now = clock.at
    house.tick()
    assert ended(house, challenge.id) == (clock.leads_to, clock.loser)
    over = house.state.challenge(challenge.id)
    assert over is not None and exits(house.state, over) == ()


def test_without_a_free_decline_declining_is_a_forfeit_and_refusing_dates_leaves_it_to_the_house() -> None:
    house = ladder_of("ABC", BY_DATE)
    first = house.challenge("C", "A")
    house.do(DeclineChallenge(first, "A"))
    house.wait(days=15)
    second = house.challenge("C", "A")
    assert Exit("decline", "forfeited", Side.DEFENDER, Side.DEFENDER) in exits(
        house.state, house.state.open[second]
    )
    house.do(AcceptChallenge(second, "A", "m1"))
    house.do(OfferDates(second, "A", dates_of(house)))
    assert Exit("refuse", "house_date", Side.CHALLENGER) in exits(house.state, house.state.open[second])

"""What a ladder tells captains: each event to whom it concerns, in both languages, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest

from broadcast.tables.recorded import Recorded
from broadcast.web.languages import Language
from teams.captains.messages import MessageKind, Told, messages_of
from teams.captains.zones import Times
from teams.ladder.commands import AcceptChallenge, DeclineChallenge, OfferDates, WithdrawChallenge
from teams.ladder.rules import rules_from
from teams.web.message_words import sentence, told_facts
from tests.teams.ladder.ladder_builders import START, House

RULES = rules_from({"deals": "typed", "boards": 8, "inactivity": False})


def told(house: House) -> list[Told]:
    recorded: list[Recorded[Any]] = [each for change in house.changes for each in change.recorded]
    return [message for each in recorded for message in messages_of(house.state, each)]


def kinds(house: House) -> list[tuple[str, str]]:
    return [(message.team, message.kind.value) for message in told(house)]


def test_each_step_is_told_to_who_did_not_take_it() -> None:
    house = House(RULES)
    house.enter("a", "b")
    challenge = house.challenge("b", "a")
    house.do(AcceptChallenge(challenge, "a", "m1"))
    house.do(OfferDates(challenge, "a", tuple(START + timedelta(days=day) for day in (1, 2, 3))))
    house.do(WithdrawChallenge(challenge, "b"))
    assert kinds(house) == [
        ("a", "challenged"),
        ("b", "accepted"),
        ("b", "offered"),
        ("a", "won_unplayed"),
        ("b", "lost_unplayed"),
    ]


def test_result_and_moves_are_told_to_both() -> None:
    house = House()
    house.enter("a", "b")
    house.played("b", "a", 10, 20)
    assert kinds(house)[2:] == [("b", "won"), ("a", "lost"), ("b", "moved"), ("a", "moved")]
    won = told(house)[2]
    assert (won.facts["own"], won.facts["theirs"], won.facts["opponent"]) == (20.0, 10.0, "Team a")


def test_reminder_goes_to_who_is_awaited() -> None:
    house = House(RULES)
    house.enter("a", "b")
    house.challenge("b", "a")
    house.wait(days=2, minutes=1)
    house.tick()
    assert kinds(house)[-1] == ("a", "reminded")


@pytest.mark.parametrize("language", Language)
def test_every_message_has_a_sentence(language: Language) -> None:
    facts = {
        "team": "Modra", "ladder": "Club ladder", "opponent": "<b>翠微</b>", "until": "2026-05-01T19:30:00Z",
        "date": "2026-05-02T19:30:00Z", "from": "2026-05-03T19:30:00Z", "dates": 3, "match": None,
        "cause": "unanswered", "own": 20.0, "theirs": 10.5, "before": 4, "after": 3, "days": 30, "in_days": 1,
        "fall": 1, "season": "Spring", "house": False, "room": "open", "name": "Ann", "of": "Modra",
    }  # fmt: skip
    times = Times("Asia/Shanghai", language.value)
    said = {kind: sentence(kind.value, told_facts(facts, times), language) for kind in MessageKind}
    assert len(set(said.values())) == len(MessageKind)
    assert "<b>翠微</b>" in said[MessageKind.CHALLENGED]
    assert "03:30" in said[MessageKind.CHALLENGED]
    assert all(text and "{" not in text and "%" not in text for text in said.values())


def test_declined_challenge_costs_the_challenger_nothing_but_is_told() -> None:
    house = House(RULES)
    house.enter("a", "b")
    challenge = house.challenge("b", "a")
    house.do(DeclineChallenge(challenge, "a"))
    assert kinds(house)[-1] == ("b", "declined")

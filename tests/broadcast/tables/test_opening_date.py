"""The rooms of a challenge open at its date (club regulation, rule 4)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from broadcast.bridge.rooms import Room
from broadcast.tables.commands import CreateMatch, EnterInRoom, OpenBoard
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import Challenge
from tests.builders import OPEN, Told, new_match

EARLY = timedelta(minutes=5)


def announced(told: Told, challenge: Challenge | None) -> CreateMatch:
    return replace(new_match(1), challenge=challenge, starts_at=told.now + EARLY)


def opening(room: Room, *, may_overrule: bool) -> EnterInRoom:
    return EnterInRoom(room, (OpenBoard(1, 1),), may_overrule=may_overrule)


def test_an_operator_waits_for_the_date_and_a_director_need_not() -> None:
    told = Told(announced(Told(), Challenge("l1", "l1-1")))
    with pytest.raises(Refusal) as refusal:
        told.do(opening(OPEN, may_overrule=False))
    assert (refusal.value.rule, refusal.value.facts["opens_at"]) == (
        "room_not_open",
        told.match.created.starts_at,
    )
    told.do(opening(OPEN, may_overrule=True))


def test_at_the_date_the_rooms_are_open() -> None:
    told = Told(announced(Told(), Challenge("l1", "l1-1")))
    told.wait(EARLY.total_seconds()).do(opening(OPEN, may_overrule=False))


def test_another_match_opens_when_its_organiser_likes() -> None:
    Told(announced(Told(), None)).do(opening(OPEN, may_overrule=False))

"""How many comments a room's operators and everybody may make, and that records come whole all the same."""

from dataclasses import replace

import pytest

from broadcast.tables import commenting
from broadcast.tables.commands import Comment
from broadcast.tables.commenting import check_room
from broadcast.tables.errors import Refusal
from tests.builders import CLOSED, OPEN, Told

BY_DIRECTOR = Comment(1, 1, OPEN, 0, 0, "en", "a thought", "dora", any_position=True)
BY_ROOM = replace(BY_DIRECTOR, author="open", by_room=OPEN)
BY_COMMENTATOR = replace(BY_DIRECTOR, author="cora", any_position=False)


def code(told: Told, command: Comment) -> str | None:
    try:
        check_room(told.match, command)
        told.do(command)
    except Refusal as refusal:
        return refusal.rule
    return None


def test_operators_of_a_room_share_its_number_and_take_none_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commenting, "MOST_OF_ROOM", 2)
    told = Told().open(OPEN, 1).open(CLOSED, 1)
    elsewhere = replace(BY_ROOM, room=CLOSED)
    said = [code(told, each) for each in (BY_ROOM, elsewhere, BY_ROOM, elsewhere)]
    assert said == [None, None, "room_comments_full", "room_comments_full"]
    others = (replace(BY_ROOM, author="closed", by_room=CLOSED), BY_COMMENTATOR, BY_DIRECTOR)
    assert [code(told, each) for each in others] == [None] * 3


def test_match_has_so_many_comments_and_a_record_as_many_as_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commenting, "MOST_OF_MATCH", 3)
    told = Told().open(OPEN, 1)
    assert [code(told, BY_DIRECTOR) for _ in range(5)] == [None] * 5
    assert [code(told, each) for each in (BY_ROOM, BY_COMMENTATOR)] == ["comments_full"] * 2

"""A record entered into a match that exists: its boards take the match's places, in order of play."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from broadcast.bridge.rooms import Room
from broadcast.imports.plan import MatchPlan, PlannedBoard, Step
from broadcast.tables.commands import Comment, OpenBoard, SkipBoard
from broadcast.tables.events import BoardKey


class MisfitRecord(Exception):
    """The record has more boards than the match."""


def fitted(plan: MatchPlan, segments: Sequence[Mapping[str, Any]]) -> dict[Room, tuple[PlannedBoard, ...]]:
    """The plan's rooms with the boards renumbered to the match's; ``segments`` as the public JSON has them.

    Raises ``MisfitRecord``.
    """
    places = [
        BoardKey(segment["number"], number)
        for segment in segments
        for number in range(segment["first"], segment["last"] + 1)
    ]
    keys = sorted({(board.segment, board.number) for boards in plan.rooms.values() for board in boards})
    if set(keys) <= set(places):
        return dict(plan.rooms)
    if len(keys) > len(places):
        raise MisfitRecord(f"the record has {len(keys)} boards, the match only {len(places)}")
    moved = dict(zip(keys, places, strict=False))
    return {
        room: tuple(_moved(board, moved[board.segment, board.number]) for board in boards)
        for room, boards in plan.rooms.items()
    }


def _moved(board: PlannedBoard, key: BoardKey) -> PlannedBoard:
    steps = tuple(_moved_step(step, key) for step in board.steps)
    return replace(board, segment=key.segment, number=key.number, steps=steps)


def _moved_step(step: Step, key: BoardKey) -> Step:
    if isinstance(step, OpenBoard | SkipBoard | Comment):
        return replace(step, segment=key.segment, board=key.number)
    return step

"""What a ruling would change: the match before and after it compared, and the rungs that follow.

Nothing is worked out here. The ruling is decided and folded by the functions that carry it out, on a copy
(``Writer.preview``); this file holds the two standings side by side.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from broadcast.bridge.errors import BridgeError
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.streams import Change
from broadcast.tables.errors import Refusal
from broadcast.web.desk_view import standing
from broadcast.web.house import House

Json = dict[str, Any]

MEMBERS = ("status", "release", "segments", "penalties", "totals", "starts_at")
"""Top-level members of a match that a ruling may change."""


@dataclass(frozen=True, slots=True)
class Effects:
    before: Json
    """``MEMBERS`` of the match as it stands."""
    after: Json
    boards: tuple[tuple[Json | None, Json], ...]
    """Boards that change, before and after; a board that is added has no before."""
    moves: tuple[Json, ...] = ()
    """Rungs that change, where the match decides a challenge."""
    is_public_at_once: bool = False

    @property
    def changes(self) -> frozenset[str]:
        """Which members of the match change."""
        return frozenset(name for name in MEMBERS if self.before[name] != self.after[name])

    @property
    def digest(self) -> str:
        """The same for the same effects, whenever they are looked at."""
        moves = [{name: value for name, value in move.items() if name != "at"} for move in self.moves]
        told = [self.before, self.after, self.boards, moves, self.is_public_at_once]
        return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:32]


async def effects_of(house: House, before: MatchStream, change: Change) -> Effects:
    """What the change makes of the match, and of the ladder whose challenge it decides."""
    was, now = standing(before), standing(cast(MatchStream, change.stream))
    earlier = {(board["segment"], board["number"]): board for board in was["boards"]}
    boards = [
        (earlier.get((board["segment"], board["number"])), board)
        for board in now["boards"]
        if board != earlier.get((board["segment"], board["number"]))
    ]
    return Effects(
        {name: was[name] for name in MEMBERS},
        {name: now[name] for name in MEMBERS},
        tuple(boards),
        tuple(
            [move for step in change.consequences for move in await _moves(house, step.stream, step.command)]
        ),
        bool(change.published),
    )


async def _moves(house: House, stream: Any, command: object) -> list[Json]:
    try:
        following = await house.writer.preview(stream, command, "house")
    except (Refusal, BridgeError):
        return []  # the ladder has nothing to decide any more
    return [entry.event.data for entry in following.published if entry.event.name == "rung"]

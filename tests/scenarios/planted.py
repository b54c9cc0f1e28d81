"""What was planted in a match to be looked for, and from when the release rules let it be seen.

An oracle that knows nothing of the gate: for each planted thing its recorded time, the time it was taken back,
and when boards became final. ``told`` reads cards and results out of any body, whatever its format.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.scenarios.whole_house import DELAY_SECONDS

Entry = tuple[int, str, str]
"""Board, room, and a card or ``contract tricks``."""


@dataclass
class Planted:
    board: int
    room: str
    at: datetime
    text: str | None = None
    """To be found as it stands: an explanation, a name, a reason, a hand, an unusual contract."""
    entry: Entry | None = None
    """A card or a result, which only its place makes unusual."""
    withdrawn: datetime | None = None
    kind: str = "entry"
    """``entry lineup deal comment ruling penalty secret``."""
    after: "Planted | None" = None
    """What a comment or ruling follows."""


@dataclass
class Ledger:
    """What was planted in one match, told under one release rule."""

    rule: str
    planted: list[Planted] = field(default_factory=list)
    finals: dict[int, list[datetime]] = field(default_factory=dict)
    """Moments at which a board became final in both rooms."""
    closed: datetime | None = None

    def public_from(self, thing: Planted) -> datetime | None:
        """The moment from which it may be seen, ``None`` while that is not known."""
        match thing.kind:
            case "secret":
                return None
            case "penalty":
                return thing.at if self.rule == "board" else self._by_rule(thing)
            case "lineup":
                return self._first(lambda other: other.kind == "entry")
            case "deal":
                return self._first(lambda other: other.kind == "entry" and other.board == thing.board)
            case "comment" | "ruling":
                followed = None if thing.after is None else self.public_from(thing.after)
                return None if followed is None else max(thing.at, followed)
            case _:
                return self._by_rule(thing)

    def _first(self, wanted: Any) -> datetime | None:
        moments = [self._by_rule(other) for other in self.planted if wanted(other)]
        return min((moment for moment in moments if moment is not None), default=None)

    def _by_rule(self, thing: Planted) -> datetime | None:
        match self.rule:
            case "delay":
                moments = [thing.at + timedelta(seconds=DELAY_SECONDS)]
            case "board":
                moments = [final for final in self.finals.get(thing.board, []) if final >= thing.at]
            case _:
                moments = []
        if self.rule != "delay" and self.closed is not None:
            moments.append(self.closed)
        standing = [moment for moment in moments if thing.withdrawn is None or thing.withdrawn > moment]
        return min(standing, default=None)

    def is_public(self, thing: Planted, now: datetime) -> bool:
        moment = self.public_from(thing)
        return moment is not None and moment <= now

    def check(self, where: str, text: str, now: datetime) -> set[int]:
        """Places in ``planted`` of what the text tells. Raises ``AssertionError`` for what it may not tell."""
        entries = set(told(text))
        found = set()
        for place, thing in enumerate(self.planted):
            if (thing.text is not None and thing.text in text) or thing.entry in entries:
                found.add(place)
        known = {self.planted[place].entry for place in found}
        public = {place for place in found if self.is_public(self.planted[place], now)}
        allowed = {self.planted[place].entry for place in public}
        for place in found - public:
            thing = self.planted[place]
            # The same card may have been played, taken back and played again: one that may be seen is enough.
            assert thing.entry is not None and thing.entry in allowed, f"{where} tells {thing}"
        assert entries <= known, f"{where} tells what nobody entered: {entries - known}"
        return found


def told(text: str) -> Iterator[Entry]:
    """Cards and results in a body: JSON, a stream, a page's state, PBN or LIN."""
    for piece in _json_of(text):
        yield from _walk(piece, None, None)
    for room, board, rest in re.findall(r"qx\|([oc])(\d+)\|(.*?)(?=qx\||$)", text, re.DOTALL):
        for card in re.findall(r"pc\|(\w\w)\|", rest):
            yield int(board), "open" if room == "o" else "closed", card.upper()
    for game in re.split(r"(?=\[Event )", text)[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]\r?$', game, re.MULTILINE))
        _, _, played = game.partition("[Play ")
        for card in re.findall(r"\b[SHDC][2-9TJQKA]\b", played.partition("]")[2].partition("[")[0]):
            yield int(tags["Board"]), tags["Room"].lower(), card


def _json_of(text: str) -> Iterator[Any]:
    if text.startswith(("{", "[{")):
        yield json.loads(text)
    for data in re.findall(r"^data: ({.*)$", text, re.MULTILINE):
        yield json.loads(data)
    for block in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL):
        yield json.loads(block)


def _walk(value: Any, board: int | None, room: str | None) -> Iterator[Entry]:
    if isinstance(value, list):
        for each in value:
            yield from _walk(each, board, room)
    if not isinstance(value, dict):
        return
    if "dealer" in value and isinstance(value.get("number"), int):
        board = value["number"]
    if isinstance(value.get("board"), int):
        board = value["board"]
    if isinstance(value.get("room"), str):
        room = value["room"]
    if board is not None and room is not None:
        if isinstance(value.get("card"), str):
            yield board, room, value["card"]
        if isinstance(value.get("tricks"), int) and isinstance(value.get("contract"), str):
            yield board, room, f"{value['contract']} {value['tricks']}"
    for name, each in value.items():
        if name == "outcomes":  # what may still happen: foretold, not entered
            continue
        yield from _walk(each, board, name if name in ("open", "closed") else room)

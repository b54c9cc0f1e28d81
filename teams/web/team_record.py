"""What a team's public matches say of it: its form, and how it stands against each opponent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

FORM_LENGTH = 8
"""Matches, the newest last."""


class Result(StrEnum):
    WON = "won"
    LEVEL = "level"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over, from the team's side."""

    match: str
    opponent: Mapping[str, Any]
    own_imps: float
    their_imps: float

    @property
    def result(self) -> Result:
        if self.own_imps == self.their_imps:
            return Result.LEVEL
        return Result.WON if self.own_imps > self.their_imps else Result.LOST


@dataclass(slots=True)
class Versus:
    """All matches against one opponent."""

    opponent: Mapping[str, Any]
    results: dict[Result, int] = field(default_factory=lambda: dict.fromkeys(Result, 0))
    own_imps: float = 0
    their_imps: float = 0

    @property
    def played(self) -> int:
        return sum(self.results.values())


def played_by(team: str, matches: Iterable[Mapping[str, Any]]) -> tuple[Played, ...]:
    """The closed matches of a team, in the order they come; none where results are hidden."""
    found = []
    for match in matches:
        totals = match.get("totals")
        if match["status"] != "closed" or totals is None:
            continue
        own, other = ("home", "visitors") if match["home"].get("id") == team else ("visitors", "home")
        found.append(Played(match["id"], match[other], totals["imps"][own], totals["imps"][other]))
    return tuple(found)


def head_to_head(played: Iterable[Played]) -> list[Versus]:
    """By opponent, whom the team has met most often first. Opponents without an id are told apart by name."""
    met: dict[str, Versus] = {}
    for each in played:
        key = each.opponent.get("id") or each.opponent["name"]
        versus = met.setdefault(key, Versus(each.opponent))
        versus.results[each.result] += 1
        versus.own_imps += each.own_imps
        versus.their_imps += each.their_imps
    return sorted(met.values(), key=lambda versus: -versus.played)

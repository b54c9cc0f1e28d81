"""A ladder as its log tells it: the order, the teams, the challenges and everything that once moved.

How a fact changes it stands in ``teams.ladder.fold``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from teams.ladder.challenges import (
    Challenge,
)
from teams.ladder.rules import LadderKind, LadderRules
from teams.ladder.rungs import Move, Order

COUNTED_FROM = 2
"""Teams: on a smaller ladder nobody is counted for inactivity."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """What the ladder remembers of a team, on it or gone."""

    id: str
    name: str
    club: str | None = None
    unrestricted: bool = False
    """Has one challenge left without regard to the range."""
    declines: int = 0
    """Free declines used this season."""
    is_leaving: bool = False
    left_at: datetime | None = None
    immune_until: datetime | None = None
    waits_until: datetime | None = None
    """Makes no challenge before, as its last one came to nothing through its own doing."""
    players: tuple[str, ...] = ()
    idle_days: int = 0
    """Counted for inactivity."""
    rested_days: int = 0
    """Taken this season, the present rest among them."""
    rests_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Season:
    number: int
    name: str
    began_at: datetime | None
    first_move: int
    """Place in the history, from 0, of the first move of the season; its seeding, if there was one."""
    ends_at: datetime | None = None
    """As it was announced."""
    ended_at: datetime | None = None
    order: Order = ()
    """How it ended, from rung 1 down; empty while it lasts."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Of its teams, as they were called when it ended."""


@dataclass(frozen=True, slots=True)
class HistoryMove:
    """A move as the history shows it."""

    at: datetime
    move: Move
    cause: str
    """``entered left inactive reseeded ranks_closed`` or a challenge's ending: ``match turned``, a forfeit."""
    challenge: str | None = None
    match: str | None = None


@dataclass(frozen=True, slots=True)
class LadderState:
    id: str
    version: int = 0
    """Rises by one with every fact of the log."""
    name: str = ""
    kind: LadderKind = LadderKind.TEAMS
    rules: LadderRules = field(default_factory=LadderRules)
    order: Order = ()
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    """Everybody who ever entered."""
    open: Mapping[str, Challenge] = field(default_factory=dict)
    """Open challenges by id, in order of issue."""
    ended: Mapping[str, Challenge] = field(default_factory=dict)
    pair_ended: Mapping[frozenset[str], datetime] = field(default_factory=dict)
    """When two teams last ended a challenge that keeps them apart for a time."""
    withdrawn: Mapping[tuple[str, str], tuple[datetime, ...]] = field(default_factory=dict)
    """By challenger and defender, when the last challenges between them were withdrawn unanswered."""
    granted: frozenset[str] = frozenset()
    """Clubs and captains whose team has had the entry challenge this season."""
    history: tuple[HistoryMove, ...] = ()
    last_moves: Mapping[str, HistoryMove] = field(default_factory=dict)
    """Of each team the newest of its moves."""
    announced: tuple[datetime, LadderRules] | None = None
    """Rules that hold from a moment to come."""
    season: Season = field(default_factory=lambda: Season(1, "", None, 0))
    archive: tuple[Season, ...] = ()
    """Seasons that are over."""
    counted_at: datetime | None = None
    """When the last day was counted for inactivity."""
    created_at: datetime | None = None
    changed_at: datetime | None = None

    @property
    def exists(self) -> bool:
        return self.version > 0

    def challenge(self, id: str) -> Challenge | None:
        return self.open.get(id) or self.ended.get(id)

    def of_pair(self, one: str, other: str) -> Challenge | None:
        """The open challenge between two teams, whichever way."""
        pair = frozenset({one, other})
        return next((challenge for challenge in self.open.values() if challenge.pair == pair), None)

    def open_of(self, team: str) -> tuple[Challenge, ...]:
        """The open challenges of a team in either role."""
        return tuple(challenge for challenge in self.open.values() if team in challenge.pair)

    def made_by(self, team: str) -> tuple[Challenge, ...]:
        return tuple(challenge for challenge in self.open.values() if challenge.challenger == team)

    def received_by(self, team: str) -> tuple[Challenge, ...]:
        return tuple(challenge for challenge in self.open.values() if challenge.defender == team)

    def next_challenge_id(self) -> str:
        """Names the ladder, so that a challenge is found by its id alone."""
        return f"{self.id}-{len(self.open) + len(self.ended) + 1}"


def grants(club: str | None, captain: str | None) -> frozenset[str]:
    """The keys under which a club and a captain use up the season's entry challenge."""
    named = (("club", club), ("captain", captain))
    return frozenset(f"{kind}:{id}" for kind, id in named if id is not None)

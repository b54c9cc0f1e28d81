"""A challenge and its states, each with its exits.

=============  ==================================================================================
state          exits
=============  ==================================================================================
``issued``     accepted by the defender: ``accepted``, or ``playing`` where the match starts at once;
               declined: ``declined`` while the defender has a free decline, else ``forfeited``;
               withdrawn by the challenger: ``withdrawn``; no answer in time: ``forfeited``;
               either team leaves, or the director voids it: ``voided``
``accepted``   the defender offers dates and the challenger chooses one: ``playing``;
               either team withdraws or leaves: ``forfeited``; the director voids it: ``voided``
``playing``    the match is closed for everyone: ``decided``; a team withdraws: ``forfeited``;
               the match is voided: ``voided``
``decided``    final, but a ruling that turns the result decides it anew
``voided``     final, but a match that is taken up again decides it
``declined``, ``withdrawn``, ``forfeited``: final
=============  ==================================================================================

What an ending does: ``decided`` for the challenger and ``forfeited`` by the defender move the rungs;
``decided`` for the defender makes it immune for a time; every ending but ``withdrawn`` starts the pause of the
pair; ``declined`` and ``voided`` give a new team its unrestricted challenge back. Source: the club regulation,
rules 3, 5, 6 and 8.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar


class Side(StrEnum):
    """The two teams of a challenge; the defender is the match's home team."""

    CHALLENGER = "challenger"
    DEFENDER = "defender"

    @property
    def other(self) -> "Side":
        return Side.DEFENDER if self is Side.CHALLENGER else Side.CHALLENGER


class Forfeit(StrEnum):
    """Why a challenge was lost without play."""

    DECLINED = "declined"
    UNANSWERED = "unanswered"
    WITHDREW = "withdrew"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Issued:
    """Waits for the defender's answer."""

    code: ClassVar[str] = "issued"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Will be played; there is no match yet."""

    offered: tuple[datetime, ...] = ()
    """Dates the defender has offered last, the earliest first."""
    code: ClassVar[str] = "accepted"


@dataclass(frozen=True, slots=True)
class Playing:
    """Its match exists and is not closed for the public."""

    match: str
    starts_at: datetime | None = None
    """Where a date was agreed."""
    code: ClassVar[str] = "playing"


@dataclass(frozen=True, slots=True)
class Decided:
    match: str
    winner: Side
    imps_challenger: float
    imps_defender: float
    at: datetime
    """When the match was closed for everyone."""
    climbed_from: int | None = None
    """The rung from which a winning challenger climbed by this decision; ``None`` when it did not."""
    turned: bool = False
    """A ruling after closing made the other team the winner."""
    code: ClassVar[str] = "decided"


@dataclass(frozen=True, slots=True)
class Forfeited:
    winner: Side
    cause: Forfeit
    at: datetime
    match: str | None = None
    code: ClassVar[str] = "forfeited"


@dataclass(frozen=True, slots=True)
class Declined:
    at: datetime
    code: ClassVar[str] = "declined"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    at: datetime
    code: ClassVar[str] = "withdrawn"


@dataclass(frozen=True, slots=True)
class Voided:
    at: datetime
    reason: str
    match: str | None = None
    code: ClassVar[str] = "voided"


OpenState = Issued | Accepted | Playing
FinalState = Decided | Forfeited | Declined | Withdrawn | Voided
ChallengeState = OpenState | FinalState


@dataclass(frozen=True, slots=True)
class Challenge:
    id: str
    challenger: str
    defender: str
    challenger_rung: int
    """When it was issued: below this rung the defender never falls by it."""
    defender_rung: int
    """When it was issued; a win takes the challenger to the defender's rung of that later time."""
    lands_on: int
    """The rung that a win would have left to the defender when it was issued."""
    issued_at: datetime
    answer_by: datetime
    unrestricted: bool
    """Used a new team's one challenge without regard to the range."""
    state: ChallengeState

    @property
    def is_open(self) -> bool:
        return isinstance(self.state, OpenState)

    @property
    def match(self) -> str | None:
        state = self.state
        return state.match if isinstance(state, Playing | Decided | Forfeited | Voided) else None

    @property
    def pair(self) -> frozenset[str]:
        return frozenset({self.challenger, self.defender})

    def side_of(self, team: str) -> Side | None:
        if team == self.challenger:
            return Side.CHALLENGER
        return Side.DEFENDER if team == self.defender else None

    def team(self, side: Side) -> str:
        return self.challenger if side is Side.CHALLENGER else self.defender

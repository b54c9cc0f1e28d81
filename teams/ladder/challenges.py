"""A challenge and its states, each with its exits.

=============  ==================================================================================
state          exits
=============  ==================================================================================
``issued``     accepted by the defender: ``accepted``, or ``playing`` where the match starts at once;
               declined: ``declined`` while the defender has a free decline, else ``forfeited``;
               withdrawn by the challenger: ``withdrawn``; no answer in time: ``forfeited``;
               either team leaves, or the director voids it: ``voided``
``accepted``   the defender offers dates and the challenger chooses one: ``playing``;
               the challenger refuses all: ``voided`` at the cost of the defender's free decline, or ``playing``
               on a date that the house sets; no dates offered, or none chosen, in time: ``forfeited``;
               either team withdraws or leaves: ``forfeited``; the director voids it: ``voided``
``playing``    the match is closed for everyone: ``decided``; a team withdraws, or leaves before the date:
               ``forfeited``; one team has come and the other is late: ``forfeited``;
               nobody came, the match is not played in time, or is voided: ``voided``
``decided``    final, but a ruling that turns the result decides it anew
``voided``     final, but a match that is taken up again decides it
``declined``, ``withdrawn``, ``forfeited``: final
=============  ==================================================================================

What an ending does: ``decided`` for the challenger and ``forfeited`` by the defender move the rungs;
``decided`` for the defender makes it immune for a time; every ending but ``withdrawn`` starts the pause of the
pair; ``declined`` and ``voided`` give a new team its unrestricted challenge back. Source: the club regulation,
rules 3 to 6 and 8. What the clock does in each state stands in ``teams.ladder.deadlines``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.setup import PlayerName


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
    UNOFFERED = "unoffered"
    """The defender offered no dates in time."""
    UNCHOSEN = "unchosen"
    """The challenger neither chose nor refused the dates in time."""
    LATE = "late"
    """Only the winner's line-up was named so long after the date."""


class VoidCause(StrEnum):
    """Why a challenge came to nothing by the rules; a director gives reasons of their own."""

    LEFT = "left"
    DATES_REFUSED = "dates_refused"
    BOTH_ABSENT = "both_absent"
    UNPLAYED = "unplayed"
    SEASON_OVER = "season_over"


MAKES_WAIT = frozenset({VoidCause.DATES_REFUSED, VoidCause.BOTH_ABSENT})
"""After these the challenger waits before it challenges again."""


@dataclass(frozen=True, slots=True)
class Issued:
    """Waits for the defender's answer."""

    code: ClassVar[str] = "issued"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Will be played; there is no match yet."""

    offered: tuple[datetime, ...] = ()
    """Dates the defender has offered, the earliest first; each stands until it has passed."""
    deadline: datetime | None = None
    """For the offer, and from the first one on for the choice; ``None`` only in logs from before there was one.
    """
    code: ClassVar[str] = "accepted"


@dataclass(frozen=True, slots=True)
class Playing:
    """Its match exists and is not closed for the public."""

    match: str
    starts_at: datetime | None = None
    """Where a date was agreed."""
    late_at: datetime | None = None
    """When a team without line-up has lost; ``None`` where nobody can be late."""
    play_by: datetime | None = None
    """When the challenge is void unless the match is closed."""
    seats: Mapping[str, Mapping[Seat, PlayerName]] = field(default_factory=dict)
    """Line-ups as the captains named them, by ``side/room``. They are shown by the match, when they are due."""
    has_begun: bool = False
    """Something was called, or a result entered, in one of its rooms."""
    code: ClassVar[str] = "playing"

    def is_under_way(self, now: datetime) -> bool:
        """It has begun, or may begin: made at once, or its date has come."""
        return self.has_begun or self.starts_at is None or self.starts_at <= now

    @property
    def present(self) -> frozenset[Side]:
        """The sides that have come: both of their seats are named in both rooms."""
        return frozenset(
            side
            for side in Side
            if all(len(self.seats.get(seats_key(side, room), {})) == PAIR for room in Room)
        )


PAIR = 2


def seats_key(side: Side, room: Room) -> str:
    return f"{side.value}/{room.value}"


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
    boards: int | None = None
    """Of its match: proposed, and agreed once it is accepted; ``None``: as the ladder has it."""
    reminded: int = 0
    """How many reminders of its present deadline were given."""

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

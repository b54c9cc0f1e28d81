"""The match as a whole: IMPs with carry-over and penalties, VPs with theirs, and how far it has come."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from broadcast.bridge.rooms import Team
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import CarryOver
from broadcast.tables.state import MatchState
from teams.matches.carry_over import carried_boards, carried_imps
from teams.matches.comparison import Comparison
from teams.scales.victory_points import SCALES, VpScale, whole_margin


class NoVps(StrEnum):
    """Why the scale cannot say."""

    NO_SCALE = "no_scale"
    NO_ROW = "no_row"
    CARRY_OVER_WITHOUT_BOARDS = "carry_over_without_boards"


@dataclass(frozen=True, slots=True)
class Vps:
    """VPs of both sides after VP penalties, two decimals; they need not add up to the scale's whole."""

    home: Decimal
    visitors: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    home: Fraction
    """Home's gains, plus carry-over, less IMP penalties."""
    visitors: Fraction
    vps: Vps | None
    vps_reason: NoVps | None
    boards_compared: int
    """Boards with an IMP figure; artificial awards are among them, cancelled boards are not."""
    boards_total: int
    """Boards of the match that are not cancelled."""

    @property
    def leader(self) -> Team | None:
        """Who has more IMPs after carry-over and penalties; ``None`` when level."""
        if self.home == self.visitors:
            return None
        return Team.HOME if self.home > self.visitors else Team.VISITORS


def totals(
    state: MatchState,
    comparisons: Mapping[BoardKey, Comparison],
    scales: Mapping[str, VpScale] = SCALES,
) -> Totals:
    """Add up the boards as compared. The order in which they arrived does not matter."""
    figures = [
        (board.home, board.visitors)
        for board in comparisons.values()
        if board.home is not None and board.visitors is not None
    ]
    carry_over = state.created.carry_over
    gained = _added(gains(home, visitors) for home, visitors in figures)
    imps = {side: gained[side] + carried_imps(carry_over, side) - penalty(state, side, "imps") for side in Team}
    cancelled = sum(board.is_cancelled for board in state.boards.values())
    vps, reason = _vps(state, figures, scales.get(state.created.scale))
    return Totals(
        imps[Team.HOME], imps[Team.VISITORS], vps, reason, len(figures), len(state.boards) - cancelled
    )


def gains(home: Fraction, visitors: Fraction) -> tuple[Fraction, Fraction]:
    """What a board adds to each side's IMPs: its gain, and of a loss only what the other side does not gain.

    An ordinary swing of 3 is 3 to one and 0 to the other. Average minus against average costs 3 although nobody
    gains them.

    >>> [tuple(map(int, gains(Fraction(a), Fraction(b)))) for a, b in ((3, -3), (3, 3), (-3, 0), (-3, -3))]
    [(3, 0), (3, 3), (-3, 0), (-3, -3)]
    """
    return _own_gain(home, visitors), _own_gain(visitors, home)


def _own_gain(own: Fraction, other: Fraction) -> Fraction:
    return own if own > 0 else min(Fraction(0), own + max(Fraction(0), other))


def _added(pairs: Iterable[tuple[Fraction, Fraction]]) -> dict[Team, Fraction]:
    added = {side: Fraction(0) for side in Team}
    for home, visitors in pairs:
        added[Team.HOME] += home
        added[Team.VISITORS] += visitors
    return added


def penalty(state: MatchState, side: Team, unit: str) -> Fraction:
    """The side's penalties in ``imps`` or ``vps``, added up."""
    amounts = (given.amount for given in state.penalties if given.side is side and given.unit == unit)
    # Through its text, so that a penalty of 0.1 is a tenth and not the float beside it.
    return sum((Fraction(str(amount)) for amount in amounts), Fraction(0))


def _vps(
    state: MatchState, figures: list[tuple[Fraction, Fraction]], scale: VpScale | None
) -> tuple[Vps | None, NoVps | None]:
    if scale is None:
        return None, NoVps.NO_SCALE
    carried = carried_boards(state.created.carry_over)
    if carried is None:
        return None, NoVps.CARRY_OVER_WITHOUT_BOARDS
    boards = len(figures) + carried
    if not scale.has_row(boards):
        return None, NoVps.NO_ROW
    home = sum((home for home, _ in figures), Fraction(0))
    visitors = sum((visitors for _, visitors in figures), Fraction(0))
    before = _brought(state, state.created.carry_over)
    return (
        Vps(
            _side_vps(scale, boards, home + before) - _decimal(penalty(state, Team.HOME, "vps")),
            _side_vps(scale, boards, visitors - before) - _decimal(penalty(state, Team.VISITORS, "vps")),
        ),
        None,
    )


def _brought(state: MatchState, carry_over: CarryOver) -> Fraction:
    """Home's net IMPs from outside the boards: carry-over and IMP penalties."""
    home, visitors = (carried_imps(carry_over, side) - penalty(state, side, "imps") for side in Team)
    return home - visitors


def _side_vps(scale: VpScale, boards: int, net: Fraction) -> Decimal:
    """The VPs of the side with these net IMPs, rounded half away from zero once before the scale is asked.

    Each side is scored by its own net, which differ only after awards that do not balance.
    """
    margin = whole_margin(net)
    vps = scale.vps(boards, abs(margin))
    return vps.winner if margin >= 0 else vps.loser


def _decimal(amount: Fraction) -> Decimal:
    return Decimal(amount.numerator) / Decimal(amount.denominator)

"""The match as a whole: IMPs with carry-over and penalties, VPs with theirs, and how far it has come."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from broadcast.bridge.rooms import Team
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


@dataclass(frozen=True, slots=True)
class Tally:
    """The compared boards added up. A changed board is exchanged, so a long match costs no more per board."""

    boards: int = 0
    gained_home: Fraction = Fraction(0)
    gained_visitors: Fraction = Fraction(0)
    net_home: Fraction = Fraction(0)
    """The sum of home's own figures, losses with their sign."""
    net_visitors: Fraction = Fraction(0)

    def exchanged(self, was: Comparison, now: Comparison) -> "Tally":
        """The tally with one board's comparison in place of another."""
        return self._added(was, -1)._added(now, 1)

    def _added(self, board: Comparison, times: int) -> "Tally":
        if board.home is None or board.visitors is None:
            return self
        home, visitors = gains(board.home, board.visitors)
        return Tally(
            self.boards + times,
            self.gained_home + times * home,
            self.gained_visitors + times * visitors,
            self.net_home + times * board.home,
            self.net_visitors + times * board.visitors,
        )


def tally(comparisons: Iterable[Comparison]) -> Tally:
    """Add the boards up. The order in which they arrived does not matter."""
    added = Tally()
    for board in comparisons:
        added = added.exchanged(Comparison(), board)
    return added


def totals(state: MatchState, added: Tally, scales: Mapping[str, VpScale] = SCALES) -> Totals:
    """The match as it stands, from its boards as added up."""
    carry_over = state.created.carry_over
    home, visitors = (
        gained + carried_imps(carry_over, side) - penalty(state, side, "imps")
        for side, gained in zip(Team, (added.gained_home, added.gained_visitors), strict=True)
    )
    cancelled = sum(board.is_cancelled for board in state.boards.values())
    vps, reason = _vps(state, added, scales.get(state.created.scale))
    return Totals(home, visitors, vps, reason, added.boards, len(state.boards) - cancelled)


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


def penalty(state: MatchState, side: Team, unit: str) -> Fraction:
    """The side's penalties in ``imps`` or ``vps``, added up."""
    amounts = (given.amount for given in state.penalties if given.side is side and given.unit == unit)
    # Through its text, so that a penalty of 0.1 is a tenth and not the float beside it.
    return sum((Fraction(str(amount)) for amount in amounts), Fraction(0))


def _vps(state: MatchState, added: Tally, scale: VpScale | None) -> tuple[Vps | None, NoVps | None]:
    if scale is None:
        return None, NoVps.NO_SCALE
    carried = carried_boards(state.created.carry_over)
    if carried is None:
        return None, NoVps.CARRY_OVER_WITHOUT_BOARDS
    boards = added.boards + carried
    if not scale.has_row(boards):
        return None, NoVps.NO_ROW
    brought = _brought(state, state.created.carry_over)
    return (
        Vps(
            _side_vps(scale, boards, added.net_home + brought) - _decimal(penalty(state, Team.HOME, "vps")),
            _side_vps(scale, boards, added.net_visitors - brought)
            - _decimal(penalty(state, Team.VISITORS, "vps")),
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

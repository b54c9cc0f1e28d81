"""Scales given as a table of steps: from which winning margin on how many VPs."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from teams.scales.vp_scale import NoRow, VictoryPoints, refuse_negative

_PLACES = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Step:
    """From this margin on, until the next step, the winner and the loser have these VPs."""

    margin: int
    winner: Decimal
    loser: Decimal


@dataclass(frozen=True, slots=True)
class StepScale:
    name: str
    rows: Mapping[int, tuple[Step, ...]]
    """Boards in the match: its steps by rising margin, the first at margin 0."""

    def has_row(self, boards: int) -> bool:
        return boards in self.rows

    def vps(self, boards: int, margin: int) -> VictoryPoints:
        refuse_negative(margin)
        step, _ = self.step(boards, margin)
        return VictoryPoints(step.winner, step.loser)

    def step(self, boards: int, margin: int) -> tuple[Step, int | None]:
        """The step that holds for the margin, and the margin where the next begins (``None`` after the last).

        Raises ``NoRow`` where the table has no row for that length.
        """
        if boards not in self.rows:
            raise NoRow(
                f"The scale {self.name} has no row for {boards} boards: it has {_lengths(self.rows)}",
                scale=self.name,
                boards=boards,
            )
        steps = self.rows[boards]
        place = bisect_right(steps, margin, key=_margin)
        following = steps[place].margin if place < len(steps) else None
        return steps[place - 1], following


def sharing_steps(margins: Sequence[int], winners: Sequence[int], whole: int) -> tuple[Step, ...]:
    """Steps of a scale on which both sides share ``whole`` VPs."""
    return tuple(
        Step(margin, Decimal(winner).quantize(_PLACES), Decimal(whole - winner).quantize(_PLACES))
        for margin, winner in zip(margins, winners, strict=True)
    )


def _margin(step: Step) -> int:
    return step.margin


def _lengths(rows: Mapping[int, object]) -> str:
    """The lengths of a table for a message, runs drawn together: ``5-16, 20, 24``."""
    runs: list[list[int]] = []
    for boards in sorted(rows):
        if runs and boards == runs[-1][1] + 1:
            runs[-1][1] = boards
        else:
            runs.append([boards, boards])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)

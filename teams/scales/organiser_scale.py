"""A victory point scale that an organiser brings as a table.

CSV with the columns ``boards, margin, winner, loser``: from this margin on, for matches of so many boards,
these VPs. ``boards`` is a number or a run like ``9-11``. Lines that are empty or begin with ``#`` are passed
over. The two sides need not share a constant sum: on the older 25-0 scales the loser goes on falling when the
winner has 25.

Every length needs a line for margin 0 (the draw, equal for both), and a larger margin may neither cost the
winner nor profit the loser. A table that breaks this is refused whole, with the number of the line.
"""

import csv
import re
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from teams.scales.step_scale import Step, StepScale
from teams.scales.vp_scale import BadScale

_HEADER = ["boards", "margin", "winner", "loser"]
_RUN = re.compile(r"(\d{1,4})(?:\s*-\s*(\d{1,4}))?")
_MARGIN = re.compile(r"\d{1,5}")
_PLACES = Decimal("0.01")
_MOST_VPS = 1000


def scale_from_csv(name: str, text: str) -> StepScale:
    """Read an organiser's scale. Raises ``BadScale`` with the ``line`` (from 1) and what is wrong with it."""
    found: dict[int, dict[int, tuple[int, Step]]] = {}
    lines = [
        (number, line)
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    rows = list(zip((n for n, _ in lines), csv.reader(line for _, line in lines), strict=True))
    if not rows or [cell.strip().lower() for cell in rows[0][1]] != _HEADER:
        raise BadScale(
            "The table must begin with the line boards,margin,winner,loser", line=rows[0][0] if rows else 1
        )
    for line, cells in rows[1:]:
        lengths, step = _read(line, cells)
        for boards in lengths:
            steps = found.setdefault(boards, {})
            if step.margin in steps:
                raise BadScale(
                    f"Line {line}: {boards} boards and margin {step.margin} stand in line "
                    f"{steps[step.margin][0]} already",
                    line=line,
                )
            steps[step.margin] = line, step
    if not found:
        raise BadScale("The table has no lines below its heading", line=rows[0][0])
    return StepScale(name, {boards: _checked(boards, steps) for boards, steps in sorted(found.items())})


def _read(line: int, cells: list[str]) -> tuple[range, Step]:
    if len(cells) != len(_HEADER):
        raise BadScale(f"Line {line}: four columns are needed, there are {len(cells)}", line=line)
    boards, margin, winner, loser = (cell.strip() for cell in cells)
    run = _RUN.fullmatch(boards)
    first = int(run[1]) if run else 0
    last = int(run[2] or run[1]) if run else 0
    if not 1 <= first <= last:
        raise BadScale(f"Line {line}: {boards!r} is not a number of boards like 16 or 9-11", line=line)
    if not _MARGIN.fullmatch(margin):
        raise BadScale(f"Line {line}: {margin!r} is not a margin in whole IMPs", line=line)
    return range(first, last + 1), Step(int(margin), _vps(line, winner), _vps(line, loser))


def _vps(line: int, text: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation as error:
        raise BadScale(f"Line {line}: {text!r} is not a number of VPs", line=line) from error
    if not value.is_finite() or not 0 <= value <= _MOST_VPS or value != value.quantize(_PLACES):
        raise BadScale(
            f"Line {line}: {text!r} is not a number of VPs from 0 to {_MOST_VPS} with at most two decimals",
            line=line,
        )
    return value.quantize(_PLACES)


def _checked(boards: int, by_margin: dict[int, tuple[int, Step]]) -> tuple[Step, ...]:
    ordered = [by_margin[margin] for margin in sorted(by_margin)]
    line, first = ordered[0]
    if first.margin != 0 or first.winner != first.loser:
        raise BadScale(
            f"Line {line}: {boards} boards need a line for margin 0 with equal VPs for both sides", line=line
        )
    for (_, before), (line, step) in pairwise(ordered):
        if step.winner < before.winner or step.loser > before.loser:
            raise BadScale(
                f"Line {line}: winning {boards} boards by {step.margin} may not be worth less than by "
                f"{before.margin}",
                line=line,
            )
    return tuple(step for _, step in ordered)

"""A season as a bump chart: the top of the ladder, one line for each team, and the same as a table.

Time runs from the left to the right by changes of the order, not by days: each change has the same room, so a
quiet month takes none. Geometry only; the template draws it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teams.ladder.past import Turn
from teams.ladder.views import moment_json

TEAMS = 10
"""Lines: the top as it stands now, and the viewer's own team."""
DEPTH = 14
"""Rungs that the chart shows at least where there are so many teams."""
MOST_COLUMNS = 60
"""Changes drawn; of more, evenly chosen ones."""
TABLE_COLUMNS = 8
WIDTH, ROW, TOP, LEFT, RIGHT = 640, 28, 8, 28, 168


@dataclass(frozen=True, slots=True)
class Line:
    team: str
    name: str
    path: str
    """An SVG path; broken where the team was off the chart."""
    label_y: float | None
    """Where the name stands, at the right end; ``None`` for a team that ends below the chart."""
    is_mine: bool
    rungs: tuple[int | None, ...]
    """For the table's columns."""


@dataclass(frozen=True, slots=True)
class BumpChart:
    width: int
    height: int
    left: int
    right: int
    """Where the last column stands; names go beyond."""
    lines: tuple[Line, ...]
    levels: tuple[tuple[int, float], ...]
    """Rungs and their heights."""
    dates: tuple[str | None, ...]
    """Of the table's columns, ISO 8601."""
    starts_at: str | None
    ends_at: str | None


def bump_chart(changes: Sequence[Turn], names: Mapping[str, str], mine: str | None) -> BumpChart | None:
    """The chart of these changes of the order; ``None`` where fewer than two are there to connect."""
    if len(changes) < 2:
        return None
    drawn = _chosen(changes, MOST_COLUMNS)
    last = drawn[-1].rungs
    shown = sorted(last, key=last.__getitem__)[:TEAMS]
    if mine is not None and mine in last and mine not in shown:
        shown.append(mine)
    depth = min(len(last), max(DEPTH, max((last[team] for team in shown), default=0)))
    step = (WIDTH - LEFT - RIGHT) / (len(drawn) - 1)
    in_table = _chosen(changes, TABLE_COLUMNS)
    lines = tuple(
        Line(
            team,
            names[team],
            _path([turn.rungs.get(team) for turn in drawn], depth, step),
            _y(last[team]) if last[team] <= depth else None,
            team == mine,
            tuple(turn.rungs.get(team) for turn in in_table),
        )
        for team in shown
    )
    return BumpChart(
        width=WIDTH,
        height=TOP * 2 + ROW * depth,
        left=LEFT,
        right=WIDTH - RIGHT,
        lines=lines,
        levels=tuple((rung, _y(rung)) for rung in range(1, depth + 1)),
        dates=tuple(moment_json(turn.at) for turn in in_table),
        starts_at=moment_json(drawn[0].at),
        ends_at=moment_json(drawn[-1].at),
    )


def _y(rung: int) -> float:
    return TOP + ROW * (rung - 0.5)


def _chosen(changes: Sequence[Turn], most: int) -> list[Turn]:
    """At most so many, the first and the last among them."""
    if len(changes) <= most:
        return list(changes)
    return [changes[round(place * (len(changes) - 1) / (most - 1))] for place in range(most)]


def _path(rungs: Sequence[int | None], depth: int, step: float) -> str:
    """Level while the team keeps its rung, an S-curve where it moves."""
    parts: list[str] = []
    before: int | None = None
    for place, rung in enumerate(rungs):
        seen = rung if rung is not None and rung <= depth else None
        x = LEFT + place * step
        if seen is None:
            before = None
            continue
        y = _y(seen)
        if before is None:
            parts.append(f"M{x:.1f} {y:g}")
        elif before == seen:
            parts.append(f"H{x:.1f}")
        else:
            middle = x - step / 2
            parts.append(f"C{middle:.1f} {_y(before):g} {middle:.1f} {y:g} {x:.1f} {y:g}")
        before = seen
    return "".join(parts)

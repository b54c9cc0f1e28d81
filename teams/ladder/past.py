"""How a ladder stood at a moment, and the way of each team through the rungs: folds of its history alone.

Moves of one moment hold as a whole (``teams.ladder.rungs``), so nobody looks between them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from teams.ladder.rungs import Order
from teams.ladder.state import HistoryMove, LadderState, Season


def order_at(history: Iterable[HistoryMove], at: datetime) -> Order:
    """The teams from rung 1 down after every move until ``at``, that moment's included."""
    rungs: dict[str, int] = {}
    for told in history:
        if told.at > at:
            break
        _take(rungs, told)
    return tuple(sorted(rungs, key=rungs.__getitem__))


def _take(rungs: dict[str, int], told: HistoryMove) -> None:
    if told.move.to_rung is None:
        rungs.pop(told.move.team, None)
    else:
        rungs[told.move.team] = told.move.to_rung


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment at which the order changed."""

    at: datetime
    rungs: dict[str, int]
    """Of every team that stood on the ladder then."""


def turns(history: Iterable[HistoryMove], since: int = 0, until: int | None = None) -> list[Turn]:
    """Every change of the order from the ``since``-th move of the history, from 0, and before the ``until``-th.

    Teams that only enter one after another are one change, the last of them.
    """
    rungs: dict[str, int] = {}
    found: list[Turn] = []
    was_entry = False
    for at, together in groupby(enumerate(tuple(history)[:until]), key=lambda placed: placed[1].at):
        placed = list(together)
        for _, told in placed:
            _take(rungs, told)
        if placed[-1][0] < since:
            continue
        is_entry = all(told.cause == "entered" for _, told in placed)
        if is_entry and was_entry:
            found.pop()
        found.append(Turn(at, dict(rungs)))
        was_entry = is_entry
    return found


def season_numbered(state: LadderState, number: int) -> Season | None:
    """A season that is over, or the present one."""
    return next((season for season in (*state.archive, state.season) if season.number == number), None)


def season_moves(state: LadderState, season: Season) -> tuple[int, int | None]:
    """Where in the history the season's moves begin and end; the present one's go on."""
    firsts = [each.first_move for each in (*state.archive, state.season)]
    later = [
        first
        for each, first in zip((*state.archive, state.season), firsts, strict=True)
        if each.number > season.number
    ]
    return season.first_move, min(later, default=None)


def changes_beside(history: Sequence[HistoryMove], at: datetime) -> tuple[datetime | None, datetime | None]:
    """The last change of the order before the one that stood at ``at``, and the next one after ``at``."""
    moments = sorted({told.at for told in history})
    past = [moment for moment in moments if moment <= at]
    coming = [moment for moment in moments if moment > at]
    return (past[-2] if len(past) > 1 else None), (coming[0] if coming else None)

"""One board's score in each room, and the IMPs that the difference is worth to home.

A room's score is a list of parts with weights: one part for a result or an assigned score, several for a
weighted one (Law 12C1(c)). Each part is converted into IMPs and only then weighted, so swings may be fractions.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from broadcast.bridge.rooms import Room, Team
from broadcast.tables.awards import Award
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState
from teams.scales.imps import ImpScale, imps

ARTIFICIAL_IMPS = {"+": Fraction(3), "=": Fraction(0), "-": Fraction(-3)}
"""Average plus, average and average minus in a team match (Law 12C2, as regulations apply it to IMPs)."""


class Part(NamedTuple):
    score_ns: int
    weight: Fraction


Score = tuple[Part, ...]
"""A room's score on a board; the weights add up to 1."""


def plain(score_ns: int) -> Score:
    """The score of an ordinary result."""
    return (Part(score_ns, Fraction(1)),)


def room_score(state: MatchState, key: BoardKey, room: Room) -> Score | None:
    """What the table itself scored (Law 77), by its own vulnerability; ``None`` while it has no result."""
    table = state.boards[key].rooms[room]
    if table.ending is None:
        return None
    return plain(table.ending.result.score_ns(table.vulnerability, state.created.penalty_scale))


def awarded_score(award: Award, room: Room) -> Score | None:
    """What an assigned or weighted award puts in place of the room's own score, ``None`` where it leaves it."""
    if award.room is not room:
        return None
    if award.kind == "weighted":
        return tuple(Part(part.score_ns, Fraction(part.percent, 100)) for part in award.parts)
    return None if award.score_ns is None else plain(award.score_ns)


def score_under(award: Award | None, state: MatchState, key: BoardKey, room: Room) -> Score | None:
    """The room's score that counts: what the award assigns it, else its own."""
    awarded = awarded_score(award, room) if award is not None else None
    return awarded if awarded is not None else room_score(state, key, room)


def swing(open_score: Score, closed_score: Score, ns_open: Team, scale: ImpScale) -> Fraction:
    """Home's IMPs, positive for a gain.

    Board difference is the open room's score less the closed room's, both North-South's; its IMPs are those of
    the team that sat North-South in the open room (``ns_open``).
    """
    gain = sum(
        (
            there.weight * here.weight * imps(there.score_ns - here.score_ns, scale)
            for there in open_score
            for here in closed_score
        ),
        Fraction(0),
    )
    return gain if ns_open is Team.HOME else -gain


def figure(state: MatchState, key: BoardKey, side: Team) -> Fraction | None:
    """The side's IMPs on the board, positive for a gain; ``None`` while a score it needs is missing.

    Under a split award each side has the figure of its own award, so the two need not be opposite.
    """
    award = award_for(state.boards[key].award, side)
    if award is not None and award.kind == "artificial":
        code = award.home if side is Team.HOME else award.visitors
        return ARTIFICIAL_IMPS[code or "="]
    there, here = (score_under(award, state, key, room) for room in Room)
    if there is None or here is None:
        return None
    home = swing(there, here, state.ns_open(key), ImpScale(state.created.imp_scale))
    return home if side is Team.HOME else -home


def award_for(award: Award | None, side: Team) -> Award | None:
    """The award that rules a side's figure: its own half of a split one."""
    if award is None or award.kind != "split":
        return award
    return award.for_home if side is Team.HOME else award.for_visitors


def rooms_needed(award: Award | None) -> frozenset[Room]:
    """The rooms whose own results a board's figures still rest on."""
    return frozenset(_needed(award_for(award, side) for side in Team))


def _needed(awards: Iterable[Award | None]) -> Iterable[Room]:
    for award in awards:
        if award is None:
            yield from Room
        elif award.kind != "artificial":
            yield from (room for room in Room if room is not award.room)

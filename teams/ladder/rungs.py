"""The order of a ladder and how a won challenge moves it.

An order is a tuple of team ids, rung 1 (the top) first: rung r is index r - 1. Whatever happens, every team
stands on exactly one rung and no rung is empty, because a move only rearranges the tuple.

A challenger that wins climbs to the rung on which the defender stands *then*, and only if that is a climb.
The movements differ in where the defender lands:

``swap``    on the challenger's rung, but never below the rung from which it was challenged
``capped``  the same, and at most ``fall_cap`` places below where it stood
``insert``  one rung below the challenger

Where the defender lands above the rung that the challenger leaves, the teams between give way by one rung:
the climb of one team is always paid for by as many places elsewhere. Source: the club regulation, rule 6.
"""

from dataclasses import dataclass

from teams.ladder.rules import LadderRules, Movement

Order = tuple[str, ...]
"""Team ids from rung 1 down."""


@dataclass(frozen=True, slots=True)
class Move:
    """One team goes from a rung to a rung; ``None`` is off the ladder."""

    team: str
    from_rung: int | None
    to_rung: int | None


def rung_of(order: Order, team: str) -> int:
    """The team's rung from 1; raises ``ValueError`` when it is not on the ladder."""
    return order.index(team) + 1


def after_win(order: Order, challenger: str, defender: str, challenged_from: int, rules: LadderRules) -> Order:
    """The order after the challenger has won.

    ``challenged_from`` is the challenger's rung when it issued the challenge. The order stays as it is when the
    challenger stands above the defender by now: nobody falls by winning.
    """
    climbs_from, climbs_to = rung_of(order, challenger), rung_of(order, defender)
    if climbs_from < climbs_to:
        return order
    lands_on = climbs_to + 1
    if rules.movement is not Movement.INSERT:
        lands_on = max(lands_on, min(climbs_from, challenged_from))
    if rules.movement is Movement.CAPPED:
        lands_on = min(lands_on, climbs_to + rules.fall_cap)
    return _placed(order, {challenger: climbs_to, defender: lands_on})


def after_turned_win(order: Order, challenger: str, defender: str, climbed_from: int) -> Order:
    """The order after a ruling has taken the challenger's win away and given it to the defender.

    The defender takes the challenger's present rung. The challenger goes back to the rung from which it had
    climbed, or to the defender's present one if that is lower, and the teams between move up one. When nothing
    else has happened since, this undoes the win exactly, whatever the movement; what has happened since stays.
    """
    stands_on, climbs_from = rung_of(order, challenger), rung_of(order, defender)
    if climbs_from < stands_on:
        return order
    sinks_to = min(max(climbed_from, climbs_from), len(order))
    return _placed(order, {defender: stands_on, challenger: sinks_to})


def sunk(order: Order, team: str, fall: int) -> Order:
    """The order after a team has fallen by so many rungs, at most to the last; those between move up one."""
    return _placed(order, {team: min(rung_of(order, team) + fall, len(order))})


def moves_between(before: Order, after: Order, first: tuple[str, ...] = ()) -> tuple[Move, ...]:
    """Who moved, the teams of ``first`` first, then from the top; those who entered or left are among them."""
    old = {team: rung for rung, team in enumerate(before, 1)}
    new = {team: rung for rung, team in enumerate(after, 1)}
    moved = [team for team in (*after, *before) if old.get(team) != new.get(team)]
    named = [team for team in first if team in moved]
    return tuple(Move(team, old.get(team), new.get(team)) for team in dict.fromkeys((*named, *moved)))


def with_moves(order: Order, moves: tuple[Move, ...]) -> Order:
    """The order after moves that belong together; they need not be consistent one by one, only as a whole.

    Raises ``ValueError`` when they do not start from this order or leave two teams on a rung or a rung empty.
    """
    rungs = {team: rung for rung, team in enumerate(order, 1)}
    for move in moves:
        if rungs.get(move.team) != move.from_rung:
            raise ValueError(f"{move.team} stands on rung {rungs.get(move.team)}, not {move.from_rung}")
        if move.to_rung is None:
            del rungs[move.team]
        else:
            rungs[move.team] = move.to_rung
    after = tuple(sorted(rungs, key=rungs.__getitem__))
    if [rungs[team] for team in after] != list(range(1, len(after) + 1)):
        raise ValueError("after these moves a rung would be empty or held by two teams")
    return after


def _placed(order: Order, places: dict[str, int]) -> Order:
    """The order with some teams taken out and put on given rungs, the others closing up round them."""
    others = [team for team in order if team not in places]
    for team, rung in sorted(places.items(), key=lambda place: place[1]):
        others.insert(rung - 1, team)
    return tuple(others)

"""Whom a team may field in the match of a challenge, and on which seats (club regulation, rule 9)."""

from collections.abc import Mapping

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.errors import Refusal
from broadcast.tables.lineups import seats_of
from broadcast.tables.setup import PlayerName
from teams.ladder.challenges import Side
from teams.ladder.fixture import NS_OPEN, team_of

SUBSTITUTES = 2
"""Players not on the roster whom a team may field."""


def check_seats(side: Side, rooms: Mapping[Room, Mapping[Seat, PlayerName]]) -> None:
    """Of both rooms together: the team's own seats, nobody twice, and not too many substitutes.

    Raises ``Refusal`` ``not_your_seat player_twice substitutes``.
    """
    for room, seats in rooms.items():
        own = seats_of(team_of(side), NS_OPEN, room)
        if not set(seats) <= own:
            told = sorted(seat.value for seat in own)
            raise Refusal(
                "not_your_seat", f"In the {room} room your team sits {' and '.join(told)}", seats=told
            )
    players = [player for seats in rooms.values() for player in seats.values()]
    fielded = [player.id for player in players if player.id is not None]
    if len(set(fielded)) < len(fielded):
        raise Refusal("player_twice", "A player sits on one seat only")
    if len(players) - len(fielded) > SUBSTITUTES:
        raise Refusal("substitutes", f"A team fields at most {SUBSTITUTES} substitutes", most=SUBSTITUTES)

"""Rule 9 where one command follows another: of two captains' commands sent at once, the second is refused."""

import pytest

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import PlayerName
from teams.ladder.commands import AcceptChallenge, NameSeats
from tests.teams.ladder.ladder_builders import House, ladder_of

REGULARS = [PlayerName(f"Player {number}", f"p{number}") for number in range(1, 5)]


def playing() -> tuple[House, str]:
    house = ladder_of("ABC")
    id = house.challenge("C", "A")
    house.do(AcceptChallenge(id, "A", "m1"))
    return house, id


def named(id: str, room: Room, *players: PlayerName) -> NameSeats:
    """Of the defender."""
    seats = (Seat.N, Seat.S) if room is Room.OPEN else (Seat.E, Seat.W)
    return NameSeats(id, "A", 1, {room: dict(zip(seats, players, strict=True))})


def test_substitutes_of_both_rooms_are_counted_together_though_each_room_is_named_alone() -> None:
    house, id = playing()
    house.do(named(id, Room.OPEN, PlayerName("Eva"), PlayerName("Ivo")))
    with pytest.raises(Refusal, match="at most 2 substitutes"):
        house.do(named(id, Room.CLOSED, REGULARS[0], PlayerName("Ada")))
    house.do(named(id, Room.CLOSED, REGULARS[0], REGULARS[1]))


def test_player_sits_in_one_room_and_two_may_change_rooms_in_one_line_up() -> None:
    house, id = playing()
    house.do(named(id, Room.OPEN, REGULARS[0], REGULARS[1]))
    with pytest.raises(Refusal, match="one seat only"):
        house.do(named(id, Room.CLOSED, REGULARS[1], REGULARS[2]))
    house.do(named(id, Room.CLOSED, REGULARS[2], REGULARS[3]))
    changed = {
        Room.OPEN: {Seat.N: REGULARS[2], Seat.S: REGULARS[1]},
        Room.CLOSED: {Seat.E: REGULARS[0], Seat.W: REGULARS[3]},
    }
    house.do(NameSeats(id, "A", 1, changed))


def test_team_names_its_own_seats() -> None:
    house, id = playing()
    with pytest.raises(Refusal, match="your team sits N and S"):
        house.do(NameSeats(id, "A", 1, {Room.OPEN: {Seat.E: REGULARS[0]}}))

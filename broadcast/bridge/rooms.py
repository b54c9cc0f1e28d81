"""The two rooms of a team match and the two teams that change direction between them."""

from enum import StrEnum


class Room(StrEnum):
    OPEN = "open"
    CLOSED = "closed"

    @property
    def other(self) -> "Room":
        return Room.CLOSED if self is Room.OPEN else Room.OPEN


class Team(StrEnum):
    """A match's two teams; a challenge's defender is home."""

    HOME = "home"
    VISITORS = "visitors"

    @property
    def other(self) -> "Team":
        return Team.VISITORS if self is Team.HOME else Team.HOME

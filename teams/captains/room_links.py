"""When a captain may take a link that opens a room: not while they have boards to play themselves.

The link shows the four hands of the board on the table there. Of the captain's own table it shows what partner
and opponents hold; of the other table, deals that come to the captain's table later. So who sits in a line-up
takes neither link until every board of theirs is finished. A captain who does not play may: somebody has to
hand the links out, and the other captain is told of each at once. The rule asks who sits and not who looks:
whoever lends a link to a player cheats as plainly as by telling them a hand.
"""

from collections.abc import Mapping

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import PlayerName
from broadcast.tables.state import MatchState
from teams.ladder.challenges import Challenge, Playing, Side, seats_key

MOST_LINKS = 10
"""Links to one room that an account may have made which are good, or were made in the last 24 hours: withdrawn
ones count, as each was told to the other side."""
MOST_LETTERS = 3
"""Links of one match made for one team in an hour of which the other side gets letters; more wait in its
inbox."""

Lineups = Mapping[str, Mapping[Seat, PlayerName]]
"""As captains name them, by ``side/room``."""


def plays_on(match: MatchState, challenge: Challenge, player: str | None) -> Room | None:
    """The room in which the player sits and boards are not finished; ``None`` where there is none.

    ``player`` is the id of the player that an account is. Line-ups count from when they are named, also those
    that the other side does not see yet, and those that a director named.
    """
    if player is None:
        return None
    named: Lineups = challenge.state.seats if isinstance(challenge.state, Playing) else {}
    for segment in match.segments:
        for room in Room:
            seats = [segment.lineups.get(room, {}), *(named.get(seats_key(side, room), {}) for side in Side)]
            sits = any(each.id == player for lineup in seats for each in lineup.values())
            is_played = all(
                key.segment != segment.number or where is not room for key, where in match.unfinished
            )
            if sits and not is_played:
                return room
    return None


def check_may_take(match: MatchState, challenge: Challenge, player: str | None) -> None:
    """Raises ``Refusal`` ``captain_plays``, or ``match_closed`` after the end."""
    if match.closed is not None or match.voided is not None:
        raise Refusal("match_closed", "The match is closed: only a director's ruling changes it now")
    room = plays_on(match, challenge, player)
    if room is not None:
        raise Refusal(
            "captain_plays",
            f"You play in the {room} room: a link would show you hands. A director makes it, or a captain or "
            "deputy who does not play",
            room=room.value,
        )


def check_number(made: int, room: Room) -> None:
    """Raises ``Refusal`` ``too_many_links``. ``made``: links to the room that count, as ``MOST_LINKS`` says."""
    if made >= MOST_LINKS:
        raise Refusal(
            "too_many_links",
            f"You have made {MOST_LINKS} links to the {room} room: use one of those, or ask a director for "
            "another",
            most=MOST_LINKS,
            room=room.value,
        )

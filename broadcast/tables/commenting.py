"""How much may be written about a match, and until when.

All comments are kept and released with the match, so a link to one room must not write without end. Directors
are not bound: they bring the chat of recorded matches, hundreds of comments at once.
"""

from collections.abc import Iterator

from broadcast.bridge.rooms import Room
from broadcast.tables.commands import Comment
from broadcast.tables.errors import Refusal
from broadcast.tables.state import MatchState, PlacedComment

MOST_OF_ROOM = 500
"""Comments of a match that the operators of one room may make."""
MOST_OF_MATCH = 5_000
"""Comments of a match beyond which only directors add one."""


def check_room(log: MatchState, command: Comment) -> None:
    """Raises ``Refusal`` ``comments_closed room_comments_full`` for a comment of a room's operator.

    ``log`` is all of the match: whatever part of it is public, operators know how much they wrote themselves.
    """
    room = command.by_room
    if room is None:
        return
    if log.closed is not None or log.voided is not None:
        raise Refusal(
            "comments_closed", "The match is closed: only commentators and directors comment on it now"
        )
    if sum(each.author == signature(room) for each in _all(log)) >= MOST_OF_ROOM:
        raise Refusal(
            "room_comments_full",
            f"This room has written {MOST_OF_ROOM} comments on the match: leave the rest to commentators",
            most=MOST_OF_ROOM,
        )


def check_match(known: MatchState, command: Comment) -> None:
    """Raises ``Refusal`` ``comments_full``. ``known`` is the match as the sender knows it."""
    if not command.is_directors and sum(map(len, known.comments.values())) >= MOST_OF_MATCH:
        raise Refusal(
            "comments_full",
            f"The match has {MOST_OF_MATCH} comments, and takes no more but from a director",
            most=MOST_OF_MATCH,
        )


def signature(room: Room) -> str:
    """The author of what operators of a room write: its code, which every page says in its own language."""
    return room.value


def _all(state: MatchState) -> Iterator[PlacedComment]:
    for comments in state.comments.values():
        yield from comments

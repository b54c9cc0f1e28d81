"""Line-ups of a challenge, and what the links that its captains make may do before they stand.

A captain may hand out operators' links for both rooms, so whoever made one could read the deals, and who sits
for the other team, and name the own players afterwards. Therefore:

* such a link opens its room only when that captain's team has named both pairs;
* where a team without line-up loses by the ladder's rules, the other team's must be named too before the link
  opens a board; elsewhere nobody waits for a captain who may never name any;
* the first board that is opened, in either room and by whomever, closes every line-up that is whole. One with
  seats to name may be filled until the match starts, as no link of that captain has shown anything;
* boards are opened one after another: skipping one, opening one out of order, and opening one again that is
  finished, is for the director. Else a made-up result would show the next deal, and be taken back at leisure.

Both rooms and not the one that the link is for: the same deals are played in the other. Once a match has
started the captains name nobody, and none of the links waits for a line-up any more.
"""

from collections.abc import Iterable

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat, Side
from broadcast.tables.board_states import is_final
from broadcast.tables.commands import Entry, OpenBoard, SkipBoard
from broadcast.tables.errors import Refusal
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import Segment
from broadcast.tables.state import MatchState


def seats_of(team: Team, ns_open: Team, room: Room) -> frozenset[Seat]:
    """The seats of a team in a room: what is North-South in the open room is East-West in the closed."""
    is_north_south = (team is ns_open) is (room is Room.OPEN)
    direction = Side.NS if is_north_south else Side.EW
    return frozenset(seat for seat in Seat if seat.side is direction)


def missing(segments: Iterable[Segment], team: Team) -> tuple[tuple[Room, Seat], ...]:
    """Seats of the team for which nobody is named."""
    return tuple(
        (room, seat)
        for segment in segments
        for room in Room
        for seat in sorted(seats_of(team, segment.ns_open, room), key="NESW".index)
        if seat not in segment.lineups.get(room, {})
    )


def is_closed(state: MatchState, team: Team) -> bool:
    """Whether the team's captain names nobody any more: a director may."""
    return state.is_started or (bool(state.current) and not missing(state.segments, team))


def check_may_name(state: MatchState, team: Team) -> None:
    """Raises ``Refusal`` ``match_started``."""
    if is_closed(state, team):
        raise Refusal("match_started", "The match has started: ask the director to change the line-up")


def check_may_look(state: MatchState, team: Team) -> None:
    """Whether a link that the team's captain made shows its room. Raises ``Refusal`` ``lineup_first``."""
    if not state.is_started and missing(state.segments, team):
        raise Refusal(
            "lineup_first",
            "A captain's link opens the room when the captain's team has named its players for both rooms, on "
            "the captain's page; then load this page again",
        )


def check_entry(state: MatchState, room: Room, entry: Entry, team: Team) -> None:
    """Whether a link that the team's captain made may enter this.

    Raises ``Refusal`` ``lineup_first lineup_awaited director_skips director_opens director_reopens``.
    """
    check_may_look(state, team)
    if isinstance(entry, SkipBoard):
        raise Refusal("director_skips", "In a challenge the director skips boards: ask the director")
    if not isinstance(entry, OpenBoard):
        return
    challenge = state.created.challenge
    needs_both = challenge is not None and challenge.needs_lineups and not state.is_started
    if needs_both and missing(state.segments, team.other):
        raise Refusal(
            "lineup_awaited",
            "The other team has not named its players yet: boards are opened when both teams have, or by the "
            "director",
        )
    key = BoardKey(entry.segment, entry.board)
    board = state.boards.get(key)
    if board is None:
        return
    if is_final(board.state(room)):
        raise Refusal(
            "director_reopens",
            f"Board {key} is finished here: in a challenge the director opens it again, or corrects its result",
            board=str(key),
        )
    if not board.rooms[room].is_opened and key != state.next_board(room):
        raise Refusal(
            "director_opens",
            f"The next board is {state.next_board(room)}: in a challenge the director skips boards, and opens "
            "them out of order",
            next=str(state.next_board(room)),
        )

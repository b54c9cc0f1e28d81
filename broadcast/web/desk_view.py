"""The match as its director sees it: everything in the log, released or not, in the public interface's words.

The same functions that make the public's JSON, on the log's own state instead of the released one; the
comparison is the same projection, begun on the match as it stands. Only deals that no room has opened are not
there: nobody's page holds them.
"""

from dataclasses import replace
from typing import Any

from broadcast.feeds import public_json
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.public_state import PublicState
from broadcast.tables.errors import NoSuchThing
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState

Json = dict[str, Any]


def match_of(stream: MatchStream | None, id: str) -> tuple[MatchStream, MatchState]:
    """The stream and its log's state. Raises ``NoSuchThing``."""
    if stream is None or stream.match is None:
        raise NoSuchThing("no_such_match", f"There is no match {id}", match=id)
    return stream, stream.match


def whole_state(stream: MatchStream) -> PublicState:
    """The match as the public would see it if all of its log were released."""
    public, match = stream.public, stream.match
    if match is None:
        return public
    return replace(public, match=match, held=public.projection.start(match, stream.id))


def whole_match(stream: MatchStream) -> Json:
    """The match's snapshot, with the board on each table."""
    return whole_state(stream).snapshot() or {}


def whole_board(stream: MatchStream, key: BoardKey) -> Json:
    """One board with both records, comments and corrections."""
    return whole_state(stream).board(key) or {}


def standing(stream: MatchStream) -> Json:
    """What rulings may change: results, awards, seating, IMPs, VPs, status, line-ups; without the records."""
    members = whole_state(stream).resource() or {}
    match = stream.match
    if match is not None:
        for board in members["boards"]:
            board["swapped"] = match.boards[BoardKey(board["segment"], board["number"])].is_swapped
    return members


def unreleased(stream: MatchStream) -> frozenset[str]:
    """Boards, as ``segment.number``, of which the public does not see what the director sees."""
    public, whole = stream.public.resource() or {}, whole_state(stream).resource() or {}
    seen = {(board["segment"], board["number"]): board for board in public.get("boards", ())}
    return frozenset(
        f"{board['segment']}.{board['number']}"
        for board in whole.get("boards", ())
        if board != seen.get((board["segment"], board["number"]))
    )


def corrections(match: MatchState) -> list[Json]:
    """The correction log, newest first."""
    scale = match.created.penalty_scale
    return [public_json.correction(made, scale) for made in reversed(match.corrections)]

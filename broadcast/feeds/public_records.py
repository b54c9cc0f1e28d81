"""A match as records: what is public of it, ready to be written as LIN or PBN.

Pure. Boards that nobody has opened are left out; of a board on the table there is what has been released.
"""

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat
from broadcast.notation.records import (
    BoardRecord,
    MatchRecord,
    RecordedCall,
    RecordedCard,
    RecordedComment,
    SegmentRecord,
)
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import Lineup
from broadcast.tables.state import Board, MatchState


def record_of(
    match: MatchState, key: BoardKey | None = None, *, segment_number: int | None = None
) -> MatchRecord:
    """The match as a record, or only its segment of that number, or only its board ``key``."""
    keys = [each for each in match.boards if key in (None, each) and segment_number in (None, each.segment)]
    return record_of_boards(match, keys, is_whole=key is None)


def record_of_boards(match: MatchState, keys: list[BoardKey], *, is_whole: bool = False) -> MatchRecord:
    """The match with only these boards; with ``is_whole`` segments keep their range whatever was played."""
    created = match.created
    names = {Team.HOME: created.home.name, Team.VISITORS: created.visitors.name}
    segments = []
    for segment in match.segments:
        wanted = [key for key in keys if key.segment == segment.number]
        if not wanted:
            continue
        records = tuple(record for key in wanted for record in _records(match, match.boards[key]))
        if not records and not is_whole:
            continue
        numbers = [key.number for key in wanted]
        segments.append(
            SegmentRecord(
                number=segment.number,
                title=segment.title,
                first=segment.first if is_whole else min(numbers),
                last=segment.last if is_whole else max(numbers),
                team1=names[segment.ns_open],
                team2=names[segment.ns_open.other],
                lineups={room: names_of(segment.lineups.get(room, {})) for room in Room},
                boards=records,
            )
        )
    return MatchRecord(created.title, created.home.name, created.visitors.name, tuple(segments))


def _records(match: MatchState, board: Board) -> list[BoardRecord]:
    found = [table_record(match, board, room) for room in Room]
    return [record for record in found if record is not None]


def table_record(match: MatchState, board: Board, room: Room) -> BoardRecord | None:
    """A board in one room; ``None`` where it was not opened."""
    table = board.rooms[room]
    if not table.is_opened:
        return None
    claimed = [claim.tricks for claim in table.claims if claim.accepted]
    return BoardRecord(
        segment=board.key.segment,
        number=board.key.number,
        room=room,
        dealer=table.dealer,
        vulnerability=table.vulnerability,
        deal=table.deal,
        players=names_of(table.players),
        calls=tuple(
            RecordedCall(made.seat, made.call, made.alert, made.explanation, made.irregular)
            for made in table.calls
        ),
        cards=tuple(RecordedCard(played.seat, played.card, played.irregular) for played in table.cards),
        claim_tricks=claimed[-1] if claimed else None,
        result=None if table.ending is None else table.ending.result,
        comments=tuple(
            RecordedComment(placed.author, placed.text, placed.call, placed.card)
            for placed in match.comments.get((board.key, room), ())
        ),
    )


def names_of(seats: Lineup) -> dict[Seat, str]:
    return {seat: player.name for seat, player in seats.items()}

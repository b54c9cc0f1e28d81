"""A match as a file that other programs open: what is public of it, as records, written as LIN or PBN."""

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat
from broadcast.notation.lin_writing import write_lin
from broadcast.notation.pbn_writing import write_pbn
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


def export_pbn(match: MatchState, key: BoardKey | None) -> str:
    """The match, or one board of it, as PBN 2.1."""
    return write_pbn(record_of(match, key))


def export_lin(match: MatchState, key: BoardKey | None) -> str:
    """The match, or one board of it, as LIN: one ``vg`` a segment, one after another."""
    return write_lin(record_of(match, key))


def record_of(match: MatchState, key: BoardKey | None = None) -> MatchRecord:
    """The match as a record, or only its board ``key``. Boards that nobody has opened are left out."""
    created = match.created
    names = {Team.HOME: created.home.name, Team.VISITORS: created.visitors.name}
    segments = []
    for segment in match.segments:
        boards = [
            board
            for board in match.boards.values()
            if board.key.segment == segment.number and key in (None, board.key)
        ]
        records = tuple(record for board in boards for record in _records(match, board))
        if not records and key is not None:
            continue
        segments.append(
            SegmentRecord(
                number=segment.number,
                title=segment.title,
                first=segment.first if key is None else key.number,
                last=segment.last if key is None else key.number,
                team1=names[segment.ns_open],
                team2=names[segment.ns_open.other],
                lineups={room: _names(segment.lineups.get(room, {})) for room in Room},
                boards=records,
            )
        )
    return MatchRecord(created.title, created.home.name, created.visitors.name, tuple(segments))


def _records(match: MatchState, board: Board) -> list[BoardRecord]:
    records = []
    for room in Room:
        table = board.rooms[room]
        if not table.is_opened:
            continue
        claimed = [claim.tricks for claim in table.claims if claim.accepted]
        records.append(
            BoardRecord(
                segment=board.key.segment,
                number=board.key.number,
                room=room,
                dealer=table.dealer,
                vulnerability=table.vulnerability,
                deal=table.deal,
                players=_names(table.players),
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
        )
    return records


def _names(seats: Lineup) -> dict[Seat, str]:
    return {seat: player.name for seat, player in seats.items()}

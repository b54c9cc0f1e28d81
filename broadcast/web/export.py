"""A match, a segment or a board as a file that other programs open: what is public of it, as LIN or PBN."""

from broadcast.feeds.public_records import record_of
from broadcast.notation.lin_writing import write_lin
from broadcast.notation.pbn_writing import write_pbn
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState


def export_pbn(match: MatchState, key: BoardKey | None = None, segment: int | None = None) -> str:
    """The match, or one segment or board of it, as PBN 2.1."""
    return write_pbn(record_of(match, key, segment_number=segment))


def export_lin(match: MatchState, key: BoardKey | None = None, segment: int | None = None) -> str:
    """The match, or one segment or board of it, as LIN: one ``vg`` a segment, one after another."""
    return write_lin(record_of(match, key, segment_number=segment))

"""Matches as a kind of stream of the house."""

from collections.abc import Sequence
from datetime import datetime

from broadcast.feeds.match_stream import MatchKind
from broadcast.feeds.projection import Projection
from broadcast.feeds.public_state import PublicState
from broadcast.feeds.release import due
from broadcast.feeds.streams import Published
from broadcast.house.kinds import Kind
from broadcast.house.match_index import MatchIndex
from broadcast.storage.match_codec import MATCH_CODEC
from broadcast.tables.events import MatchEvent
from broadcast.tables.recorded import Recorded


def match_kind(projection: Projection) -> Kind:
    """Matches whose rooms this projection compares."""

    def refold(id: str, log: Sequence[Recorded[MatchEvent]], until: datetime) -> Sequence[Published]:
        public = PublicState(id, projection)
        feed: list[Published] = []
        for recorded in due(log, until):
            public, entries, _ = public.after(recorded, until)
            feed.extend(entries)
        return feed

    return Kind(MatchKind(projection), MATCH_CODEC, refold, MatchIndex())

"""Ladders as a kind of stream of the house."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from broadcast.feeds.streams import Published
from broadcast.house.kinds import Kind
from broadcast.tables.recorded import Recorded
from teams.ladder.stream import LadderStreams
from teams.storage.ladder_codec import LADDER_CODEC


def ladder_kind() -> Kind:
    streams = LadderStreams()

    def refold(id: str, log: Sequence[Recorded[Any]], until: datetime) -> Sequence[Published]:
        return streams.empty(id).refolded(log)

    return Kind(streams, LADDER_CODEC, refold)

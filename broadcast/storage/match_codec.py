"""The stored names of a match's events. Released forms are in ``tests/data`` and load for ever."""

from typing import get_args

from broadcast.storage.event_codec import Codec
from broadcast.tables.events import MatchEvent

MATCH_CODEC = Codec("match", get_args(MatchEvent))
"""Every event of a match. All are in version 1."""

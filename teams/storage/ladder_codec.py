"""The stored names of a ladder's events. Released forms load for ever."""

from typing import get_args

from broadcast.storage.event_codec import Codec
from teams.ladder.events import LadderEvent

LADDER_CODEC = Codec("ladder", get_args(LadderEvent))
"""Every event of a ladder. All are in version 1."""

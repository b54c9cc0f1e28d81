"""The envelope round a fact in a stream's log, apart from the fact itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

E = TypeVar("E", covariant=True)


@dataclass(frozen=True, slots=True)
class Recorded(Generic[E]):
    """An event as it stands in the log. History is never edited; a correction is a new event."""

    sequence: int
    """Place in the stream's log, from 1 without gaps."""
    recorded_at: datetime
    """House time in UTC; never runs backward within the house."""
    recorded_by: str
    """Who: ``operator:<token>``, ``director:<account>``, ``captain:<account>``, ``house``."""
    event: E

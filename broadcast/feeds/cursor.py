"""Where a viewer stands in a feed, and what it is owed when it comes back.

A cursor is the id of the last message a viewer has: ``epoch-number`` in a public feed, the bare number
in a private stream of the log. What a client sends as a cursor is whatever a stranger typed, so reading
one never raises. Everything here is pure; the channel that holds the frames asks it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

KEPT_EVENTS = 2_000
"""A cursor further behind the feed than this is answered with a snapshot, not with the missing events."""

_CURSOR = re.compile(r"(?:(0|[1-9][0-9]{0,14})-)?(0|[1-9][0-9]{0,14})")
# Fifteen digits stay below 2**53, so that a script's number holds the same value.


class ResetReason(StrEnum):
    """Why a cursor cannot be continued; the codes are those of the stream's ``reset`` event."""

    EPOCH = "epoch"
    """The feed has been numbered anew since: a restored copy, or a name erased."""
    UNKNOWN = "unknown"
    """Not a cursor of this feed: malformed, or ahead of it."""
    BEHIND = "behind"
    """More events behind than are kept."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The number of the last event a viewer has; 0 is the start of an empty feed.

    >>> Cursor.parse("12-380")
    Cursor(epoch=12, number=380)
    >>> str(Cursor(12, 380))
    '12-380'
    """

    epoch: int | None
    """``None`` in a private stream, whose ids are bare numbers."""
    number: int

    @classmethod
    def parse(cls, text: str) -> "Cursor | None":
        """The cursor that ``text`` writes in its one canonical form, else ``None``; never raises."""
        match = _CURSOR.fullmatch(text)
        if match is None:
            return None
        epoch, number = match.groups()
        return cls(None if epoch is None else int(epoch), int(number))

    def __str__(self) -> str:
        return str(self.number) if self.epoch is None else f"{self.epoch}-{self.number}"


@dataclass(frozen=True, slots=True)
class Tail:
    """Send exactly the events numbered above ``after``."""

    after: int


@dataclass(frozen=True, slots=True)
class Reset:
    """Say why, then begin anew with a snapshot."""

    reason: ResetReason


@dataclass(frozen=True, slots=True)
class Snapshot:
    """No cursor was given: begin with a snapshot."""


Resumption = Tail | Reset | Snapshot


def decide_resume(
    cursor: str | Cursor | None, epoch: int | None, last_number: int, kept: int = KEPT_EVENTS
) -> Resumption:
    """What a viewer with ``cursor`` is owed by a feed whose last event is ``epoch``-``last_number``.

    ``cursor`` is the text a client sent, or ``None`` (or nothing in it) where it sent none. ``kept`` is how
    many of the last events can still be sent. A text that is no cursor is unknown, and so is one ahead of
    the feed: it was never given out by this feed.
    """
    if cursor is None or cursor == "":
        return Snapshot()
    parsed = Cursor.parse(cursor) if isinstance(cursor, str) else cursor
    if parsed is None or (parsed.epoch is None) != (epoch is None):
        return Reset(ResetReason.UNKNOWN)
    if parsed.epoch != epoch:
        return Reset(ResetReason.EPOCH)
    if parsed.number > last_number:
        return Reset(ResetReason.UNKNOWN)
    if last_number - parsed.number > kept:
        return Reset(ResetReason.BEHIND)
    return Tail(parsed.number)

"""From when a thing that waits at the release gate is due.

Within one room moments never run backward along the sequence: every rule is monotone in the recorded time, and
a ruling comes directly after what waits before it. So who asks what is due by now may stop at the first that is
not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from broadcast.bridge.rooms import Room
from broadcast.feeds.waiting import Seen, Waiting, WaitingBoard, WaitingRoom
from broadcast.tables.events import ResultChecked, ResultCorrected
from broadcast.tables.setup import Release, ReleaseRule

Due = tuple[datetime, Waiting]
"""A moment and what is due then."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The release rule in force, since when, and when the match ended in the log."""

    release: Release = field(default_factory=Release)
    since: datetime | None = None
    """When the rule was last changed. A new rule makes nothing due before it."""
    closing: datetime | None = None
    """When the match was closed or declared void."""

    def of_entry(self, at: datetime, final_since: datetime | None) -> datetime | None:
        """When an entry is due that was recorded then, on a board final since; ``None``: nobody knows yet."""
        match self.release.rule:
            case ReleaseRule.LIVE:
                return self._not_before(at)
            case ReleaseRule.DELAY:
                return max(self._not_before(at), at + timedelta(seconds=self.release.seconds))
            case ReleaseRule.BOARD:
                ends = [moment for moment in (final_since, self.closing) if moment is not None]
                return max(self._not_before(at), min(ends)) if ends else None
            case ReleaseRule.MATCH:
                return None if self.closing is None else max(self._not_before(at), self.closing)

    def of_penalty(self, at: datetime) -> datetime | None:
        """A penalty waits with a delay or for closing, for no board."""
        return self.of_entry(at, at)

    def of_closing(self, at: datetime) -> datetime:
        """Closing itself waits for a delay only."""
        is_delayed = self.release.rule is ReleaseRule.DELAY
        return max(self._not_before(at), at + timedelta(seconds=self.release.seconds * is_delayed))

    @property
    def end(self) -> datetime | None:
        """When all that is left becomes public."""
        return None if self.closing is None else self.of_closing(self.closing)

    def _not_before(self, at: datetime) -> datetime:
        return at if self.since is None else max(at, self.since)


def room_moments(room: WaitingRoom, timing: Timing, final_since: datetime | None) -> Iterator[Due]:
    """Moments of a room's entries and rulings in sequence, up to the first that has none.

    An opening that the public has not seen comes with the entry or ruling after it.
    """
    opening: Waiting | None = None
    is_public = room.seen.is_open
    latest: datetime | None = None
    for item in room.waiting:
        if item.is_opening and not is_public:
            opening = item
            continue
        moment: datetime | None
        if is_public and isinstance(item.recorded.event, ResultCorrected | ResultChecked):
            moment = item.at if latest is None else max(latest, item.at)
        else:
            moment = timing.of_entry(item.at, final_since)
        if moment is None:
            return
        if opening is not None:
            yield moment, opening
            opening = None
        is_public = True
        latest = moment
        yield moment, item


def ruling_moments(board: WaitingBoard, timing: Timing) -> Iterator[Due]:
    """Moments of rulings on both rooms, each directly after what waits before it in either."""
    latest: datetime | None = None
    for item in board.rulings:
        for room in Room:
            earlier = board.rooms[room].before(item.sequence)
            if not earlier:
                continue
            moments = room_moments(board.rooms[room], timing, board.final_since)
            last = next((moment for moment, other in moments if other is earlier[-1]), None)
            if last is None:
                return
            latest = last if latest is None else max(latest, last)
        ruled: datetime | None
        if latest is not None:
            ruled = max(latest, item.at)
        else:
            ruled = item.at if board.is_public else timing.of_entry(item.at, board.final_since)
        if ruled is None:
            return
        latest = ruled
        yield ruled, item


def comment_moments(room: WaitingRoom, given: Iterable[Due], timing: Timing) -> Iterator[Due]:
    """Moments of the comments whose position is public, or becomes so with what is given.

    A comment whose position never comes, because it was withdrawn, comes at the end, if the board does.
    """
    standings: list[tuple[datetime | None, Seen]] = [(None, room.seen)]
    for moment, item in given:
        standings.append((moment, standings[-1][1].after(item.recorded.event)))
    end = timing.end
    for comment in room.comments:
        for since, seen in standings:
            if seen.covers(comment.calls, comment.cards):
                yield (comment.at if since is None else max(comment.at, since)), comment
                break
        else:
            public_since = next((since or comment.at for since, seen in standings if seen.is_open), None)
            if end is not None and public_since is not None:
                yield max(comment.at, end, public_since), comment

"""House time: wall time that never runs backward over what has been recorded.

A machine's clock may be set back. House time is wall time in UTC or, while wall time is behind the last
recorded moment, that moment going on at monotonic speed. So events stay in order and delays keep their length.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol

LOOK_AGAIN_SECONDS = 5.0
"""A wait is cut so short, so that a clock that was set, or a machine that slept, is noticed."""


class Clock(Protocol):
    """What the writer asks of time. Tests bring one that they move by hand."""

    def now(self) -> datetime:
        """House time, in UTC."""

    def recorded(self, moment: datetime) -> None:
        """Something has been stored with this moment: time does not go behind it again."""

    async def wait(self, until: datetime | None, wake: asyncio.Event) -> None:
        """Wait until the moment has come (``None``: for ever) or ``wake`` is set. May return early."""


def _wall_time() -> datetime:
    return datetime.now(UTC)


class HouseClock:
    def __init__(
        self,
        wall: Callable[[], datetime] = _wall_time,
        monotonic: Callable[[], float] = time.monotonic,
        last_recorded: datetime | None = None,
    ) -> None:
        """``wall`` answers UTC, ``monotonic`` seconds; ``last_recorded`` is the latest moment in storage."""
        self._wall = wall
        self._monotonic = monotonic
        self._recorded = last_recorded
        self._recorded_at_seconds = monotonic()

    def now(self) -> datetime:
        wall = self._wall()
        if self._recorded is None or wall >= self._recorded:
            return wall
        return self._recorded + timedelta(seconds=self._monotonic() - self._recorded_at_seconds)

    def recorded(self, moment: datetime) -> None:
        if self._recorded is None or moment >= self._recorded:
            self._recorded = moment
            self._recorded_at_seconds = self._monotonic()

    async def wait(self, until: datetime | None, wake: asyncio.Event) -> None:
        seconds = None
        if until is not None:
            seconds = min(max((until - self.now()).total_seconds(), 0), LOOK_AGAIN_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await wake.wait()

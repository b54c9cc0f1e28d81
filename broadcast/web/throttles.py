"""How often somebody may try something: so many times in so many seconds, counted in memory.

A window slides: a try counts until it is as old as the window. Nothing is stored; a restart forgets all tries.
"""

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from broadcast.web.problems import Problem

MOST_KEYS: Final = 20_000
"""Tries of one rate are remembered of so many at most, the newest: a crowd of addresses must not fill the
memory, nor make another rate forget."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most so many tries in a window. ``name`` tells the counts of different things apart."""

    name: str
    most: int
    seconds: int


class TooManyTries(Problem):
    """Somebody tried too often; says when the next try is free."""

    def __init__(self, rate: Rate, retry_after: int) -> None:
        minutes = max(1, ceil(retry_after / 60))
        super().__init__(
            429,
            "too_many_tries",
            f"Too many tries: wait {minutes} min and try again",
            most=rate.most,
            minutes=minutes,
            retry_after=retry_after,
        )


class Throttles:
    def __init__(self) -> None:
        self._tries: dict[str, dict[str, deque[datetime]]] = {}
        """By the rate's name, then by key, the one tried last at the end."""

    def check(self, rate: Rate, key: str, now: datetime) -> None:
        """Raises ``TooManyTries`` where no try is free. An empty key is nobody, and always free."""
        tries = self._recent(rate, key, now)
        if key and len(tries) >= rate.most:
            free = tries[-rate.most] + timedelta(seconds=rate.seconds)
            raise TooManyTries(rate, max(1, ceil((free - now).total_seconds())))

    def take(self, rate: Rate, key: str, now: datetime) -> None:
        """Count a try. Raises ``TooManyTries``, and does not count it, where none is free."""
        self.check(rate, key, now)
        if not key:
            return
        tries = self._recent(rate, key, now)
        tries.append(now)
        counted = self._tries.setdefault(rate.name, {})
        counted.pop(key, None)
        counted[key] = tries
        while len(counted) > MOST_KEYS:
            del counted[next(iter(counted))]

    def forget(self, rate: Rate, key: str) -> None:
        """All is well with this one: earlier tries count no more."""
        self._tries.get(rate.name, {}).pop(key, None)

    def give_back(self, rate: Rate, key: str) -> None:
        """Do not count the last try: it was a good one."""
        if tries := self._tries.get(rate.name, {}).get(key):
            tries.pop()

    def _recent(self, rate: Rate, key: str, now: datetime) -> deque[datetime]:
        tries = self._tries.get(rate.name, {}).get(key, deque[datetime]())
        while tries and tries[0] <= now - timedelta(seconds=rate.seconds):
            tries.popleft()
        return tries

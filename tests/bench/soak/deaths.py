"""Who dies when: processes killed at moments of chance, some while they start, one or more at a time."""

import asyncio
import sys
import time
from collections.abc import Callable
from random import Random

from tests.bench.soak.machines import Evening, Machine, Redis

SHARES = {"house": 4, "edge": 3, "redis": 3}
"""Of ten deaths."""
PAUSE_SECONDS = 1.2
"""Longest pause between two deaths."""
LOSES_EVERYTHING = 0.2
"""How often Redis comes back empty."""
TELL_EVERY = 20
WORKS_SECONDS = 30.0
"""Longest wait for the first command of a house that has come up."""
DIES_STARTING = 0.15
"""How often a process is killed again before it answers."""


async def kill(
    evening: Evening, kills: int, seconds: float, acknowledged: Callable[[], int], chance: Random
) -> None:
    """Kill so many times, or so long; in the end everything is up. Raises what a failed start raises.

    A house that has come up is left alone until it has carried something out (``acknowledged`` counts).
    """
    rising: dict[str, asyncio.Task[None]] = {}
    end = time.monotonic() + seconds
    for count in range(1, kills + 1):
        if time.monotonic() > end:
            break
        if count % TELL_EVERY == 0:
            print(f"{count} kills", file=sys.stderr, flush=True)
        await asyncio.sleep(chance.random() * PAUSE_SECONDS)
        kind = chance.choices([*SHARES], [*SHARES.values()])[0]
        machine = {"house": evening.house, "redis": evening.redis}.get(kind) or chance.choice(evening.edges)
        if (before := rising.pop(machine.name, None)) is not None:
            await before
        evening.kills[kind] += 1
        seed = chance.getrandbits(64)
        rising[machine.name] = asyncio.create_task(_dies(evening, kind, machine, acknowledged, Random(seed)))
        for name, task in list(rising.items()):
            if task.done():
                rising.pop(name).result()
    await asyncio.gather(*rising.values())


async def _dies(
    evening: Evening, kind: str, machine: Machine, acknowledged: Callable[[], int], chance: Random
) -> None:
    begun = time.monotonic()
    machine.kill()
    await machine.gone()
    if isinstance(machine, Redis) and chance.random() < LOSES_EVERYTHING:
        machine.lose_everything()
        evening.kills["redis, losing everything"] += 1
    if chance.random() < DIES_STARTING:
        starting = asyncio.create_task(machine.start())
        await asyncio.wait([starting], timeout=chance.random())
        machine.kill()
        await machine.gone()
        await starting
        evening.kills[f"{kind}, again while starting"] += 1
    await machine.start()
    evening.restarts[kind].append(time.monotonic() - begun)
    if kind == "house":
        had, end = acknowledged(), time.monotonic() + WORKS_SECONDS
        while acknowledged() == had and time.monotonic() < end:  # noqa: ASYNC110 (clients count, and tell nobody)
            await asyncio.sleep(0.05)

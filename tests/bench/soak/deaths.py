"""Who dies when: processes killed at moments of chance, some while they start, one or more at a time."""

import asyncio
import time
from random import Random

from tests.bench.soak.machines import Evening, Machine, Redis

SHARES = {"house": 5, "edge": 3, "redis": 2}
"""Of ten deaths."""
PAUSE_SECONDS = 1.2
"""Longest pause between two deaths."""
LOSES_EVERYTHING = 0.2
"""How often Redis comes back empty."""
DIES_STARTING = 0.15
"""How often a process is killed again before it answers."""


async def kill(evening: Evening, kills: int, chance: Random) -> None:
    """Kill so many times; in the end everything is up. Raises what a process that should start raises."""
    rising: dict[str, asyncio.Task[None]] = {}
    for _ in range(kills):
        await asyncio.sleep(chance.random() * PAUSE_SECONDS)
        kind = chance.choices([*SHARES], [*SHARES.values()])[0]
        machine = {"house": evening.house, "redis": evening.redis}.get(kind) or chance.choice(evening.edges)
        if (before := rising.pop(machine.name, None)) is not None:
            await before
        evening.kills[kind] += 1
        seed = chance.getrandbits(64)
        rising[machine.name] = asyncio.create_task(_dies(evening, kind, machine, Random(seed)))
        for name, task in list(rising.items()):
            if task.done():
                rising.pop(name).result()
    await asyncio.gather(*rising.values())


async def _dies(evening: Evening, kind: str, machine: Machine, chance: Random) -> None:
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

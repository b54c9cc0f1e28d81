"""A block of inputs: so many, one after the other, on a house of their own."""

import asyncio
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from os import getpid
from pathlib import Path

from tests.bench.fuzz.readers import odd_cursor, spoiled_lin, spoiled_pbn
from tests.bench.fuzz.requests import Requests
from tests.scenarios.entries import auction, next_card, opened
from tests.scenarios.whole_house import contest, whole_house

MOST_SECONDS = 1.0
BLOCK = 20_000
"""Inputs of one house, a tenth of them requests."""


@dataclass
class Tried:
    """What came of a block."""

    block: int
    seed: int
    process: int = field(default_factory=getpid)
    slowest: dict[str, float] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    megabytes: float = 0.0
    """Resident in memory at the end."""

    async def run(self, number: int, kind: str, attempt: Callable[[random.Random], Awaitable[None]]) -> None:
        """One input; ``number`` and the seed make the same again."""
        chance = random.Random(f"{self.seed} {number}")
        before = time.process_time()
        try:
            await attempt(chance)
        except Exception as error:
            self._fail(number, kind, f"{type(error).__name__}: {error}")
        took = time.process_time() - before
        if took > MOST_SECONDS:
            self._fail(number, kind, f"took {took:.2f} s")
        self.slowest[kind] = max(self.slowest.get(kind, 0.0), took)
        self.seconds[kind] += took  # type: ignore[assignment]
        self.done[kind] += 1

    def _fail(self, number: int, kind: str, what: str) -> None:
        self.failures.append(f"input {number} of seed {self.seed} (block {number // BLOCK}, {kind}): {what}")


async def attack(block: int, inputs: int, seed: int, directory: Path) -> Tried:
    """Try a block's inputs, the first so many of them, on a house of their own."""
    tried = Tried(block, seed)
    async with whole_house(directory) as house:
        stage = await contest(house)
        await stage.enter("open", opened(1), *auction(1, "1NT Pass Pass Pass"))
        await stage.enter("open", await next_card(stage, "open"))
        requests = Requests(stage)
        await requests.sign_in()
        kinds = [("LIN", spoiled_lin)] * 4 + [("PBN", spoiled_pbn)] * 4
        kinds += [("cursor", odd_cursor), ("request", requests.ask)]
        for number in range(block * BLOCK, block * BLOCK + inputs):
            await tried.run(number, *kinds[number % len(kinds)])
    return tried


def attack_in_process(block: int, inputs: int, seed: int) -> Tried:
    with tempfile.TemporaryDirectory(prefix="twinroom-fuzz-") as directory:
        tried = asyncio.run(attack(block, inputs, seed, Path(directory)))
    tried.megabytes = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
    return tried

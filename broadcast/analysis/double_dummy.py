"""Double-dummy tricks, asked of a worker process and remembered; the event loop never waits for a solver.

One position is solved at a time, and a few may wait; whoever comes beyond is told that it is not known, and
asks again. A worker that dies, or thinks too long, is replaced at the next question. Where endplay is not
installed nothing is ever known, and nothing else is missing.
"""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

from broadcast.analysis.positions import Position

MOST_WAITING = 64
MOST_KEPT = 4096
"""Positions whose tricks are remembered, the oldest let go first."""
SECONDS = 20.0
"""Longest time for one position; DDS needs some hundredths of a second for most."""
_ROOT = Path(__file__).resolve().parents[2]


class DoubleDummy:
    """Use as a context: the worker starts with the first question and ends with the context."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "broadcast.analysis.solver")) -> None:
        self._command = command
        self._kept: dict[Position, int | None] = {}
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._worker: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._end()

    async def tricks(self, position: Position) -> int | None:
        """The declaring side's tricks in all from a position; ``None`` where that is not known."""
        if position in self._kept:
            return self._kept[position]
        if self._waiting >= MOST_WAITING:
            return None
        self._waiting += 1
        try:
            async with self._turn:
                if position not in self._kept:
                    tricks = await self._ask(position)
                    if len(self._kept) >= MOST_KEPT:
                        del self._kept[next(iter(self._kept))]
                    self._kept[position] = tricks
        finally:
            self._waiting -= 1
        return self._kept[position]

    async def _ask(self, position: Position) -> int | None:
        try:
            async with asyncio.timeout(SECONDS):
                worker = await self._running()
                if worker.stdin is None or worker.stdout is None:
                    return None
                worker.stdin.write(_question(position))
                await worker.stdin.drain()
                answer = await worker.stdout.readline()
            tricks = json.loads(answer)["tricks"]
        except (OSError, TimeoutError, ValueError):
            await self._end()
            return None
        except asyncio.CancelledError:
            await self._end()  # or its answer would be taken for the next one's
            raise
        return tricks if isinstance(tricks, int) else None

    async def _running(self) -> asyncio.subprocess.Process:
        if self._worker is None or self._worker.returncode is not None:
            self._worker = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=_ROOT,
            )
        return self._worker

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None and worker.returncode is None:
            with suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()


def _question(position: Position) -> bytes:
    asked = {
        "deal": str(position.deal),
        "trump": position.trump,
        "leader": position.leader.value,
        "cards": [card.value for card in position.cards],
    }
    return json.dumps(asked).encode() + b"\n"

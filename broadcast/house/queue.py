"""A bounded queue of work and the one task that does it, one piece after the other.

Whoever asks may be cancelled at any moment. A piece whose asker has gone before its turn is dropped; a piece
that has begun is done to its end, because it runs in the queue's own task.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from broadcast.house.errors import HouseUnavailable, Unavailable

T = TypeVar("T")

LENGTH = 1000
"""Pieces that may wait; further askers wait for a place."""


@dataclass(frozen=True, slots=True)
class _Piece:
    work: Callable[[], Awaitable[Any]]
    result: asyncio.Future[Any]


class WorkQueue:
    def __init__(self, length: int = LENGTH) -> None:
        self._pieces: asyncio.Queue[_Piece | None] = asyncio.Queue(length)
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def waiting(self) -> int:
        """Pieces whose turn has not come."""
        return self._pieces.qsize()

    @property
    def is_open(self) -> bool:
        """Whether work is taken."""
        return not self._closing and self._task is not None and not self._task.done()

    def start(self) -> None:
        self._task = asyncio.create_task(self._serve(), name="house writer")

    async def do(self, work: Callable[[], Awaitable[T]]) -> T:
        """Wait for the turn, have the work done, return or raise what it does.

        Raises ``HouseUnavailable`` when the queue is closed.
        """
        if self._closing or self._task is None or self._task.done():
            raise HouseUnavailable(Unavailable.STOPPING)
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        await self._pieces.put(_Piece(work, result))
        if self._task.done():  # it closed while this waited for a place
            raise HouseUnavailable(Unavailable.STOPPING)
        return await result

    async def close(self) -> None:
        """Do what waits, then end."""
        if self._task is None or self._closing:
            return
        self._closing = True
        await self._pieces.put(None)
        await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        try:
            while (piece := await self._pieces.get()) is not None:
                await _do(piece)
        finally:
            self._closing = True
            while not self._pieces.empty():
                late = self._pieces.get_nowait()
                if late is not None and not late.result.done():
                    late.result.set_exception(HouseUnavailable(Unavailable.STOPPING))


async def _do(piece: _Piece) -> None:
    if piece.result.done():
        return
    try:
        value = await piece.work()
    except asyncio.CancelledError:
        piece.result.cancel()
        raise
    except Exception as error:
        if not piece.result.done():
            piece.result.set_exception(error)
    else:
        if not piece.result.done():
            piece.result.set_result(value)

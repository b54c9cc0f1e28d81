"""A recorded match sent through the ordinary commands, both rooms at once, as if it were being played.

Speed 1 is a call or a card every ten seconds. A lost server is tried again for a minute with the same keys, so
that nothing is entered twice. Where the table does not take an entry, the record of that board ends and its
official result follows.
"""

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.imports.plan import PlannedBoard, Step
from broadcast.imports.wire import comment_json, entry_json, result_json
from broadcast.tables.commands import Comment, OpenBoard, SkipBoard

SECONDS_A_STEP = 10.0
"""At speed 1."""
RETRY_SECONDS = 60.0
"""How long a lost server is tried again."""
MOST_TOGETHER = 200
"""Entries in one command of an instant replay."""

_LOST = (httpx.TransportError,)


class ReplayFailed(Exception):
    """The server cannot be reached, or refuses what a replay cannot do without."""


@dataclass(slots=True)
class Replay:
    """Sends one match's plan to the rooms of a match that exists."""

    client: httpx.AsyncClient
    match: str
    headers: Mapping[str, str] = field(default_factory=dict)
    """The bearer token, where the client needs one."""
    speed: float | None = 1.0
    """``None`` is instant."""
    report: Callable[[str], None] = lambda line: None
    """Told of every entry that the table did not take."""

    async def run(self, rooms: Mapping[Room, Sequence[PlannedBoard]]) -> None:
        """Both rooms, each in its own order, at once. Raises ``ReplayFailed``."""
        async with asyncio.TaskGroup() as together:
            for room, boards in rooms.items():
                together.create_task(self._room(room, boards))

    async def _room(self, room: Room, boards: Sequence[PlannedBoard]) -> None:
        for board in boards:
            await self._board(room, board)

    async def _board(self, room: Room, board: PlannedBoard) -> None:
        for steps in self._portions(board.steps):
            if isinstance(steps[0], Comment):
                await self._post(f"/api/matches/{self.match}/comments", comment_json(steps[0]))
                continue
            commands = [entry_json(step) for step in steps if not isinstance(step, Comment)]
            response = await self._command(room, commands)
            if response.status_code == 422 and not isinstance(steps[0], OpenBoard | SkipBoard):
                self.report(f"board {board.segment}.{board.number}, {room} room: {_message(response)}")
                await self._end(room, board.result)
                return
            _accept(response)
            if self.speed is not None:
                await asyncio.sleep(SECONDS_A_STEP / self.speed)

    def _portions(self, steps: Sequence[Step]) -> list[list[Step]]:
        """What goes into one request: a step, or in an instant replay all entries between two comments."""
        portions: list[list[Step]] = []
        for step in steps:
            alone = (
                self.speed is not None
                or isinstance(step, Comment | OpenBoard)
                or not portions
                or isinstance(portions[-1][0], Comment | OpenBoard)
                or len(portions[-1]) >= MOST_TOGETHER
            )
            if alone:
                portions.append([step])
            else:
                portions[-1].append(step)
        return portions

    async def _end(self, room: Room, result: BoardResult | None) -> None:
        if result is not None:
            _accept(await self._command(room, [{"type": "result"} | result_json(result)]))

    async def _command(self, room: Room, commands: list[dict[str, Any]]) -> httpx.Response:
        body = {"command": commands[0]} if len(commands) == 1 else {"commands": commands}
        return await self._send(f"/api/matches/{self.match}/rooms/{room}/commands", body)

    async def _post(self, path: str, body: dict[str, Any]) -> None:
        _accept(await self._send(path, body))

    async def _send(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await send(self.client, path, body, self.headers)


async def send(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], headers: Mapping[str, str]
) -> httpx.Response:
    """POST with one idempotency key, again for ``RETRY_SECONDS`` while the server cannot answer."""
    loop = asyncio.get_running_loop()
    until = loop.time() + RETRY_SECONDS
    sent = {**headers, "idempotency-key": uuid.uuid4().hex}
    pause = 0.05
    while True:
        try:
            response = await client.post(path, json=body, headers=sent)
            if response.status_code not in (502, 503, 504):
                return response
            lost: object = f"the server answered {response.status_code}"
        except _LOST as error:
            lost = error
        if loop.time() + pause > until:
            raise ReplayFailed(f"the server is lost: {lost}")
        await asyncio.sleep(pause)
        pause = min(2.0, pause * 2)


def _accept(response: httpx.Response) -> None:
    if not response.is_success:
        raise ReplayFailed(_message(response))


def _message(response: httpx.Response) -> str:
    try:
        return str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        return f"the server answered {response.status_code}"

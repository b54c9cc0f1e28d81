"""Matches in the house: told by anybody, with the house closed and opened again at any moment.

What a house releases must not depend on whether it has been running all the time: same numbers, same content,
same moments, and the same public state.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broadcast.bridge.errors import BridgeError
from broadcast.feeds.match_stream import Batch, MatchStream
from broadcast.feeds.projection import NoProjection
from broadcast.feeds.streams import StreamKey
from broadcast.house.check import check
from broadcast.house.kinds import Kinds
from broadcast.house.match_kind import match_kind
from broadcast.tables.commands import CloseMatch, EnterInRoom, EnterResult, MatchCommand
from broadcast.tables.errors import Refusal
from broadcast.tables.events import MatchEvent
from broadcast.tables.state import MatchState
from tests import strategies
from tests.broadcast.house.counters import HandClock
from tests.broadcast.house.houses import House, house
from tests.builders import BY_BOARD, CLOSED, OPEN, START, Told, new_match, result

KEY = StreamKey("match", "m7k2")
KINDS = Kinds([match_kind(NoProjection())])


@asynccontextmanager
async def match_house(directory: Path, clock: HandClock) -> AsyncIterator[House]:
    async with house(directory, clock=clock, kinds=KINDS) as it:
        yield it


async def told(it: House, command: object) -> bool:
    """Carry the command out; False where the rules refuse it."""
    try:
        await it.writer.perform(KEY, command, by="operator:t")
    except (Refusal, BridgeError):
        return False
    return True


async def stream(it: House) -> MatchStream:
    found = await it.writer.stream(KEY)
    assert isinstance(found, MatchStream)
    return found


async def state(it: House) -> MatchState:
    match = (await stream(it)).match
    assert match is not None
    return match


@dataclass
class Script(Told):
    """A match told aside, for its commands."""

    commands: list[MatchCommand] = field(default_factory=list)

    def do(self, command: MatchCommand, by: str = "operator:t") -> tuple[MatchEvent, ...]:
        self.commands.append(command)
        return super().do(command, by)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_restarts_change_nothing_of_what_is_released(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    directory = tmp_path_factory.mktemp("houses")

    async def story() -> None:
        clock = HandClock(START)
        (directory / "other").mkdir()
        async with match_house(directory, clock) as steady, AsyncExitStack() as running:
            other = await running.enter_async_context(match_house(directory / "other", clock))
            release = data.draw(strategies.RELEASES)
            for it in (steady, other):
                assert await told(it, new_match(2, release=release))
            for _ in range(data.draw(st.integers(0, 30))):
                clock.advance(data.draw(strategies.PAUSES))
                command: MatchCommand = data.draw(strategies.commands(await state(steady)))
                assert await told(steady, command) is await told(other, command)
                if data.draw(st.integers(0, 4)) == 0:
                    await running.aclose()
                    other = await running.enter_async_context(match_house(directory / "other", clock))
                    assert other.writer.damaged == {}
                if data.draw(st.integers(0, 2)) == 0:
                    for it in (steady, other):
                        await it.writer.tick_due()
            for it in (steady, other):
                await it.writer.tick_due()
            assert await other.writer.feed(KEY) == await steady.writer.feed(KEY)
            assert (await stream(other)).snapshot() == (await stream(steady)).snapshot()
            assert await state(other) == await state(steady)
            assert await check(steady.database, KINDS) == []
            assert await check(other.database, KINDS) == []

    asyncio.run(story())


def test_board_is_released_with_the_command_that_finishes_it_in_the_second_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with match_house(tmp_path, HandClock(START)) as it:
            script = Script(new_match(1, release=BY_BOARD))
            script.open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 5).result(OPEN, "1NT N 7")
            script.open(CLOSED, 1)
            for command in script.commands:
                await it.writer.perform(KEY, command, by="operator:t")
            names = [entry.event.name for entry in await it.writer.feed(KEY)]
            assert set(names) == {"match"}
            it.told.clear()
            await it.writer.perform(
                KEY, EnterInRoom(CLOSED, (EnterResult(result("1NT N 8")),)), by="operator:t"
            )
            (change,) = it.told
            released = [entry.event.name for entry in change.published]
            assert [released.count(name) for name in ("board", "call", "card", "result")] == [2, 4, 5, 2]

    asyncio.run(story())


def test_whole_match_is_one_command_and_survives(tmp_path: Path) -> None:
    """An import carries out thousands of entries at once, all or none."""

    async def story() -> None:
        script = Script(new_match(8))
        for number in range(1, 9):
            for room in (OPEN, CLOSED):
                script.open(room, number).calls(room, "1NT Pass 3NT Pass Pass Pass").cards(room, 52)
        script.do(CloseMatch("imported_record"))
        assert len(script.log) > 900
        clock = HandClock(START)
        async with match_house(tmp_path, clock) as it:
            await it.writer.perform(KEY, Batch((*script.commands,)), by="director:d")
            feed = await it.writer.feed(KEY)
            assert [entry.number for entry in feed] == list(range(1, len(feed) + 1))
        async with match_house(tmp_path, clock) as it:
            assert await it.writer.feed(KEY) == feed
            assert (await stream(it)).number == len(feed)
            assert await check(it.database, KINDS) == []

    asyncio.run(story())

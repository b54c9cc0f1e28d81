"""``check`` folds every log again and says where something stored differs from it."""

import asyncio
from pathlib import Path

import pytest

from broadcast.house.check import check
from tests.broadcast.house.counters import COUNTERS, Begin, Count, Finish, Hold, counter
from tests.broadcast.house.houses import House, house
from tests.broadcast.storage.flipping import seal

A = counter("a")
B = counter("b")


async def _fill(it: House) -> None:
    await it.writer.perform(A, Begin(), by="d")
    await it.writer.perform(A, Count(5, "tea"), by="o")
    await it.writer.perform(A, Hold("table 1"), by="o")
    await it.writer.perform(B, Begin(delay=60), by="d")
    await it.writer.perform(B, Count(7), by="o")
    it.clock.advance(60)
    await it.writer.perform(B, Count(8), by="o")
    await it.writer.perform(B, Finish(), by="o")


def test_house_in_order_has_no_findings_while_it_serves(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await _fill(it)
            commands = [it.writer.perform(A, Count(1), by="o") for _ in range(30)]
            findings, *_ = await asyncio.gather(check(it.database, COUNTERS), *commands)
            assert findings == []
            it.clock.advance(60)
            await it.writer.tick_due()
            assert await check(it.database, COUNTERS) == []

    asyncio.run(story())


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (
            'UPDATE log SET body = \'{"amount":6,"note":"tea"}\' WHERE stream = \'a\' AND sequence = 2',
            "feed 2: is",
        ),
        (
            "UPDATE log SET body = replace(body, 'note', 'mote') WHERE stream = 'a' AND sequence = 2",
            "log 2: holds",
        ),
        (
            "UPDATE log SET body = replace(body, '{', '(') WHERE stream = 'a' AND sequence = 2",
            "log 2: The stored",
        ),
        (
            "UPDATE log SET body = CAST(x'7BFF7D' AS TEXT) WHERE stream = 'a' AND sequence = 2",
            "log 2: Could not",
        ),
        ("UPDATE log SET event = 'dounted' WHERE stream = 'a' AND sequence = 2", "log 2: counter has no event"),
        ("DELETE FROM log WHERE stream = 'a' AND sequence = 2", "log 3: stands where 2 should"),
        ("DELETE FROM log WHERE stream = 'a' AND sequence = 3", "feed 3: holds a count that is not due"),
        (
            "UPDATE log SET recorded_at = '2025-05-01 00:00Z' WHERE stream = 'a' AND sequence = 2",
            "log 2: is recorded before",
        ),
        ("UPDATE feed SET data = replace(data, ':5', ':4') WHERE stream = 'a' AND number = 2", "feed 2: is"),
        (
            "UPDATE feed SET data = replace(data, '{', '(') WHERE stream = 'a' AND number = 2",
            "feed 2: cannot be read",
        ),
        ("UPDATE feed SET hidden = NULL WHERE stream = 'a' AND number = 2", "feed 2: is"),
        ("UPDATE feed SET source = 1 WHERE stream = 'a' AND number = 2", "feed 2: is"),
        ("DELETE FROM feed WHERE stream = 'a' AND number = 3", "feed 3: lacks a count that is due"),
        ("DELETE FROM feed WHERE stream = 'a' AND number = 1", "feed 2: stands where 1 should"),
        ("UPDATE summaries SET status = 'closed' WHERE id = 'a'", "summaries: the line"),
        ("DELETE FROM summary_parties WHERE id = 'a'", "summaries: the line"),
        ("UPDATE exclusive SET key = 'table 2'", "exclusive: table 1 is not held"),
        ("DELETE FROM open_streams WHERE stream = 'a'", "open_streams: is not marked"),
    ],
)
def test_damage_is_found_and_placed(tmp_path: Path, damage: str, found: str) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await _fill(it)
            await it.database.writing.execute_fetchall(damage)
            await it.database.writing.run(seal)  # as a fault of ours would write it, not one of the disk
            findings = await check(it.database, COUNTERS)
            assert {finding.stream for finding in findings} == {A}
            assert f"counter/a, {found}" in str(findings[0])

    asyncio.run(story())


def test_stream_of_an_unknown_kind_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await _fill(it)
            await it.database.writing.execute_fetchall("UPDATE log SET kind = 'lottery' WHERE stream = 'a'")
            await it.database.writing.run(seal)
            found = [str(finding) for finding in await check(it.database, COUNTERS)]
            assert "lottery/a, log: nothing here knows this kind of stream" in found

    asyncio.run(story())


def test_flipped_bytes_in_the_file_are_found(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await _fill(it)
            await it.writer.perform(A, Count(1, times=500), by="o")
        path = tmp_path / "house.db"
        content = bytearray(path.read_bytes())
        for place in range(len(content) // 2, len(content) // 2 + 4096):
            content[place] ^= 0xFF
        path.write_bytes(content)
        async with house(tmp_path) as it:
            assert await check(it.database, COUNTERS) != []

    asyncio.run(story())

"""The one writer: what is carried out, refused, released, remembered and restored."""

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from broadcast.feeds.streams import Change
from broadcast.house.errors import DamagedStream, HouseUnavailable, UnsoundChange
from broadcast.house.kinds import Kind, Kinds
from broadcast.storage import read_models
from broadcast.storage.answers import Once
from broadcast.tables.errors import NoSuchThing, Refusal
from tests.broadcast.house.counters import (
    COUNTER_CODEC,
    START,
    TALLY,
    Begin,
    Count,
    Counter,
    Finish,
    Hold,
    LetGo,
    Misnumber,
    Send,
    counter,
)
from tests.broadcast.house.houses import House, house

A = counter("a")
B = counter("b")


def total(change: Change) -> bytes:
    return str(change.stream.total).encode()  # type: ignore[attr-defined]


def test_command_is_stored_published_and_answered(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="director:d")
            assert await it.writer.perform(A, Count(7), by="operator:o", answer=total) == b"7"
            assert await it.amounts(A) == [7]
            feed = await it.writer.feed(A)
            assert [entry.event.data["total"] for entry in feed] == [0, 7]
            assert [entry.source for entry in feed] == [1, 2]
            assert [change.stream.key for change in it.told] == [A, A]
            assert it.told[-1].published == (feed[-1],)
            assert await it.writer.feed(A, after=1, limit=1) == feed[1:]

    asyncio.run(story())


def test_refused_command_leaves_nothing_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            with pytest.raises(NoSuchThing):
                await it.writer.perform(A, Count(1), by="o")
            assert await it.writer.stream(A) is None
            await it.writer.perform(A, Begin(), by="d")
            before = await it.writer.stream(A)
            with pytest.raises(Refusal, match="not negative"):
                await it.writer.perform(A, Count(-1), by="o", once=Once("k", b"h"))
            assert await it.writer.stream(A) is before
            assert await it.amounts(A) == []
            assert await it.writer.perform(A, Count(2), by="o", once=Once("k", b"other"), answer=total) == b"2"

    asyncio.run(story())


def test_unknown_kind_of_stream_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            with pytest.raises(NoSuchThing, match="kind of stream"):
                await it.writer.perform(A._replace(kind="lottery"), Begin(), by="d")

    asyncio.run(story())


def test_same_key_and_body_give_the_first_answer_again(tmp_path: Path) -> None:
    async def story() -> None:
        once = Once("key-1", b"hash of the body")
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            first = await it.writer.perform(A, Count(5), by="o", once=once, answer=total)
            await it.writer.perform(A, Count(1), by="o")
            assert await it.writer.perform(A, Count(5), by="o", once=once, answer=total) == first == b"5"
            with pytest.raises(Refusal) as refused:
                await it.writer.perform(A, Count(6), by="o", once=Once("key-1", b"another"))
            assert refused.value.rule == "key_reused"
            assert await it.amounts(A) == [5, 1]
        async with house(tmp_path) as it:
            assert await it.writer.perform(A, Count(5), by="o", once=once, answer=total) == first
            assert await it.amounts(A) == [5, 1]

    asyncio.run(story())


def test_key_in_a_scope_of_its_own_keeps_a_second_stream_from_being_made(tmp_path: Path) -> None:
    async def story() -> None:
        once = Once("make", b"h", scope=A._replace(kind="account", id="d1"))
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d", once=once, answer=lambda change: b"a")
            assert await it.writer.perform(B, Begin(), by="d", once=once, answer=lambda change: b"b") == b"a"
            assert await it.writer.stream(B) is None

    asyncio.run(story())


def test_entry_is_released_when_its_delay_has_run_and_not_before(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=60), by="d")
            await it.writer.perform(A, Count(3), by="o")
            it.clock.advance(59.999)
            await it.writer.tick_due()
            assert await it.numbers(A) == []
            it.clock.advance(0.001)
            await it.writer.tick_due()
            assert await it.numbers(A) == [1, 2]

    asyncio.run(story())


def test_everything_due_in_the_house_is_released_before_a_command_is_decided(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=60), by="d")
            it.clock.advance(1)
            await it.writer.perform(B, Begin(delay=10), by="d")
            it.clock.advance(100)
            it.told.clear()
            await it.writer.perform(A, Count(1), by="o")
            assert [(change.stream.key, len(change.recorded), len(change.published)) for change in it.told] == [
                (B, 0, 1),
                (A, 0, 1),
                (A, 1, 0),
            ]

    asyncio.run(story())


def test_answer_is_of_the_command_and_not_of_what_was_due_before(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=60), by="d")
            it.clock.advance(60)
            seen: list[Change] = []

            def answer(change: Change) -> bytes:
                seen.append(change)
                return b""

            await it.writer.perform(A, Count(1), by="o", answer=answer)
            assert [recorded.event.amount for recorded in seen[0].recorded] == [1]  # type: ignore[attr-defined]
            assert seen[0].published == ()

    asyncio.run(story())


def test_consequence_is_stored_in_the_same_transaction(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(TALLY, Begin(), by="d")
            await it.writer.perform(A, Begin(), by="d")
            it.told.clear()
            await it.writer.perform(A, Count(100), by="o")
            assert await it.amounts(TALLY) == [1]
            assert [change.stream.key for change in it.told] == [A, TALLY]

    asyncio.run(story())


def test_refused_consequence_takes_the_command_with_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            with pytest.raises(NoSuchThing, match="no counter tally"):
                await it.writer.perform(A, Count(100), by="o")
            assert await it.amounts(A) == []
            assert (await it.counter(A)).total == 0

    asyncio.run(story())


def test_consequences_without_end_are_an_error_and_change_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            command: object = Count(1)
            for _ in range(9):
                command = Send(A, command)
            with pytest.raises(UnsoundChange, match="go on after 8"):
                await it.writer.perform(A, command, by="o")
            assert await it.amounts(A) == []

    asyncio.run(story())


def test_change_with_a_gap_is_not_stored(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            with pytest.raises(UnsoundChange):
                await it.writer.perform(A, Misnumber(), by="o")
            assert (await it.counter(A)).sequence == 1

    asyncio.run(story())


def test_failed_release_of_one_stream_does_not_hold_up_the_others(tmp_path: Path) -> None:
    """A's due entry needs the tally, which is not there: A is put off, B goes on, commands are carried out."""

    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=10), by="d")
            await it.writer.perform(A, Count(100), by="o")
            await it.writer.perform(B, Begin(delay=20), by="d")
            it.clock.advance(20)
            await it.writer.tick_due()
            assert await it.numbers(A) == []
            assert await it.numbers(B) == [1]
            await it.writer.perform(B, Count(1), by="o")
            await it.writer.perform(TALLY, Begin(), by="d")
            it.clock.advance(60)
            await it.writer.tick_due()
            assert await it.numbers(A) == [1, 2]
            assert await it.amounts(TALLY) == [1]

    asyncio.run(story())


def test_name_held_by_one_stream_is_refused_to_another_until_let_go(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            for key in (A, B):
                await it.writer.perform(key, Begin(), by="d")
            await it.writer.perform(A, Hold("pair 1"), by="o")
            with pytest.raises(Refusal) as refused:
                await it.writer.perform(B, Hold("pair 1"), by="o")
            assert refused.value.rule == "exclusive"
            assert await it.amounts(B) == []
            await it.writer.perform(A, LetGo("pair 1"), by="o")
            await it.writer.perform(B, Hold("pair 1"), by="o")
            assert await it.database.read(lambda c: read_models.held_keys(c, B)) == {"pair 1"}

    asyncio.run(story())


def test_summary_follows_what_is_public(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=60), by="d")
            assert await it.database.read(lambda c: read_models.read_summary(c, A)) is None
            it.clock.advance(60)
            await it.writer.perform(A, Count(4), by="o")
            await it.writer.perform(A, Finish(), by="o")
            (line,) = await it.database.read(lambda c: read_models.list_summaries(c, "counter"))
            assert (line.key, line.summary.status, line.summary.body) == (A, "live", {"total": 0})
            it.clock.advance(60)
            await it.writer.tick_due()
            assert (await it.counter(A)).is_closed
            it.clock.advance(60)
            await it.writer.perform(B, Begin(), by="d")
            (line,) = await it.database.read(
                lambda c: read_models.list_summaries(c, "counter", statuses=["closed"], party="team-a")
            )
            assert line.summary.body == {"total": 4}

    asyncio.run(story())


def test_preview_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            change = await it.writer.preview(A, Count(9), "d")
            assert change.published[-1].event.data["total"] == 9
            assert await it.amounts(A) == []
            with pytest.raises(Refusal):
                await it.writer.preview(A, Count(-9), "d")

    asyncio.run(story())


def test_restart_restores_open_streams_and_goes_on_numbering(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(delay=60), by="d")
            await it.writer.perform(A, Count(1), by="o")
            it.clock.advance(30)
            await it.writer.perform(A, Count(2), by="o")
            it.clock.advance(30)
            await it.writer.tick_due()
            before, feed, clock = await it.writer.stream(A), await it.writer.feed(A), it.clock
        async with house(tmp_path, clock=clock) as it:
            assert await it.writer.stream(A) == before
            await it.writer.tick_due()
            assert await it.writer.feed(A) == feed
            clock.advance(30)
            await it.writer.tick_due()
            assert await it.numbers(A) == [1, 2, 3]
            assert (await it.writer.feed(A))[:2] == feed

    asyncio.run(story())


def test_closed_stream_is_restored_when_somebody_asks(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.writer.perform(A, Finish(), by="d")
            before = await it.counter(A)
            assert before.is_closed
        async with house(tmp_path) as it:
            found = await asyncio.gather(*(it.writer.stream(A) for _ in range(5)))
            assert all(stream == before for stream in found)
            await it.writer.perform(A, Count(1), by="d")
            assert await it.amounts(A) == [1]

    asyncio.run(story())


def test_stream_read_while_it_is_changed_is_never_remembered_as_it_was(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.writer.perform(A, Finish(), by="d")
        for round in range(20):
            async with house(tmp_path) as it:
                reading = [asyncio.create_task(it.writer.stream(A)) for _ in range(3)]
                await it.writer.perform(A, Count(1), by="d")
                await asyncio.gather(*reading)
                assert (await it.counter(A)).total == round + 1

    asyncio.run(story())


def test_damaged_stream_is_left_out_and_the_others_served(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            for key in (A, B):
                await it.writer.perform(key, Begin(), by="d")
            await it.database.writing.execute_fetchall("DELETE FROM feed WHERE stream = 'a'")
        async with house(tmp_path) as it:
            assert set(it.writer.damaged) == {A}
            with pytest.raises(DamagedStream, match="1 entries folded, 0 stored"):
                await it.writer.perform(A, Count(1), by="o")
            with pytest.raises(DamagedStream):
                await it.writer.stream(A)
            await it.writer.perform(B, Count(1), by="o")
            assert await it.numbers(B) == [1, 2]

    asyncio.run(story())


def test_timer_wakes_the_writer_at_the_next_due_moment(tmp_path: Path) -> None:
    async def story() -> None:
        released = asyncio.Event()

        async with house(tmp_path) as it:
            it.writer._on_commit = lambda changes: released.set() if changes[0].published else None
            it.writer._timer = asyncio.create_task(it.writer._keep_time())
            await it.writer.perform(A, Begin(delay=60), by="d")
            await asyncio.wait_for(_moved(it, 60, released), 5)
            assert await it.numbers(A) == [1]

    asyncio.run(story())


async def _moved(it: House, seconds: float, released: asyncio.Event) -> None:
    it.clock.advance(seconds)
    await released.wait()


def test_house_that_closes_finishes_what_is_queued_and_refuses_the_rest(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            queued = [asyncio.create_task(it.writer.perform(A, Count(1), by="o")) for _ in range(20)]
            await asyncio.sleep(0)
            await it.writer.close()
            await asyncio.gather(*queued)
            assert await it.amounts(A) == [1] * 20
            with pytest.raises(HouseUnavailable):
                await it.writer.perform(A, Count(1), by="o")

    asyncio.run(story())


def test_thousands_of_events_are_one_command(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path) as it:
            await it.writer.perform(A, Begin(), by="d")
            await it.writer.perform(A, Count(1, times=2000), by="o")
            assert len(await it.amounts(A)) == 2000
            assert await it.numbers(A) == list(range(1, 2002))

    asyncio.run(story())


class Hasty(Counter):
    """Says that it is due at once, though nothing comes of it."""

    __slots__ = ()

    def next_due(self) -> datetime | None:
        return START


class HastyKind:
    name = "counter"

    def empty(self, id: str) -> Counter:
        return Hasty(id) if id == "a" else Counter(id)


def test_stream_that_is_due_for_nothing_holds_nobody_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with house(tmp_path, kinds=Kinds([Kind(HastyKind(), COUNTER_CODEC)])) as it:
            for key in (A, B):
                await it.writer.perform(key, Begin(delay=10), by="d")
            await it.writer.tick_due()
            assert await it.numbers(A) == []
            it.clock.advance(10)
            await it.writer.tick_due()
            assert await it.numbers(A) == await it.numbers(B) == [1]

    asyncio.run(story())

"""House time never goes behind what has been recorded, whatever is done to the machine's clock."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from broadcast.house.clock import HouseClock

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@dataclass
class Machine:
    """A machine whose wall clock and monotonic clock are moved by hand."""

    wall: datetime = NOON
    monotonic: float = 1000.0

    def run(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.monotonic += seconds

    def clock(self, last_recorded: datetime | None = None) -> HouseClock:
        return HouseClock(lambda: self.wall, lambda: self.monotonic, last_recorded)


def test_house_time_is_wall_time() -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock.now() == NOON
    machine.run(90)
    assert clock.now() == NOON + timedelta(seconds=90)


def test_clock_set_back_an_hour_goes_on_from_the_last_recorded_moment() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.recorded(NOON)
    machine.wall -= timedelta(hours=1)
    machine.run(10)
    assert clock.now() == NOON + timedelta(seconds=10)
    clock.recorded(clock.now())
    machine.run(5)
    assert clock.now() == NOON + timedelta(seconds=15)


def test_wall_time_is_taken_again_once_it_is_past_the_last_recorded_moment() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.recorded(NOON)
    machine.wall -= timedelta(minutes=1)
    assert clock.now() == NOON
    machine.wall += timedelta(minutes=3)
    assert clock.now() == NOON + timedelta(minutes=2)


def test_house_started_on_a_machine_set_back_goes_on_from_storage() -> None:
    later = NOON + timedelta(days=1)
    machine = Machine()
    clock = machine.clock(last_recorded=later)
    machine.run(7)
    assert clock.now() == later + timedelta(seconds=7)


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(-1e6, 1e6)), max_size=30))
def test_recorded_moments_never_run_backward(steps: list[tuple[float, float]]) -> None:
    machine = Machine()
    clock = machine.clock()
    last = clock.now()
    clock.recorded(last)
    for elapsed, jump in steps:
        machine.run(elapsed)
        machine.wall += timedelta(seconds=jump)
        now = clock.now()
        assert now >= last
        clock.recorded(now)
        last = now


def test_waiting_ends_when_woken_or_when_the_moment_has_come() -> None:
    async def story() -> None:
        clock = HouseClock()
        wake = asyncio.Event()
        await clock.wait(clock.now(), wake)
        waiting = asyncio.create_task(clock.wait(None, wake))
        wake.set()
        await waiting

    asyncio.run(story())

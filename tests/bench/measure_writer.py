"""What the writer costs: time from a command to its durable answer, and a large command.

Run by hand, on the disk that matters: ``python -m tests.bench.measure_writer [DIRECTORY]``. The stream counts
and costs next to nothing itself, so what is measured is the house: queue, transaction, disk.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

from broadcast.storage.answers import Once
from tests.broadcast.house.counters import Begin, Count, counter
from tests.broadcast.house.houses import house

COMMANDS = 1000
EVENTS = 2000


async def measure(directory: Path) -> None:
    async with house(directory) as it:
        taken = []
        cpu = time.process_time()
        for number in range(COMMANDS):
            key = counter(f"table-{number // 50}")
            if number % 50 == 0:
                await it.writer.perform(key, Begin(), by="bench")
            begun = time.perf_counter()
            await it.writer.perform(key, Count(1), by="bench", once=Once(str(number), b"h" * 32))
            taken.append(1000 * (time.perf_counter() - begun))
        cpu = 1000 * (time.process_time() - cpu) / COMMANDS
        marks = quantiles(taken, n=20)
        print(f"a command: median {marks[9]:.2f} ms, 95 % under {marks[18]:.2f} ms, processor {cpu:.2f} ms")

        begun = time.perf_counter()
        await asyncio.gather(*(it.writer.perform(counter("table-0"), Count(1), by="bench") for _ in range(500)))
        print(f"500 at once: {1000 * (time.perf_counter() - begun):.0f} ms")

        await it.writer.perform(counter("import"), Begin(), by="bench")
        begun = time.perf_counter()
        await it.writer.perform(counter("import"), Count(1, times=EVENTS), by="bench")
        print(f"{EVENTS} events in one command: {1000 * (time.perf_counter() - begun):.0f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as place:
        asyncio.run(measure(Path(place)))

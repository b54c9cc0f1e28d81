"""A million inputs that nobody would send in good faith: readers, cursors, and the whole application.

    python -m tests.bench.fuzz [--inputs 1000000] [--seed 1] [--processes 2] [--block N]

Eight in ten are LIN and PBN files, one is a cursor and one a request of a whole house. None may raise, be
answered with a status of 500 or more, or take a second of processor time. Whatever fails is printed with the
seed and the number that make it again, and the status is 1.

Requests set up matches, which a house keeps open; so inputs are tried in blocks of 20,000, each on a house of
its own, and what a request did depends on its block alone: ``--block N`` tries one again. What memory a
process has grown by between its first block and its last is printed, and more than 64 MB fails, too.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.bench.fuzz.blocks import BLOCK, Tried, attack_in_process

MOST_GROWTH = 64.0
"""Megabytes, of one process."""


def report(found: list[Tried]) -> int:
    """Say how it went; the number of failures."""
    for kind in ("LIN", "PBN", "cursor", "request"):
        count = sum(tried.done[kind] for tried in found)
        slowest = max(tried.slowest.get(kind, 0.0) for tried in found)
        mean = sum(tried.seconds[kind] for tried in found) / max(count, 1)
        print(f"{kind:8} {count:7} inputs, {1000 * mean:.2f} ms each, slowest {1000 * slowest:.0f} ms")
    failed = sum(len(tried.failures) for tried in found)
    for process in sorted({tried.process for tried in found}):
        own = [tried.megabytes for tried in found if tried.process == process]
        grown = own[-1] - own[0]
        told = f"{own[0]:.0f} MB after its first house, {own[-1]:.0f} MB after its last of {len(own)}"
        print(f"a process held {told}, {max(own):.0f} MB at most")
        failed += grown > MOST_GROWTH
    print(f"{failed} failures")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description="Try very many bad inputs.")
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--block", type=int, help="this one alone")
    options = parser.parse_args()
    begun = time.monotonic()
    parts = [
        (block, min(BLOCK, options.inputs - block * BLOCK))
        for block in range(-(-options.inputs // BLOCK))
        if options.block in (None, block)
    ]
    found: list[Tried] = []
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        for running in [pool.submit(attack_in_process, *part, options.seed) for part in parts]:
            found.append(running.result())
            for failure in found[-1].failures:
                print(failure, flush=True)
            if len(found) % 5 == 0:
                print(f"{len(found)} of {len(parts)} blocks after {time.monotonic() - begun:.0f} s", flush=True)
    failed = report(found)
    print(f"{sum(size for _, size in parts)} inputs in {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

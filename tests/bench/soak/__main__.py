"""A club's evening in which everything dies: ``python -m tests.bench.soak [--kills 300] [--seed 1]``.

A house, a Redis and two edges, each a process of its own. Matches are entered from both rooms, ruled on and
commented; a ladder is played; viewers follow at the house and at both edges, half of them leaving and coming
back; the database is copied now and then. Meanwhile the processes are killed (SIGKILL) at random moments and
started again, Redis at times with all it held lost.

It fails, with status 1 and the seed, where

* a command that was acknowledged is not in the log exactly once, or one is there that no client was told of;
* the feed is not what is due, or lists and index not what the log gives (``check``, also of every copy);
* a viewer, wherever it looks, was not sent every event once, in order and as the house has it;
* an edge tells otherwise than the house, or Redis holds what is not released;
* a copy does not go on in a new epoch, with a reset for viewers of the original.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

import httpx

from tests.bench.soak.challenges import challenges_one_after_another, ladder_of
from tests.bench.soak.client import Client, Ledger
from tests.bench.soak.deaths import kill
from tests.bench.soak.machines import Evening, set_up
from tests.bench.soak.matches import Club, matches_one_after_another
from tests.bench.soak.proofs import NAME, backed_up, checked, unanswered_or_doubled, unreleased_in_redis
from tests.bench.soak.restoring import restored
from tests.serving import NO_TLS

LOOKS_EVERY_SECONDS = 10.0
COPIES_EVERY = 3
"""Looks between two copies."""


async def director(evening: Evening, data: Path) -> str:
    """The token of a new director, made through the house's socket."""
    transport = httpx.AsyncHTTPTransport(uds=str(data / "control.sock"), verify=NO_TLS)
    async with httpx.AsyncClient(transport=transport, base_url="http://local", timeout=60) as local:
        account = {"name": "dora", "role": "director"}
        (await local.post("/api/accounts", json=account)).raise_for_status()
        made = (await local.post("/api/accounts/tokens", json={"name": "dora"})).raise_for_status().json()
        return str(made["token"])


async def look(evening: Evening, club: Club, data: Path, copies: Path) -> None:
    """Copy, check and search Redis every now and then, until cancelled."""
    looks = 0
    while True:
        await asyncio.sleep(LOOKS_EVERY_SECONDS)
        looks += 1
        club.faults += await checked(data / NAME, "while it is served")
        club.faults += await asyncio.to_thread(unreleased_in_redis, evening, data, club.played[-6:])
        if looks % COPIES_EVERY == 0:
            club.faults += await backed_up(data, copies / NAME)
            club.ledger.backups += 1
            club.faults += await checked(copies / NAME, "a copy")


async def soak(directory: Path, kills: int, seconds: float, seed: int, rooms: int) -> tuple[Evening, Club]:
    """The whole evening; what was not as it should be stands in the club's ``faults``."""
    chance = Random(seed)
    evening = set_up(directory)
    data, copies = directory / "data", directory / "copies"
    copies.mkdir()
    await evening.start()
    ledger = Ledger()
    house = Client(evening.house.address, ledger, chance, await director(evening, data))
    edges = [Client(edge.address, ledger, chance) for edge in evening.edges]
    public = Client(evening.house.address, ledger, chance)
    club = Club(house, public, edges, ledger, chance, asyncio.Event())
    ladder = await ladder_of(club)
    looking = asyncio.create_task(look(evening, club, data, copies))
    load = [asyncio.create_task(matches_one_after_another(club)) for _ in range(rooms)]
    load.append(asyncio.create_task(challenges_one_after_another(club, ladder)))
    deaths = asyncio.create_task(kill(evening, kills, seconds, lambda: ledger.acknowledged, Random(seed + 1)))
    try:
        await asyncio.wait([deaths, looking, *load], return_when=asyncio.FIRST_COMPLETED)
        for task in (looking, *load, deaths):
            if task.done():
                task.result()
        club.done.set()
        await asyncio.gather(deaths, *load)
    finally:
        for task in (looking, deaths, *load):
            task.cancel()
        ends = await asyncio.gather(looking, deaths, *load, return_exceptions=True)
    club.faults += [f"failed: {end!r}" for end in ends if isinstance(end, Exception)]
    club.faults += unanswered_or_doubled(data, ledger, club.played)
    club.faults += await checked(data / NAME, "in the end")
    club.faults += unreleased_in_redis(evening, data, club.played)
    club.faults += await backed_up(data, copies / NAME)
    for client in (house, public, *edges):
        await client.close()
    club.faults += await evening.stop()
    club.faults += await restored(directory, copies, club.played[-1].id)
    return evening, club


def report(evening: Evening, club: Club, seconds: float) -> None:
    """The evening's figures."""
    for kind, count in sorted(evening.kills.items()):
        print(f"{count:8} kills: {kind}")
    ledger = club.ledger
    entries = sum(len(sent) for match in club.played for sent in match.sent.values())
    print(f"{ledger.acknowledged:8} commands acknowledged, in {ledger.attempts} attempts")
    print(f"{entries:8} entries of {ledger.matches} matches, {ledger.challenges} challenges played")
    print(f"{club.deliveries:8} events delivered to viewers, who came {club.comings} times")
    print(f"{ledger.backups:8} copies while it was served")
    for kind, took in sorted(evening.restarts.items()):
        print(f"{median(took):8.1f} s from the death of {kind} to its next answer, at most {max(took):.1f} s")
    print(f"{len(club.faults):8} failures, {seconds:.0f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description="An evening in which everything dies, and nothing is lost.")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=3, help="matches played at the same time")
    parser.add_argument("--minutes", type=float, default=600, help="longest time to kill")
    parser.add_argument("--keep", type=Path, help="a directory to keep everything in")
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="twinroom-soak-") as made:
        directory = options.keep or Path(made)
        directory.mkdir(parents=True, exist_ok=True)
        seconds = 60 * options.minutes
        evening, club = asyncio.run(soak(directory, options.kills, seconds, options.seed, options.matches))
    report(evening, club, time.monotonic() - begun)
    for fault in club.faults[:20]:
        print(fault, file=sys.stderr)
    if club.faults:
        print(f"failed with --seed {options.seed}", file=sys.stderr)
    return 1 if club.faults else 0


if __name__ == "__main__":
    sys.exit(main())

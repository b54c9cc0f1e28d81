"""Matches of the evening: entered from both rooms at once, ruled on, watched at the house and at every edge."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from tests.bench.soak.client import Client, Ledger, Refused
from tests.bench.soak.viewers import Follower
from tests.scenarios.random_boards import random_board
from tests.serving import Json

RELEASES: list[Json] = [{"rule": "live"}, {"rule": "board"}, {"rule": "delay", "seconds": 2}]
SETTLE_SECONDS = 300.0
STANDS_SECONDS = 4.0
"""Longer than any delay here: what stands so long has nothing more to come."""
BOARDS = 3


@dataclass
class Played:
    """A match and what its rooms were acknowledged to have entered."""

    id: str
    release: str
    sent: dict[str, list[Json]] = field(default_factory=lambda: {"open": [], "closed": []})
    followers: list[Follower] = field(default_factory=list)


@dataclass
class Club:
    """What the load knows of the house."""

    house: Client
    """With a director's token."""
    public: Client
    edges: list[Client]
    ledger: Ledger
    chance: Random
    done: asyncio.Event
    """Set when no further match is to begin."""
    played: list[Played] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    deliveries: int = 0
    comings: int = 0

    def random(self) -> Random:
        """Chance of its own for a task, so that the order in which tasks run decides nothing."""
        return Random(self.chance.getrandbits(64))


async def matches_one_after_another(club: Club) -> None:
    """Play matches until the evening is done; each is proved as soon as it is over."""
    chance = club.random()
    while not club.done.is_set():
        await _match(club, chance)


async def _match(club: Club, chance: Random) -> None:
    release = chance.choice(RELEASES)
    body = {
        "title": "Evening",
        "home": "Modra",
        "visitors": "Vihar",
        "segments": [{"first": 1, "last": BOARDS}],
        "deals": "typed",
        "release": release,
        "no_devices": True,
        "correction_minutes": 30,
    }
    made = await club.house.done("/api/matches", body)
    club.ledger.matches += 1
    match = Played(made["id"], release["rule"])
    club.played.append(match)
    path = f"/matches/{match.id}/events"
    nodes = [("house", club.public), *((f"edge {place}", edge) for place, edge in enumerate(club.edges, 1))]
    match.followers = [
        Follower(f"{match.id} at {name}{'' if every is None else ', leaving'}", client, path, every)
        for name, client in nodes
        for every in (None, 9)
    ]
    watching = [asyncio.create_task(follower.follow()) for follower in match.followers]
    rooms = [
        _room(club, match, name, made["rooms"][name]["token"], Random(chance.getrandbits(64)))
        for name in ("open", "closed")
    ]
    try:
        await asyncio.gather(*rooms, _director(club, match, Random(chance.getrandbits(64))))
        await _proved(club, match)
    finally:
        for task in watching:
            task.cancel()
        ends = await asyncio.gather(*watching, return_exceptions=True)
        club.faults += [
            f"{match.id}: a viewer failed: {end!r}"
            for end in ends
            if not isinstance(end, asyncio.CancelledError)
        ]
        for follower in match.followers:
            club.deliveries += len(follower.events)
            club.comings += follower.comings


def _bundles(chance: Random) -> Iterator[list[Json]]:
    """Commands as they are sent: most alone, some together."""
    for number in range(1, BOARDS + 1):
        bundle: list[Json] = []
        for command in random_board(number, chance):
            bundle.append(command)
            if chance.random() < 0.8:
                yield bundle
                bundle = []
        if bundle:
            yield bundle


async def _room(club: Club, match: Played, room: str, token: str, chance: Random) -> None:
    operator = club.house.as_(token)
    path, sequence = f"/api/matches/{match.id}/rooms/{room}/commands", 0
    try:
        for bundle in _bundles(chance):
            body = {"commands": bundle, "expected": sequence}
            answer = await operator.done(path, body)
            match.sent[room] += bundle
            sequence = answer["room_sequence"]
            await asyncio.sleep(chance.random() / 20)
    finally:
        await operator.close()


async def _director(club: Club, match: Played, chance: Random) -> None:
    """Penalties, each with words of its own, and comments on the first board."""
    for number in range(4):
        await asyncio.sleep(chance.random() * 4)
        mark = f"mark {match.id} {number}"
        if chance.random() < 0.5:
            ruling = {"type": "penalty", "side": "home", "unit": "imps", "amount": 1, "reason": mark}
            await club.house.done(f"/api/matches/{match.id}/rulings", ruling)
        else:
            place = {"segment": 1, "board": 1, "room": "open", "call": 0, "card": 0, "language": "en"}
            comment = place | {"text": mark, "author": "vugraph"}
            with suppress(Refused):  # the board may not be public yet
                await club.house.done(f"/api/matches/{match.id}/comments", comment)
                club.ledger.marks.append(mark)
            continue
        club.ledger.marks.append(mark)


async def _proved(club: Club, match: Played) -> None:
    """Every viewer has the house's feed, once and in order, and edges tell what the house tells."""
    path = f"/api/matches/{match.id}"
    try:
        async with asyncio.timeout(SETTLE_SECONDS):
            at_house = await _settled(club, match, path)
    except TimeoutError:
        club.faults.append(f"{match.id}: viewers and edges do not come to what the house tells")
        at_house = await club.public.get(path)
    told, after = dict[int, tuple[str, object]](), at_house["last_event"].rpartition("-")[0] + "-0"
    polled = await club.public.get(f"{path}/events?after={after}")
    for event in polled["events"]:
        if event["id"] is None:  # rides behind the one before
            continue
        number = int(event["id"].rpartition("-")[2])
        told[number] = (event["event"], event["data"])
    if sorted(told) != list(range(1, len(told) + 1)) or not told:
        club.faults.append(f"{match.id}: the feed's numbers are {sorted(told)[:5]}...")
    for follower in match.followers:
        club.faults += follower.differs(told)


async def _settled(club: Club, match: Played, path: str) -> Json:
    """What the house tells once nothing more is due, and every edge and viewer has it."""
    while True:
        at_house: Json = await club.public.get(path)
        last = int(at_house["last_event"].rpartition("-")[2])
        if at_house["status"] == "scored" and all(each.number >= last for each in match.followers):
            at_edges = [await edge.get(path) for edge in club.edges]
            await asyncio.sleep(STANDS_SECONDS)
            if at_house == await club.public.get(path) and all(each == at_house for each in at_edges):
                return at_house
        await asyncio.sleep(0.2)

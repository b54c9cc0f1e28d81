"""What must hold of the stored house: every answer is in the log once, the feed is what is due, copies hold.

All of it reads beside the running server.
"""

import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import redis
from redis.exceptions import RedisError

from broadcast.edges.layout import feed_name, from_fields
from broadcast.feeds.streams import StreamKey
from broadcast.house.check import check
from broadcast.storage import feed_store
from broadcast.storage.answers import unpacked
from broadcast.storage.database import Database
from server import KINDS
from tests.bench.soak.client import Ledger
from tests.bench.soak.machines import Evening
from tests.bench.soak.matches import Played
from tests.serving import ROOT, Json

NAME = "twinroom.sqlite3"
EVENTS = {"open_board": "board_opened", "call": "call_made", "card": "card_played", "undo": "entries_undone"}


def reading(data: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{(data / NAME).as_uri()}?mode=ro", uri=True, timeout=10)


def unanswered_or_doubled(data: Path, ledger: Ledger, matches: list[Played]) -> list[str]:
    """Where the log is not exactly what clients were told was done. All clients must have had their answers."""
    faults = []
    with closing(reading(data)) as connection:
        kept = {
            str(key): unpacked(answer) for key, answer in connection.execute("SELECT key, answer FROM answers")
        }
        for key, answer in ledger.answers.items():
            if kept.get(key) != answer:
                faults.append(f"command {key} was answered {answer!r}, remembered is {kept.get(key)!r}")
        for mark in ledger.marks:
            (count,) = connection.execute(
                "SELECT count(*) FROM log WHERE instr(body, ?)", (f'"{mark}"',)
            ).fetchone()
            if count != 1:
                faults.append(f"{mark!r} was acknowledged once and stands in the log {count} times")
        for match in matches:
            for room, sent in match.sent.items():
                faults += _room_differs(connection, match, room, sent)
    return faults


def _room_differs(connection: sqlite3.Connection, match: Played, room: str, sent: list[Json]) -> list[str]:
    rows = connection.execute(
        "SELECT event, body FROM log WHERE kind = 'match' AND stream = ? ORDER BY sequence", (match.id,)
    ).fetchall()
    stored = [(event, json.loads(body)) for event, body in rows]
    stored = [(event, body) for event, body in stored if body.get("room") == room]
    entered = [_told(event, body) for event, body in stored if event in _ENTRIES]
    wanted = [each for command in sent for each in _wanted(command)]
    if entered == wanted:
        return []
    place = next(
        (n for n, (one, other) in enumerate(zip(entered, wanted, strict=False)) if one != other),
        min(len(entered), len(wanted)),
    )
    return [
        f"{match.id}, {room}: entry {place} of {len(wanted)} acknowledged, {len(entered)} stored: "
        f"{wanted[place : place + 1]} was acknowledged, {entered[place : place + 1]} is stored"
    ]


_ENTRIES = frozenset([*EVENTS.values(), "claim_made", "claim_answered"])


def _told(event: str, body: Json) -> tuple[Any, ...]:
    return (event, body.get("seat"), body.get("call") or body.get("card")) if event in _PLAYED else (event,)


_PLAYED = ("call_made", "card_played")


def _wanted(command: Json) -> list[tuple[Any, ...]]:
    if command["type"] == "claim":
        return [("claim_made",), ("claim_answered",)]
    event = EVENTS[command["type"]]
    if event in _PLAYED:
        return [(event, command["seat"], command.get("call") or command.get("card"))]
    return [(event,)]


async def checked(path: Path, what: str) -> list[str]:
    """What ``check`` finds in a database."""
    async with await Database.reading(path) as database:
        return [f"{what}: {finding}" for finding in await check(database, KINDS)]


async def backed_up(data: Path, target: Path) -> list[str]:
    """A copy by the command, beside the running server."""
    words = [sys.executable, str(ROOT / "server.py"), "backup", str(target), "--data", str(data)]
    process = await asyncio.create_subprocess_exec(*words, stderr=asyncio.subprocess.PIPE)
    _, errors = await process.communicate()
    return [] if process.returncode == 0 else [f"backup failed: {errors.decode()}"]


def unreleased_in_redis(evening: Evening, data: Path, matches: list[Played]) -> list[str]:
    """Entries in Redis that are not, or not so, in the public feed; none while Redis is away.

    Redis is read first: what it holds then must have been released and committed before.
    """
    held: dict[StreamKey, list[Any]] = {}
    try:
        with redis.Redis(port=evening.redis.port, socket_timeout=5) as client:
            for match in matches:
                key = StreamKey("match", match.id)
                held[key] = client.xrange(feed_name(key))
    except (RedisError, OSError):
        return []
    faults = []
    with closing(reading(data)) as connection:
        for key, entries in held.items():
            feed = {entry.number: entry.event for entry in feed_store.read(connection, key)}
            for id, fields in entries:
                number = int(id.decode().rpartition("-")[2])
                if _plain(feed.get(number)) != _plain(from_fields(number, fields).event):
                    faults.append(f"Redis holds {key} {number}, which is not what was released")
    return faults


def _plain(event: Any) -> Any:
    if event is None:
        return None
    return json.dumps(
        [event.name, event.data, event.hidden, event.room, event.aside], sort_keys=True, default=str
    )

"""A reader of server-sent events, and what their reader makes of them, written from the public interface alone.

``fold`` applies one public event to a snapshot by what the interface says of each event, and uses none of the
product's code: that a client may do so is what is tested with it.
"""

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

State = dict[str, Any]


@dataclass(frozen=True)
class Message:
    """One message of a stream, as the standard dispatches it."""

    id: str | None
    """The id that this very message carries."""
    event: str
    data: Any

    @property
    def number(self) -> int:
        assert self.id is not None
        return int(self.id.rpartition("-")[2])


@asynccontextmanager
async def stream(
    client: httpx.AsyncClient, path: str, after: str | None = None
) -> AsyncIterator[AsyncIterator[Message]]:
    """The messages of a stream from a cursor on; ends where the stream ends in order."""
    headers = {} if after is None else {"last-event-id": after}
    async with client.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"].partition(";")[0] == "text/event-stream"
        yield messages(response)


async def messages(response: httpx.Response) -> AsyncIterator[Message]:
    """The events of an open response; comments and retry times are not among them."""
    fields: dict[str, list[str]] = {}
    async for line in response.aiter_lines():
        if line:
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
            continue
        if "data" in fields:
            id = fields["id"][-1] if "id" in fields else None
            yield Message(id, fields.get("event", ["message"])[-1], json.loads("\n".join(fields["data"])))
        fields = {}


async def read_until(
    client: httpx.AsyncClient, path: str, last: str, after: str | None = None, seconds: float = 60
) -> list[Message]:
    """Everything up to the event with the id ``last``, with what rides behind it."""
    read: list[Message] = []
    async with asyncio.timeout(seconds), stream(client, path, after) as reader:
        async for message in reader:
            read.append(message)
            if message.id == last:
                return read
    raise AssertionError(f"the stream ended before {last}")


# --- the fold ---------------------------------------------------------------------------------------------

_PLACE = {"segment", "board", "room", "at"}
_TABLE = ("players", "auction", "play", "claims", "turn", "leader", "tricks_ns", "tricks_ew")
"""What a room's member has while the board is on its table."""
_UNKNOWN = {
    "contract": None,
    "declarer": None,
    "tricks": None,
    "score_ns": None,
    "source": None,
    "checked": False,
}


def folded(snapshot: State, events: Iterable[Message]) -> State:
    """The snapshot with each event applied once, in order."""
    state = copy.deepcopy(snapshot)
    for event in events:
        if event.event == "snapshot":
            state = copy.deepcopy(event.data)
        elif event.event != "reset":
            fold(state, event)
    return state


def fold(state: State, event: Message) -> None:
    """Apply one event; repeats are dropped by their id."""
    if event.id is not None:
        if event.number <= int(state["last_event"].rpartition("-")[2]):
            return
        state["last_event"] = event.id
    data = copy.deepcopy(event.data)
    about = {name: value for name, value in data.items() if name not in _PLACE}
    match event.event:
        case "match":
            state.update(about)
        case "comparison":
            totals = about.pop("totals")
            _board(state, data).update(about)
            state["totals"] = totals
        case "worth":
            stake = {"room": data["room"], "outcomes": data["outcomes"]}
            _board(state, data)["worth"] = stake if data["outcomes"] else None
        case "board":
            _open(state, data)
        case "comment" | "correction" | "analysis" | "penalty" | "closed":
            """Aside, or told by ``match`` besides."""
        case _:
            _in_room(_board(state, data)[data["room"]], event.event, about)


def _board(state: State, data: State) -> State:
    found = [
        board
        for board in state["boards"]
        if (board["segment"], board["number"]) == (data["segment"], data["board"])
    ]
    assert len(found) == 1, data
    return found[0]  # type: ignore[no-any-return]


def _open(state: State, data: State) -> None:
    room = data["room"]
    for board in state["boards"]:
        for name in _TABLE:
            board[room].pop(name, None)
    board = _board(state, data)
    board |= {name: data[name] for name in ("dealer", "vulnerable", "deal")}
    table = {name: data.get(name, 0 if name.startswith("tricks") else None) for name in _TABLE}
    table |= {name: data.get(name, []) for name in ("auction", "play")}
    standing = {name: data[name] for name in ("contract", "declarer") if name in data}
    # Claims of a board that is opened again come with the board's result, or have fallen.
    board[room] = {"state": "in_play", **_UNKNOWN, **standing, **table, "claims": []}


def _in_room(room: State, name: str, data: State) -> None:
    match name:
        case "call":
            room["turn"] = data.pop("turn")
            room["auction"].append(data)
        case "explain":
            room["auction"][data.pop("call_index")].update(data)
        case "contract":
            room.update(data)
        case "card":
            room |= {name: data[name] for name in ("turn", "tricks_ns", "tricks_ew")}
            played = {name: data.get(name) for name in ("seat", "card", "trick", "winner")}
            room["play"].append(played)
        case "claim":
            room["claims"].append(data | {"accepted": None})
        case "claim_answer":
            room["claims"][-1]["accepted"] = data["accepted"]
        case "undo":
            _undo(room, data)
        case "result":
            room.update(data)
            if room["state"] in ("played", "claimed", "passed_out") and "turn" in room:
                room["turn"] = None
        case _:
            raise AssertionError(f"the interface has no event {name}")


def _undo(room: State, data: State) -> None:
    """So many calls and cards stand; a claim or result after them falls, and the auction's contract is told."""
    calls, cards = data["to"]["calls"], data["to"]["cards"]
    standing = {name: data[name] for name in ("contract", "declarer", "leader")}
    room |= {"state": "in_play", **_UNKNOWN, **standing}
    room |= {"auction": room["auction"][:calls], "play": room["play"][:cards]}
    room["claims"] = [claim for claim in room["claims"] if claim["accepted"] is False]
    room |= {name: data[name] for name in ("turn", "tricks_ns", "tricks_ew")}


def cleaned(state: State) -> State:
    """A state as far as the sentence on folding goes: everything but its cursor."""
    return {name: value for name, value in state.items() if name != "last_event"}


def without_gap(events: Sequence[Message], after: int) -> bool:
    """Whether the numbered events follow ``after`` one by one."""
    numbers = [event.number for event in events if event.id is not None and event.event != "snapshot"]
    return numbers == list(range(after + 1, after + 1 + len(numbers)))

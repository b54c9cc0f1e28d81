"""A match at a running server, entered from its rooms by token, as operators and directors do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import dealer_of
from broadcast.bridge.calls import Call
from tests.builders import deal_of
from tests.serving import Json, Served, posted

LIVE: Json = {"rule": "live"}


@dataclass
class Room:
    """One room's operator."""

    client: httpx.Client
    match: str
    name: str

    @property
    def path(self) -> str:
        return f"/api/matches/{self.match}/rooms/{self.name}"

    def send(self, *commands: Json, key: str | None = None, expected: int | None = None) -> httpx.Response:
        body: Json = {"command": commands[0]} if len(commands) == 1 else {"commands": list(commands)}
        if expected is not None:
            body["expected"] = expected
        return self.client.post(
            f"{self.path}/commands", json=body, headers={"idempotency-key": key or uuid4().hex}
        )

    def enters(self, *commands: Json) -> int:
        """The room's sequence after commands that must be taken."""
        response = self.send(*commands)
        assert response.status_code == 201, response.text
        return int(response.json()["room_sequence"])

    def view(self) -> Any:
        return self.client.get(self.path).raise_for_status().json()


@dataclass
class Entered:
    """A match and the clients of its director, its two rooms and anybody."""

    served: Served
    id: str
    director: httpx.Client
    open: Room
    closed: Room
    public: httpx.Client

    @property
    def path(self) -> str:
        return f"/api/matches/{self.id}"

    def rules(self, type: str, reason: str = "ruling", **fields: Any) -> Any:
        return posted(self.director, f"{self.path}/rulings", {"type": type, "reason": reason, **fields})

    def json(self, hidden: bool = False) -> Any:
        query = {"results": "hidden"} if hidden else {}
        return self.public.get(self.path, params=query).raise_for_status().json()

    def board(self, number: int) -> Any:
        boards: list[Any] = self.json()["boards"]
        return next(board for board in boards if board["number"] == number)


@contextmanager
def entered(served: Served, boards: int = 2, **wanted: Any) -> Iterator[Entered]:
    """A new match of the server, by default live and its deals typed; its clients are closed in the end."""
    body: Json = {
        "title": "Club final",
        "home": "Modra",
        "visitors": "Vihar",
        "segments": [{"first": 1, "last": boards}],
        "deals": "typed",
        "release": LIVE,
        "no_devices": True,
        "correction_minutes": 30,
    }
    with served.client(served.token(f"dora-{uuid4().hex[:6]}", "director")) as director:
        made = posted(director, "/api/matches", body | wanted)
        tokens = [made["rooms"][name]["token"] for name in ("open", "closed")]
        with served.client(tokens[0]) as one, served.client(tokens[1]) as two, served.client() as public:
            rooms = Room(one, made["id"], "open"), Room(two, made["id"], "closed")
            yield Entered(served, made["id"], director, *rooms, public)


def opening(number: int, **fields: Any) -> Json:
    return {"type": "open_board", "segment": 1, "board": number, "deal": str(deal_of(number)), **fields}


def calls(number: int, *made: str) -> list[Json]:
    """Calls in turn from the board's dealer."""
    auction = Auction(dealer_of(number))
    entries: list[Json] = []
    for call in made:
        assert auction.turn is not None
        entries.append({"type": "call", "seat": auction.turn.value, "call": call})
        auction = auction.with_call(auction.turn, Call.parse(call))
    return entries


def one_notrump(number: int) -> list[Json]:
    """The board opened and passed out in one notrump by its dealer."""
    return [opening(number), *calls(number, "1NT", "Pass", "Pass", "Pass")]


def claim(number: int, tricks: int, accepted: bool = True) -> Json:
    return {"type": "claim", "seat": dealer_of(number).value, "tricks": tricks, "accepted": accepted}


def tell(match: Entered) -> None:
    """Two boards with a slip, a refused claim, a comment, a ruling, a penalty, and the match's end."""
    room, other = match.open, match.closed
    room.enters(opening(1, players={"N": "Ann"}), *calls(1, "1C", "Pass"))
    room.enters({"type": "undo", "steps": 2})
    other.enters(opening(1), *calls(1, "1NT", "Pass"))
    room.enters(*calls(1, "1NT", "Pass", "Pass", "Pass"))
    room.enters({"type": "explain", "call_index": 0, "explanation": "15-17"})
    card = room.view()["legal"]["cards"][0]
    room.enters({"type": "card", "seat": "E", "card": card})
    room.enters(claim(1, 9, accepted=False))
    room.enters({"type": "claim_answer", "accepted": False})
    place = {"segment": 1, "board": 1, "room": "open", "call": 4, "card": 1, "language": "en"}
    posted(room.client, f"{match.path}/comments", place | {"text": "Slow.", "author": "vugraph"})
    other.enters(*calls(1, "1NT", "Pass", "Pass", "Pass")[2:], claim(1, 7))
    room.enters(claim(1, 8))
    match.rules("correct_result", room="open", segment=1, board=1, contract="1NT", declarer="N", tricks=9)
    for each in (room, other):
        each.enters(*one_notrump(2), claim(2, 7))
    match.rules("penalty", "late", side="visitors", unit="imps", amount=1)
    match.rules("close", "played")

"""Addresses of the JSON as OpenAPI describes them: short makers, and the addresses of matches and search."""

from collections.abc import Iterable, Mapping
from typing import Any

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS
from broadcast.storage.board_search import Order
from broadcast.tables.setup import ReleaseRule
from broadcast.web.command_json import ENTRIES
from broadcast.web.described.match_schemas import STATUSES
from broadcast.web.described.shapes import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    Schema,
    about,
    by_key,
    code,
    maybe,
    ref,
    several,
    thing,
)
from broadcast.web.match_json import RULINGS
from broadcast.web.search_query import MOST_BOARDS

Operation = dict[str, Any]
Paths = dict[str, dict[str, Operation]]

ANYTHING: Schema = {"type": "object"}
EXAMPLES = {"board": "1.1", "room": "open"}
"""Values of a path's parameters that mean something everywhere."""


def parameter(
    name: str, schema: Schema, text: str = "", *, required: bool = False, example: str = ""
) -> Operation:
    described: Operation = {"name": name, "in": "query", "required": required, "schema": schema}
    if text:
        described["description"] = text
    if example:
        described["example"] = example
    return described


LANG = parameter("lang", code(("en", "zh")), "language of error messages")
RESULTS = parameter("results", code(("hidden",)), "leaves out whatever tells a result")
AFTER = parameter("after", STRING, "a cursor: `next`, `last` or `last_event` of an earlier answer")


def read(
    summary: str, answer: Schema, *parameters: Operation, hides: bool = True, tag: str = "public"
) -> Operation:
    """A public address: anybody may GET it, from any site; it has an ETag."""
    return {
        "summary": summary,
        "tags": [tag],
        "parameters": [*parameters, *([RESULTS] if hides else []), LANG],
        "security": [],
        "responses": {
            "200": {
                "description": "the answer",
                "headers": {"ETag": {"schema": STRING, "description": "send it back as If-None-Match"}},
                "content": {"application/json": {"schema": answer}},
            },
            "304": {"description": "you have it already"},
            "default": _problem(),
        },
    }


def read_privately(
    summary: str, answer: Schema, *parameters: Operation, media: str = "application/json"
) -> Operation:
    """An address that wants a bearer token."""
    content = {media: {"schema": answer}}
    responses = {"200": {"description": "the answer", "content": content}, "default": _problem()}
    return {"summary": summary, "tags": ["with a token"], "parameters": [*parameters], "responses": responses}


def write(summary: str, body: Schema | None, answer: Schema, status: int = 201) -> Operation:
    """A command: it wants a bearer token, and a key of its own by which it may be sent again."""
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "schema": STRING | {"maxLength": 200},
        "description": "new for every command; the same key and body give the first answer again",
    }
    operation: Operation = {"summary": summary, "tags": ["with a token"], "parameters": [key]}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    content = {"application/json": {"schema": answer}}
    operation["responses"] = {str(status): {"description": "done", "content": content}, "default": _problem()}
    return operation


def withdraw(summary: str) -> Operation:
    return {
        "summary": summary,
        "tags": ["with a token"],
        "responses": {"200": {"description": "done"}, "default": _problem()},
    }


def for_command_line(summary: str) -> Operation:
    """Open to the local socket alone."""
    return write(summary, ANYTHING, ANYTHING) | {"tags": ["command line"], "x-local": True}


def _problem() -> Operation:
    return {"description": "refused", "content": {"application/json": {"schema": ref("Problem")}}}


POLLED = {
    "oneOf": [
        thing(
            {
                "events": several(
                    thing(
                        {
                            "id": about(maybe(STRING), "null for what carries no id"),
                            "event": STRING,
                            "data": about(ANYTHING, "as /api/events.json describes it"),
                        }
                    )
                ),
                "last": STRING,
            }
        ),
        thing(
            {"reset": code(("epoch", "unknown", "behind"))}, "Take the whole resource, and go on from there."
        ),
    ]
}

_SEARCH = (
    parameter("q", STRING, "any name: player, team, match"),
    parameter("contract", STRING, "4S, 3NT, 5HX, 6, NT, X or Pass; several with commas", example="1NT,3NT"),
    parameter("declarer", STRING, "a seat or a name"),
    parameter("player", STRING, "a name at any seat"),
    parameter("team", STRING, "a name or an id"),
    parameter("result", code(("made", "down")), "not while results are hidden"),
    parameter("swing", STRING, "IMPs: 10, 10-15 or 10-; not while results are hidden", example="0-"),
    parameter("shape", STRING, "5-4-3-1 in any suits, 5=4=3=1 exactly; x for any length", example="x-x-x-x"),
    parameter("hcp", STRING, "high-card points of the same hand: 15-17, 20-", example="0-"),
    parameter("seat", code(SEATS), "whose hand"),
    parameter("match", STRING, "in one match only"),
    parameter("order", code(Order), "`swing` not while results are hidden"),
    parameter("limit", INTEGER | {"minimum": 1, "maximum": MOST_BOARDS}),
    AFTER,
)

_TEAM = {"oneOf": [STRING, thing({"id": STRING, "name": STRING}, optional=("name",))]}
_ROOM_COMMAND = thing({"type": code(ENTRIES)}, "Beside `type` the fields of that command.")

MATCH_PATHS: Paths = {
    "/api/matches": {
        "get": read(
            "Matches, newest first",
            thing({"matches": several(ref("MatchInList")), "next": maybe(STRING)}),
            parameter("status", code(STATUSES)),
            parameter("limit", INTEGER | {"minimum": 1, "maximum": 100}),
            AFTER,
        ),
        "post": write(
            "Make a match (director)",
            thing(
                {
                    "title": STRING,
                    "home": _TEAM,
                    "visitors": _TEAM,
                    "segments": several(ANYTHING),
                    "deals": about(STRING, "random, typed, or PBN"),
                    "scale": STRING,
                    "carry_over": ANYTHING,
                    "release": thing({"rule": code(ReleaseRule), "seconds": INTEGER}, optional=("seconds",)),
                    "no_devices": BOOLEAN,
                    "correction_minutes": INTEGER,
                },
                optional=("deals", "scale", "carry_over", "release", "no_devices", "correction_minutes"),
            ),
            thing({"id": STRING, "rooms": by_key(thing({"link": STRING, "token": STRING}))}),
        ),
    },
    "/api/matches/{match}": {"get": read("A match with its boards and totals", ref("Match"))},
    "/api/matches/{match}/boards/{board}": {
        "get": read("A board: deal, auctions, play, comments, corrections", ref("BoardInFull"))
    },
    "/api/matches/{match}/events": {"get": read("The match's stream by polling", POLLED, AFTER)},
    "/api/matches/{match}/corrections": {
        "get": read(
            "What changed after it was public",
            thing({"match": STRING, "corrections": several(ref("CorrectionLine")), "last_event": STRING}),
        )
    },
    "/api/search": {
        "get": read(
            "Released boards by contract, names, swing, shape and points",
            thing(
                {
                    "boards": several(ref("FoundBoard")),
                    "found": about(maybe(INTEGER), "null for more than are counted"),
                    "next": maybe(STRING),
                }
            ),
            *_SEARCH,
        )
    },
    "/api/matches/{match}/desk": {"get": read_privately("Alarms and both rooms (director)", ANYTHING)},
    "/api/matches/{match}/desk/events": {
        "get": read_privately("The desk's log as a stream (director)", STRING, media="text/event-stream")
    },
    "/api/matches/{match}/rulings": {
        "post": write(
            "Rule (director)",
            thing(
                {"type": code(RULINGS), "reason": STRING, "preview": BOOLEAN}, optional=("reason", "preview")
            ),
            ANYTHING,
        )
    },
    "/api/matches/{match}/comments": {
        "post": write(
            "Comment on a position (commentator)",
            thing(
                {
                    "segment": INTEGER,
                    "board": INTEGER,
                    "room": code(Room),
                    "call": INTEGER,
                    "card": INTEGER,
                    "language": STRING,
                    "text": STRING,
                },
                optional=("segment", "call", "card", "language"),
            ),
            ANYTHING,
        )
    },
    "/api/matches/{match}/rooms/{room}": {
        "get": read_privately("The board in progress, and what is legal (operator)", ANYTHING)
    },
    "/api/matches/{match}/rooms/{room}/events": {
        "get": read_privately("The room's log as a stream (operator)", STRING, media="text/event-stream")
    },
    "/api/matches/{match}/rooms/{room}/commands": {
        "post": write(
            "Enter what happens at the table (operator)",
            thing(
                {
                    "expected": INTEGER,
                    "command": _ROOM_COMMAND,
                    "commands": several(_ROOM_COMMAND),
                    "waited": about(
                        {**NUMBER, "minimum": 0}, "seconds between entering and sending, for the clocks"
                    ),
                },
                optional=("expected", "command", "commands", "waited"),
            ),
            thing({"room_sequence": INTEGER, "events": several(ANYTHING)}),
        )
    },
    "/api/matches/{match}/rooms/{room}/operators": {
        "post": write("Another operator's link (director)", None, thing({"link": STRING, "token": STRING})),
        "delete": withdraw("Withdraw all links of the room (director)"),
    },
    "/api/matches/{match}/checks": {
        "get": read_privately("What a second pair of eyes has to check (director)", ANYTHING),
        "post": write("Check a result (director)", ANYTHING, ANYTHING),
    },
    "/api/matches/{match}/confirmers": {
        "post": write("A link to check results (director)", None, ANYTHING),
        "delete": withdraw("Withdraw the links to check results (director)"),
    },
    "/api/matches/{match}/clocks": {"get": read_privately("The rooms' clocks (director)", ANYTHING)},
    "/api/matches/{match}/clocks.csv": {
        "get": read_privately("The same for a spreadsheet (director)", STRING, media="text/csv")
    },
    "/api/matches/{match}/record": {
        "post": write("Take in a record of the match (director)", ANYTHING, ANYTHING)
    },
}


def path_parameters(path: str) -> Iterable[Mapping[str, Any]]:
    """The parameters in an address."""
    names = [part.partition("}")[0] for part in path.split("{")[1:]]
    for name in names:
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "schema": code(Room) if name == "room" else STRING,
            **({"example": EXAMPLES[name]} if name in EXAMPLES else {}),
        }

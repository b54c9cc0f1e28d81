"""The described interface against a running server: every address answers as it says, and none is left out.

Schemas are held to more than they promise: a member that is not listed is a fault here.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route

import server
from broadcast.house.settings import Settings
from tests.builders import deal_of
from tests.scenarios.entries import auction, ended, opened
from tests.serving import Json, Served, posted, serving

DEALS = "\n\n".join(f'[Board "{number}"]\n[Deal "{deal_of(number)}"]' for number in (1, 2, 3))
LIVE = {"rule": "live"}
ALONE = {"/local/imports", "/local/index"}
"""JSON that is no part of the public interface."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a match in which everything happened, and a ladder with a challenge."""
    with serving(tmp_path_factory.mktemp("house")) as served:
        yield served


@pytest.fixture(scope="module")
def known(house: Served) -> dict[str, str]:
    """What may stand for the parameters of an address."""
    match = _played(house)
    ladder, challenge, team = _challenged(house)
    return {
        "match": match,
        "ladder": ladder,
        "challenge": challenge,
        "team": team,
        "board": "1.1",
        "room": "open",
    }


def _played(house: Served) -> str:
    setup: Json = {
        "title": "Final", "home": "Modra", "visitors": "Vihar", "segments": [{"first": 1, "last": 3}],
        "deals": DEALS, "release": LIVE, "no_devices": True, "correction_minutes": 0,
    }  # fmt: skip
    made = house.post("/api/matches", setup)
    match = str(made["id"])

    def enter(room: str, *commands: Json) -> None:
        with house.client(made["rooms"][room]["token"]) as client:
            posted(client, f"/api/matches/{match}/rooms/{room}/commands", {"commands": [*commands]})

    def rule(type: str, **fields: Any) -> None:
        house.post(f"/api/matches/{match}/rulings", {"type": type, "reason": "as ruled", **fields})

    place = {"segment": 1, "board": 1}
    for room in ("open", "closed"):
        board = {name: value for name, value in opened(1, players={"N": "Ann"}).items() if name != "deal"}
        enter(room, board, *auction(1, "1NT Pass 3NT X Pass Pass Pass", "told "))
        enter(room, {"type": "explain", "call_index": 0, "explanation": "14-16"})
        for _ in range(5):
            with house.client(made["rooms"][room]["token"]) as client:
                table = client.get(f"/api/matches/{match}/rooms/{room}").json()
            enter(room, {"type": "card", "seat": table["board"]["turn"], "card": table["legal"]["cards"][0]})
        enter(room, {"type": "undo", "steps": 1}, {"type": "claim", "seat": "N", "tricks": 10})
        enter(room, {"type": "claim_answer", "accepted": room == "open"})
    words = {**place, "room": "open", "call": 1, "card": 0, "text": "strong"}
    house.post(f"/api/matches/{match}/comments", words)
    enter("closed", ended("3NTX", "N", 8))
    rule("correct_result", **place, room="closed", contract="3NTX", declarer="N", tricks=9)
    enter("open", {"type": "open_board", "segment": 1, "board": 2}, *auction(2, "Pass Pass Pass Pass"))
    enter("closed", {"type": "open_board", "segment": 1, "board": 2}, *auction(2, "1S Pass Pass Pass"))
    enter("closed", {"type": "undo", "to": {"calls": 2, "cards": 0}}, *auction(2, "X X Pass Pass")[2:])
    enter("closed", ended("1S", "E", 7))
    rule("award", segment=1, board=2, award={"kind": "artificial", "home": "+", "visitors": "-"})
    rule("penalty", side="home", unit="imps", amount=2)
    rule("cancel_board", segment=1, board=3)
    return match


def _challenged(house: Served) -> tuple[str, str, str]:
    rules = {"schedule": "at_once", "boards": 8, "release": {"rule": "board"}}
    ladder = house.post("/api/ladders", {"name": "Ladder", "rules": rules})["id"]
    teams = []
    for name in ("Modra", "Vihar"):
        roster = {"name": name, "players": [f"{name} {number}" for number in range(1, 5)]}
        teams.append(house.post("/api/teams", roster)["id"])
        house.post(f"/api/ladders/{ladder}/entries", {"team": teams[-1]})
    version = house.get(f"/api/ladders/{ladder}")["version"]
    body = {"team": teams[1], "opponent": teams[0], "ladder_version": version}
    with house.local() as client:
        issued = posted(client, f"/api/ladders/{ladder}/challenges", body)
    return ladder, issued["id"], teams[0]


def strict(schema: Any) -> Any:
    """The same, and nothing beside the members it lists."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    held = {name: strict(value) for name, value in schema.items()}
    return held | {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else held


class Document:
    def __init__(self, found: Json) -> None:
        self.whole = found
        self._components = strict(found["components"]["schemas"])

    def faults(self, schema: Json, value: Any) -> list[str]:
        whole = {**strict(schema), "components": {"schemas": self._components}}
        found = Draft202012Validator(whole).iter_errors(value)
        return [f"{error.json_path}: {error.message[:300]}" for error in found]


@pytest.fixture(scope="module")
def interface(house: Served) -> Document:
    return Document(house.get("/openapi.json"))


def test_every_schema_is_sound(interface: Document) -> None:
    for schema in interface.whole["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_json_address_is_described_with_every_method(interface: Document) -> None:
    described = {
        (method.upper(), path)
        for path, operations in interface.whole["paths"].items()
        for method in operations
        if method != "parameters"
    }
    served = {
        (method, route.path)
        for route in server.Server(Settings()).app.routed.routes
        if isinstance(route, Route) and route.path.startswith(("/api/", "/openapi"))
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert described == served


def _addresses(interface: Document, known: dict[str, str]) -> Iterator[tuple[str, Json]]:
    for path, operations in interface.whole["paths"].items():
        operation = operations.get("get")
        if operation is None or operation.get("security") != [] or "{club}" in path:
            continue
        query = "&".join(
            f"{each['name']}={each['example']}" for each in operation.get("parameters", ()) if "example" in each
        )
        yield f"{re.sub('{(.*?)}', lambda found: known[found[1]], path)}?{query}", operation


def test_every_public_address_answers_as_described(
    house: Served, interface: Document, known: dict[str, str]
) -> None:
    wrong = {}
    count = 0
    with house.client() as client:
        for address, operation in _addresses(interface, known):
            hides = any(each["name"] == "results" for each in operation.get("parameters", ()))
            for way in ("", "&results=hidden") if hides else ("",):
                asked = address.replace("swing=0-&", "") + way if way else address
                answer = client.get(asked)
                schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
                count += 1
                if answer.status_code != 200 or (faults := interface.faults(schema, answer.json())):
                    wrong[asked] = answer.text[:200] if answer.status_code != 200 else faults
                    continue
                again = client.get(asked, headers={"if-none-match": answer.headers["etag"]})
                if again.status_code != 304:
                    wrong[asked] = f"{again.status_code} for its own tag"
    assert wrong == {}
    assert count > 25


def test_refusals_have_the_described_shape(house: Served, interface: Document) -> None:
    with house.client() as client:
        for address in ("/api/matches/none", "/api/search?shape=1", "/api/account", "/api/tools/imps"):
            answer = client.get(address)
            assert answer.status_code >= 400
            assert {"error", "message"} <= answer.json().keys()


def test_private_addresses_say_that_they_want_a_token(house: Served, interface: Document) -> None:
    with house.client() as client:
        for path, operations in interface.whole["paths"].items():
            for method, operation in operations.items():
                if method == "parameters" or operation.get("security") == []:
                    continue
                answer = client.request(method, path.replace("{room}", "open"), json={})
                assert answer.status_code in (401, 403, 404), (method, path, answer.text)


@pytest.mark.parametrize("stream", ["/matches/{match}/events", "/ladders/{ladder}/events"])
def test_every_event_of_a_stream_is_as_described(house: Served, known: dict[str, str], stream: str) -> None:
    whole = house.get("/api/events.json")
    document = Document(whole)
    (described,) = [each["events"] for each in whole["streams"] if each["address"] == stream]
    address = stream.replace("{match}", known["match"]).replace("{ladder}", known["ladder"])
    seen: set[str] = set()
    for hidden in (False, True):
        query = {"after": "1-0", **({"results": "hidden"} if hidden else {})}
        told = house.get(f"/api{address}", params=query)["events"]
        told += [first_of_stream(house, address, hidden)]
        for event in told:
            name = event["event"]
            assert document.faults(described[name]["data"], event["data"]) == [], (name, event["data"])
            assert (event["id"] is not None) == described[name]["id"], name
            assert described[name]["results_hidden"] or not hidden, name
            seen.add(name)
    assert first_of_stream(house, address, False, "9-9")["event"] == "reset"
    if "match" in stream:
        assert seen == set(described) - {"reset"}
    else:
        assert {"snapshot", "rung", "challenge"} <= seen


def first_of_stream(house: Served, address: str, hidden: bool, after: str | None = None) -> Json:
    query = {
        name: value for name, value in (("results", "hidden" if hidden else None), ("after", after)) if value
    }
    with house.client() as client, client.stream("GET", address, params=query) as stream:
        event: Json = {"id": None}
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                event[name] = value
            if not line and "data" in event:
                return event | {"data": json.loads(event["data"])}
    raise AssertionError("the stream has said nothing")


def test_documents_may_be_read_from_any_site(house: Served) -> None:
    for address in ("/openapi.json", "/api/events.json"):
        answer = httpx.get(house.address + address, headers={"origin": "null"}, trust_env=False)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["etag"]

"""Whatever is sent: an answer of one shape, never a failure of the house, never a second of its time."""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broadcast.web.command_json import ENTRIES
from broadcast.web.match_json import RULINGS
from tests.builders import deal_of
from tests.scenarios.entries import auction, next_card, opened
from tests.scenarios.outlets import filled
from tests.scenarios.test_roles import TABLE
from tests.scenarios.whole_house import Answer, Contest, contest, whole_house

hostile = settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
MOST_SECONDS = 1.0
"""Of processor time, for one request."""

FIELDS = """
type segment board room reason deal dealer vulnerable players seat call alert explanation irregular card
call_index tricks accepted to steps calls cards contract declarer passed_out side unit amount award kind
parts score_ns percent home visitors rule seconds seats publish alarm text language author expected command
commands title segments first last ns_open lineups deals scale imp_scale penalty_scale carry_over boards
release no_devices correction_minutes starts_at name captain club team opponent ladder_version rules preview
""".split()  # noqa: SIM905
QUESTIONS = """
after limit status room call card lang results team contract tricks boards imps difference scale
""".split()  # noqa: SIM905
TYPES = [*ENTRIES, *RULINGS]
CODES = [
    "N",
    "SA",
    "1NT",
    "Pass",
    "XX",
    "7CXX",
    "open",
    "home",
    "NS",
    "None",
    "random",
    "typed",
    "split",
    "+",
    "en",
]
AWKWARD = [
    "",
    " ",
    "\x00",
    "\ud7ff",
    "🂡",
    "\u202e",
    "<svg/onload=alert()>",
    "' OR 1=1 --",
    "{0.__class__}",
    "%s",
    "../..",
]
texts = st.sampled_from([*TYPES, *CODES, *AWKWARD]) | st.text(max_size=30) | st.just("x" * 3000)
numbers = (
    st.integers(-3, 20)
    | st.sampled_from([10**9, 10**18, -(2**63) - 1, 2**64, 10**40])
    | st.floats(allow_nan=False)
)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*FIELDS, "N", "open"]), inner, max_size=4)
    ),
    max_leaves=8,
)
PLAUSIBLE: dict[str, list[Any]] = {
    "segment": [1],
    "board": [1, 2, 3],
    "room": ["open", "closed"],
    "reason": ["why"],
    "deal": [str(deal_of(1)), str(deal_of(2)), "N:AKQJT98765432... - - -"],
    "dealer": ["N", "E"],
    "players": [{"N": "Ann"}, {"S": {"id": "p1", "name": "Bob"}}],
    "seat": ["N", "E", "S", "W"],
    "call": ["Pass", "X", "XX", "1C", "2NT", "7NT"],
    "card": ["SA", "H2", "DT", "C7"],
    "tricks": [0, 7, 13, 14],
    "contract": ["3NT", "7CXX", "8S", "Pass"],
    "declarer": ["N", "W"],
    "to": [{"calls": 0, "cards": 0}, {"calls": 1, "cards": 1}, "NS", "EW"],
    "steps": [1, 2, 0],
    "call_index": [0, 1, -1],
    "irregular": ["revoke", "out_of_turn", "insufficient"],
    "accepted": [True, False],
    "side": ["home"],
    "unit": ["imps", "vps"],
    "amount": [3, 0.5, 1000],
    "award": [
        {"kind": "artificial", "home": "+", "visitors": "-"},
        {"kind": "assigned", "room": "open", "score_ns": 10**9},
        {
            "kind": "weighted",
            "room": "open",
            "parts": [{"score_ns": 420, "percent": 60}, {"score_ns": -50, "percent": 40}],
        },
        {"kind": "weighted", "room": "open", "parts": []},
        {"kind": "split", "home": {"kind": "split"}, "visitors": {}},
    ],
    "rule": ["live", "delay", "board", "match"],
    "seconds": [0, 1, 10**9],
    "seats": [{"N": "Ann", "S": "Bob"}],
    "publish": [True],
    "alarm": ["1.2.record"],
}
"""Values that a command may well have, so that the rules behind the reading are met too."""
commands = st.sampled_from(TYPES).flatmap(
    lambda type: st.fixed_dictionaries(
        {"type": st.just(type), **{name: st.sampled_from(likely) for name, likely in PLAUSIBLE.items()}}
    )
) | st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={name: st.sampled_from(PLAUSIBLE.get(name, [None])) | values for name in FIELDS if name != "type"},
)
bodies = st.one_of(
    commands,
    commands.map(lambda command: {"command": command}),
    st.lists(commands, max_size=3).map(lambda many: {"commands": many}),
    st.dictionaries(st.sampled_from(FIELDS), values, max_size=8),
    values,
)
raw_bodies = st.binary(max_size=60) | st.sampled_from(
    [
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"command": {"type": "\\ud800"}}',
        b'{"a": 1e999}',
        b"\xef\xbb\xbf{}",
        b'{"a":1,"a":2}',
    ]
)
asked = st.dictionaries(
    st.sampled_from(QUESTIONS),
    st.sampled_from(
        [
            *CODES,
            *AWKWARD,
            "1-1",
            "-1",
            "1-",
            "9" * 400,
            "1-" + "9" * 400,
            "0001-01-01~a",
            "9999-12-31T23:59:59-23:59~a",
        ]
    )
    | st.text(max_size=20),
    max_size=3,
)
last_ids = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40) | st.sampled_from(
    ["1-0", "1-1", "01-1", "1-99", "2-1", "-1", "1-1-1", "9" * 5000, "1-\xb2", "\xb9-1"]
)
ids = st.text(min_size=1, max_size=12) | st.sampled_from(
    [*AWKWARD[1:], "1.1", "..", "9" * 400, "x" * 3000, "1.²", "１.１"]
)


@dataclass
class Visitor:
    """Someone who sends anything; everything answered is looked at."""

    runner: asyncio.Runner
    contest: Contest

    def ask(
        self,
        method: str,
        address: str,
        sender: str | None,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        token = None if sender is None else self.contest.tokens[sender]
        house = self.contest.house
        before = time.process_time()
        answer = self.runner.run(house.ask(method, address, token, body, headers))
        assert time.process_time() - before < MOST_SECONDS, (method, address)
        assert 200 <= answer.status < 500, (method, address, answer.body)
        if answer.status >= 400 and method != "HEAD":
            if answer.header("content-type") == "application/json":
                told: dict[str, Any] = answer.json()
                assert isinstance(told["error"], str) and isinstance(told["message"], str)
            else:  # a link that leads nowhere is explained on the page that it would have led to
                assert not address.startswith("/api/") and b'role="alert"' in answer.body
        return answer

    def post(self, path: str, body: bytes, key: str) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        for address in filled(path, self.contest)[:1]:
            for sender in ("dora", "operator open" if "/matches/{match}/" in path else "ann"):
                self.ask("POST", address, sender, body, headers)


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with asyncio.Runner() as runner:
        opening = whole_house(tmp_path_factory.mktemp("hostile"))
        house = runner.run(opening.__aenter__())
        try:
            match = runner.run(contest(house))
            runner.run(match.enter("open", opened(1), *auction(1, "1NT Pass Pass Pass")))
            runner.run(match.enter("open", runner.run(next_card(match, "open"))))
            yield Visitor(runner, match)
        finally:
            runner.run(opening.__aexit__(None, None, None))


POSTS = [row.split()[1] for row in TABLE if row.startswith("POST /api/")]
GETS = [row.split()[1] for row in TABLE if row.startswith("GET ")]


@pytest.mark.parametrize("path", POSTS)
@settings(hostile, max_examples=40)
@given(body=bodies, key=st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20))
def test_any_json_is_answered(visitor: Visitor, path: str, body: Any, key: str) -> None:
    visitor.post(path, json.dumps(body).encode(), key)


def test_match_of_a_thousand_million_boards_is_refused_before_they_are_dealt(visitor: Visitor) -> None:
    for segments in ([{"first": 1, "last": 10**9}], [{"first": 1, "last": 1000}] * 100):
        body = {"title": "Long", "home": "A", "visitors": "B", "segments": segments}
        headers = {"Content-Type": "application/json", "Idempotency-Key": "long"}
        answer = visitor.ask("POST", "/api/matches", "dora", json.dumps(body).encode(), headers)
        assert (answer.status, answer.json()["error"]) == (422, "too_many_boards")


@hostile
@given(body=raw_bodies, path=st.sampled_from(POSTS))
def test_any_bytes_are_answered(visitor: Visitor, body: bytes, path: str) -> None:
    visitor.post(path, body, "k")


@hostile
@given(
    path=st.sampled_from(GETS),
    query=asked,
    last_id=last_ids,
    sender=st.sampled_from([None, "dora", "operator open"]),
)
def test_any_question_and_cursor_are_answered(
    visitor: Visitor, path: str, query: dict[str, str], last_id: str, sender: str | None
) -> None:
    text = "&".join(f"{name}={quote(value)}" for name, value in query.items())
    addresses = [*filled(path, visitor.contest)[:1], f"/matches/{visitor.contest.match}/events"]
    for address in addresses:
        visitor.ask("GET", f"{address}?{text}", sender, headers={"Last-Event-ID": last_id})


@hostile
@given(path=st.sampled_from([*GETS, *POSTS, "/matches/{match}/events", "/{match}"]), id=ids, data=st.data())
def test_any_path_is_answered(visitor: Visitor, path: str, id: str, data: st.DataObject) -> None:
    parts = [quote(id, safe="") if part.startswith("{") else part for part in path.split("/")]
    method = data.draw(st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS"]))
    visitor.ask(method, "/".join(parts), None)


@hostile
@given(query=st.binary(max_size=30), language=st.text(st.characters(max_codepoint=255), max_size=20))
def test_any_query_and_language_are_answered(visitor: Visitor, query: bytes, language: str) -> None:
    text = quote(query, safe="&=%+;?/")
    for address in ("/api/matches", "/api/tools/vps", f"/api/matches/{visitor.contest.match}/events"):
        visitor.ask("GET", f"{address}?{text}", None, headers={"Accept-Language": language})

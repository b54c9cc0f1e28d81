"""Text from people is text in every place where it can appear, and has its length.

One match, its ladder, teams and club are named by somebody who means ill: markup, quotes, templates, formulas,
lines that look like a file's own, letters from the right, overrides. Every way out is then read as its format
is read by others, and none of it may be anything but text. Each field refuses ten thousand characters.
"""

import asyncio
import csv
import io
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from broadcast.house.smtp import SmtpSettings, Tls, message_of
from broadcast.notation.lin import read_lin
from broadcast.notation.pbn import read_pbn
from broadcast.storage.mail_store import Waiting
from tests.scenarios.entries import auction, ended, next_card, opened
from tests.scenarios.outlets import observed
from tests.scenarios.whole_house import Answer, Contest, Json, contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes

HEBREW = "רוניחיפה"
MARKUP = f"{HEBREW}\"'><zq zqa=1>{{{{7*7}}}}🂡"
"""For names that are cleaned: at most 60 characters, none that cannot be seen."""
LINES = '\r\n\r\n[Zq "1"]\nevent: zq\ndata: zq\nBEGIN:ZQ\n|mb|7N|qx|o9|\n<zq>]]></script><!--\u2028\u202e%zq'
TEXT = f"=zq(){MARKUP}{LINES}"
"""For everything else."""


ALONE = {"", "=zq()", "v=zq()", "h", "v"}
"""What stands before the Hebrew where an element has this text alone."""


class Page(HTMLParser):
    """What a browser makes of a page: its elements and attributes, its text, its data for scripts."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.data: list[str] = []
        self._is_data = False
        self.feed(body)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.texts += [value or "" for name, value in attrs if not name.startswith("data-")]
        self._is_data = ("type", "application/json") in attrs
        assert tag != "script" or self._is_data or (dict(attrs)["src"] or "").startswith("/static/"), attrs

    def handle_endtag(self, tag: str) -> None:
        self._is_data = False

    def handle_data(self, data: str) -> None:
        (self.data if self._is_data else self.texts).append(data)


def check_page(body: str) -> None:
    page = Page(body)
    assert "zq" not in page.tags and "zqa" not in page.attributes
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}
    for data in page.data:
        json.loads(data)
    assert "49" not in re.findall(r">(\d\d)🂡", body)
    for text in page.texts:
        for found in re.finditer(HEBREW, text):
            before = text[: found.start()]
            if before.strip() in ALONE or "http" in before:
                continue  # the element isolates it, or it is part of an address
            assert before.count("\u2068") > before.count("\u2069"), before[-80:] + text[found.start() :][:80]
        assert "\u202e" not in text, text


def check_stream(body: str) -> None:
    for line in body.split("\n"):
        assert re.fullmatch(r"(?:(?:id|event|retry|data): .*|: ?.*|)\r?", line), line
        assert line not in ("event: zq", "data: zq")
        if line.startswith("data: {"):
            json.loads(line.removeprefix("data: "))


def check_xml(body: str) -> None:
    for element in ElementTree.fromstring(body).iter():  # noqa: S314 - made here
        assert "zq" not in element.tag and "zqa" not in element.attrib


def check_calendar(body: str) -> None:
    lines = body.replace("\r\n ", "").split("\r\n")
    assert "BEGIN:ZQ" not in lines and "\n" not in "".join(lines)
    assert all(re.match(r"[A-Z][A-Z-]*[:;]", line) for line in lines if line), body


def check_csv(body: str) -> None:
    rows = list(csv.reader(io.StringIO(body.removeprefix("\ufeff"))))
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if re.match(r"[=+@\t\r]|-[^\d]", cell)]


def check_pbn(body: str) -> None:
    assert not re.search(r"^\[Zq|^%zq|^event", body, re.MULTILINE)
    names = {line.split()[0] for line in body.splitlines() if line.startswith("[")}
    assert "[Zq" not in names
    assert all(board.number < 9 for board in read_pbn(body.encode()).boards)


def check_lin(body: str) -> None:
    read = read_lin(body.encode())
    numbers = [board.number for match in read.matches for part in match.segments for board in part.boards]
    assert all(number != 9 for number in numbers)
    assert "mb|7N|" not in body and "qx|o9|" not in body


CHECKS: dict[str, Callable[[str], None]] = {
    "text/html": check_page,
    "application/json": json.loads,
    "text/event-stream": check_stream,
    "application/atom+xml": check_xml,
    "text/xml": check_xml,
    "text/calendar": check_calendar,
    "text/csv": check_csv,
    "application/x-pbn": check_pbn,
    "application/x-lin": check_lin,
}
OURS_ALONE = {"text/css", "text/javascript", "text/plain", "application/manifest+json", "image/svg+xml"}
"""Kinds of answers in which no text from people stands."""


def check(where: str, answer: Answer) -> str:
    """Read an answer as its kind is read; the kind."""
    kind = (answer.header("content-type") or "").partition(";")[0]
    assert all("\r" not in value and "\n" not in value for _, value in answer.headers), where
    if kind == "image/png":
        assert answer.body.startswith(b"\x89PNG") and len(answer.body) < 500_000, where
        return kind
    body = answer.body.decode()
    assert len(body) < 2_000_000, where
    if kind in OURS_ALONE:
        assert "zq" not in body, where
        return kind
    try:
        CHECKS[kind](body)
    except Exception as error:
        raise AssertionError(f"{where}: {error}") from error
    return kind


async def named_by_an_enemy(stage: Contest) -> Contest:
    """Another ladder, two teams, a club and a match, all named so; the match played and talked of."""
    house, dora = stage.house, stage.tokens["dora"]
    ladder = (await house.done("/api/ladders", {"name": MARKUP, "rules": {"boards": 3}}, dora))["id"]
    teams = {}
    for side, captain in (("home", "ann"), ("visitors", "vic")):
        body = {"name": f"{side[0]} {MARKUP}", "players": [f"{MARKUP} {number}" for number in range(4)]}
        teams[side] = (await house.done("/api/teams", body, stage.tokens[captain]))["id"]
        await house.done(f"/api/ladders/{ladder}/entries", {"team": teams[side]}, stage.tokens[captain])
    version = (await house.get(f"/api/ladders/{ladder}")).json()["version"]
    sent = {"opponent": teams["home"], "ladder_version": version}
    issued = await house.done(f"/api/ladders/{ladder}/challenges", sent, stage.tokens["vic"])
    seats = dict.fromkeys("NESW", TEXT[:200])
    described: Json = {
        "title": TEXT[:200],
        "home": TEXT[:200],
        "visitors": f"v{TEXT}"[:200],
        "segments": [{"title": TEXT[:200], "first": 1, "last": 3, "lineups": {"open": seats, "closed": seats}}],
        "streams": [{"title": TEXT[:200], "url": "https://video.example/?a=1&b=zq"}],
        "deals": "typed",
        "starts_at": "2026-05-03T19:30:00+02:00",
    }
    made = await house.done("/api/matches", described, dora)
    for room in ("open", "closed"):
        house.tokens[f"operator {room}"] = made["rooms"][room]["token"]
    hostile = replace(stage, ladder=ladder, teams=teams, challenge=issued["id"], match=made["id"])
    for room in ("open", "closed"):
        calls = [call | {"explanation": TEXT} for call in auction(1, "1NT Pass Pass Pass")]
        await hostile.enter(room, opened(1), *calls)
        await hostile.enter(room, await next_card(hostile, room))
        await hostile.enter(room, ended("1NT", "N", 7 if room == "open" else 9))
        await hostile.enter(room, opened(3, reason=TEXT))
        await hostile.enter(room, {"type": "skip_board", "segment": 1, "board": 3, "reason": TEXT})
    told = {"segment": 1, "board": 1, "room": "open", "call": 1, "card": 0, "text": TEXT, "author": MARKUP}
    for language in ("en", "zh", "zq"):
        await house.done(f"/api/matches/{made['id']}/comments", told | {"language": language}, dora)
    result = {"contract": "2NT", "declarer": "N", "tricks": 8}
    await hostile.rule("correct_result", segment=1, board=1, room="open", **result, reason=TEXT)
    await hostile.rule("penalty", side="home", unit="imps", amount=3, reason=TEXT)
    await hostile.enter("open", opened(2), *auction(2, "1NT"))
    return hostile


def in_that_contest(
    directory: Path, monkeypatch: pytest.MonkeyPatch, story: Callable[[Contest], Awaitable[None]]
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(directory) as house:
            await story(await named_by_an_enemy(await contest(house)))

    asyncio.run(told())


def in_chinese(seen: dict[str, Answer]) -> Iterator[str]:
    """The pages among what was seen, in the other language."""
    for where, answer in seen.items():
        address = where.removeprefix("GET ")
        if (answer.header("content-type") or "").startswith("text/html") and "results=" not in address:
            yield f"{address}{'&' if '?' in address else '?'}lang=zh"


def test_text_from_people_is_text_wherever_it_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(stage: Contest) -> None:
        kinds, told = set(), ""
        for sender in (None, "dora", "operator open"):
            seen = await observed(stage, sender and stage.tokens[sender])
            for where, answer in seen.items():
                kinds.add(check(f"{where} by {sender}", answer))
                told += answer.body.decode(errors="replace")
            for address in in_chinese(seen) if sender != "operator open" else ():
                check(f"{address} by {sender}", await stage.house.get(address, sender and stage.tokens[sender]))
        assert kinds >= {*CHECKS, "image/png"} - {"text/xml"}, kinds
        assert "zq" in told and HEBREW in told
        browsers = {}
        for name in ("dora", "ann"):
            await stage.house.members.set_password(name, PASSWORD)
            stage.tokens[name] = await stage.house.members.add_token(name)
            browsers[name] = Browser(stage.house)
            await browsers[name].sign_in(name)
        for path in ("/captain", "/captain/inbox", "/desk", f"/desk/{stage.match}", f"/matches/{stage.match}"):
            for name, browser in browsers.items():
                check(f"{path} by {name}", await browser.get(path))
        for secret in [*stage.tokens.values(), stage.secret, stage.invitation, *stage.house.links.values()]:
            assert secret not in caplog.text

    with caplog.at_level(logging.DEBUG):
        in_that_contest(tmp_path, monkeypatch, story)


def test_letters_have_no_headers_of_somebody_else() -> None:
    """A name with a line break would add a recipient, were it put into a header as it is."""
    settings = SmtpSettings("mail.example", 25, Tls.NONE, "club@club.example")
    now = datetime(2026, 5, 1, tzinfo=UTC)
    letter = Waiting(1, "m1", "ann@club.example", f"{TEXT}\nBcc: all@club.example", TEXT, None, now, 0)
    try:
        message = message_of(settings, letter)
    except ValueError:
        return
    assert message["Bcc"] is None and message["To"] == "ann@club.example"
    assert "\n" not in str(message["Subject"])


LONG = "x" * 10_000
MATCH: Json = {"title": "T", "home": "A", "visitors": "B", "segments": [{"first": 1, "last": 1}]}
CALL: Json = {"type": "call", "seat": "E", "call": "Pass"}
COMMENT: Json = {"segment": 1, "board": 2, "room": "open", "call": 1, "card": 0, "text": "t"}
RULING: Json = {"type": "penalty", "side": "home", "unit": "imps", "amount": 1, "reason": "r"}
SKIP: Json = {"type": "skip_board", "segment": 1, "board": 3, "reason": "r"}
TOO_LONG: list[tuple[str, str, Json]] = [
    ("dora", "/api/matches", MATCH | {"title": LONG}),
    ("dora", "/api/matches", MATCH | {"home": LONG}),
    ("dora", "/api/matches", MATCH | {"visitors": {"id": "t", "name": LONG}}),
    ("dora", "/api/matches", MATCH | {"segments": [{"first": 1, "last": 1, "title": LONG}]}),
    ("dora", "/api/matches", MATCH | {"segments": [{"first": 1, "last": 1, "lineups": {"open": {"N": LONG}}}]}),
    ("dora", "/api/matches", MATCH | {"streams": [{"title": LONG, "url": "https://a.example"}]}),
    ("dora", "/api/matches", MATCH | {"streams": [{"title": "t", "url": f"https://a.example/{LONG}"}]}),
    ("dora", "/api/ladders", {"name": LONG}),
    ("ann", "/api/teams", {"name": LONG, "players": ["A", "B", "C", "D"]}),
    ("ann", "/api/teams", {"name": "N", "players": [LONG, "B", "C", "D"]}),
    ("ann", "/api/teams/{team}/players", {"name": LONG}),
    ("dora", "/api/matches/{match}/comments", COMMENT | {"text": LONG}),
    ("dora", "/api/matches/{match}/comments", COMMENT | {"author": LONG}),
    ("dora", "/api/matches/{match}/comments", COMMENT | {"language": LONG}),
    ("dora", "/api/matches/{match}/rulings", RULING | {"reason": LONG}),
    ("operator open", "/api/matches/{match}/rooms/open/commands", {"command": CALL | {"explanation": LONG}}),
    ("operator open", "/api/matches/{match}/rooms/open/commands", {"command": SKIP | {"reason": LONG}}),
    (
        "operator open",
        "/api/matches/{match}/rooms/open/commands",
        {"command": {"type": "stop_clock", "reason": LONG}},
    ),
    ("operator open", "/api/matches/{match}/rooms/open/commands", {"command": opened(1, reason=LONG)}),
    ("operator open", "/api/matches/{match}/rooms/open/commands", {"command": opened(3, players={"N": LONG})}),
]


def test_ten_thousand_characters_are_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(stage: Contest) -> None:
        for sender, path, body in TOO_LONG:
            address = path.format(team=stage.teams["home"], match=stage.match)
            answer = await stage.house.post(address, body, stage.tokens[sender])
            assert answer.status == 422, (path, list(body), answer.body[:300])
            assert 10 < len(answer.json()["message"]) < 200, answer.body[:300]

    in_that_contest(tmp_path, monkeypatch, story)

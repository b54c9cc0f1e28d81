"""Weight and speed of the pages: a long match and a tall ladder, as they go over the wire."""

import asyncio
import base64
import gzip
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx

from broadcast.web.static_files import STATIC_DIRECTORY
from tests.scenarios.entries import auction, next_card, opened
from tests.scenarios.recorded_matches import lin_match
from tests.scenarios.whole_house import Answer, Contest, WholeHouse, contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser

BOARDS = 64
TEAMS = 160
MATCH_BYTES = 120_000
LADDER_BYTES = 60_000
MATCH_SECONDS = 1.0
LADDER_SECONDS = 0.3
GZIP = {"accept-encoding": "gzip", "accept": "text/html"}


def in_house(directory: Path, story: Callable[[WholeHouse], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            await story(house)

    asyncio.run(told())


def body_of(answer: Answer) -> bytes:
    assert answer.status == 200
    assert answer.header("content-encoding") == "gzip"
    return gzip.decompress(answer.body)


async def quickest(house: WholeHouse, address: str) -> tuple[Answer, float]:
    """The answer and the shortest of three times in seconds: how long it takes, not how busy the machine is."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        answer = await house.ask("GET", address, headers=GZIP)
        times.append(time.perf_counter() - began)
    return answer, min(times)


def needed(page: str) -> set[str]:
    """The static files that a page loads, with all that its modules import."""
    waiting = set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page))
    seen: set[str] = set()
    while waiting:
        address = waiting.pop()
        seen.add(address)
        if address.endswith(".js"):
            waiting |= set(imports(address)) - seen
    return seen


def imports(address: str) -> Iterator[str]:
    """Addresses of the modules that a module imports, at once or later."""
    _, _, version, path = address.split("/", 3)
    text = (STATIC_DIRECTORY / path).read_text(encoding="utf-8")
    for name in re.findall(r"""(?:from|import|import\()\s*['"](\.{1,2}/[^'"]+)['"]""", text):
        found = (STATIC_DIRECTORY / path).parent / name
        yield f"/static/{version}/{found.resolve().relative_to(STATIC_DIRECTORY).as_posix()}"


async def files_of(house: WholeHouse, addresses: set[str]) -> list[httpx.Response]:
    transport = httpx.ASGITransport(app=house.application)
    async with httpx.AsyncClient(transport=transport, base_url="http://club.example") as client:
        return [(await client.get(address)).raise_for_status() for address in sorted(addresses)]


async def long_match(house: WholeHouse) -> str:
    """A match of 64 boards, all played in both rooms."""
    results = [(7 + number % 3, 7 - number % 4) for number in range(BOARDS)]
    record = lin_match(*results, teams=("Red Mill Bridge Club", "Grünhaus–Sjøby"))
    data = base64.b64encode(record.encode()).decode()
    body = {"files": [{"name": "long.lin", "data": data}]}
    made = await house.post("/local/imports", body, local=True)
    assert made.status in (200, 201), made.body
    found: str = (await house.get("/api/matches")).json()["matches"][0]["id"]
    return found


def test_page_of_64_boards_is_light_and_quick(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        match = await long_match(house)
        answer, seconds = await quickest(house, f"/matches/{match}")
        page = body_of(answer).decode()
        assert page.count("<tr data-board=") == BOARDS
        files = await files_of(house, needed(page))
        assert len(files) > 8
        assert all("immutable" in file.headers["cache-control"] for file in files)
        weight = len(answer.body) + sum(int(file.headers["content-length"]) for file in files)
        assert weight < MATCH_BYTES
        assert seconds < MATCH_SECONDS

    in_house(tmp_path, story)


def test_ladder_of_160_teams_is_light_and_quick(tmp_path: Path) -> None:
    """With all its files; and for a captain, who is told of every rung whether the team may challenge it."""

    async def story(house: WholeHouse) -> None:
        dora = house.tokens["dora"]
        ladder = (await house.done("/api/ladders", {"name": "Club ladder"}, dora))["id"]
        for number in range(TEAMS):
            players = [f"Player {number}.{place}" for place in range(4)]
            body = {"name": f"Team {number}", "players": players, "captain": "ann" if number > 158 else None}
            team = await house.done("/api/teams", body, dora)
            await house.done(f"/api/ladders/{ladder}/entries", {"team": team["id"]}, dora)
        answer, seconds = await quickest(house, f"/ladders/{ladder}")
        page = body_of(answer).decode()
        assert page.count('class="rung-number"') == TEAMS
        files = await files_of(house, needed(page))
        assert len(answer.body) + sum(int(file.headers["content-length"]) for file in files) < LADDER_BYTES
        assert seconds < LADDER_SECONDS

        await house.members.set_password("ann", PASSWORD)
        browser, times = Browser(house), []
        await browser.sign_in("ann")
        for _ in range(3):
            began = time.perf_counter()
            own = (await browser.get(f"/ladders/{ladder}")).body
            times.append(time.perf_counter() - began)
        assert own.count(b'class="rung-act"') == TEAMS
        assert len(gzip.compress(own)) < LADDER_BYTES
        assert min(times) < LADDER_SECONDS

    in_house(tmp_path, story)


def test_streams_are_not_compressed(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await contest.enter("open", opened(1), *auction(1, "1NT Pass Pass Pass"))
        await contest.enter("open", await next_card(contest, "open"))
        for address in (f"/matches/{contest.match}/events", f"/ladders/{contest.ladder}/events"):
            answer = await contest.house.ask("GET", address, headers={"accept-encoding": "gzip"})
            assert answer.header("content-encoding") is None
            assert b"event: snapshot" in answer.body

    async def begun(house: WholeHouse) -> None:
        await story(await contest(house, "board"))

    in_house(tmp_path, begun)

"""Who hides results is told none, on no surface, also after the match.

Two houses are told matches that differ in the results of one board and in nothing else. With ``results=hidden``
all that can be asked is the same, but for that board itself, which is asked for by name, and files. (The ids
of events are those of the whole feed and may skip, so they tell how many events there were, and no more.)
"""

import asyncio
import html
import re
import secrets
from pathlib import Path
from random import Random

import pytest

from tests.scenarios.entries import auction, next_card, opened
from tests.scenarios.outlets import HIDDEN, observed, plain
from tests.scenarios.whole_house import Contest, contest, whole_house

BIDDING = "1NT Pass 3NT Pass Pass Pass"
Told = dict[str, tuple[int, list[tuple[str, str]], str]]


async def play_board_1(contest: Contest, tricks: int) -> None:
    """The same calls and cards; only the open room's claim differs."""
    for room, claimed in (("open", tricks), ("closed", 9)):
        await contest.enter(room, opened(1), *auction(1, BIDDING))
        for _ in range(5):
            await contest.enter(room, await next_card(contest, room))
        await contest.enter(room, {"type": "claim", "seat": "N", "tricks": claimed, "accepted": True})


async def play_board_2(contest: Contest) -> None:
    """A swing that decides the match whatever happened on board 1."""
    for room, tricks in (("open", 13), ("closed", 0)):
        await contest.enter(room, opened(2), *auction(2, "7NT X XX Pass Pass Pass"))
        await contest.enter(room, await next_card(contest, room))
        await contest.enter(room, {"type": "claim", "seat": "E", "tricks": tricks, "accepted": True})


def views_of(
    directory: Path, tricks: int, release: str, monkeypatch: pytest.MonkeyPatch, *, hidden: bool = True
) -> list[Told]:
    """What is told after each board and after closing, with results hidden or shown."""
    chance = Random(1)  # the same ids and links in every house
    monkeypatch.setattr(secrets, "choice", chance.choice)
    monkeypatch.setattr(secrets, "token_bytes", lambda length=32: chance.randbytes(length))

    async def told() -> list[Told]:
        async with whole_house(directory) as house:
            played = await contest(house, release, boards=2)
            views = []
            await play_board_1(played, tricks)
            views.append(await seen(played, hidden))
            await play_board_2(played)
            views.append(await seen(played, hidden))
            await house.wait(30 * 60)
            assert (await house.get(f"/api/matches/{played.match}")).json()["status"] == "closed"
            views.append(await seen(played, hidden))
            return views

    return asyncio.run(told())


async def seen(contest: Contest, hidden: bool) -> Told:
    own = ("/boards/1.1", ".pbn", ".lin")
    return {
        asked: plain(answer)
        for asked, answer in (await observed(contest)).items()
        if (HIDDEN in asked) is hidden and not any(part in asked for part in own)
    }


@pytest.mark.parametrize("release", ["board", "live"])
def test_who_hides_results_cannot_tell_how_a_board_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str
) -> None:
    views = [views_of(_made(tmp_path / str(tricks)), tricks, release, monkeypatch) for tricks in (9, 10, 4)]
    for others in views[1:]:
        for moment, (one, another) in enumerate(zip(views[0], others, strict=True)):
            assert one.keys() == another.keys()
            for asked in one:
                assert one[asked] == another[asked], (moment, asked)


def test_who_does_not_hide_them_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the comparison above does see results where they are shown."""
    one, another = [
        views_of(_made(tmp_path / str(tricks)), tricks, "board", monkeypatch, hidden=False)
        for tricks in (9, 10)
    ]
    surfaces = {re.sub(r"\?.*", "", asked) for asked in one[0] if one[0][asked] != another[0][asked]}
    assert len(surfaces) > 8


async def crawled(contest: Contest) -> Told:
    """What a reader meets who hides results on the first page and follows every link from there, but for those
    that ask for results by name: the switch, a board's later positions, and files.
    """
    found: Told = {}
    waiting = [f"/?{HIDDEN}"]
    while waiting:
        address = waiting.pop()
        answer = await contest.house.get(address)
        found[address] = plain(answer)
        if not (answer.header("content-type") or "").startswith("text/html"):
            continue
        for link in re.findall(r'(?:href|src|content)="([^"]+)"', answer.body.decode()):
            path, _, query = html.unescape(link).removeprefix("http://test").partition("#")[0].partition("?")
            if not path.startswith("/") or path.startswith(
                ("/static/", "/sign-in", "/oembed", "/openapi.json", "/api/events.json")
            ):
                continue
            if HIDDEN not in query.split("&"):
                assert path == address.partition("?")[0], f"{address} leads to {link}"  # the switch
                continue
            # Pictures, and the other language, are compared above; here they would only take time.
            is_asked = re.search(r"\b(call|card|lang)=", query) or path.endswith(
                (".pbn", ".lin", ".csv", ".png")
            )
            if not is_asked and f"{path}?{query}" not in found:
                waiting.append(f"{path}?{query}")
    return found


def test_a_crawl_with_hidden_results_finds_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches that differ in the results of one board look the same on every page that links lead to."""

    async def told(tricks: int) -> Told:
        monkeypatch.setattr(secrets, "choice", Random(1).choice)
        async with whole_house(_made(tmp_path / str(tricks))) as house:
            played = await contest(house, "board", boards=2)
            await play_board_1(played, tricks)
            await play_board_2(played)
            await house.wait(30 * 60)
            return await crawled(played)

    one, another = asyncio.run(told(9)), asyncio.run(told(4))
    assert len(one) > 12
    assert one.keys() == another.keys()
    for address in one:
        assert one[address] == another[address], address


def test_captain_who_hides_results_is_asked_to_confirm_without_the_score(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house, "board", boards=2)
            await play_board_1(played, 9)
            await play_board_2(played)
            for query, is_told in (("", True), (f"?{HIDDEN}", False)):
                page = (await house.get(f"/captain{query}", house.tokens["ann"])).body.decode()
                assert "/confirm" in page and ("need-score" in page) is is_told, query

    asyncio.run(told())


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory

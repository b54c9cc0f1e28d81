"""Comments: who may sign with what name, until when, and how many; nobody fills a match's page with them."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from html import unescape
from pathlib import Path

import pytest

from broadcast.storage.connections import Connection
from broadcast.web import match_view, room_routes
from broadcast.web.filters import MOST_SUITS
from broadcast.web.languages import Language
from broadcast.web.templating import environment
from broadcast.web.throttles import Rate
from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import Contest, Json, contest, whole_house


def in_contest(directory: Path, story: Callable[[Contest, str], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            played = await contest(house)
            for room in ("open", "closed"):
                await played.enter(room, opened(1), *auction(1, "Pass Pass Pass Pass"))
            await story(played, f"/api/matches/{played.match}/comments")

    asyncio.run(told())


def said(room: str, text: str, **more: str) -> Json:
    return {"segment": 1, "board": 1, "room": room, "call": 0, "card": 0, "text": text} | more


def test_directors_links_may_name_an_author_and_others_write_as_themselves(tmp_path: Path) -> None:
    async def story(contest: Contest, path: str) -> None:
        for sender, room in (("operator open", "open"), ("operator open", "closed"), ("cora", "open")):
            await contest.house.done(path, said(room, "IMPs off for Modra"), contest.tokens[sender])
        for sender in ("operator open", "cora", "dora"):
            await contest.house.done(path, said("open", "chat", author="vugraph"), contest.tokens[sender])
        board = (await contest.house.get(f"/api/matches/{contest.match}/boards/1.1")).json()
        authors = [[each["author"] for each in board[room]["comments"]] for room in ("open", "closed")]
        assert authors == [["open", "cora", "vugraph", "cora", "vugraph"], ["open"]]
        page = (await contest.house.get(f"/matches/{contest.match}?lang=zh")).body.decode()
        assert '<b class="author">开室</b>' in page

    in_contest(tmp_path, story)


def test_captains_link_names_no_author(tmp_path: Path) -> None:
    """A captain could speak to the public as the director."""

    async def story(contest: Contest, path: str) -> None:
        async def by_a_captain(connection: Connection, now: datetime) -> None:
            await connection.execute_fetchall("UPDATE operator_links SET made_by = 'captain:carl'")

        await contest.house.house.writer.write(by_a_captain)
        body = said("open", "3 IMPs off for Modra", author="dora (director)")
        await contest.house.done(path, body, contest.tokens["operator open"])
        board = (await contest.house.get(f"/api/matches/{contest.match}/boards/1.1")).json()
        assert [each["author"] for each in board["open"]["comments"]] == ["open"]

    in_contest(tmp_path, story)


def test_a_room_has_so_many_comments_a_day_and_the_director_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two thousand comments full of suits made the match's page 70 MB, and 25 s of everybody's time."""
    monkeypatch.setattr(room_routes, "COMMENTS", Rate("comments of a match", 2, 86_400))

    async def story(contest: Contest, path: str) -> None:
        for number in range(3):
            answers = [
                (await contest.house.post(path, said("open", f"{number}."), contest.tokens[sender])).status
                for sender in ("operator open", "operator closed", "cora", "dora")
            ]
            assert answers == ([429, 429, 429, 201] if number == 2 else [201] * 4)

    in_contest(tmp_path, story)


def test_operators_write_no_more_after_the_close_and_others_do(tmp_path: Path) -> None:
    async def story(contest: Contest, path: str) -> None:
        rulings = f"/api/matches/{contest.match}/rulings"
        for board in (1, 2):
            award = {"type": "cancel_board", "segment": 1, "board": board, "reason": "rain"}
            await contest.house.done(rulings, award, contest.tokens["dora"])
        await contest.house.done(rulings, {"type": "close", "reason": "rain"}, contest.tokens["dora"])
        for sender, status in (("operator open", 422), ("cora", 201), ("dora", 201)):
            answer = await contest.house.post(path, said("open", "well played"), contest.tokens[sender])
            assert answer.status == status
            assert status == 201 or answer.json()["error"] == "comments_closed"

    in_contest(tmp_path, story)


def test_pages_show_the_newest_comments_and_lead_to_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten thousand comments of 2,000 characters made the board's page 45 MB, the scripts' copy among them."""
    monkeypatch.setattr(match_view, "COMMENTS_SHOWN", 2)

    async def story(contest: Contest, path: str) -> None:
        for number in range(5):
            await contest.house.done(path, said("open", f"thought {number}"), contest.tokens["dora"])
        for page in (f"/matches/{contest.match}", f"/matches/{contest.match}/boards/1.1"):
            seen: list[str] = []
            address = page
            while address:
                shown = (await contest.house.get(address)).body.decode()
                thoughts = re.findall(r"thought (\d)", shown)
                assert len(thoughts) <= 2
                seen = thoughts + seen
                earlier = re.search(r'<a rel="prev" href="([^"#]+)#[\w-]+">(\d) earlier comment', shown)
                assert earlier is None or int(earlier[2]) == 5 - len(seen)
                address = unescape(earlier[1]) if earlier else ""
            assert seen == list("01234")
            assert "Newest comments" in shown

    in_contest(tmp_path, story)


def test_text_full_of_suits_has_so_many_symbols() -> None:
    shown = str(environment(Language.ENGLISH).filters["suit_text"]("!s" * 990))
    assert shown.count("<span") == MOST_SUITS and shown.endswith("!s")

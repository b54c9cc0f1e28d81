"""Comments: an operator names an author in the own room alone, and nobody fills a match's page with them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from broadcast.web import room_routes
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


def test_operator_names_an_author_in_the_own_room_alone(tmp_path: Path) -> None:
    async def story(contest: Contest, path: str) -> None:
        token = contest.tokens["operator open"]
        await contest.house.done(path, said("open", "mine", author="vugraph"), token)
        await contest.house.done(path, said("closed", "theirs", author="dora (director)"), token)
        told = (await contest.house.get(f"/matches/{contest.match}/events?after=1-0")).body.decode()
        assert "vugraph" in told and "theirs" in told and "dora (director)" not in told

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


def test_text_full_of_suits_has_so_many_symbols() -> None:
    shown = str(environment(Language.ENGLISH).filters["suit_text"]("!s" * 990))
    assert shown.count("<span") == MOST_SUITS and shown.endswith("!s")

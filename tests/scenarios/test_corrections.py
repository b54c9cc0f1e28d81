"""The public correction log: who, when, why, before, after, and what else changed, as far as it is released."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.whole_house import Contest, Viewer, contest, whole_house

AUCTION = "1NT Pass 3NT Pass Pass Pass"


def in_contest(directory: Path, story: Callable[[Contest], Awaitable[None]], release: str = "board") -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            await story(await contest(house, release, boards=1))

    asyncio.run(told())


async def played(contest: Contest, open_tricks: int = 10, closed_tricks: int = 9) -> None:
    for room, tricks in (("open", open_tricks), ("closed", closed_tricks)):
        await contest.enter(room, opened(1), *auction(1, AUCTION), ended("3NT", "N", tricks))


async def log_of(contest: Contest, query: str = "") -> list[Any]:
    answer = await contest.house.get(f"/api/matches/{contest.match}/corrections{query}")
    lines: list[Any] = answer.json()["corrections"]
    return lines


def test_correction_is_logged_with_totals_and_reaches_viewers_at_once(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await played(contest)
        viewer = Viewer(contest.house, f"/matches/{contest.match}/events")
        await viewer.received()
        result = {"segment": 1, "board": 1, "room": "open", "contract": "3NT", "declarer": "N", "tricks": 8}
        await contest.rule("correct_result", **result)
        [line] = await log_of(contest)
        assert (line["kind"], line["board"], line["room"], line["reason"]) == ("result", 1, "open", "as ruled")
        assert line["by"] == "director:dora"
        assert (line["before"]["score_ns"], line["after"]["score_ns"]) == (430, -50)
        assert line["totals"]["before"]["imps"] == {"home": 1, "visitors": 0}
        assert line["totals"]["after"]["imps"] == {"home": 0, "visitors": 10}
        heard = await viewer.received()
        assert heard.count("event: correction") == 1
        await viewer.leave()
        page = (await contest.house.get(f"/matches/{contest.match}/corrections")).body.decode()
        assert "Result corrected" in page and "director dora" in page and "as ruled" in page
        assert await log_of(contest, "?results=hidden") == []
        hidden = await contest.house.get(f"/matches/{contest.match}/corrections?results=hidden")
        assert "as ruled" not in hidden.body.decode()

    in_contest(tmp_path, story)


def test_rungs_that_a_ruling_turns_stand_in_its_line(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await played(contest)
        await contest.rule("close")
        result = {"segment": 1, "board": 1, "room": "open", "contract": "3NT", "declarer": "N", "tricks": 8}
        await contest.rule("correct_result", **result)
        closed, corrected = await log_of(contest)
        assert (closed["kind"], corrected["kind"]) == ("closed", "result")
        moved = {move["team"]["name"]: (move["from"], move["to"]) for move in corrected["rungs"]}
        assert moved == {"Vihar": (2, 1), "Modra": (1, 2)}

    in_contest(tmp_path, story)


def test_result_that_its_room_takes_back_is_no_secret(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await played(contest)
        await contest.enter("open", opened(1, reason="a slip"), ended("3NT", "N", 9))
        lines = await log_of(contest)
        assert [line["kind"] for line in lines] == ["withdrawn", "entered"]
        assert [line["by"] for line in lines] == ["operator", "operator"]
        assert (lines[0]["reason"], lines[0]["after"]) == ("", None), "the operator's reason is for the desk"
        assert (lines[1]["before"]["tricks"], lines[1]["after"]["tricks"]) == (10, 9)

    in_contest(tmp_path, story)


def test_log_tells_nothing_that_is_not_released(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await contest.enter("open", opened(1), *auction(1, AUCTION), ended("3NT", "N", 9))
        before = (await contest.house.get(f"/matches/{contest.match}/corrections")).body
        result = {"segment": 1, "board": 1, "room": "open", "contract": "3NT", "declarer": "N", "tricks": 8}
        await contest.rule("correct_result", **result)
        assert await log_of(contest) == []
        assert (await contest.house.get(f"/matches/{contest.match}/corrections")).body == before
        await contest.enter("closed", opened(1), *auction(1, AUCTION), ended("3NT", "N", 9))
        assert [line["kind"] for line in await log_of(contest)] == ["result"]

    in_contest(tmp_path, story)


def test_penalties_and_the_end_of_the_match_stand_in_it(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await played(contest)
        await contest.rule("penalty", side="home", unit="imps", amount=2)
        await contest.rule("close")
        await contest.rule("reopen")
        await contest.rule("cancel_board", segment=1, board=1)
        kinds = [line["kind"] for line in await log_of(contest)]
        assert kinds == ["penalty", "closed", "reopened", "cancelled"]
        page = (await contest.house.get(f"/matches/{contest.match}/corrections")).body.decode()
        assert "Modra −2 IMP" in " ".join(page.split())
        assert (await contest.house.get(f"/matches/{contest.match}/corrections?lang=zh")).status == 200

    in_contest(tmp_path, story)

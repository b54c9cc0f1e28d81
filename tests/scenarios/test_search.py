"""Released boards are found by what they are, by nothing that is not public, and never with a hidden result."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import server
from broadcast.bridge.hand_figures import deal_figures
from broadcast.bridge.seats import SEATS
from broadcast.house.check import check
from broadcast.notation.pbn import read_pbn
from tests.builders import deal_of
from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.recorded_matches import lin_match
from tests.scenarios.whole_house import Contest, WholeHouse, contest, whole_house

FINAL = lin_match((7, 7), (9, 6), (7, None), (13, 0))
"""Dealer plays 1NT on boards 1 to 4 (North, East, South, West), the third in the open room alone."""
FRIENDLY = lin_match((8, 6), title="=Friendly", teams=("Zürich Söhne", "北京队"))


FINDINGS = {
    "": [-1, 4, 3, 2, 1],
    "contract=1NT": [-1, 4, 3, 2, 1],
    "contract=4S,Pass,X": [],
    "declarer=W": [4],
    "declarer=open+south": [3],
    "player=closed": [-1, 4, 2, 1],
    "player=losed": [],
    "team=modra": [4, 3, 2, 1],
    "team=zurich": [-1],
    "q=sohne": [-1],
    "team=%E5%8C%97%E4%BA%AC": [-1],
    "team=%E4%BA%AC": [-1],
    "q=friendly": [-1],
    "q=%22*+OR+%22": [],
    "result=made&team=modra": [4, 3, 2, 1],
    "result=down": [-1, 4, 2],
    "swing=10-": [4],
    "swing=1-9": [-1, 2],
    "swing=0": [1],
    "order=swing": [4, -1, 2, 1],
    "declarer=E&result=down": [2],
    "declarer=E&player=open&result=down": [],
    "match=none": [],
}
"""What each query finds, the newest first; boards of the friendly match as negative numbers."""


def in_archive(directory: Path, story: Callable[[WholeHouse], Awaitable[None]]) -> None:
    """A house with both matches imported."""

    async def told() -> None:
        async with whole_house(directory) as house:
            for text in (FINAL, FRIENDLY):
                files = [{"name": "f.lin", "data": base64.b64encode(text.encode()).decode()}]
                assert (await house.post("/local/imports", {"files": files}, local=True)).status == 201
            await story(house)

    asyncio.run(told())


async def found(house: WholeHouse, query: str) -> list[int]:
    """Board numbers found, those of the friendly match as negative."""
    answer = await house.get(f"/api/search?{query}")
    assert answer.status == 200, answer.body
    boards = answer.json()["boards"]
    return [-each["number"] if each["match"]["title"] == "=Friendly" else each["number"] for each in boards]


async def finds_by_contract_names_and_swing(house: WholeHouse) -> None:
    assert {query: await found(house, query) for query in FINDINGS} == FINDINGS


async def asks_shape_and_points_of_one_and_the_same_hand(house: WholeHouse) -> None:
    for number in (1, 2, 3, 4):
        for seat, figures in deal_figures(deal_of(number)).items():
            spades, hearts, diamonds, clubs = figures.lengths
            pattern = "-".join(map(str, figures.pattern))
            for shape in (pattern, f"{spades}={hearts}={diamonds}={clubs}", f"{spades}=x=x={clubs}"):
                assert number in await found(house, f"shape={shape}&hcp={figures.hcp}&seat={seat}")
            others = {other.hcp for place, other in deal_figures(deal_of(number)).items() if place != seat}
            elsewhere = others - {figures.hcp}
            for hcp in elsewhere:
                query = f"shape={spades}={hearts}={diamonds}={clubs}&hcp={hcp}"
                assert number not in await found(house, query)


async def pages_neither_skip_nor_repeat(house: WholeHouse) -> None:
    for order in ("newest", "swing"):
        seen: list[str] = []
        address = f"/api/search?order={order}&limit=2"
        answer = (await house.get(address)).json()
        total = answer["found"]
        while True:
            seen += [f"{each['match']['id']}/{each['number']}" for each in answer["boards"]]
            if answer["next"] is None:
                break
            answer = (await house.get(f"{address}&after={answer['next']}")).json()
        assert len(seen) == len(set(seen)) == total


async def page_and_file_give_the_same_boards(house: WholeHouse) -> None:
    answer = await house.get("/search.pbn?swing=1-")
    assert answer.header("content-type") == "application/x-pbn"
    reading = read_pbn(answer.body)
    boards = [
        (match.home, board.number)
        for match in reading.matches
        for segment in match.segments
        for board in segment.boards
    ]
    assert sorted(set(boards)) == [("Modra", 2), ("Modra", 4), ("Zürich Söhne", 1)]
    assert len(boards) == 6
    page = (await house.get("/search?swing=1-")).body.decode()
    assert page.count('class="found-board"') == 3
    assert "&amp;lt;" not in page and "=Friendly" in page
    empty = (await house.get("/search?contract=7NTXX")).body.decode()
    assert "No board found" in empty
    wrong = await house.get("/search?shape=1-2-3")
    assert wrong.status == 200 and 'aria-invalid="true"' in wrong.body.decode()


async def hidden_results_are_neither_asked_nor_told(house: WholeHouse) -> None:
    assert await found(house, "results=hidden&contract=1NT") == [-1, 4, 3, 2, 1]
    answer = (await house.get("/api/search?results=hidden&declarer=W")).json()
    (board,) = answer["boards"]
    assert board["open"].keys() == {"contract", "declarer", "players"}
    assert not {"imps_home", "imps_visitors", "swing"} & board.keys()
    for refused in ("swing=0-", "result=made", "order=swing"):
        answer = await house.get(f"/api/search?results=hidden&{refused}")
        assert (answer.status, answer.json()["error"]) == (400, "results_hidden")
    assert (await house.get("/search.pbn?results=hidden&contract=1NT")).status == 400
    page = (await house.get("/search?results=hidden&contract=1NT")).body.decode()
    assert 'name="swing"' not in page and "IMP" not in page


async def answer_has_every_hand(house: WholeHouse) -> None:
    (board,) = (await house.get("/api/search?declarer=W")).json()["boards"]
    figures = deal_figures(deal_of(4))
    assert board["hcp"] == {seat: figures[seat].hcp for seat in SEATS}
    assert board["deal"] == str(deal_of(4))
    assert board["rooms"] == ["open", "closed"]


STEPS = (
    finds_by_contract_names_and_swing,
    asks_shape_and_points_of_one_and_the_same_hand,
    pages_neither_skip_nor_repeat,
    page_and_file_give_the_same_boards,
    hidden_results_are_neither_asked_nor_told,
    answer_has_every_hand,
)


def test_search_of_an_archive(tmp_path: Path) -> None:
    """One archive for all that only reads."""

    async def story(house: WholeHouse) -> None:
        for step in STEPS:
            await step(house)

    in_archive(tmp_path, story)


def test_board_is_found_when_it_is_released_and_as_it_is_corrected(tmp_path: Path) -> None:
    async def story(played: Contest) -> None:
        house = played.house
        await played.enter("open", opened(1), *auction(1, "4S Pass Pass Pass"), ended("4S", "N", 10))
        assert await found(house, "contract=4S") == []
        await played.enter("closed", opened(1), *auction(1, "1NT Pass Pass Pass"), ended("1NT", "N", 7))
        assert await found(house, "contract=4S") == [1]
        assert await found(house, "swing=7-") == [1]
        await played.enter("open", opened(1, reason="again"))
        assert await found(house, "contract=4S") == [1]
        await played.enter("open", ended("4S", "N", 9))
        assert await found(house, "contract=4S&result=down") == [1]
        corrected: dict[str, Any] = {
            "segment": 1,
            "board": 1,
            "room": "open",
            "contract": "5C",
            "declarer": "W",
        }
        await played.rule("correct_result", **corrected, tricks=11)
        assert await found(house, "contract=4S") == []
        assert await found(house, "contract=5C&declarer=W") == [1]
        assert await found(house, "results=hidden&contract=4S") == [1]
        assert await found(house, "results=hidden&contract=5C") == []
        await played.rule("cancel_board", segment=1, board=1)
        assert await found(house, "swing=0-") == []
        assert await check(house.house.database, server.KINDS) == []

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            await story(await contest(house, "board"))

    asyncio.run(told())


DAMAGES = (
    ("DELETE FROM search_boards WHERE number = 2", "lacks board 1.2"),
    (
        "UPDATE search_boards SET hcp_n = 40 WHERE number = 3",
        "has board 1.3 otherwise than the log gives it",
    ),
    ("UPDATE search_tables SET contract = '7NT' WHERE declarer = 'W'", "has board 1.4 otherwise"),
    ("UPDATE search_boards SET number = 9 WHERE number = 4", "has board 1.9, which is not public"),
)


def test_check_finds_what_the_index_has_wrong_and_it_can_be_made_anew(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        database = house.house.database
        for damage, told in DAMAGES:
            await database.writing.execute_fetchall(damage)
            findings = [str(finding) for finding in await check(database, server.KINDS)]
            assert any(f"search: the index {told}" in finding for finding in findings), findings
            assert (await house.post("/local/index", {}, local=True)).json() == {"matches": 2, "next": None}
            assert sorted(await found(house, "")) == [-1, 1, 2, 3, 4]
        assert await check(database, server.KINDS) == []

    in_archive(tmp_path, story)

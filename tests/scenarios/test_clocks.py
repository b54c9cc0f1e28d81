"""Clocks over HTTP: for the director alone, stopped by the room, exported."""

import asyncio
from pathlib import Path

from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import contest, whole_house


def test_director_reads_and_exports_thinking_and_neutral_time(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            first, second = auction(1, "1NT Pass")
            await played.enter("open", opened(1))
            house.clock.advance(20)
            await played.enter("open", first)
            house.clock.advance(65)
            await played.enter("open", {"type": "stop_clock", "reason": "director called"})
            room = await house.get(f"/api/matches/{played.match}/rooms/open", played.tokens["operator open"])
            assert room.json()["neutral"] == "director called"
            house.clock.advance(300)
            await played.enter("open", second)
            path = f"/api/matches/{played.match}/clocks"
            clocks = (await house.get(path, house.tokens["dora"])).json()
            assert clocks["neutral"] == {"open": None, "closed": None}
            [board] = clocks["boards"]
            assert (board["ns"], board["ew"], board["neutral"], board["in_play"]) == (20, 65, 300, True)
            assert clocks["totals"]["open"] == {"home": 20, "visitors": 65, "neutral": 300}
            sheet = (await house.get(f"{path}.csv", house.tokens["dora"])).body.decode().splitlines()
            assert sheet[1].startswith("1,1,open,Modra,Vihar,20,65,300,")
            assert (await house.get(path)).status == 401

    asyncio.run(told())


def test_name_is_no_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            body = {
                "title": "Cup",
                "home": '=HYPERLINK("evil")',
                "visitors": "|calc",
                "segments": [{"title": "", "first": 1, "last": 1}],
            }
            match = (await house.done("/api/matches", body, house.tokens["dora"]))["id"]
            command = {"command": {"type": "open_board", "segment": 1, "board": 1}}
            await house.done(f"/api/matches/{match}/rooms/open/commands", command, house.tokens["dora"])
            answer = await house.get(f"/api/matches/{match}/clocks.csv", house.tokens["dora"])
            assert "'=HYPERLINK" in answer.body.decode() and "'|calc" in answer.body.decode()

    asyncio.run(told())


def test_entry_that_waited_on_a_device_counts_when_it_was_made(tmp_path: Path) -> None:
    """Sent again it has waited longer, and is the same command all the same."""

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            [call] = auction(1, "1NT")
            await played.enter("open", opened(1))
            house.clock.advance(60)
            path, token = f"/api/matches/{played.match}/rooms/open/commands", played.tokens["operator open"]
            first = await house.post(path, {"command": call, "waited": 50}, token, "late")
            again = await house.post(path, {"command": call, "waited": 58.5}, token, "late")
            assert first.status == 201 and again.body == first.body
            clocks = (await house.get(f"/api/matches/{played.match}/clocks", house.tokens["dora"])).json()
            assert [(each["ns"], each["ew"]) for each in clocks["boards"]] == [(10, 50)]
            bad = await house.post(path, {"command": call, "waited": -1}, token)
            assert (bad.status, bad.json()["field"]) == (422, "waited")

    asyncio.run(told())

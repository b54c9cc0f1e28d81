"""An operator enters a made-up result, sees the other room's board, takes it back: who is told."""

import asyncio
from pathlib import Path

import pytest

from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.whole_house import contest, whole_house
from tests.teams.web.browsing import Browser, link_to_room, quick_hashes, signed_in, text_of


def test_made_up_result_taken_back_is_told_to_director_and_both_captains_and_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await played.name_lineup("visitors")
            browsers = {name: await signed_in(house, name) for name in ("ann", "vic", "dora")}
            link = await link_to_room(browsers["vic"], played.challenge, "open")
            await played.enter("closed", opened(1), *auction(1, "1NT Pass Pass Pass"), ended("1NT", "N", 8))
            path = f"/api/matches/{played.match}/rooms/open/commands"
            await house.done(path, {"commands": [opened(1), ended("1C", "N", 7)]}, link)
            desk = f"/desk/{played.match}"
            about = "taken back after it had made the board public"
            assert about not in text_of(await browsers["dora"].get(desk))

            await house.done(path, {"command": {"type": "undo", "steps": 1}}, link)
            said = [
                "N, 7 tricks. With it the closed room's",
                "Taken back by the room's operator",
                "Captain vic had made the operator's link.",
            ]
            assert about in text_of(await browsers["dora"].get(desk))
            for name in ("ann", "vic"):
                assert about not in text_of(await browsers[name].get("/captain")), "what a room does is secret"
            passes = auction(1, "1C Pass Pass Pass")
            await house.done(path, {"commands": [*passes, ended("1C", "N", 9)]}, link)
            for name, page in (("dora", desk), ("ann", "/captain"), ("vic", "/captain")):
                text = text_of(await browsers[name].get(page))
                assert about in text
                assert [each for each in said if each not in text] == []
            assert "最终结果使该副牌公开之后又被撤回" in text_of(await browsers["ann"].get("/captain?lang=zh"))
            for page in (f"/matches/{played.match}", f"/matches/{played.match}/corrections"):
                assert "taken back after" not in text_of(await Browser(house).get(page))

            cleared = await browsers["dora"].send(
                f"{desk}/alarms", alarm="taken_back:1.1:open", reason="the wrong board"
            )
            assert cleared.status == 303
            assert about not in text_of(await browsers["ann"].get("/captain"))
            assert "1 alarm cleared" in text_of(await browsers["dora"].get(desk))

    asyncio.run(told())

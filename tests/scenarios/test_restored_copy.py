"""A copy made while entries come in, in the place of the house: the same state, another epoch, a reset."""

import asyncio
from pathlib import Path
from typing import Any

from broadcast.house.check import check
from broadcast.storage.backup import back_up
from server import KINDS
from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import WholeHouse, whole_house

BEFORE = 5
"""Entries of a room before the copy is made."""


def test_copy_made_under_load_shows_the_same_and_resets_viewers_of_the_original(tmp_path: Path) -> None:
    async def story() -> None:
        original, copy = tmp_path / "original", tmp_path / "copy"
        for directory in (original, copy):
            directory.mkdir()
        async with whole_house(original) as house:
            dora = house.tokens["dora"]
            body = {
                "title": "Cup",
                "home": "Modra",
                "visitors": "Vihar",
                "segments": [{"first": 1, "last": 1}],
                "deals": "typed",
                "release": {"rule": "live"},
                "no_devices": True,
            }
            match = (await house.done("/api/matches", body, dora))["id"]
            path = f"/api/matches/{match}/rooms/{{}}/commands"
            calls = auction(1, "1C 1D 1H 1S 1NT 2C 2D 2H 2S 2NT 3C 3D 3H 3S 3NT 4C 4D 4H 4S 4NT")

            begun = asyncio.Event()

            async def enter(room: str) -> None:
                for count, entry in enumerate((opened(1), *calls)):
                    await house.done(path.format(room), {"command": entry}, dora)
                    if count == BEFORE:
                        begun.set()

            entering = asyncio.gather(enter("open"), enter("closed"))
            await begun.wait()
            await back_up(house.house.database, copy / "house.db")
            await entering
            last = await number(house, match)
            told: list[Any] = (await house.get(f"/api/matches/{match}/events?after=1-0")).json()["events"]
        async with whole_house(copy, people=False) as house:
            assert await check(house.house.database, KINDS) == []
            epoch = house.house.database.epoch
            kept = await number(house, match)
            assert epoch > 1_700_000_000
            assert BEFORE < kept <= last
            again = (await house.get(f"/api/matches/{match}/events?after={epoch}-0")).json()["events"]
            assert [(each["event"], each["data"]) for each in again] == [
                (each["event"], each["data"]) for each in told[: len(again)]
            ]
            for cursor in (f"1-{kept}", f"1-{last}", "1-0"):
                headers = {"Last-Event-ID": cursor}
                answer = await house.ask("GET", f"/matches/{match}/events", headers=headers)
                assert b"event: reset" in answer.body
                assert f"id: {epoch}-{kept}".encode() in answer.body
            entry = {"type": "explain", "call_index": 0, "explanation": "after the copy"}
            await house.done(path.format("open"), {"command": entry}, dora)
            assert await number(house, match) == kept + 1

    asyncio.run(story())


async def number(house: WholeHouse, match: str) -> int:
    """Of the last event of the match's feed."""
    shown = (await house.get(f"/api/matches/{match}")).json()
    return int(shown["last_event"].rpartition("-")[2])

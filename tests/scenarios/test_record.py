"""A growing file of another client followed into a running match; what is public changes by consent only."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from broadcast.imports.following import Following, follow
from broadcast.web import record_routes
from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.whole_house import Answer, WholeHouse, whole_house

HANDS = "1SA643HKJT8D92CAK3,S2H653DQJT7CT9842,SKQ97HQ9DAK54CJ75,SJT85HA742D863CQ6"
SECONDS = 60
HEAD = "vg|Cup,1,I,1,2,Modra,0,Vihar,0|\nrs|{rs}|\npn|a,b,c,d,e,f,g,h|pg||\n"
NOTRUMP = "mb|1N|an|15-17|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||\n"
TRICK = "pc|DQ|pc|D4|pc|D8|pc|D2|pg||\n"


def board(room: str, number: int, rest: str = "") -> str:
    return f"qx|{room}{number}|md|{HANDS}|sv|o|{rest}"


def lin(*boards: str, rs: str = ",,,") -> bytes:
    return (HEAD.format(rs=rs) + "\n".join(boards)).encode()


class Followed:
    """A match, live, whose record comes from elsewhere."""

    def __init__(self, house: WholeHouse, match: str) -> None:
        self.house, self.match = house, match

    async def sent(self, data: bytes, **more: Any) -> Answer:
        body = {"data": base64.b64encode(data).decode(), **more}
        return await self.house.post(f"/api/matches/{self.match}/record", body, self.house.tokens["dora"])

    async def takes(self, data: bytes, **more: Any) -> Any:
        answer = await self.sent(data, **more)
        assert answer.status in (200, 201), answer.body
        return answer.json()

    async def table(self, number: int = 1, room: str = "open") -> Any:
        return (await self.house.get(f"/api/matches/{self.match}/boards/1.{number}")).json()[room]

    async def sequence(self, room: str = "open") -> int:
        path = f"/api/matches/{self.match}/rooms/{room}"
        return int((await self.house.get(path, self.house.tokens["dora"])).json()["room_sequence"])

    async def enter(self, *commands: Any, room: str = "open") -> None:
        path = f"/api/matches/{self.match}/rooms/{room}/commands"
        await self.house.done(path, {"commands": [*commands]}, self.house.tokens["dora"])


def in_match(
    directory: Path, story: Callable[[Followed], Awaitable[None]], rule: str = "live", **release: Any
) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            body = {
                "title": "Cup",
                "home": "Modra",
                "visitors": "Vihar",
                "segments": [{"first": 1, "last": 2}],
                "deals": "typed",
                "release": {"rule": rule, **release},
                "no_devices": True,
            }
            match = (await house.done("/api/matches", body, house.tokens["dora"]))["id"]
            await story(Followed(house, match))

    asyncio.run(told())


def test_growing_file_enters_only_what_is_new(tmp_path: Path) -> None:
    async def story(match: Followed) -> None:
        steps = [
            lin(board("o", 1)),
            lin(board("o", 1, "mb|1N|mb|p|")),
            lin(board("o", 1, NOTRUMP)),
            lin(board("o", 1, NOTRUMP + TRICK), board("c", 1, "mb|1N|")),
            lin(board("o", 1, NOTRUMP + TRICK + "nt|vugraph: Good lead|pg||mc|10|"), board("c", 1, "mb|1N|")),
        ]
        lengths = []
        for data in steps:
            told = await match.takes(data)
            assert (told["held"], told["refused"]) == ([], [])
            lengths.append(await match.sequence())
            again = await match.takes(data)
            assert (again["entered"], await match.sequence()) == ([], lengths[-1])
        assert lengths == [0, 3, 8, 12, 14]  # the explanation of 1NT came with the rest of the auction
        table = await match.table()
        assert (table["state"], table["tricks"], table["source"]) == ("claimed", 10, "imported")
        assert table["auction"][0]["explanation"] == "15-17"
        assert [said["text"] for said in table["comments"]] == ["Good lead"]

    in_match(tmp_path, story)


def test_slip_that_nobody_has_seen_is_corrected_at_once(tmp_path: Path) -> None:
    async def story(match: Followed) -> None:
        await match.takes(lin(board("o", 1, "mb|1N|mb|p|mb|2N|")))
        told = await match.takes(lin(board("o", 1, "mb|1N|mb|p|mb|3N|mb|p|")))
        assert told["held"] == []
        view = await match.house.get(f"/api/matches/{match.match}/rooms/open", match.house.tokens["dora"])
        assert [made["call"] for made in view.json()["board"]["auction"]] == ["1NT", "Pass", "3NT", "Pass"]

    in_match(tmp_path, story, rule="board")


def test_change_to_what_is_public_waits_for_the_director(tmp_path: Path) -> None:
    async def story(match: Followed) -> None:
        await match.takes(lin(board("o", 1, NOTRUMP + TRICK + "mc|10|")))
        changed = lin(board("o", 1, NOTRUMP + TRICK + "mc|9|"), board("o", 2, "mb|p|"))
        told = await match.takes(changed)
        [held] = told["held"]
        assert (held["board"], held["before"]["tricks"], held["after"]) == (
            1,
            10,
            {"contract": "3NT", "declarer": "S", "tricks": 9},
        )
        assert [each["board"] for each in told["entered"]] == [2]
        assert (await match.table())["tricks"] == 10
        wrong = await match.sent(changed, accept="another")
        assert (wrong.status, wrong.json()["error"]) == (409, "changes_differ")
        told = await match.takes(changed, accept=told["digest"])
        assert told["held"] == []
        assert (await match.table())["tricks"] == 9
        assert (await match.takes(changed))["held"] == []
        log = (await match.house.get(f"/api/matches/{match.match}/corrections")).json()["corrections"]
        assert [(line["by"], line["after"]["tricks"]) for line in log] == [("record:dora", 9)]

    in_match(tmp_path, story)


def test_public_calls_that_differ_are_held_and_replaced_when_accepted(tmp_path: Path) -> None:
    async def story(match: Followed) -> None:
        await match.takes(lin(board("o", 1, "mb|1N|mb|p|mb|2N|")))
        changed = lin(board("o", 1, "mb|1N|mb|p|mb|3N|"))
        told = await match.takes(changed)
        assert [(held["from"], told["entered"]) for held in told["held"]] == [({"call": 2, "card": 0}, [])]
        await match.takes(changed, accept=told["digest"])
        assert [made["call"] for made in (await match.table())["auction"]] == ["1NT", "Pass", "3NT"]

    in_match(tmp_path, story)


def test_file_that_is_behind_takes_nothing_back(tmp_path: Path) -> None:
    async def story(match: Followed) -> None:
        deal = "N:KQ97.Q9.AK54.J75 JT85.A742.863.Q6 A643.KJT8.92.AK3 2.653.QJT7.T9842"
        await match.enter(
            opened(1, deal=deal, dealer="S", vulnerable="None"),
            *({**each, "seat": seat} for each, seat in zip(auction(1, "1NT Pass"), "SW", strict=True)),
            ended("3NT", "S", 9),
        )
        told = await match.takes(lin(board("o", 1, "mb|1N|")))
        assert (told["entered"], told["held"], told["refused"]) == ([], [], [])
        assert (await match.table())["tricks"] == 9

    in_match(tmp_path, story)


def test_boards_that_do_not_fit_are_named_and_the_rest_is_entered(tmp_path: Path) -> None:
    async def story(match: Followed) -> None:
        await match.enter(opened(1), room="closed")
        told = await match.takes(lin(board("c", 1, "mb|1N|"), board("o", 1, "mb|1N|"), board("o", 7, "mb|1N|")))
        assert [each["room"] for each in told["entered"]] == ["open"]
        assert [(each["room"], each["board"]) for each in told["refused"]] == [("closed", 1)]
        assert any("board 7: the match has no such board" in line for line in told["problems"])
        nothing = await match.sent(b"hello")
        assert (nothing.status, nothing.json()["error"]) == (422, "no_boards")
        far = await match.sent(lin(board("o", 1, "mb|1N|")).replace(b"Modra,0,Vihar", b"Vihar,0,Modra"))
        assert "North-South" in far.json()["problems"][0]

    in_match(tmp_path, story)


def test_call_that_becomes_public_while_the_file_is_compared_is_not_taken_back_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The delay runs out between the comparison and the writer's turn: then the change waits for a director."""

    async def story(match: Followed) -> None:
        await match.takes(lin(board("o", 1, "mb|1N|mb|p|mb|2N|")))
        compared = 0

        def then_time_passes(*args: Any) -> Following:
            nonlocal compared
            compared += 1
            followed = follow(*args)
            if compared == 1:
                match.house.clock.advance(SECONDS)
            return followed

        monkeypatch.setattr(record_routes, "follow", then_time_passes)
        told = await match.takes(lin(board("o", 1, "mb|1N|mb|p|mb|3N|")))
        assert [(held["from"], told["entered"]) for held in told["held"]] == [({"call": 2, "card": 0}, [])]
        assert compared == 2
        assert [made["call"] for made in (await match.table())["auction"]] == ["1NT", "Pass", "2NT"]

    in_match(tmp_path, story, rule="delay", seconds=SECONDS)

"""A challenge's forms on its captain's page: the operators' links made there, and the line-up named there.

A link that a captain makes opens a table at which the captain may play: the log says whose link it was.
"""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes, text_of


def test_log_names_the_captain_whose_link_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await house.members.set_password("vic", PASSWORD)
            captain, operator = Browser(house), Browser(house)
            await captain.sign_in("vic")
            page = await captain.send(f"/captain/challenges/{played.challenge}/operator", room="closed")
            found = re.search(r"/operate/enter#([\w-]+)", page.body.decode())
            assert found is not None
            path = f"/api/matches/{played.match}/rooms/closed/commands"
            await house.done(path, {"command": opened(1)}, found[1])
            body = json.dumps({"token": found[1]}).encode()
            entered = await operator.ask("POST", "/operate/session", body, "application/json")
            assert entered.status == 201
            headers = {
                "Cookie": f"twinroom_operator={operator.cookies['twinroom_operator']}",
                "Content-Type": "application/json",
                "Idempotency-Key": "k",
                "Origin": "http://club.example",
            }
            call = json.dumps({"commands": auction(1, "1NT")}).encode()
            assert (await house.ask("POST", path, None, call, headers)).status == 201
            log = (
                await house.get(f"/api/matches/{played.match}/desk/events", house.tokens["dora"])
            ).body.decode()
            assert len(re.findall(r'"by":"operator:\w{8}/captain:vic"', log)) >= 2
            await played.enter("open", opened(1))
            log = (
                await house.get(f"/api/matches/{played.match}/desk/events", house.tokens["dora"])
            ).body.decode()
            assert re.search(r'"by":"operator:\w{8}"', log)

    asyncio.run(told())


def test_line_up_that_is_refused_stays_chosen_and_a_part_of_one_tells_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await house.members.set_password("vic", PASSWORD)
            captain = Browser(house)
            await captain.sign_in("vic")
            page = (await captain.get("/captain")).body.decode()
            seats = re.findall(r'<select name="((?:open|closed)_[NESW])">', page)
            players = list(dict.fromkeys(re.findall(r'<option value="(?!substitute)([^"]+)">Vihar', page)))
            assert (len(seats), len(players)) == (4, 4)
            address = f"/captain/challenges/{played.challenge}/lineup"

            twice = dict(zip(seats, [players[0], players[0], "substitute2", ""], strict=True))
            refused = await captain.send(address, **twice, substitute2="Eva")
            assert refused.status == 422
            again = refused.body.decode()
            assert re.findall(r'<option value="([^"]+)" selected', again)[-3:] == [
                players[0],
                players[0],
                "substitute2",
            ]
            assert 'value="Eva"' in again
            assert "Seats still open" not in text_of(refused)

            part = dict(zip(seats, [*players[:3], ""], strict=True))
            assert (await captain.send(address, **part)).status == 303
            last = {"N": "North", "E": "East", "S": "South", "W": "West"}[seats[3][-1]]
            assert f"Seats still open: Closed room {last}" in text_of(await captain.get("/captain"))
            assert (await captain.send(address, **dict(zip(seats, players, strict=True)))).status == 303
            assert "Seats still open" not in text_of(await captain.get("/captain"))

    asyncio.run(told())

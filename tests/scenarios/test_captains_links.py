"""A link that a captain makes opens a table at which the captain may play: the log says whose link it was."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes


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

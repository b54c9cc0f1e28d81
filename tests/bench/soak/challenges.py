"""A ladder beside the matches: challenges issued, taken up, played and decided, each exactly once."""

import asyncio
from random import Random
from typing import Any

from tests.bench.soak.client import Client, Refused
from tests.bench.soak.matches import Club
from tests.scenarios.entered_matches import calls, claim, opening
from tests.serving import Json

TEAMS = 6
RULES: Json = {
    "schedule": "at_once",
    "boards": 1,
    "pair_days": 0,
    "immunity_hours": 0,
    "deals": "typed",
    "correction_minutes": 0,
    "release": {"rule": "board"},
}


async def ladder_of(club: Club) -> str:
    """A new ladder with its teams."""
    ladder = (await club.house.done("/api/ladders", {"name": "Soak ladder", "rules": RULES}))["id"]
    for number in range(TEAMS):
        body = {"name": f"Team {number}", "players": [f"{number} {seat}" for seat in "NESW"]}
        team = (await club.house.done("/api/teams", body))["id"]
        await club.house.done(f"/api/ladders/{ladder}/entries", {"team": team})
    return str(ladder)


async def challenges_one_after_another(club: Club, ladder: str) -> None:
    """Challenge, accept, play and let the ladder decide, until the evening is done."""
    chance = club.random()
    while not club.done.is_set():
        standing = await club.public.get(f"/api/ladders/{ladder}")
        rungs = [row["team"]["id"] for row in standing["rungs"]]
        place = chance.randrange(1, len(rungs))
        body = {"team": rungs[place], "opponent": rungs[place - 1], "ladder_version": standing["version"]}
        try:
            issued = await club.house.done(f"/api/ladders/{ladder}/challenges", body)
            accepted = await club.house.done(
                f"/api/challenges/{issued['id']}/accept", {"team": body["opponent"]}
            )
        except Refused as error:
            club.faults.append(f"a challenge that is allowed was refused: {error}")
            await asyncio.sleep(1)
            continue
        await _play(club, accepted["match"], chance)
        await _decided(club, ladder, issued["id"], accepted["match"])
        club.ledger.challenges += 1


async def _play(club: Club, match: str, chance: Random) -> None:
    for room in ("open", "closed"):
        path = f"/api/matches/{match}/rooms/{room}"
        made = await club.house.done(f"{path}/operators", {})
        operator: Client = club.house.as_(made["token"])
        tricks = chance.choice([6, 7, 8, 9])
        try:
            for entries in ([opening(1)], calls(1, "1NT", "Pass", "Pass", "Pass"), [claim(1, tricks)]):
                await operator.done(f"{path}/commands", {"commands": entries})
        finally:
            await operator.close()


async def _decided(club: Club, ladder: str, challenge: str, match: str) -> None:
    """The match closed itself with its last result; its decision is on the ladder once."""
    played = await club.public.get(f"/api/matches/{match}")
    told: Any = await club.public.get(f"/api/challenges/{challenge}")
    moves = (await club.public.get(f"/api/ladders/{ladder}/history"))["moves"]
    here = [move for move in moves if move.get("match") == match]
    if played["status"] != "closed" or told.get("decision") is None:
        club.faults.append(f"challenge {challenge}: {played['status']}, decided as {told.get('decision')}")
    if len(here) not in (0, 2) or len({move["team"]["id"] for move in here}) != len(here):
        club.faults.append(f"challenge {challenge}: its match moved the ladder {len(here)} times")

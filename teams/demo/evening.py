"""The demo's evening: a ladder of 24 teams, finished matches, and a live match after another, on and on.

Everything is asked of the server by HTTP like anybody would. The live match comes first, so that the first page
shows it moving while the rest is still being set up.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.imports.replay import send
from teams.demo.bidding.style import Style
from teams.demo.cast import TEAMS, DemoTeam
from teams.demo.table import DemoTable

BOARDS = 8
"""Boards of each of the demo's matches."""
FINISHED = ((3, 1), (12, 10), (9, 6), (16, 13), (23, 20))
"""Challenges that are played through at the start, by first rungs: at least two, and until a rung changed."""
LEAST_FINISHED = 2
WAITING = 5
"""Challenges that wait for an answer."""

RULES = {
    "schedule": "at_once",
    "boards": BOARDS,
    "deals": "random",
    "release": {"rule": "live"},
    "correction_minutes": 0,
}

Pace = Callable[[float], Awaitable[None]]


async def thinking(seconds: float) -> None:
    """The pace of the live match."""
    await asyncio.sleep(seconds)


async def at_once(seconds: float) -> None:
    """The pace of what has been played before."""
    await asyncio.sleep(0)


@dataclass(slots=True)
class Evening:
    client: httpx.AsyncClient
    """Of the local socket, which may do what a director may."""
    pace: Pace = thinking
    chance: random.Random = field(default_factory=lambda: random.Random(20))
    ladder: str = ""
    ids: dict[str, DemoTeam] = field(default_factory=dict)
    """The demo's teams by the ids the server gave them."""
    order: list[str] = field(default_factory=list)

    async def run(self) -> None:
        """Set the club up and play until cancelled."""
        await self._set_up()
        live = await self._challenge_match(8, 5)
        async with asyncio.TaskGroup() as together:
            together.create_task(self._play_on(live))
            together.create_task(self._fill())

    async def _set_up(self) -> None:
        made = await self._post(
            "/api/ladders", {"name": "Club ladder · 俱乐部天梯", "kind": "teams", "rules": RULES}
        )
        self.ladder = made["id"]
        for team in TEAMS:
            answer = await self._post("/api/teams", {"name": team.name, "players": list(team.players)})
            self.ids[answer["id"]] = team
            self.order.append(answer["id"])
            await self._post(f"/api/ladders/{self.ladder}/entries", {"team": answer["id"]})

    async def _fill(self) -> None:
        """What a club has when somebody comes: finished matches, and challenges that wait."""
        for number, (challenger, defender) in enumerate(FINISHED, 1):
            await self._play(await self._challenge_match(challenger, defender), at_once)
            rungs = (await self._get(f"/api/ladders/{self.ladder}"))["rungs"]
            if number >= LEAST_FINISHED and [row["team"]["id"] for row in rungs] != self.order:
                break
        for _ in range(WAITING):
            await self._new_challenge()

    async def _play_on(self, match: dict[str, Any]) -> None:
        """One live match after another; who has won moves up, so the pairs change."""
        while True:
            await self._play(match, self.pace)
            await self.pace(20.0)
            match = await self._next_match()

    async def _next_match(self) -> dict[str, Any]:
        """A new challenge between teams that may; a friendly where nobody may just now."""
        challenge = await self._new_challenge()
        return await self._friendly() if challenge is None else await self._accept(challenge)

    async def _new_challenge(self) -> dict[str, Any] | None:
        """Some free team challenges another free one above it; ``None`` where nobody may."""
        rows = (await self._get(f"/api/ladders/{self.ladder}"))["rungs"]
        free = [row["team"]["id"] for row in rows if row["state"] == "free"]
        for team in self.chance.sample(free, len(free)):
            answer = await self._get(f"/api/ladders/{self.ladder}/targets?team={team}")
            allowed = [row["team"]["id"] for row in answer["targets"] if row["allowed"]]
            targets = [opponent for opponent in allowed if opponent in free]
            if targets:
                return await self._issue(team, self.chance.choice(targets))
        return None

    async def _friendly(self) -> dict[str, Any]:
        home, visitors = self.chance.sample(self.order, 2)
        made = await self._post(
            "/api/matches",
            {
                "title": f"{self.ids[home].name} – {self.ids[visitors].name}",
                "home": {"id": home},
                "visitors": {"id": visitors},
                "segments": [{"title": "1", "first": 1, "last": BOARDS, "ns_open": "home"}],
                "release": {"rule": "live"},
                "no_devices": True,
                "correction_minutes": 0,
            },
        )
        return await self._get(f"/api/matches/{made['id']}")

    # --- challenges ---------------------------------------------------------------------------------------

    async def _challenge_match(self, challenger: int, defender: int) -> dict[str, Any]:
        return await self._accept(await self._challenge(challenger, defender))

    async def _challenge(self, challenger: int, defender: int) -> dict[str, Any]:
        """The team that started on one rung challenges the team that started on another."""
        return await self._issue(self.order[challenger - 1], self.order[defender - 1])

    async def _issue(self, team: str, opponent: str) -> dict[str, Any]:
        version = (await self._get(f"/api/ladders/{self.ladder}"))["version"]
        asked = {"team": team, "opponent": opponent, "ladder_version": version}
        return await self._post(f"/api/ladders/{self.ladder}/challenges", asked)

    async def _accept(self, challenge: dict[str, Any]) -> dict[str, Any]:
        accepted = await self._post(
            f"/api/challenges/{challenge['id']}/accept", {"team": challenge["defender"]["id"]}
        )
        return await self._get(f"/api/matches/{accepted['match']}")

    # --- playing ------------------------------------------------------------------------------------------

    async def _play(self, match: dict[str, Any], pace: Pace) -> None:
        """Both rooms at once, each in its own time."""
        async with asyncio.TaskGroup() as together:
            for room in Room:
                together.create_task(self._play_room(match, room, pace))

    async def _play_room(self, match: dict[str, Any], room: Room, pace: Pace) -> None:
        for segment in match["segments"]:
            north_south = segment["ns_open"] if room is Room.OPEN else _other(segment["ns_open"])
            teams = {"NS": self._team(match, north_south), "EW": self._team(match, _other(north_south))}
            players = {
                Seat(seat): name for side, team in teams.items() for seat, name in team.seated(side).items()
            }
            styles = {seat: Style.from_seed(teams[seat.side.value].seed) for seat in Seat}
            chance = random.Random(f"{match['id']} {room}")
            table = DemoTable(self.client, match["id"], room, players, styles, pace, chance)
            for number in range(segment["first"], segment["last"] + 1):
                await table.play(segment["number"], number)
                await pace(chance.uniform(2.0, 5.0))

    def _team(self, match: dict[str, Any], side: str) -> DemoTeam:
        return self.ids[match[side]["id"]]

    # --- asking -------------------------------------------------------------------------------------------

    async def _get(self, path: str) -> dict[str, Any]:
        answer = (await self.client.get(path)).raise_for_status().json()
        assert isinstance(answer, dict)  # noqa: S101 - every resource is an object
        return answer

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        response = await send(self.client, path, body, {})
        answer = response.raise_for_status().json()
        assert isinstance(answer, dict)  # noqa: S101 - every answer is an object
        return answer


def _other(side: str) -> str:
    return "visitors" if side == "home" else "home"

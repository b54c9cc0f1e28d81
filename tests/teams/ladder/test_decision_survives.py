"""The house dies while a match closes: the rungs are swapped once, whether it died before the commit or after.

The death is simulated by an error at every point that the writer names, after which nothing of that house is
used again; the database is opened anew and the operator's last command, never answered, is sent again.
"""

import asyncio
from pathlib import Path

import pytest

from broadcast.house.transaction import CRASH_POINTS
from teams.ladder.views import replayed
from tests.teams.ladder.test_ladder_routes import RULES, Season, season
from tests.teams.members.member_houses import Club, club


class Death(Exception):
    """The process is gone."""


def dying_at(club: Club, point: str) -> None:
    def at(passed: str) -> None:
        if passed == point:
            raise Death(point)

    club.house.writer._at = at


async def last_result(season: Season, match: str) -> int:
    """The result that completes the match and so closes it; always under the same key."""
    answer = await season.club.post(
        f"/api/matches/{match}/rooms/closed/commands",
        {"command": {"type": "result", "contract": "1NT", "declarer": "N", "tricks": 9}},
        season.director,
        key="the last result",
    )
    return answer.status_code


async def open_last_board(season: Season, match: str) -> None:
    for room, boards in (("open", (1, 2)), ("closed", (1,))):
        for board in boards:
            commands = [
                {"type": "open_board", "segment": 1, "board": board},
                {"type": "result", "contract": "1NT", "declarer": "N", "tricks": 6},
            ]
            await season.club.post(
                f"/api/matches/{match}/rooms/{room}/commands", {"commands": commands}, season.director
            )
    opened = {"command": {"type": "open_board", "segment": 1, "board": 2}}
    await season.club.post(f"/api/matches/{match}/rooms/closed/commands", opened, season.director)


@pytest.mark.parametrize("point", CRASH_POINTS)
def test_rungs_are_swapped_once_whenever_the_house_dies(point: str, tmp_path: Path) -> None:
    async def told() -> None:
        async with club(tmp_path) as first:
            played = await season(first, RULES)
            challenge = (await played.challenge("C", "A")).json()["id"]
            match = (await played.step(challenge, "accept", "A")).json()["match"]
            await open_last_board(played, match)
            assert await played.order() == "ABCD"
            dying_at(first, point)
            with pytest.raises(Death, match=point):
                await last_result(played, match)
        async with club(tmp_path) as second:
            played.club = second
            assert await last_result(played, match) == 201
            assert await played.order() == "CBAD"
            moves = (await second.get(f"/api/ladders/{played.ladder}/history")).json()["moves"]
            assert [move["match"] for move in moves].count(match) == 2
            assert replayed(moves) == [played.teams[letter] for letter in "CBAD"]
            assert (await second.get(f"/api/matches/{match}")).json()["status"] == "closed"

    asyncio.run(told())

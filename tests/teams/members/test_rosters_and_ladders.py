"""A team, its ladders and their limits: what must come true together does, or nothing of it."""

import asyncio
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from broadcast.feeds.streams import StreamKey
from broadcast.house.transaction import Transaction
from broadcast.storage.answers import Once
from broadcast.tables.errors import Refusal
from teams.ladder.commands import RenameTeam
from teams.ladder.stream import KIND, LadderStream
from teams.members.accounts import Role
from teams.members.clubs import MOST_CLUBS
from teams.members.colours import Colour
from teams.members.rosters import MOST_TEAMS, Captain
from teams.storage import team_store
from teams.storage.parties import Parties
from tests.teams.members.member_houses import Club, club

PLAYERS = ["Modra 1", "Modra 2", "Modra 3", "Modra 4"]


async def on_a_ladder(house: Club, captain: str, director: str) -> tuple[str, StreamKey]:
    """A team and the ladder on which it stands."""
    team = (await house.post("/api/teams", {"name": "Modra", "players": PLAYERS}, captain)).json()["id"]
    ladder = (await house.post("/api/ladders", {"name": "Ladder"}, director)).json()["id"]
    entered = await house.post(f"/api/ladders/{ladder}/entries", {"team": team}, captain)
    assert entered.status_code == 201, entered.text
    return team, StreamKey(KIND, ladder)


async def told(house: Club, key: StreamKey, team: str) -> tuple[str, frozenset[str]]:
    """Name and players of a team as its ladder knows them."""
    stream = await house.house.writer.stream(key)
    assert isinstance(stream, LadderStream)
    entrant = stream.state.entrants[team]
    return entrant.name, frozenset(entrant.players)


def test_roster_and_ladder_change_together(tmp_path: Path) -> None:
    async def story() -> None:
        async with club(tmp_path) as house:
            ann, dora = await house.person("ann", Role.CAPTAIN), await house.person("dora", Role.DIRECTOR)
            team, key = await on_a_ladder(house, ann, dora)
            changed = await house.post(
                f"/api/teams/{team}/players", {"players": [*PLAYERS, "Modra 5"]}, ann, key="five"
            )
            again = await house.post(
                f"/api/teams/{team}/players", {"players": [*PLAYERS, "Modra 5"]}, ann, key="five"
            )
            ids = [player["id"] for player in changed.json()["players"]]
            assert again.json() == changed.json()
            assert await told(house, key, team) == ("Modra", frozenset(ids))

            other = await house.post(
                "/api/teams", {"name": "Vihar", "players": ["V 1", "V 2", "V 3", "V 4"]}, ann
            )
            others = [player["id"] for player in other.json()["players"]]
            await house.post(f"/api/ladders/{key.id}/entries", {"team": other.json()["id"]}, ann)
            poached = [{"id": id} for id in (*ids[:4], others[0])]
            refused = await house.post(f"/api/teams/{team}/players", {"players": poached}, ann)
            assert refused.status_code == 422
            kept = [player["id"] for player in (await house.get(f"/api/teams/{team}")).json()["players"]]
            assert kept == ids, "what the ladder refuses is not stored"

    asyncio.run(story())


def test_what_fails_on_the_way_leaves_neither_team_nor_ladder_changed(tmp_path: Path) -> None:
    async def story() -> None:
        async with club(tmp_path) as house:
            ann, dora = await house.person("ann", Role.CAPTAIN), await house.person("dora", Role.DIRECTOR)
            team, key = await on_a_ladder(house, ann, dora)
            before = await told(house, key, team)

            def work(transaction: Transaction) -> bytes:
                team_store.describe(transaction.connection, team, "Zora", Colour.SKY)
                transaction.command(key, RenameTeam(team, "Zora"), "captain:ann")
                raise ValueError("the house dies here")

            once = Once("k", b"asked", StreamKey("account", "a1"))
            with pytest.raises(ValueError, match="dies"):
                await house.house.writer.together(work, once)
            assert (await house.members.team(team)).name == "Modra"
            assert await told(house, key, team) == before

            def rename(transaction: Transaction) -> bytes:
                team_store.describe(transaction.connection, team, "Zora", Colour.SKY)
                transaction.command(key, RenameTeam(team, "Zora"), "captain:ann")
                return b"done"

            assert [await house.house.writer.together(rename, once) for _ in range(2)] == [b"done"] * 2
            assert (await house.members.team(team)).name == (await told(house, key, team))[0] == "Zora"

    asyncio.run(story())


def test_account_makes_itself_captain_and_officer_so_often_and_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with club(tmp_path) as house:
            ann, dora = await house.person("ann", Role.CAPTAIN), await house.person("dora", Role.DIRECTOR)
            captain = Captain((await house.members.account("ann")).id, "ann")
            parties = Parties(house.house.database, house.house.writer)

            def fill(connection: sqlite3.Connection, now: datetime) -> None:
                rows = [(f"t{n}", f"T {n}", f"t {n}", captain.account) for n in range(MOST_TEAMS)]
                connection.executemany(
                    "INSERT INTO teams (id, name, name_key, captain, colour, made_at) "
                    "VALUES (?, ?, ?, ?, 'pine', '')",
                    rows,
                )

            await house.house.writer.together(lambda at: fill(at.connection, at.now))
            for making in (
                parties.register("One more", captain, PLAYERS, Colour.SKY, None, plays=False),
                house.members.add_team(
                    "One more",
                    "ann",
                    PLAYERS,
                    once=Once("k", b"", StreamKey("account", "a")),
                    answer=lambda team: b"",
                    is_own=True,
                ),
            ):
                with pytest.raises(Refusal) as refused:
                    await making
                assert (refused.value.rule, refused.value.facts["most"]) == ("teams_full", MOST_TEAMS)
            body = {"name": "One more", "players": PLAYERS}
            assert (await house.post("/api/teams", body, ann)).json()["error"] == "teams_full"
            assert (await house.post("/api/teams", body | {"captain": "ann"}, dora)).status_code == 201

            for number in range(MOST_CLUBS):
                await parties.found(f"Club {number}", Colour.SKY, captain, [], plays=False)
            with pytest.raises(Refusal) as refused:
                await parties.found("One more", Colour.SKY, captain, [], plays=False)
            assert refused.value.rule == "clubs_full"

    asyncio.run(story())

"""Accounts, tokens and teams: kept through the one writer, passwords and tokens only as hashes."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from broadcast.tables.errors import NoSuchThing, Refusal
from teams.members.accounts import Role
from teams.storage.sessions import Sessions
from teams.web.authority import MembersAccounts
from tests.teams.members.member_houses import Club, club

PLAYERS = ["Ann", "Bob", "Cec", "Dora"]


def in_club(directory: Path, story: Callable[[Club], Awaitable[None]]) -> None:
    async def told() -> None:
        async with club(directory) as opened:
            await story(opened)

    asyncio.run(told())


def test_password_is_checked_and_never_stored(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        await club.members.add_account("Ann", [Role.CAPTAIN], "correct horse")
        found = await club.members.check_password("ANN", "correct horse")
        assert found is not None and found.name == "Ann"
        assert await club.members.check_password("Ann", "wrong horse") is None
        assert await club.members.check_password("Nobody", "correct horse") is None
        stored = await club.house.database.read(
            lambda connection: connection.execute("SELECT password_hash FROM accounts").fetchone()[0]
        )
        assert stored.startswith("$argon2id$")

    in_club(tmp_path, story)


def test_account_without_password_cannot_be_entered_by_one(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        await club.members.add_account("Ann", [Role.PLAYER])
        assert await club.members.check_password("Ann", "nobody has this password") is None

    in_club(tmp_path, story)


def test_names_of_accounts_are_unique_without_regard_to_case_and_width(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        await club.members.add_account("Ann", [Role.PLAYER])
        with pytest.raises(Refusal) as refused:
            await club.members.add_account("ＡNN", [Role.PLAYER])
        assert refused.value.rule == "name_taken"
        with pytest.raises(Refusal):
            await club.members.add_account("Bob", [Role.PLAYER], "short")
        with pytest.raises(NoSuchThing):
            await club.members.account("Bob")

    in_club(tmp_path, story)


def test_token_names_its_holder_until_it_is_revoked(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        token = await club.person("Ann", Role.CAPTAIN)
        team = await club.members.add_team("Modra", "Ann", PLAYERS)
        accounts = MembersAccounts(club.members, Sessions(club.house.database, club.house.writer))
        who = await accounts.who(token)
        assert who is not None
        assert (who.name, who.roles, who.teams) == ("Ann", frozenset({"captain"}), frozenset({team.id}))
        assert await accounts.who(token + "x") is None
        stored = await club.house.database.read(
            lambda connection: connection.execute("SELECT hash FROM account_tokens").fetchone()[0]
        )
        assert token not in stored
        assert await club.members.revoke_token(token)
        assert await accounts.who(token) is None
        assert not await club.members.revoke_token(token)

    in_club(tmp_path, story)


def test_new_password_ends_all_tokens(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        token = await club.person("Ann", Role.CAPTAIN)
        await club.members.set_password("Ann", "a new password")
        assert await club.members.holder(token) is None

    in_club(tmp_path, story)


def test_captain_of_a_team_gets_the_captains_role(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        await club.members.add_account("Ann", [Role.PLAYER])
        await club.members.add_team("Modra", "Ann", PLAYERS)
        assert (await club.members.account("Ann")).roles == {Role.PLAYER, Role.CAPTAIN}

    in_club(tmp_path, story)


def test_refused_team_leaves_nothing_behind(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        await club.members.add_account("Ann", [Role.PLAYER])
        for players in (PLAYERS[:3], [*PLAYERS[:3], "\u202e"]):
            with pytest.raises(Refusal):
                await club.members.add_team("Modra", "Ann", players)
        assert (await club.members.account("Ann")).roles == {Role.PLAYER}
        assert await club.members.teams() == ()

    in_club(tmp_path, story)


# --- over HTTP -------------------------------------------------------------------------------------------


def test_captain_makes_a_team_of_their_own_and_no_one_elses(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann = await club.person("Ann", Role.CAPTAIN)
        await club.person("Bob", Role.CAPTAIN)
        made = await club.post("/api/teams", {"name": " Modra ", "players": PLAYERS}, ann)
        assert made.status_code == 201
        team = made.json()
        assert (team["name"], team["captain"]) == ("Modra", {"name": "Ann"})
        assert [player["name"] for player in team["players"]] == PLAYERS
        for_bob = await club.post("/api/teams", {"name": "Vihar", "captain": "Bob", "players": PLAYERS}, ann)
        assert (for_bob.status_code, for_bob.json()["error"]) == (403, "not_allowed")
        again = await club.post("/api/teams", {"name": "modra", "players": PLAYERS}, ann)
        assert (again.status_code, again.json()["error"]) == (422, "name_taken")
        shown = await club.get(f"/api/teams/{team['id']}")
        assert shown.json() == {**team, "standings": []}
        account = await club.get("/api/account", ann)
        assert account.json()["teams"] == [{"id": team["id"], "name": "Modra"}]

    in_club(tmp_path, story)


def test_director_makes_teams_for_captains(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        dora = await club.person("Dora", Role.DIRECTOR)
        await club.person("Ann", Role.CAPTAIN)
        body = {"name": "Modra", "captain": "Ann", "players": PLAYERS}
        made = await club.post("/api/teams", body, dora, key="k1")
        repeated = await club.post("/api/teams", body, dora, key="k1")
        assert (repeated.status_code, repeated.json()) == (201, made.json())
        other = await club.post("/api/teams", {**body, "name": "Vihar"}, dora, key="k1")
        assert (other.status_code, other.json()["error"]) == (422, "key_reused")
        unknown = await club.post("/api/teams", {**body, "name": "Vihar", "captain": "Zed"}, dora)
        assert (unknown.status_code, unknown.json()["error"]) == (404, "no_such_account")

    in_club(tmp_path, story)


def test_posts_need_a_token_a_key_and_json(tmp_path: Path) -> None:
    """A plain form on another site can post text; nothing here reads it."""

    async def story(club: Club) -> None:
        ann = await club.person("Ann", Role.CAPTAIN)
        body = {"name": "Modra", "players": PLAYERS}
        assert (await club.post("/api/teams", body)).status_code == 401
        assert (await club.post("/api/teams", body, "forged")).status_code == 401
        bearer = {"Authorization": f"Bearer {ann}"}
        without_key = await club.client.post("/api/teams", json=body, headers=bearer)
        assert (without_key.status_code, without_key.json()["error"]) == (400, "key_needed")
        as_text = await club.client.post(
            "/api/teams",
            content=b'{"name": "Modra"}',
            headers={**bearer, "Idempotency-Key": "k", "Content-Type": "text/plain"},
        )
        assert as_text.status_code == 415
        for players in (None, "Ann", [1, 2, 3, 4], PLAYERS[:3]):
            wrong = await club.post("/api/teams", {"name": "Modra", "players": players}, ann)
            assert wrong.status_code == 422
        assert (await club.get("/api/teams")).json() == {"teams": []}

    in_club(tmp_path, story)


def test_token_given_up_is_good_no_more(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        ann = await club.person("Ann", Role.CAPTAIN)
        given_up = await club.client.delete("/api/account/token", headers={"Authorization": f"Bearer {ann}"})
        assert given_up.status_code == 204
        assert (await club.get("/api/account", ann)).status_code == 401

    in_club(tmp_path, story)

"""A ladder's pages and forms as a browser without scripts has them."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from broadcast.house.relational import raw_job
from teams.members import accounts
from teams.members.accounts import Role
from teams.members.colours import Colour
from teams.members.rosters import Captain
from teams.storage import club_store
from teams.storage.members import new_id
from teams.storage.parties import Parties
from tests.scenarios.whole_house import WholeHouse, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, text_of

RULES = {"schedule": "at_once", "boards": 2, "deals": "typed", "correction_minutes": 0}
NAMES = ("Modra", "Vihar", "山茶", "Astra")
INPUT = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts, "_hasher", lambda: weak)
    accounts._nobodys_hash.cache_clear()


@dataclass
class Club:
    house: WholeHouse
    ladder: str
    teams: list[str]
    director: Browser
    captain: Browser
    """Of the lowest team."""

    @property
    def address(self) -> str:
        return f"/ladders/{self.ladder}"

    async def order(self, query: str = "") -> list[str]:
        return rungs((await self.captain.get(self.address + query)).body.decode())

    async def swapped(self, challenger: int, defender: int) -> str:
        """The lower team has won; the challenge's id."""
        house, dora = self.house, self.house.tokens["dora"]
        version = (await house.get(f"/api{self.address}")).json()["version"]
        asked = {"team": self.teams[challenger], "opponent": self.teams[defender], "ladder_version": version}
        id: str = (await house.done(f"/api{self.address}/challenges", asked, dora))["id"]
        match = (await house.done(f"/api/challenges/{id}/accept", {"team": self.teams[defender]}, dora))[
            "match"
        ]
        for room, tricks in (("open", 6), ("closed", 9)):
            for board in (1, 2):
                result = {"type": "result", "contract": "1NT", "declarer": "N", "tricks": tricks}
                entries = [{"type": "open_board", "segment": 1, "board": board}, result]
                await house.done(f"/api/matches/{match}/rooms/{room}/commands", {"commands": entries}, dora)
        return id


def rungs(page: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'class="rung-team"><a [^>]*>([^<]*)</a>', page)]


def in_club(directory: Path, story: Callable[[Club], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            dora = house.tokens["dora"]
            await house.members.add_account("Ana Kos", [Role.CAPTAIN], PASSWORD)
            await house.members.add_account("Dana", [Role.DIRECTOR], PASSWORD)
            ladder = (await house.done("/api/ladders", {"name": "Club ladder", "rules": RULES}, dora))["id"]
            teams = []
            for name in NAMES:
                body = {"name": name, "players": [f"{name} {seat}" for seat in "NESW"]}
                captain = {"captain": "Ana Kos"} if name == NAMES[-1] else {}
                teams.append((await house.done("/api/teams", body | captain, dora))["id"])
                await house.done(f"/api/ladders/{ladder}/entries", {"team": teams[-1]}, dora)
            director, captain_of = Browser(house), Browser(house)
            await director.sign_in("Dana")
            await captain_of.sign_in("Ana Kos")
            await story(Club(house, ladder, teams, director, captain_of))

    asyncio.run(told())


def test_the_button_challenges_once_and_a_page_that_is_old_sends_nothing(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        page = (await club.captain.get(club.address)).body.decode()
        forms = [dict(INPUT.findall(form)) for form in re.findall(r"<form .*?</form>", page, re.DOTALL)]
        assert [form["opponent"] for form in forms] == club.teams[:3]
        assert "If you win: you on rung 1, Modra on rung 4. If you lose: nothing moves." in page
        sent = await club.captain.send(f"{club.address}/challenge", **forms[0])
        again = await club.captain.send(f"{club.address}/challenge", **forms[0])
        assert sent.status == again.status == 303
        location = sent.header("location") or ""
        assert location == again.header("location") == f"/challenges/{club.ladder}-1"
        told = text_of(await club.captain.get(location))
        assert "Modra accepts: the match is made and may start." in told
        old = await club.captain.send(f"{club.address}/challenge", **forms[1])
        assert old.status == 409 and "The ladder has changed since you looked" in text_of(old)
        own = text_of(await club.captain.get(club.address))
        assert own.count("You have as many challenges under way") == 2
        others = await club.captain.send(f"{club.address}/challenge", **forms[1] | {"team": club.teams[2]})
        assert others.status == 403
        assert "<form" not in (await Browser(club.house).get(club.address)).body.decode()

    in_club(tmp_path, story)


def test_page_without_scripts_is_good_while_what_it_promised_holds(tmp_path: Path) -> None:
    """On a busy ladder it was told that the ladder had changed, again and again, where nothing for it had."""

    async def story(club: Club) -> None:
        page = (await club.captain.get(club.address)).body.decode()
        forms = [dict(INPUT.findall(form)) for form in re.findall(r"<form .*?</form>", page, re.DOTALL)]
        asked = {"name": "Sava", "players": ["S1", "S2", "S3", "S4"]}
        dora = club.house.tokens["dora"]
        newcomer = (await club.house.done("/api/teams", asked, dora))["id"]
        await club.house.done(f"/api{club.address}/entries", {"team": newcomer}, dora)
        otherwise = await club.captain.send(f"{club.address}/challenge", **forms[0] | {"promised": "1-3-4-1"})
        assert otherwise.status == 409
        assert (await club.captain.send(f"{club.address}/challenge", **forms[0])).status == 303

    in_club(tmp_path, story)


def test_rules_are_announced_explained_and_hold_from_their_date(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        address = f"{club.address}/rules"
        page = (await club.director.get(address)).body.decode()
        fields: dict[str, Any] = dict(re.findall(r'<input name="(\w+)" value="([^"]*)"', page))
        fields |= re.findall(r'name="(\w+)"><option value="(\w+)" selected', page)
        fields |= dict.fromkeys(re.findall(r'name="(\w+)" value="yes" checked', page), "yes")
        wrong = await club.director.send(address, **fields | {"answer_days": "soon"})
        assert wrong.status == 422 and 'value="soon"' in wrong.body.decode()
        changed = fields | {"answer_days": "5", "holds_from": "2026-12-01T08:00"}
        assert (await club.director.send(address, **changed)).status == 303
        told = text_of(await Browser(club.house).get(address))
        assert "The defender answers within 3 days." in told
        assert "From Dec 1, 08:00: The defender answers within 5 days." in told
        assert (await club.captain.send(address, **changed)).status == 403
        await club.house.wait(400 * 24 * 3600)
        told = text_of(await Browser(club.house).get(address))
        assert "within 5 days." in told and "From Dec 1" not in told

    in_club(tmp_path, story)


def test_history_can_be_replayed_and_a_season_is_archived(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        before = club.house.clock.now()
        await club.house.wait(24 * 3600)
        await club.swapped(3, 0)
        assert await club.order() == ["Astra", "Vihar", "山茶", "Modra"]
        assert await club.order(f"?at={before.date().isoformat()}") == list(NAMES)
        assert await club.order("?at=2020-01-01") == []
        assert await club.order("?at=yesterday") == await club.order()
        answer = (await club.house.get(f"/api{club.address}/history?at={before.isoformat()}")).json()
        assert [row["team"]["name"] for row in answer["rungs"]] == list(NAMES)
        assert len(answer["moves"]) == 4
        page = (await club.captain.get(f"{club.address}/history")).body.decode()
        assert "Astra climbs from rung 4 to 1; Modra falls from rung 1 to 4" in page
        assert "<svg viewBox" in page and '<th scope="row">Astra</th><td>4</td><td>1</td>' in page

        seasons = f"{club.address}/season"
        asked = {"name": "Spring", "ends_at": "", "order": "new"}
        unknown = await club.director.send(seasons, **asked, teams="Modra\nNobody")
        assert unknown.status == 422 and "No team of this ladder is called Nobody" in text_of(unknown)
        assert (await club.director.send(seasons, **asked)).status == 422
        turned = "\n".join(reversed(NAMES))
        begun = await club.director.send(seasons, **asked, teams=turned)
        assert begun.status == 303
        assert await club.order() == list(reversed(NAMES))
        first = (await club.captain.get(f"{club.address}/seasons/1")).body.decode()
        assert rungs(first)[:4] == ["Astra", "Vihar", "山茶", "Modra"]
        assert (await club.captain.get(f"{club.address}/seasons/9")).status == 404

    in_club(tmp_path, story)


def test_a_decided_challenge_says_how_but_not_to_who_hides_results(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        id = await club.swapped(3, 0)
        told = text_of(await club.captain.get(f"/challenges/{id}"))
        assert "Astra has won by 11 IMPs to 0 and climbs to the rung on which Modra stood." in told
        forms = [row["form"] for row in (await club.house.get(f"/api{club.address}")).json()["rungs"]]
        assert forms == [["won"], [], [], ["lost"]]
        page = text_of(await club.captain.get(club.address))
        assert page.count("last matches: won") == page.count("last matches: lost") == 1
        assert "last matches: " not in text_of(await club.captain.get(f"{club.address}?results=hidden"))
        hidden = text_of(await club.captain.get(f"/challenges/{id}?results=hidden"))
        assert "has won" not in hidden and "climbs from" not in hidden
        chinese = text_of(await club.captain.get(f"/challenges/{id}?lang=zh"))
        assert "Astra以 11 比 0 IMP 获胜" in chinese

    in_club(tmp_path, story)


def test_clubs_stand_on_a_ladder_of_clubs(tmp_path: Path) -> None:
    async def story(club: Club) -> None:
        house, dora = club.house, club.house.tokens["dora"]
        made = await house.done("/api/ladders", {"name": "Clubs", "kind": "clubs", "rules": RULES}, dora)
        officer = await house.members.account("Ana Kos")
        parties = Parties(house.house.database, house.house.writer)
        found = await parties.found("Zarja", Colour.SKY, Captain(officer.id, officer.name), [], plays=True)
        names = ["Zarja 2", "Zarja 3", "Zarja 4"]
        await house.house.writer.write(
            raw_job(lambda raw, now: club_store.add_members(raw, found.id, names, new_id, now))
        )
        answer = await house.post(f"/api/ladders/{made['id']}/entries", {"club": found.id}, dora)
        assert answer.status == 201, answer.body
        page = (await club.captain.get(f"/ladders/{made['id']}")).body.decode()
        assert f'href="/clubs/{found.id}">Zarja</a>' in page
        team = await house.post(f"/api/ladders/{made['id']}/entries", {"team": club.teams[0]}, dora)
        assert team.status == 404

    in_club(tmp_path, story)

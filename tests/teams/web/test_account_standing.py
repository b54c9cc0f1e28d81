"""Roles taken, accounts closed: what ends with it, who goes on, and what is said before it is done."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.types import Message

from broadcast.bridge.rooms import Room
from broadcast.house.relational import raw_job
from broadcast.web import sse
from broadcast.web.authority import add_operator
from teams.members.accounts import Role
from teams.members.rosters import Captain
from teams.storage.invitation_store import Post
from teams.storage.parties import Parties, take
from tests.scenarios.whole_house import WholeHouse, contest, request_scope, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes, text_of

Story = Callable[[WholeHouse, Browser], Awaitable[None]]


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_hashes(monkeypatch)


def in_house(directory: Path, story: Story) -> None:
    """The house with Dobra, a second director, in her browser."""

    async def told() -> None:
        async with whole_house(directory) as house:
            await house.members.add_account("Dobra", [Role.DIRECTOR], PASSWORD)
            browser = Browser(house)
            await browser.sign_in("Dobra")
            await story(house, browser)

    asyncio.run(told())


async def address(house: WholeHouse, name: str) -> str:
    return f"/accounts/{(await house.members.account(name)).id}"


async def local(house: WholeHouse, path: str, **body: object) -> tuple[int, dict[str, object]]:
    answer = await house.post(path, body, local=True)
    return answer.status, answer.json()


@contextmanager
def asked_often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr(sse, "ASK_AGAIN_SECONDS", 0.01)
        yield


async def watched(house: WholeHouse, path: str, headers: dict[str, str]) -> asyncio.Task[None]:
    """A stream that has begun; the task ends when the house ends it."""
    began, never = asyncio.Event(), asyncio.Event()

    async def receive() -> Message:
        await never.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        began.set()

    watching = asyncio.create_task(house.application(request_scope("GET", path, headers), receive, send))
    await began.wait()
    return watching


def test_role_is_taken_after_the_page_said_what_ends(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        page = await address(house, "dora")
        asked = await dobra.send(page, do="roles", role="player")
        assert asked.status == 200
        said = text_of(asked)
        assert "dora gets: player." in said and "dora loses: director." in said
        assert "1 token of a program is good no more." in said
        assert (await house.get("/api/account", house.tokens["dora"])).status == 200
        done = await dobra.send(page, do="roles", role="player", sure="yes")
        assert done.header("location") == f"{page}?done=changed"
        assert (await house.get("/api/account", house.tokens["dora"])).status == 401
        assert (await house.members.account("dora")).roles == {Role.PLAYER}

    in_house(tmp_path, story)


def test_open_stream_of_a_director_ends_with_the_role(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        played = await contest(house)
        stream = f"/api/matches/{played.match}/desk/events"
        with asked_often(monkeypatch):
            by_cookie = "; ".join(f"{name}={value}" for name, value in dobra.cookies.items())
            watching = [
                await watched(house, stream, {"Cookie": by_cookie, "Host": "club.example"}),
                await watched(house, stream, {"Authorization": f"Bearer {house.tokens['dora']}"}),
            ]
            for name in ("Dobra", "dora"):
                if name == "dora":
                    await house.person("eva", Role.DIRECTOR)
                status, _ = await local(house, "/api/accounts/roles", name=name, take=["director"])
                assert status == 200
            async with asyncio.timeout(30):
                await asyncio.gather(*watching)

    in_house(tmp_path, story)


def test_last_director_stays(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        assert (await local(house, "/api/accounts/close", name="dora"))[0] == 200
        own = await address(house, "Dobra")
        for form in ({"do": "roles"}, {"do": "close", "sure": "yes"}):
            refused = await dobra.send(own, **form)
            assert refused.status == 422
            assert "Dobra is the only director" in text_of(refused)
        assert (await dobra.get("/accounts")).status == 200

    in_house(tmp_path, story)


def test_closed_account_opens_nothing_and_its_name_stays_taken(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        await house.members.add_account("Pavla", [Role.COMMENTATOR, Role.PLAYER], PASSWORD)
        pavla = Browser(house)
        await pavla.sign_in("Pavla")
        reset = await dobra.send("/accounts/resets", name="Pavla")
        assert reset.status == 303
        page = await address(house, "Pavla")
        said = text_of(await dobra.send(page, do="close"))
        assert "1 browser is signed out at once." in said
        assert "1 open invitation or password link is withdrawn." in said
        await dobra.send(page, do="close", sure="yes")
        assert (await pavla.get("/account")).status == 303
        assert (await pavla.sign_in("Pavla")).status == 422
        taken = await local(house, "/api/accounts", name="pavla", role="player", password=PASSWORD)
        assert (taken[0], taken[1]["error"]) == (422, "name_taken")
        for path in ("/api/accounts/tokens", "/api/accounts/close"):
            status, answer = await local(house, path, name="Pavla")
            assert (status, answer["error"]) == (422, "account_closed")
        assert "This account is closed" in text_of(await dobra.get(page))
        await dobra.send(page, do="roles", role="player", sure="yes")
        opened = await house.members.account("Pavla")
        assert (opened.is_closed, opened.has_password) == (False, False)
        assert opened.roles == {Role.PLAYER}

    in_house(tmp_path, story)


def test_deputy_goes_on_and_is_told_and_else_the_director_sees_it(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        played = await contest(house)
        parties = Parties(house.house.database, house.house.writer)
        deputy = await house.members.account("nil")
        secret = await parties.invite(played.teams["home"], Post.DEPUTY, None)
        await house.house.writer.write(raw_job(lambda raw, now: take(raw, secret, None, deputy.id, now)))
        made = await add_operator(house.house.writer, played.match, Room.OPEN, "captain:ann")
        status, said = await local(house, "/api/accounts/close", name="ann", preview=True)
        assert status == 200
        sentences = str(said["changes"])
        assert "nil, now deputy, becomes captain of Modra." in sentences
        assert "ann is no officer of Zarja club any more." in sentences
        assert "1 operator's link of this captain is withdrawn" in sentences
        room = f"/api/matches/{played.match}/rooms/open"
        assert (await house.get(room, made)).status == 200
        await local(house, "/api/accounts/close", name="ann")
        assert (await house.get(room, made)).status == 401
        assert (await house.members.team(played.teams["home"])).captain == Captain(deputy.id, "nil")
        assert (await house.get(f"/invitations/{played.invitation}")).status == 422
        await house.members.set_password("nil", PASSWORD)
        captain = Browser(house)
        await captain.sign_in("nil")
        assert "You are captain of Modra now: ann is no longer." in text_of(await captain.get("/captain/inbox"))
        await local(house, "/api/accounts/roles", name="vic", take=["captain"])
        listed = text_of(await dobra.get("/accounts"))
        assert "Vihar Invite a captain" in listed and "Zarja club Name an officer" in listed
        assert "Modra Invite a captain" not in listed

    in_house(tmp_path, story)


def test_removed_director_cannot_come_back_by_an_invitation_of_their_own(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        made = await dobra.send("/accounts/invitations", role="director", note="me again")
        assert made.status == 303
        link = (await dobra.get(str(made.header("location")))).body.decode()
        path = link[link.index("/join/") :].split('"')[0]
        assert (await house.get(path)).status == 200
        await local(house, "/api/accounts/roles", name="Dobra", take=["director"])
        assert "used or withdrawn" in text_of(await house.get(path))

    in_house(tmp_path, story)


def test_change_that_changes_nothing_or_both_ways_is_refused(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        for given, taken, rule in (
            (["player"], [], "nothing_changes"),
            (["club"], ["club"], "role_twice"),
            ("club", [], "bad_field"),
        ):
            status, answer = await local(house, "/api/accounts/roles", name="pia", give=given, take=taken)
            assert (status, answer["error"]) == (422, rule)
        assert (await local(house, "/api/accounts/close", name="nobody"))[0] == 404

    in_house(tmp_path, story)


def test_session_gives_up_no_token_and_is_told_so(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dobra: Browser) -> None:
        refused = await dobra.ask("DELETE", "/api/account/token")
        assert refused.status == 422
        assert (await dobra.get("/account")).status == 200
        given_up = await house.ask("DELETE", "/api/account/token", house.tokens["pia"])
        assert (given_up.status, (await house.get("/api/account", house.tokens["pia"])).status) == (204, 401)

    in_house(tmp_path, story)

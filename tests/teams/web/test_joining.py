"""Coming in by a link: an account by invitation, or without where that is open; a new password."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from broadcast.house.mail import Mail
from broadcast.house.signing import link_address, signed
from teams.members.accounts import Role
from teams.storage import passwords
from teams.storage.account_links import AccountLinks, Compose
from teams.storage.link_store import GOOD_FOR, Kind
from tests.mail_server import MailServer, mail_server, text_of
from tests.scenarios.whole_house import Answer, WholeHouse, whole_house
from tests.teams.web import browsing
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes

SHORT, NEW = "short", "a new long password"
Story = Callable[[WholeHouse, Browser], Awaitable[None]]


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_hashes(monkeypatch)


def in_house(directory: Path, story: Story, is_open: bool = False) -> None:
    """The house, and Dora, a director, in her browser."""
    directory.mkdir(exist_ok=True)

    async def told() -> None:
        async with whole_house(directory) as house:
            house.change(sign_up_is_open=is_open)
            await house.members.add_account("Dora Dobra", [Role.DIRECTOR], PASSWORD)
            dora = Browser(house)
            await dora.sign_in("Dora Dobra")
            await story(house, dora)

    asyncio.run(told())


def with_mail(directory: Path, story: Callable[[WholeHouse, Browser, MailServer], Awaitable[None]]) -> None:
    async def told() -> None:
        async with mail_server() as server, whole_house(directory) as house:
            known = house.house

            def address(mark: str) -> str:
                return link_address(known.origin, known.secret, mark)

            house.change(mail=Mail(known.database, known.writer, known.clock, server.settings, address))
            await house.members.add_account("Dora Dobra", [Role.DIRECTOR], PASSWORD)
            await house.members.add_account("Ann Novak", [Role.CAPTAIN], PASSWORD)
            dora = Browser(house)
            await dora.sign_in("Dora Dobra")
            await story(house, dora, server)

    asyncio.run(told())


async def carried(house: WholeHouse, server: MailServer) -> int:
    return await house.house.mail.carry_due(server.settings)


def page_link(answer: Answer) -> str:
    """The path of the link that the director's page shows to be copied."""
    found = re.search(r'id="made-link" value="http://club\.example([^"]+)"', answer.body.decode())
    assert found is not None
    return unescape(found[1])


async def invited(dora: Browser, **fields: str) -> str:
    made = await dora.send("/accounts/invitations", **fields)
    assert made.status == 303, browsing.text_of(made)
    return page_link(await dora.get(made.header("location") or ""))


def test_invitation_makes_an_account_once_and_signs_it_in(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        link = await invited(dora, role="commentator", note="Cora from the radio")
        browser = Browser(house)
        page = browsing.text_of(await browser.get(link))
        assert "You are invited as commentator." in page
        refused = await browser.send(link, name="Cora Radić", password=SHORT)
        assert refused.status == 422 and "at least 8" in browsing.text_of(refused)
        taken = await browser.send(link, name="dora dobra", password=PASSWORD)
        assert taken.status == 422 and "already" in browsing.text_of(taken)
        done = await browser.send(link, name="Cora Radić", password=PASSWORD)
        assert (done.status, done.header("location")) == (303, "/account?done=welcome")
        account = (await browser.get("/api/account")).json()
        assert (account["name"], account["roles"]) == ("Cora Radić", ["commentator"])
        again = await Browser(house).send(link, name="Eve", password=PASSWORD)
        assert again.status == 422 and "used or withdrawn" in browsing.text_of(again)
        assert (await Browser(house).sign_in("cora radić")).status == 303

    in_house(tmp_path, story)


def test_invited_captain_answers_for_the_team(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        team = await house.members.add_team("Modra", None, ["1", "2", "3", "4"])
        wrong = await dora.send("/accounts/invitations", role="player", team=team.id)
        assert wrong.status == 422 and "Only a captain" in browsing.text_of(wrong)
        link = await invited(dora, role="captain", team=team.id)
        browser = Browser(house)
        assert "captain of Modra" in browsing.text_of(await browser.get(link))
        await browser.send(link, name="Ann Novak", password=PASSWORD)
        account = (await browser.get("/api/account")).json()
        assert account["teams"] == [{"id": team.id, "name": "Modra"}]

    in_house(tmp_path, story)


def test_invitation_can_be_taken_with_the_account_one_has(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        await house.members.add_account("Ann Novak", [Role.PLAYER], PASSWORD)
        link = await invited(dora, role="captain")
        browser = Browser(house)
        await browser.sign_in("Ann Novak")
        assert "Accept as Ann Novak" in browsing.text_of(await browser.get(link))
        done = await browser.send(link, **{"as": "me"})
        assert done.header("location") == "/account?done=joined"
        assert (await browser.get("/api/account")).json()["roles"] == ["captain", "player"]

    in_house(tmp_path, story)


def test_link_that_is_forged_expired_withdrawn_or_for_something_else_opens_nothing(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        link = await invited(dora, role="director")
        id = link.removeprefix("/join/").partition(".")[0]
        other = signed(house.house.secret, "reset", id)
        for wrong in ("k7", f"{id}.forged", f"{id}.", link.removeprefix("/join/") + "x", other, f"{id}.ü"):
            answer = await Browser(house).send(f"/join/{wrong}", name="Eve", password=PASSWORD)
            assert answer.status == 422 and "not one of ours" in browsing.text_of(answer), wrong
        assert (await Browser(house).get(link.replace("/join/", "/reset/"))).status == 422
        await dora.send("/accounts/links", link=id)
        assert (await Browser(house).send(link, name="Eve", password=PASSWORD)).status == 422
        late = await invited(dora, role="director")
        house.clock.advance(GOOD_FOR[Kind.JOIN].total_seconds())
        answer = await Browser(house).send(late, name="Eve", password=PASSWORD)
        assert answer.status == 422 and "run out" in browsing.text_of(answer)
        assert (await Browser(house).sign_in("Eve")).status == 422

    in_house(tmp_path, story)


def test_forged_link_costs_no_hash_of_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash takes 64 MiB and one of two threads, and real links' hashes wait behind it."""
    hashed: list[str] = []
    real = passwords.hashed

    async def counted(password: str) -> str:
        hashed.append(password)
        return await real(password)

    monkeypatch.setattr(passwords, "hashed", counted)

    async def story(house: WholeHouse, dora: Browser) -> None:
        for address in ("/join/forged", "/reset/forged"):
            assert (await Browser(house).send(address, name="Eva", password=NEW)).status == 422
        assert NEW not in hashed

    in_house(tmp_path, story)


def test_two_who_use_one_link_at_once_make_one_account(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        link = await invited(dora, role="player")
        answers = await asyncio.gather(
            *(Browser(house).send(link, name=f"Player {number}", password=PASSWORD) for number in range(4))
        )
        assert sorted(answer.status for answer in answers) == [303, 422, 422, 422]

    in_house(tmp_path, story)


def test_director_makes_a_link_to_a_new_password_which_ends_every_session(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        await house.members.add_account("Ann Novak", [Role.CAPTAIN], PASSWORD)
        before = Browser(house)
        await before.sign_in("Ann Novak")
        first = await dora.send("/accounts/resets", name="Ann Novak")
        old = page_link(await dora.get(first.header("location") or ""))
        second = await dora.send("/accounts/resets", name="Ann Novak")
        link = page_link(await dora.get(second.header("location") or ""))
        browser = Browser(house)
        assert (await browser.get(old)).status == 422
        assert "Ann Novak" in unescape((await browser.get(link)).body.decode())
        done = await browser.send(link, password=NEW)
        assert (done.status, done.header("location")) == (303, "/account?done=password")
        assert (await before.get("/api/account")).status == 401
        assert (await browser.get("/api/account")).status == 200
        assert (await Browser(house).send(link, password=NEW)).status == 422
        assert (await Browser(house).sign_in("Ann Novak", NEW)).status == 303
        assert (await dora.send("/accounts/resets", name="Nobody")).status == 404

    in_house(tmp_path, story)


def test_page_of_accounts_is_for_directors(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        await house.members.add_account("Ann Novak", [Role.CAPTAIN], PASSWORD)
        ann = Browser(house)
        await ann.sign_in("Ann Novak")
        assert (await ann.get("/accounts")).status == 403
        for address in ("/accounts/invitations", "/accounts/resets", "/accounts/links"):
            assert (await ann.send(address, role="director", name="Dora Dobra")).status == 403
        page = browsing.text_of(await dora.get("/accounts?q=nov"))
        assert "Ann Novak captain" in page and "cora commentator" not in page

    in_house(tmp_path, story)


def test_signing_up_is_closed_unless_the_house_opens_it(tmp_path: Path) -> None:
    async def closed(house: WholeHouse, dora: Browser) -> None:
        browser = Browser(house)
        assert "by invitation" in browsing.text_of(await browser.get("/sign-up"))
        answer = await browser.send("/sign-up", name="Eve", password=PASSWORD)
        assert answer.status == 403 and "by invitation" in browsing.text_of(answer)
        assert (await Browser(house).sign_in("Eve")).status == 422

    async def opened(house: WholeHouse, dora: Browser) -> None:
        browser = Browser(house)
        assert "/sign-up" in (await browser.get("/sign-in")).body.decode()
        assert (await browser.send("/sign-up", name="Pat", password=PASSWORD)).status == 303
        assert (await browser.get("/api/account")).json()["roles"] == ["player"]

    in_house(tmp_path / "closed", closed)
    in_house(tmp_path / "open", opened, is_open=True)


def test_invitation_goes_by_mail_and_the_letters_link_works(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser, server: MailServer) -> None:
        wrong = await dora.send("/accounts/invitations", role="player", address="nobody")
        assert wrong.status == 422 and "mail address" in browsing.text_of(wrong)
        await dora.send("/accounts/invitations?lang=zh", role="captain", address="vic@club.example")
        stored = await house.house.database.read(lambda raw: "\n".join(raw.iterdump()))
        assert await carried(house, server) == 1
        (letter,) = server.letters
        assert letter["To"] == "vic@club.example" and "邀请" in str(letter["Subject"])
        found = re.search(r"http://club\.example(/join/\S+)", text_of(letter))
        assert found is not None and found[1].partition(".")[2] not in stored
        done = await Browser(house).send(found[1], name="Vera", password=PASSWORD)
        assert done.status == 303

    with_mail(tmp_path, story)


def test_forgotten_password_goes_by_mail_and_tells_nobody_who_has_an_account(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser, server: MailServer) -> None:
        ann = Browser(house)
        await ann.sign_in("Ann Novak")
        for wrong in (
            {"now": PASSWORD},
            {"address": "vic@club.example"},
            {"address": "v@club.example", "now": "x"},
        ):
            answer = await ann.send("/account/address", **{"address": "no address", **wrong})
            assert answer.status == 422, wrong
        assert (await ann.send("/account/address", address="ann@club.example", now=PASSWORD)).status == 303
        answers = [
            await Browser(house).send("/forgot", name=name) for name in ("ann novak", "Nobody", "Dora Dobra")
        ]
        assert {(answer.status, answer.header("location")) for answer in answers} == {
            (303, "/forgot?done=asked")
        }
        assert await carried(house, server) == 1
        found = re.search(r"http://club\.example(/reset/\S+)", text_of(server.letters[0]))
        assert found is not None
        assert (await Browser(house).send(found[1], password=NEW)).status == 303
        for _ in range(4):
            await Browser(house).send("/forgot", name="Ann Novak")
        refused = await Browser(house).send("/forgot", name="Ann Novak")
        assert refused.status == 429 and refused.header("retry-after") is not None

    with_mail(tmp_path, story)


def test_letter_is_stored_after_the_answer_whose_time_would_tell_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    async def stored(links: AccountLinks, name: str, compose: Compose) -> None:
        order.append(f"stored for {name}")

    async def story(house: WholeHouse, dora: Browser, server: MailServer) -> None:
        monkeypatch.setattr(AccountLinks, "reset_by_mail", stored)
        application = house.application

        async def telling(scope: Scope, receive: Receive, send: Send) -> None:
            async def sending(message: Message) -> None:
                order.append(message["type"])
                await send(message)

            await application(scope, receive, sending)

        monkeypatch.setattr(house, "application", telling)
        await Browser(house).send("/forgot", name="Ann Novak")
        assert order == ["http.response.start", "http.response.body", "stored for Ann Novak"]

    with_mail(tmp_path, story)


def test_without_mail_the_page_of_a_forgotten_password_says_whom_to_ask(tmp_path: Path) -> None:
    async def story(house: WholeHouse, dora: Browser) -> None:
        page = browsing.text_of(await Browser(house).get("/forgot"))
        assert "Ask a director" in page
        assert (await Browser(house).send("/forgot", name="Dora Dobra")).status == 303
        stored = await house.house.database.read(
            lambda raw: raw.execute("SELECT count(*) FROM outbox").fetchone()
        )
        assert stored == (0,)

    in_house(tmp_path, story)


def test_forgotten_password_does_not_end_the_link_that_a_director_handed_out(tmp_path: Path) -> None:
    """Anybody could have asked for a letter to Ann, and so have kept her link from working."""

    async def story(house: WholeHouse, dora: Browser, server: MailServer) -> None:
        known = house.house
        links = AccountLinks(known.database, known.writer, known.mail)
        ann = await house.members.account("Ann Novak")
        await links.change_address(ann.id, "ann@club.example", "en")
        await dora.send("/accounts/resets", name="Ann Novak")
        await Browser(house).send("/forgot", name="Ann Novak")
        (by_mail, handed_out) = await links.open_links(Kind.RESET, known.clock.now())
        for link in (by_mail, handed_out):
            page = await house.get(f"/reset/{signed(known.secret, Kind.RESET, link.id)}")
            assert page.status == 200
        address = f"/reset/{signed(known.secret, Kind.RESET, handed_out.id)}"
        assert (await Browser(house).send(address, password=NEW)).status == 303
        assert await links.open_links(Kind.RESET, known.clock.now()) == []

    with_mail(tmp_path, story)

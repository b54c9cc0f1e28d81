"""Signing in with name and password: a new session, whoever tried to put one there; and how it ends."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import pytest

from teams.members import accounts
from teams.members.accounts import Role
from teams.storage.session_store import IDLE, LONGEST, MOST
from teams.web.signing_in import BY_NAME_HERE
from tests.scenarios.whole_house import Answer, WholeHouse, whole_house
from tests.teams.web.browsing import FORM, PASSWORD, Browser, quick_hashes, text_of


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_hashes(monkeypatch)


def in_house(directory: Path, story: Callable[[WholeHouse], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            await house.members.add_account("Ann Novak", [Role.CAPTAIN], PASSWORD)
            await house.members.add_account("Dora Dobra", [Role.DIRECTOR], PASSWORD)
            await story(house)

    asyncio.run(told())


def set_cookie(answer: Answer) -> SimpleCookie:
    return SimpleCookie(answer.header("set-cookie") or "")


def test_signing_in_gives_a_session_with_the_rights_of_the_account(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        assert "Sign in" in text_of(await browser.get("/"))
        answer = await browser.sign_in("ann novak")
        assert (answer.status, answer.header("location")) == (303, "/account")
        cookie = set_cookie(answer)["twinroom"]
        assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/", True, "lax")
        assert "Ann Novak" in text_of(await browser.get("/"))
        page = await browser.get("/account")
        assert page.status == 200 and "captain" in text_of(page) and "Firefox · Linux" in text_of(page)
        assert (await browser.get("/api/account")).json()["name"] == "Ann Novak"
        stored = await house.house.database.read(
            lambda raw: raw.execute("SELECT hash FROM account_sessions").fetchone()[0]
        )
        assert browser.cookie is not None and browser.cookie not in stored

    in_house(tmp_path, story)


def test_page_that_needs_an_account_leads_to_signing_in_and_back(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        answer = await browser.get("/account?lang=zh")
        assert (answer.status, answer.header("location")) == (303, "/sign-in?next=%2Faccount%3Flang%3Dzh")
        signed = await browser.sign_in("Ann Novak", next="/account?lang=zh")
        assert signed.header("location") == "/account?lang=zh"
        again = await browser.get("/sign-in?next=/ladders")
        assert (again.status, again.header("location")) == (303, "/ladders")

    in_house(tmp_path, story)


def test_wrong_password_and_unknown_name_are_told_the_same(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        for name in ("Ann Novak", "Nobody At All", "", "x" * 5000):
            browser = Browser(house)
            answer = await browser.sign_in(name, "not the password")
            assert answer.status == 422 and browser.cookie is None
            assert "No account has this name with this password" in text_of(answer)

    in_house(tmp_path, story)


def test_unknown_name_costs_as_many_hashes_as_a_wrong_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time would tell which names exist; what takes the time is counted, as time itself is not steady."""
    compared: list[str] = []
    hasher = accounts._hasher()

    class Counting:
        def verify(self, stored: str, password: str) -> bool:
            compared.append(stored)
            return hasher.verify(stored, password)

        def hash(self, password: str) -> str:
            return hasher.hash(password)

    async def story(house: WholeHouse) -> None:
        monkeypatch.setattr(accounts, "_hasher", Counting)
        for name in ("Ann Novak", "Nobody At All"):
            await Browser(house).sign_in(name, "wrong password")
        assert len(compared) == 2

    in_house(tmp_path, story)


def test_too_many_wrong_passwords_for_a_name_have_to_wait(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        for name in ("Ann Novak", "Nobody At All"):
            for _ in range(BY_NAME_HERE.most):
                assert (await Browser(house).sign_in(name, "wrong password")).status == 422
            refused = await Browser(house).sign_in(name)
            assert (refused.status, refused.header("retry-after")) == (429, "900")
            assert "wait 15 min" in text_of(refused)
        assert (await Browser(house).sign_in("Dora Dobra")).status == 303
        house.clock.advance(BY_NAME_HERE.seconds)
        assert (await Browser(house).sign_in("Ann Novak")).status == 303

    in_house(tmp_path, story)


def test_right_passwords_count_against_nobody(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        for _ in range(3):
            for _ in range(BY_NAME_HERE.most - 1):
                await Browser(house).sign_in("Ann Novak", "wrong password")
            assert (await Browser(house).sign_in("Ann Novak")).status == 303

    in_house(tmp_path, story)


def test_signing_in_renews_the_session_and_ends_the_one_that_was_there(tmp_path: Path) -> None:
    """Session fixation: whoever planted a cookie, even a good one, knows nothing of the session that begins."""

    async def story(house: WholeHouse) -> None:
        attacker, browser = Browser(house), Browser(house)
        await attacker.sign_in("Ann Novak")
        browser.cookies = dict(attacker.cookies)
        await browser.sign_in("Dora Dobra")
        assert browser.cookie != attacker.cookie
        assert (await attacker.get("/api/account")).status == 401
        browser.cookies = {"twinroom": "planted"}
        await browser.sign_in("Ann Novak")
        assert browser.cookie != "planted"

    in_house(tmp_path, story)


def test_signing_out_ends_the_session_for_the_cookie_too(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        await browser.sign_in("Ann Novak")
        kept = Browser(house, dict(browser.cookies))
        answer = await browser.send("/sign-out")
        assert (answer.status, answer.header("location"), browser.cookie) == (303, "/", None)
        assert (await kept.get("/api/account")).status == 401
        assert (await browser.send("/sign-out")).status == 303

    in_house(tmp_path, story)


def test_session_ends_when_unused_and_in_any_case(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        await browser.sign_in("Ann Novak")
        used = timedelta()
        while used + IDLE < LONGEST:
            house.clock.advance((IDLE - timedelta(minutes=1)).total_seconds())
            used += IDLE - timedelta(minutes=1)
            assert (await browser.get("/api/account")).status == 200
        house.clock.advance((LONGEST - used).total_seconds())
        assert (await browser.get("/api/account")).status == 401
        await browser.sign_in("Ann Novak")
        house.clock.advance(IDLE.total_seconds())
        assert (await browser.get("/api/account")).status == 401

    in_house(tmp_path, story)


def test_sessions_of_an_account_are_listed_and_ended_by_their_owner_only(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        phone = Browser(house, agent="Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36")
        desk, other = Browser(house), Browser(house)
        for browser in (phone, desk):
            await browser.sign_in("Ann Novak")
        await other.sign_in("Dora Dobra")
        page = text_of(await desk.get("/account"))
        assert "Chrome · Android" in page and "Firefox · Linux (this one)" in page
        found = await house.house.database.read(
            lambda raw: raw.execute("SELECT id FROM account_sessions WHERE device LIKE '%Android%'").fetchone()
        )
        await other.send("/account/sessions", session=found[0])
        assert (await phone.get("/api/account")).status == 200
        answer = await desk.send("/account/sessions", session=found[0])
        assert answer.header("location") == "/account?done=ended"
        assert (await phone.get("/api/account")).status == 401
        await phone.sign_in("Ann Novak")
        await desk.send("/account/sessions", session="others")
        assert [(await browser.get("/api/account")).status for browser in (phone, desk, other)] == [
            401,
            200,
            200,
        ]

    in_house(tmp_path, story)


def test_account_has_so_many_sessions_and_the_one_unused_for_longest_ends(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browsers = [Browser(house) for _ in range(MOST + 1)]
        for browser in browsers:
            house.clock.advance(60)
            await browser.sign_in("Ann Novak")
        statuses = [(await browser.get("/api/account")).status for browser in browsers]
        assert statuses == [401] + [200] * MOST

    in_house(tmp_path, story)


def test_new_password_ends_every_other_session_and_all_tokens(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        token = await house.members.add_token("Ann Novak")
        browser, elsewhere = Browser(house), Browser(house)
        for each in (browser, elsewhere):
            await each.sign_in("Ann Novak")
        before = browser.cookie
        wrong = await browser.send("/account/password", now="guess", new="another long one")
        assert wrong.status == 422 and "not your password" in text_of(wrong)
        short = await browser.send("/account/password", now=PASSWORD, new="short")
        assert short.status == 422 and "at least 8" in text_of(short)
        done = await browser.send("/account/password", now=PASSWORD, new="another long one")
        assert (done.status, done.header("location")) == (303, "/account?done=password")
        assert browser.cookie != before
        assert (await browser.get("/api/account")).status == 200
        assert (await elsewhere.get("/api/account")).status == 401
        assert (await house.get("/api/account", token)).status == 401
        assert (await Browser(house).sign_in("Ann Novak")).status == 422
        assert (await Browser(house).sign_in("Ann Novak", "another long one")).status == 303

    in_house(tmp_path, story)


FORMS = ("/sign-in", "/sign-out", "/account/password", "/account/sessions")


def test_form_from_another_site_does_nothing_not_even_signing_in(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        await browser.sign_in("Ann Novak")
        before = dict(browser.cookies)
        for browser.site in ("cross-site", "same-site", "none"):
            for address in FORMS:
                answer = await browser.send(address, name="Dora Dobra", password=PASSWORD)
                assert answer.status == 403, address
            body = b'{"name": "Modra", "players": ["1", "2", "3", "4"]}'
            answer = await browser.ask("POST", "/api/teams", body, "application/json")
            assert (answer.status, answer.json()["error"]) == (403, "other_site")
        browser.site = "same-origin"
        assert browser.cookies == before and (await browser.get("/api/account")).status == 200

    in_house(tmp_path, story)


def test_form_in_another_content_type_is_refused(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        await browser.sign_in("Ann Novak")
        for content_type in ("application/json", "text/plain", "multipart/form-data; boundary=x"):
            for address in FORMS:
                answer = await browser.ask("POST", address, b"name=Dora+Dobra", content_type)
                assert answer.status == 415, address
        assert (await browser.ask("POST", "/sign-in", b"name=%ff", FORM)).status == 400
        assert (await browser.ask("POST", "/sign-in", b"x" * 70_000, FORM)).status == 413

    in_house(tmp_path, story)


def test_cookie_counts_for_nothing_where_a_token_is_sent(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        await browser.sign_in("Dora Dobra")
        headers = {"Cookie": f"twinroom={browser.cookie}", "Host": "club.example"}
        answer = await house.ask("GET", "/api/account", house.tokens["pia"], headers=headers)
        assert answer.json()["name"] == "pia"
        answer = await house.ask("GET", "/api/account", "forged", headers=headers)
        assert answer.status == 401

    in_house(tmp_path, story)


OUTWARDS = (
    "//evil.example", "/\\evil.example", "/%5Cevil.example", "/\t/evil.example", "https:evil.example",
    "javascript:alert(1)", "https://evil.example", "/ok//evil.example", "", "ladders", "/a\r\nb: c",
)  # fmt: skip
"""Addresses that browsers take for another site's, or that are no path."""


def test_signing_in_leads_to_no_other_site(tmp_path: Path) -> None:
    async def story(house: WholeHouse) -> None:
        browser = Browser(house)
        for address in OUTWARDS:
            assert (await browser.sign_in("Ann Novak", next=address)).header("location") == "/account", address
        assert (await browser.sign_in("Ann Novak", next="/ladders/3?x=1")).header(
            "location"
        ) == "/ladders/3?x=1"

    in_house(tmp_path, story)

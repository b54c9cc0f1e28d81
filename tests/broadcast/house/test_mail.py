"""Mail waits in the outbox until a real mail server has taken it, and nobody waits for that."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from broadcast.house.kinds import Kinds
from broadcast.house.mail import FIRST_PAUSE, GIVEN_UP_AFTER, Mail
from broadcast.house.relational import raw_job
from broadcast.house.smtp import SmtpSettings, Tls
from broadcast.house.writer import Writer
from broadcast.storage import mail_store
from broadcast.storage.database import Database
from broadcast.storage.mail_store import Letter, clean_address
from broadcast.tables.errors import Refusal
from tests.broadcast.house.counters import HandClock
from tests.mail_server import MailServer, mail_server, text_of

LETTER = Letter("ann@club.example", "A challenge", "Vihar challenge you: 挑战\n")


class Post:
    """A house's mail with its mail server; letters are carried when the test says so."""

    def __init__(self, database: Database, writer: Writer, clock: HandClock, server: MailServer) -> None:
        self.database, self.writer, self.clock, self.server = database, writer, clock, server
        self.mail = Mail(
            database, writer, clock, server.settings, lambda link: f"https://club.example/{link}.mark"
        )

    async def carry(self, settings: SmtpSettings | None = None) -> int:
        return await self.mail.carry_due(settings or self.server.settings)

    async def outbox(self, columns: str) -> list[tuple[object, ...]]:
        query = f"SELECT {columns} FROM outbox ORDER BY id"  # noqa: S608
        return await self.database.read(lambda raw: raw.execute(query).fetchall())


def with_post(directory: Path, story: Callable[[Post], Awaitable[None]], password: str | None = None) -> None:
    async def told() -> None:
        clock = HandClock()
        async with (
            mail_server(password) as server,
            await Database.open(directory / "house.db", migrations=mail_store.MIGRATIONS) as database,
            Writer(database, Kinds(()), clock, keeps_time=False) as writer,
        ):
            await story(Post(database, writer, clock, server))

    asyncio.run(told())


def test_letter_is_carried_once_and_its_text_forgotten(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        assert await post.mail.send(LETTER)
        assert await post.carry() == 1
        (letter,) = post.server.letters
        assert (letter["To"], letter["Subject"]) == ("ann@club.example", "A challenge")
        assert letter["From"] == "Twinroom <house@club.example>"
        assert text_of(letter) == LETTER.text
        assert str(letter["Message-ID"]).endswith("@club.example>")
        assert await post.carry() == 0
        assert await post.outbox("text, next_at, problem, tries") == [("", None, None, 1)]
        post.clock.advance(timedelta(days=31).total_seconds())
        await post.mail.send(LETTER)
        await post.carry()
        assert len(await post.outbox("id")) == 1

    with_post(tmp_path, story)


def test_task_carries_what_is_put_in_without_anybody_waiting_for_it(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        async with post.mail:
            await post.mail.send(LETTER)
            async with asyncio.timeout(30):
                await post.server.arrived.wait()

    with_post(tmp_path, story)


def test_link_in_a_letter_is_signed_as_it_goes_out_and_never_stored(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        await post.mail.send(replace(LETTER, text="Come in: {link}\n", link="join/k7"))
        assert await post.outbox("text, link") == [("Come in: {link}\n", "join/k7")]
        await post.carry()
        assert text_of(post.server.letters[0]) == "Come in: https://club.example/join/k7.mark\n"

    with_post(tmp_path, story)


def test_letter_and_what_causes_it_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        def job(connection: sqlite3.Connection, now: datetime) -> None:
            assert post.mail.put(connection, LETTER, now)
            raise Refusal("no", "It is refused after all")

        with pytest.raises(Refusal):
            await post.writer.write(raw_job(job))
        assert await post.outbox("id") == []

    with_post(tmp_path, story)


def test_without_a_mail_server_no_letter_is_taken_in(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        async with Mail(post.database, post.writer, post.clock, None) as mail:
            assert not mail.is_on
            assert not await mail.send(LETTER)
        assert await post.outbox("id") == []

    with_post(tmp_path, story)


def test_letter_waits_longer_each_time_while_the_mail_server_is_away_and_is_given_up_in_the_end(
    tmp_path: Path,
) -> None:
    async def story(post: Post) -> None:
        await post.mail.send(LETTER)
        nobody = replace(post.server.settings, port=1)
        began, tries = post.clock.now(), 0
        pause = FIRST_PAUSE
        while True:
            assert await post.carry(nobody) == 1
            tries += 1
            if post.clock.now() - began >= GIVEN_UP_AFTER:
                break
            assert (await post.mail.standing()).waiting == 1
            if tries < 5:
                post.clock.advance(pause.total_seconds() - 1)
                assert await post.carry(nobody) == 0
                post.clock.advance(1)
                pause *= 2
            else:
                post.clock.advance(timedelta(hours=6).total_seconds())
        ((text, following, problem),) = await post.outbox("text, next_at, problem")
        assert (text, following) == ("", None) and "Connect" in str(problem)
        assert (await post.mail.standing()).waiting == 0
        assert post.server.letters == []

    with_post(tmp_path, story)


def test_recipient_who_is_refused_for_good_or_for_now_holds_up_nobody_else(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        post.server.refused = {"gone@club.example": "550 no such user", "full@club.example": "452 later"}
        for recipient in ("gone@club.example", "full@club.example", "ann@club.example"):
            await post.mail.send(replace(LETTER, recipient=recipient))
        assert await post.carry() == 3
        assert [letter["To"] for letter in post.server.letters] == ["ann@club.example"]
        rows = await post.outbox("recipient, next_at IS NULL, problem IS NULL")
        assert rows == [("gone@club.example", 1, 0), ("full@club.example", 0, 0), ("ann@club.example", 1, 1)]
        standing = await post.mail.standing()
        assert standing.waiting == 1 and "452" in str(standing.problem)
        post.server.refused = {}
        post.clock.advance(FIRST_PAUSE.total_seconds())
        await post.carry()
        assert [letter["To"] for letter in post.server.letters][1:] == ["full@club.example"]

    with_post(tmp_path, story)


def test_letter_waits_where_the_mail_server_refuses_the_sender(tmp_path: Path) -> None:
    """The address in the settings is wrong and will be mended: no letter is given up for it."""

    async def story(post: Post) -> None:
        await post.mail.send(LETTER)
        post.server.refused = {"house@club.example": "553 not your address"}
        await post.carry()
        standing = await post.mail.standing()
        assert standing.waiting == 1 and "553" in str(standing.problem)
        post.server.refused = {}
        post.clock.advance(FIRST_PAUSE.total_seconds())
        await post.carry()
        assert len(post.server.letters) == 1

    with_post(tmp_path, story)


def test_task_goes_on_after_a_fault_that_nobody_foresaw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(post: Post) -> None:
        failed, carry_due = asyncio.Event(), post.mail.carry_due

        async def carry_once_mended(settings: SmtpSettings) -> int:
            if not failed.is_set():
                failed.set()
                raise RuntimeError("a fault in the house")
            return await carry_due(settings)

        monkeypatch.setattr(post.mail, "carry_due", carry_once_mended)
        async with post.mail, asyncio.timeout(30):
            await failed.wait()
            await post.mail.send(LETTER)
            await post.server.arrived.wait()

    with_post(tmp_path, story)
    assert "a fault in the house" in caplog.text


def test_name_and_password_are_given_to_the_mail_server(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        await post.mail.send(LETTER)
        await post.carry(replace(post.server.settings, password="wrong"))  # noqa: S106
        standing = await post.mail.standing()
        assert standing.waiting == 1 and "Authentication" in str(standing.problem)
        post.clock.advance(FIRST_PAUSE.total_seconds())
        await post.carry()
        assert len(post.server.letters) == 1
        assert "secret of mail" not in repr(post.server.settings)

    with_post(tmp_path, story, password="secret of mail")  # noqa: S106


def test_letter_does_not_go_in_the_clear_where_tls_is_asked_for(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        await post.mail.send(LETTER)
        await post.carry(replace(post.server.settings, tls=Tls.STARTTLS))
        assert post.server.letters == [] and (await post.mail.standing()).waiting == 1

    with_post(tmp_path, story)


@pytest.mark.parametrize(
    "address",
    ["", "ann", "ann@", "@club.example", "ann@club", "a nn@club.example", "ann@club.example\nBcc: eve@evil.org",
     "ann@club.example,eve@evil.example", "<ann@club.example>", "a" * 250 + "@club.example"],
)  # fmt: skip
def test_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(Refusal) as refused:
        clean_address(address)
    assert refused.value.rule == "bad_address"


def test_subject_cannot_bring_headers_of_its_own(tmp_path: Path) -> None:
    async def story(post: Post) -> None:
        await post.mail.send(replace(LETTER, subject="Hello\r\nBcc: eve@evil.example"))
        await post.carry()
        (letter,) = post.server.letters
        assert letter["Bcc"] is None and letter["Subject"] == "Hello Bcc: eve@evil.example"

    with_post(tmp_path, story)


BASE = {"TWINROOM_SMTP_HOST": "mail.example", "TWINROOM_MAIL_FROM": "Club <house@club.example>"}


def test_mail_is_set_up_by_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from a file\n")
    assert SmtpSettings.from_environment({}) is None
    found = SmtpSettings.from_environment(BASE)
    assert found is not None and (found.port, found.tls, found.user, found.password) == (
        587,
        Tls.STARTTLS,
        None,
        None,
    )
    more = {"TWINROOM_SMTP_TLS": "tls", "TWINROOM_SMTP_USER": "house", "TWINROOM_SMTP_PASSWORD_FILE": str(file)}
    found = SmtpSettings.from_environment(BASE | more)
    assert found is not None and (found.port, found.user, found.password) == (465, "house", "from a file")


@pytest.mark.parametrize(
    ("name", "value"),
    [("TWINROOM_SMTP_PORT", "many"), ("TWINROOM_SMTP_TLS", "yes"), ("TWINROOM_MAIL_FROM", "club"),
     ("TWINROOM_SMTP_PASSWORD_FILE", "/nowhere/password")],
)  # fmt: skip
def test_wrong_setting_of_mail_is_named(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        SmtpSettings.from_environment(BASE | {name: value})

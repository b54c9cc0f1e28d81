"""Messages are made once each: after every commit, and at the next start of a house that went down before."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path

from broadcast.feeds.streams import Stream, StreamKey
from broadcast.house.mail import Mail
from broadcast.house.relational import raw_job
from broadcast.house.smtp import SmtpSettings, Tls
from broadcast.house.writer import Writer
from broadcast.storage import mail_store
from teams.captains.messages import MessageKind, Told
from teams.ladder.stream import KIND
from teams.members.accounts import Role
from teams.storage import address_store, captain_settings, inbox_store
from teams.storage.inbox_store import Message
from teams.storage.letterbox import Letterbox
from teams.web.messages_by_mail import MessagesByMail
from tests.teams.members.member_houses import Club, club

RULES = {"schedule": "at_once", "deals": "typed", "boards": 2, "inactivity": False}


def in_club(directory: Path, story: Callable[[Club, str], Awaitable[None]]) -> None:
    """A ladder on which Vic's team has challenged Ann's."""

    async def told() -> None:
        async with club(directory) as house:
            director = await house.person("Dora", Role.DIRECTOR)
            ladder = (await house.post("/api/ladders", {"name": "Ladder", "rules": RULES}, director)).json()[
                "id"
            ]
            teams = {}
            for name in ("Ann", "Vic"):
                token = await house.person(name, Role.CAPTAIN)
                body = {"name": f"Team {name}", "players": [f"{name} {number}" for number in range(4)]}
                teams[name] = (await house.post("/api/teams", body, token)).json()["id"]
                entry = await house.post(f"/api/ladders/{ladder}/entries", {"team": teams[name]}, token)
            body = {"opponent": teams["Ann"], "ladder_version": entry.json()["version"]}
            await house.post(f"/api/ladders/{ladder}/challenges", body, token)
            await story(house, ladder)

    asyncio.run(told())


async def inbox(house: Club, name: str) -> list[Message]:
    account = (await house.members.account(name)).id
    return await house.house.database.read(lambda raw: inbox_store.newest(raw, account, 10))


async def delivered(house: Club) -> None:
    """By a letterbox that has just been opened."""
    async with Letterbox(house.house.database, house.house.writer) as letterbox:
        await letterbox.deliver()


def test_what_was_not_told_is_told_at_the_next_start_and_once(tmp_path: Path) -> None:
    async def story(house: Club, ladder: str) -> None:
        assert await inbox(house, "Ann") == []
        for _ in range(3):
            await delivered(house)
        (message,) = await inbox(house, "Ann")
        assert (message.kind, message.ladder, message.is_read) == ("challenged", ladder, False)
        assert message.facts["opponent"] == "Team Vic"
        assert await inbox(house, "Vic") == []

    in_club(tmp_path, story)


def test_read_messages_stay_read(tmp_path: Path) -> None:
    async def story(house: Club, ladder: str) -> None:
        await delivered(house)
        account = (await house.members.account("Ann")).id
        (message,) = await inbox(house, "Ann")

        await house.house.writer.write(
            raw_job(lambda raw, now: inbox_store.mark_read(raw, account, message.number, now))
        )
        await delivered(house)
        assert [each.is_read for each in await inbox(house, "Ann")] == [True]
        assert await house.house.database.read(lambda raw: inbox_store.unread(raw, account)) == 0

    in_club(tmp_path, story)


def test_message_goes_by_mail_once_in_the_language_and_zone_of_who_gets_it(tmp_path: Path) -> None:
    async def story(house: Club, ladder: str) -> None:
        database, writer = house.house.database, house.house.writer
        ann = (await house.members.account("Ann")).id

        def settings(raw: sqlite3.Connection, now: datetime) -> None:
            address_store.change(raw, ann, "ann@club.example", "zh")
            captain_settings.set_time_zone(raw, ann, "Asia/Shanghai")

        await writer.write(raw_job(settings))
        mail = Mail(database, writer, house.clock, SmtpSettings("mail.example", 25, Tls.NONE, "t@club.example"))
        for _ in range(2):
            letterbox = Letterbox(database, writer)
            letterbox.post = MessagesByMail(mail, "https://club.example")
            async with letterbox:
                await letterbox.deliver()
        now = house.clock.now()
        (letter,) = await database.read(lambda raw: mail_store.due(raw, now, 10))
        assert letter.recipient == "ann@club.example"
        assert letter.subject.startswith("Ladder: Team Vic向Team Ann挑战")
        assert "https://club.example/captain?lang=zh" in letter.text

    in_club(tmp_path, story)


def test_no_more_letters_than_twenty_an_hour_go_to_an_account_and_its_inbox_has_all(tmp_path: Path) -> None:
    """A captain who challenged and withdrew by script sent another one a letter for each, without end."""

    async def story(house: Club, ladder: str) -> None:
        database, writer = house.house.database, house.house.writer
        ann = (await house.members.account("Ann")).id
        mail = Mail(database, writer, house.clock, SmtpSettings("mail.example", 25, Tls.NONE, "t@club.example"))
        post = MessagesByMail(mail, "https://club.example")

        def flood(raw: sqlite3.Connection, now: datetime) -> None:
            address_store.change(raw, ann, "ann@club.example", "en")
            for each in range(15):
                told = Told("t", MessageKind.CAPTAIN_NOW, {"ladder": "L", "team": "T", "before": "b"}, 0, now)
                together = 1 + each % 2
                for _ in range(together):
                    inbox_store.note(raw, ann, ladder, told)
                post.put(raw, now, [(ann, told)] * together)

        async def letters() -> int:
            await writer.write(raw_job(flood))
            return (await database.read(mail_store.standing)).waiting

        assert await letters() == 20
        house.clock.advance(3601)
        assert await letters() == 40
        assert await database.read(lambda raw: inbox_store.unread(raw, ann)) == 44

    in_club(tmp_path, story)


class Behind(Writer):
    """A writer that shows a ladder as it stood before the last commits, as who asked before them was told."""

    def __init__(self, writer: Writer, earlier: Stream) -> None:
        self.__dict__.update(vars(writer))
        self._earlier = earlier

    async def stream(self, key: StreamKey) -> Stream | None:
        return self._earlier


def test_what_is_recorded_while_a_log_is_read_is_told_later_and_not_lost(tmp_path: Path) -> None:
    """A challenge that the ladder's state did not know yet was taken for told, and nobody was."""

    async def story(house: Club, ladder: str) -> None:
        database, writer = house.house.database, house.house.writer
        earlier = await writer.stream(StreamKey(KIND, ladder))
        assert earlier is not None
        token = await house.person("Wim", Role.CAPTAIN)
        body = {"name": "Team Wim", "players": [f"Wim {number}" for number in range(4)]}
        team = (await house.post("/api/teams", body, token)).json()["id"]
        entry = await house.post(f"/api/ladders/{ladder}/entries", {"team": team}, token)
        vic = next(row["team"]["id"] for row in (await house.get(f"/api/ladders/{ladder}")).json()["rungs"][1:])
        asked = {"opponent": vic, "ladder_version": entry.json()["version"]}
        assert (await house.post(f"/api/ladders/{ladder}/challenges", asked, token)).status_code == 201
        async with Letterbox(database, Behind(writer, earlier)) as letterbox:
            await letterbox.deliver()
        assert (len(await inbox(house, "Ann")), len(await inbox(house, "Vic"))) == (1, 0)
        await delivered(house)
        assert [message.kind for message in await inbox(house, "Vic")] == ["challenged"]

    in_club(tmp_path, story)

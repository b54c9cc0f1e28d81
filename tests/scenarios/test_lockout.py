"""What ends with a post or a password: nobody comes in again by what they made while they had it."""

import asyncio
from pathlib import Path

import pytest

from broadcast.house.relational import raw_job
from broadcast.storage.mail_store import Letter
from broadcast.tables.errors import Refusal
from teams.members.accounts import Role
from teams.storage import captain_settings, link_store
from teams.storage.account_links import AccountLinks
from teams.storage.invitation_store import Post
from teams.storage.link_store import Kind
from teams.storage.parties import Parties, take
from tests.scenarios.whole_house import WholeHouse, contest, whole_house
from tests.teams.web.browsing import PASSWORD, link_to_room, quick_hashes, signed_in

NOBODY = Letter("nobody@club.example", "", "")


async def make_deputy(house: WholeHouse, parties: Parties, team: str, name: str) -> str:
    account = (await house.members.account(name)).id
    invitation = await parties.invite(team, Post.DEPUTY, None)
    await house.house.writer.write(raw_job(lambda raw, now: take(raw, invitation, None, account, now)))
    return account


async def is_good(house: WholeHouse, parties: Parties, invitation: str) -> bool:
    try:
        await parties.invited(invitation, house.clock.now())
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("way", ["dismissed", "replaced"])
def test_deputy_who_is_none_any_more_keeps_neither_invitations_nor_links_to_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await played.name_lineup("home")
            parties, team = Parties(house.house.database, house.house.writer), played.teams["home"]
            pia = await make_deputy(house, parties, team, "pia")
            own = await parties.invite(team, Post.PLAYER, pia)
            elsewhere = await parties.invite(played.teams["visitors"], Post.PLAYER, pia)
            captains = await parties.invite(team, Post.PLAYER, (await house.members.account("ann")).id)
            link = await link_to_room(await signed_in(house, "pia"), played.challenge, "open")
            room = f"/api/matches/{played.match}/rooms/open"
            assert (await house.get(room, link)).status == 200
            if way == "dismissed":
                await parties.dismiss_deputy(team)
            else:
                await make_deputy(house, parties, team, "nil")
            assert (await house.get(room, link)).status == 401
            good = [await is_good(house, parties, each) for each in (own, elsewhere, captains)]
            assert good == [False, True, True]

    asyncio.run(told())


def test_officer_who_is_removed_keeps_no_invitation(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            parties, vic = Parties(house.house.database, house.house.writer), await house.members.account("vic")
            first = await parties.invite(played.club, Post.OFFICER, None)
            await house.house.writer.write(raw_job(lambda raw, now: take(raw, first, None, vic.id, now)))
            own = await parties.invite(played.club, Post.OFFICER, vic.id)
            await parties.remove_officer(played.club, vic.id)
            assert not await is_good(house, parties, own)

    asyncio.run(told())


@pytest.mark.parametrize("way", ["page", "link"])
def test_new_password_ends_all_by_which_who_knew_the_old_one_could_come_in_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await played.name_lineup("home")
            link = await link_to_room(await signed_in(house, "ann"), played.challenge, "open")
            ann = (await house.members.account("ann")).id
            parties = Parties(house.house.database, house.house.writer)
            secret = await house.house.writer.write(
                raw_job(lambda raw, now: captain_settings.renew_address(raw, ann, house.house.secret))
            )
            invited = [
                await parties.invite(played.teams["home"], post, ann) for post in (Post.DEPUTY, Post.PLAYER)
            ]
            links = AccountLinks(house.house.database, house.house.writer, house.house.mail)
            reset = await links.reset_by_director("ann", "director:dora", lambda link, to: NOBODY)
            assert (await house.get(f"/personal/{secret}.ics")).status == 200
            if way == "page":
                await house.members.set_password("ann", PASSWORD + " now")
            else:
                await links.new_password(reset.id, PASSWORD + " now", house.clock.now())
            assert (await house.get(f"/personal/{secret}.ics")).status == 404
            assert (await house.get(f"/api/matches/{played.match}/rooms/open", link)).status == 401
            assert [await is_good(house, parties, each) for each in invited] == [False, True]
            with pytest.raises(Refusal, match="used"):
                await links.new_password(reset.id, PASSWORD + " again", house.clock.now())

    asyncio.run(told())


def test_new_password_of_a_director_ends_the_invitations_that_make_directors(tmp_path: Path) -> None:
    async def told() -> None:
        async with whole_house(tmp_path) as house:
            links = AccountLinks(house.house.database, house.house.writer, house.house.mail)
            made = [
                await links.invite(role, None, "", None, "director:dora", lambda link, to: NOBODY)
                for role in (Role.DIRECTOR, Role.PLAYER)
            ]
            await house.members.set_password("dora", PASSWORD)
            left = await house.house.database.read(
                lambda raw: link_store.open_links(raw, Kind.JOIN, house.clock.now())
            )
            assert [link.id for link in left] == [made[1].id]

    asyncio.run(told())

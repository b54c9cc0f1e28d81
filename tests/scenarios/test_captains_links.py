"""A challenge's forms on its captain's page: the operators' links made there, and the line-up named there.

A link that a captain makes opens a table at which the captain may play: the log says whose link it was.
"""

import asyncio
import json
import re
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from broadcast.house.relational import raw_job
from teams.captains import room_links
from teams.members.rosters import KnownPlayer
from teams.storage import team_store
from teams.storage.members import new_id
from teams.web import captain_links
from teams.web.messages_by_mail import MessagesByMail
from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, link_to_room, quick_hashes, signed_in, text_of


def test_log_names_the_captain_whose_link_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await played.name_lineup("visitors")
            captain, operator = await signed_in(house, "vic"), Browser(house)
            token = await link_to_room(captain, played.challenge, "closed")
            path = f"/api/matches/{played.match}/rooms/closed/commands"
            await house.done(path, {"command": opened(1)}, token)
            body = json.dumps({"token": token}).encode()
            entered = await operator.ask("POST", "/operate/session", body, "application/json")
            assert entered.status == 201
            headers = {
                "Cookie": f"twinroom_operator={operator.cookies['twinroom_operator']}",
                "Content-Type": "application/json",
                "Idempotency-Key": "k",
                "Origin": "http://club.example",
            }
            call = json.dumps({"commands": auction(1, "1NT")}).encode()
            assert (await house.ask("POST", path, None, call, headers)).status == 201
            log = (
                await house.get(f"/api/matches/{played.match}/desk/events", house.tokens["dora"])
            ).body.decode()
            assert len(re.findall(r'"by":"operator:\w{8}/captain:vic"', log)) >= 2
            await played.enter("open", opened(1))
            log = (
                await house.get(f"/api/matches/{played.match}/desk/events", house.tokens["dora"])
            ).body.decode()
            assert re.search(r'"by":"operator:\w{8}"', log)

    asyncio.run(told())


def test_line_up_that_is_refused_stays_chosen_and_a_part_of_one_tells_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            captain = await signed_in(house, "vic")
            page = (await captain.get("/captain")).body.decode()
            seats = re.findall(r'<select name="((?:open|closed)_[NESW])">', page)
            players = list(dict.fromkeys(re.findall(r'<option value="(?!substitute)([^"]+)">Vihar', page)))
            assert (len(seats), len(players)) == (4, 4)
            address = f"/captain/challenges/{played.challenge}/lineup"

            twice = dict(zip(seats, [players[0], players[0], "substitute2", ""], strict=True))
            refused = await captain.send(address, **twice, substitute2="Eva")
            assert refused.status == 422
            again = refused.body.decode()
            assert re.findall(r'<option value="([^"]+)" selected', again)[-3:] == [
                players[0],
                players[0],
                "substitute2",
            ]
            assert 'value="Eva"' in again
            assert "Seats still open" not in text_of(refused)

            part = dict(zip(seats, [*players[:3], ""], strict=True))
            assert (await captain.send(address, **part)).status == 303
            last = {"N": "North", "E": "East", "S": "South", "W": "West"}[seats[3][-1]]
            assert f"Seats still open: Closed room {last}" in text_of(await captain.get("/captain"))
            assert (await captain.send(address, **dict(zip(seats, players, strict=True)))).status == 303
            assert "Seats still open" not in text_of(await captain.get("/captain"))

    asyncio.run(told())


def test_link_is_told_to_the_other_captain_at_once_and_shown_to_both_and_the_director(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            browsers = {name: await signed_in(house, name) for name in ("ann", "vic", "dora")}
            taken = await browsers["vic"].send(
                f"/captain/challenges/{played.challenge}/operator", room="closed"
            )
            assert taken.status == 200
            said = "vic (Vihar) took the closed room's operator's link"
            assert f"{said}." in text_of(await browsers["ann"].get("/captain/inbox"))
            assert said not in text_of(await browsers["vic"].get("/captain/inbox"))
            for name in ("ann", "vic"):
                assert f"{said}: " in text_of(await browsers[name].get("/captain"))
            desk = text_of(await browsers["dora"].get(f"/desk/{played.match}/operators"))
            assert "Taken by captains" in desk and "Closed room · vic" in desk

    asyncio.run(told())


def test_captain_makes_so_many_links_and_silences_no_letter_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred links a minute were a hundred messages, and no letter of another kind for an hour."""
    quick_hashes(monkeypatch)
    monkeypatch.setattr(room_links, "MOST_LINKS", 3)
    monkeypatch.setattr(captain_links, "MOST_LETTERS", 1)
    letters: list[bool] = []
    monkeypatch.setattr(MessagesByMail, "put", lambda *told: letters.append(True))

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            captain = await signed_in(house, "vic")
            link = f"/captain/challenges/{played.challenge}/operator"
            letters.clear()
            made = [await captain.send(link, room="open") for _ in range(4)]
            assert [each.status for each in made] == [200, 200, 200, 422]
            assert "You have made 3 links to the open room" in text_of(made[-1])
            assert letters == [True]
            assert (await captain.send(link, room="closed")).status == 200

    asyncio.run(told())


def test_captains_link_shows_neither_deals_nor_players_before_the_own_line_up_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It read every deal and the other team's pair, and then the captain named the own players."""
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            await played.name_lineup("home")
            captain, operator = await signed_in(house, "vic"), Browser(house)
            house.tokens["vic"] = await house.members.add_token("vic")
            token = await link_to_room(captain, played.challenge, "open")
            room = f"/api/matches/{played.match}/rooms/open"
            opening = {"command": opened(1)}
            body = json.dumps({"token": token}).encode()
            assert (await operator.ask("POST", "/operate/session", body, "application/json")).status == 201
            waits = "has named its players for both rooms"
            assert waits in text_of(await operator.get(f"/operate/{played.match}/open"))

            refused = await house.post(f"{room}/commands", opening, token)
            assert (refused.status, refused.json()["error"]) == (422, "lineup_first")
            await played.enter("open", opened(1))
            for address in (room, f"{room}/events", f"/operate/{played.match}/open/table"):
                shut = await house.get(address, token)
                assert (shut.status, b"Modra 1" in shut.body) == (422, False)
            stale = await house.post(f"{room}/commands", opening | {"expected": 0}, token)
            assert (stale.status, b"Modra 1" in stale.body) == (422, False), "what was missed is told to nobody"

            await played.name_lineup("visitors")
            assert (await house.get(room, token)).json()["board"]["number"] == 1
            assert waits not in text_of(await operator.get(f"/operate/{played.match}/open"))
            assert (await operator.get(f"/operate/{played.match}/open/table")).json()["keeps_order"]
            for command, error in (
                ({"type": "skip_board", "segment": 1, "board": 1, "reason": "x"}, "director_skips"),
                (opened(2) | {"reason": "x"}, "director_opens"),
            ):
                refused = await house.post(f"{room}/commands", {"command": command}, token)
                assert (refused.status, refused.json()["error"]) == (422, error)
            await played.enter("open", {"type": "skip_board", "segment": 1, "board": 1, "reason": "Ivo is ill"})
            assert "the board was skipped" in text_of(await captain.get("/captain"))
            assert "这副牌被跳过" in text_of(await captain.get("/captain?lang=zh"))
            director = await signed_in(house, "dora")
            desk = text_of(await director.get(f"/desk/{played.match}"))
            assert "Skipped in a challenge" in desk and "Ivo is ill" in desk
            lineup = f"/api/challenges/{played.challenge}/lineup"
            late = await house.post(lineup, {"room": "open", "seats": {"E": "Eva"}}, house.tokens["vic"])
            assert (late.status, late.json()["error"]) == (422, "match_started")
            assert "Change the line-up" not in text_of(await captain.get("/captain"))

    asyncio.run(told())


def test_captain_in_a_line_up_takes_no_link_while_they_have_boards_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the link of either room they saw hands that they hold, or play later."""
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house, boards=1)
            await house.members.set_password("vic", PASSWORD)
            vic = await house.members.account("vic")
            team = await house.members.team(played.teams["visitors"])
            kept = [KnownPlayer(each.id) for each in team.players]

            def join(connection: sqlite3.Connection, now: datetime) -> KnownPlayer:
                joined = team_store.player_of(connection, vic.id, "Vic", new_id)
                team_store.replace_roster(connection, team.id, [joined, *kept], new_id)
                return joined

            player = await house.house.writer.write(raw_job(join))
            captain = Browser(house)
            await captain.sign_in("vic")
            link = f"/captain/challenges/{played.challenge}/operator"
            made = re.search(r"/operate/enter#([\w-]+)", (await captain.send(link, room="open")).body.decode())
            assert made is not None
            room = f"/api/matches/{played.match}/rooms/open"
            shut = await house.get(room, made[1])
            assert (shut.status, shut.json()["error"]) == (422, "lineup_first")

            page = (await captain.get("/captain")).body.decode()
            seats = re.findall(r'<select name="((?:open|closed)_[NESW])">', page)
            fielded = [player.id, *(each.id for each in kept[:3])]
            lineup = f"/captain/challenges/{played.challenge}/lineup"
            assert (await captain.send(lineup, **dict(zip(seats, fielded, strict=True)))).status == 303
            assert (await house.get(room, made[1])).status == 401, "who plays keeps no link"
            for where in ("open", "closed"):
                refused = await captain.send(link, room=where)
                assert refused.status == 422
                assert "You play in the open room" in text_of(refused)
            assert "operator's link: " in text_of(await captain.get("/captain"))

            await played.enter("open", opened(1), {"type": "result", "passed_out": True})
            assert (await captain.send(link, room="closed")).status == 200

    asyncio.run(told())


def test_desk_says_which_captains_cleared_an_alarm_together_and_which_director_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            played = await contest(house)
            browsers = {name: await signed_in(house, name) for name in ("ann", "vic", "dora")}
            for board in (1, 2):
                result = {"type": "result", "contract": "3NT", "declarer": "N", "tricks": 9}
                passes = auction(board, "1NT Pass Pass Pass")
                await played.enter("open", opened(board), *passes, result)
            alarm = "record_differs:1.1:open"
            early = await browsers["vic"].send(f"/captain/challenges/{played.challenge}/clear", alarm=alarm)
            assert early.status == 404, "the other room's boards are told when they are public"
            assert "what auction and play show" not in text_of(await browsers["vic"].get("/captain"))
            await played.enter("closed", opened(1), {"type": "result", "passed_out": True})
            assert "what auction and play show" in text_of(await browsers["vic"].get("/captain"))
            for name in ("ann", "vic"):
                cleared = await browsers[name].send(
                    f"/captain/challenges/{played.challenge}/clear", alarm=alarm
                )
                assert cleared.status == 303
            await browsers["dora"].send(
                f"/desk/{played.match}/alarms", alarm="record_differs:1.2:open", reason="They bid on"
            )
            desk = text_of(await browsers["dora"].get(f"/desk/{played.match}"))
            assert "2 alarms cleared" in desk
            assert "cleared by both captains together: captain vic, captain ann" in desk
            assert "director dora" in desk and "They bid on" in desk
            stream = f"/api/matches/{played.match}/desk/events"
            await browsers["dora"].sign_in("dora")
            log = (await browsers["dora"].get(stream)).body.decode()
            assert '"agreed":["captain:vic","captain:ann"]' in log
            public = (await house.get(f"/matches/{played.match}/corrections")).body.decode()
            assert "record_differs" not in public and "They bid on" not in public

    asyncio.run(told())

"""A second pair of eyes by its link: what it sees, what it may say, and what comes of it."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from broadcast.web import confirm_routes
from broadcast.web.operator_routes import WRONG_LINKS
from tests.builders import deal_of
from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.whole_house import Answer, Contest, Json, contest, whole_house

SEEN: Json = {"segment": 1, "board": 1, "room": "open", "contract": "3NT", "declarer": "N", "tricks": 9}
CARD = re.compile(r"\b[SHDC][AKQJT2-9]\b|[AKQJT2-9]*\.[AKQJT2-9]*\.[AKQJT2-9]*\.[AKQJT2-9]*")


def in_contest(directory: Path, story: Callable[[Contest, str], Awaitable[None]], **asked: str) -> None:
    """Board 1 over in the open room and in play in the closed one, and a link to check results."""

    async def told() -> None:
        async with whole_house(directory) as house:
            played = await contest(house)
            await played.enter(
                "open", opened(1), *auction(1, "1NT Pass 3NT Pass Pass Pass"), ended("3NT", "N", 9)
            )
            await played.enter("closed", opened(1), *auction(1, "1NT Pass"))
            path = f"/api/matches/{played.match}/confirmers"
            token = (await house.done(path, asked, house.tokens["dora"]))["token"]
            await story(played, token)

    asyncio.run(told())


def path(contest: Contest) -> str:
    return f"/api/matches/{contest.match}/checks"


def test_confirmer_sees_finished_results_and_no_card(tmp_path: Path) -> None:
    async def story(contest: Contest, token: str) -> None:
        answer = await contest.house.get(path(contest), token)
        [board] = answer.json()["boards"]
        shown = {
            name: board[name] for name in ("room", "contract", "declarer", "tricks", "score_ns", "checked")
        }
        assert shown == {
            "room": "open",
            "contract": "3NT",
            "declarer": "N",
            "tricks": 9,
            "score_ns": 400,
            "checked": False,
        }
        assert str(deal_of(1))[2:] not in answer.body.decode()
        assert CARD.search(answer.body.decode()) is None

    in_contest(tmp_path, story)


def test_check_is_public_with_its_result_and_overtakes_no_entry(tmp_path: Path) -> None:
    async def story(contest: Contest, token: str) -> None:
        house, room = contest.house, f"/api/matches/{contest.match}/rooms/open"
        before = (await house.get(room, contest.tokens["operator open"])).json()["room_sequence"]
        await house.done(path(contest), SEEN, token)
        again = await house.post(path(contest), SEEN, token)
        assert (again.status, again.json()["error"]) == (422, "checked_already")
        after = (await house.get(room, contest.tokens["operator open"])).json()["room_sequence"]
        assert after == before
        match = (await house.get(f"/api/matches/{contest.match}")).json()
        assert match["boards"][0]["open"].get("checked") is False  # the closed room is still playing
        await contest.enter("closed", *auction(1, "1NT Pass Pass Pass")[2:], ended("1NT", "N", 7))
        match = (await house.get(f"/api/matches/{contest.match}")).json()
        assert match["boards"][0]["open"]["checked"] is True
        assert match["boards"][0]["open"]["source"] == "operator"
        page = (await house.get(f"/matches/{contest.match}/boards/1.1")).body.decode()
        assert re.search(r"Open room entered by the operator <span [^>]*>✓</span> checked", page)
        hidden = (await house.get(f"/matches/{contest.match}/boards/1.1?results=hidden")).body.decode()
        assert "entered by the operator" not in hidden
        await contest.rule("correct_result", **{**SEEN, "tricks": 10})
        match = (await house.get(f"/api/matches/{contest.match}")).json()
        assert (match["boards"][0]["open"]["checked"], match["boards"][0]["open"]["source"]) == (
            False,
            "director",
        )

    in_contest(tmp_path, story)


def test_doubt_is_for_the_director_alone(tmp_path: Path) -> None:
    async def story(contest: Contest, token: str) -> None:
        house = contest.house
        public = (await house.get(f"/api/matches/{contest.match}")).body
        await house.done(path(contest), SEEN | {"wrong": "the slip says 10 tricks"}, token)
        assert (await house.get(f"/api/matches/{contest.match}")).body == public
        [board] = (await house.get(path(contest), token)).json()["boards"]
        assert board["doubt"] == "the slip says 10 tricks"
        desk = (await house.get(f"/desk/{contest.match}", contest.tokens["dora"])).body.decode()
        assert "A second pair of eyes says that the result is wrong" in desk
        assert "the slip says 10 tricks" in desk
        await house.done(path(contest), SEEN, token)
        [board] = (await house.get(path(contest), token)).json()["boards"]
        assert (board["doubt"], board["checked"]) == (None, True)

    in_contest(tmp_path, story)


def test_links_that_are_no_good_are_tried_so_often_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(contest: Contest, token: str) -> None:
        monkeypatch.setattr(confirm_routes, "network_of", lambda scope: "192.0.2.1")

        async def exchanged(token: str) -> Answer:
            own = {"Host": "club.example", "Origin": "http://club.example", "Content-Type": "application/json"}
            body = json.dumps({"token": token}).encode()
            return await contest.house.ask("POST", "/confirm/session", None, body, own)

        for _ in range(WRONG_LINKS.most):
            assert (await exchanged("forged")).status == 401
        refused = await exchanged(token)
        assert (refused.status, refused.json()["error"]) == (429, "too_many_tries")
        contest.house.clock.advance(WRONG_LINKS.seconds)
        for _ in range(WRONG_LINKS.most + 1):
            assert (await exchanged(token)).status == 201

    in_contest(tmp_path, story)


def test_verdict_never_falls_on_another_result_board_room_or_match(tmp_path: Path) -> None:
    async def story(contest: Contest, token: str) -> None:
        house = contest.house

        async def refused(body: Json, token: str = token) -> tuple[int, str]:
            answer = await house.post(path(contest), body, token)
            return answer.status, answer.json()["error"]

        assert await refused(SEEN | {"tricks": 10}) == (422, "result_changed")
        assert await refused(SEEN | {"room": "closed"}) == (403, "other_room")
        assert await refused(SEEN | {"board": 2}) == (422, "nothing_to_check")
        assert await refused(SEEN | {"board": 99}) == (404, "no_such_board")
        assert await refused(SEEN | {"wrong": " "}) == (422, "reason_needed")
        assert await refused(SEEN, "forged") == (401, "bad_token")
        elsewhere = await house.get(f"/api/matches/{contest.other_match}/checks", token)
        assert (elsewhere.status, elsewhere.json()["error"]) == (403, "other_match")
        operators = await house.get(path(contest), contest.tokens["operator open"])
        assert operators.status == 403
        for other in (f"/api/matches/{contest.match}/desk", f"/api/matches/{contest.match}/rooms/open"):
            assert (await house.get(other, token)).status == 401
        address = f"/api/matches/{contest.match}/confirmers"
        withdrawn = await house.ask("DELETE", address, contest.tokens["dora"])
        assert withdrawn.json() == {"revoked": 1}
        assert await refused(SEEN) == (401, "link_revoked")

    in_contest(tmp_path, story, room="open")

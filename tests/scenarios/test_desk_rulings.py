"""Rulings at the desk: what is shown before is what comes of it, and nothing is done by looking."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path

from teams.members.accounts import Role
from tests.scenarios.entries import opened
from tests.scenarios.whole_house import Answer, Contest, Json, contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, text_of

RESULT = {"type": "result", "contract": "3NT", "declarer": "N"}
CORRECTION = {
    "board": "1.1",
    "room": "open",
    "contract": "3NT",
    "declarer": "N",
    "tricks": "7",
    "reason": "scored on the wrong line",
}


def at_desk(directory: Path, story: Callable[[Contest, Browser], Awaitable[None]]) -> None:
    """A director is signed in; the challengers lead by an overtrick on the only board of a challenge."""

    async def told() -> None:
        async with whole_house(directory) as house:
            await house.members.add_account("Dora Dobra", [Role.DIRECTOR], PASSWORD)
            played = await contest(house, boards=1)
            for room, tricks in (("open", 9), ("closed", 12)):
                await played.enter(room, opened(1), {**RESULT, "tricks": tricks})
            director = Browser(house)
            await director.sign_in("Dora Dobra")
            await story(played, director)

    asyncio.run(told())


def hidden(answer: Answer, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', answer.body.decode())
    assert found is not None, text_of(answer)
    return unescape(found[1])


async def standing(contest: Contest) -> tuple[Json, list[str]]:
    match = (await contest.house.get(f"/api/matches/{contest.match}")).json()
    ladder = (await contest.house.get(f"/api/ladders/{contest.ladder}")).json()
    return match["totals"]["imps"], [row["team"]["id"] for row in ladder["rungs"]]


def test_correction_after_the_end_shows_imps_and_rungs_and_then_makes_them_so(tmp_path: Path) -> None:
    async def story(contest: Contest, director: Browser) -> None:
        page = f"/desk/{contest.match}/rulings/correct_result"
        await contest.rule("close")
        before = await standing(contest)
        assert before == ({"home": 0, "visitors": 3}, [contest.teams["visitors"], contest.teams["home"]])
        turned = {**CORRECTION, "tricks": "13"}
        shown = await director.send(page, **turned, step="preview", key="k")
        told = text_of(shown)
        assert "0 – 3 → 1 – 0" in told
        assert "Ladder Modra: rung 2 → rung 1" in told and "Ladder Vihar: rung 1 → rung 2" in told
        assert await standing(contest) == before
        digest = hidden(shown, "digest")
        done = await director.send(page, **turned, step="do", key="k", digest=digest)
        assert (done.status, done.header("location")) == (303, f"/desk/{contest.match}?done=correct_result")
        assert await standing(contest) == ({"home": 1, "visitors": 0}, before[1][::-1])
        assert "scored on the wrong line" in text_of(await director.get(f"/desk/{contest.match}/boards/1.1"))

    at_desk(tmp_path, story)


def test_ruling_whose_effects_have_changed_is_shown_again_and_not_done(tmp_path: Path) -> None:
    async def story(contest: Contest, director: Browser) -> None:
        page = f"/desk/{contest.match}/rulings/correct_result"
        digest = hidden(await director.send(page, **CORRECTION, step="preview", key="k"), "digest")
        await contest.rule("penalty", side="home", unit="imps", amount=2)
        again = await director.send(page, **CORRECTION, step="do", key="k", digest=digest)
        assert again.status == 200 and "The match has gone on since you looked" in text_of(again)
        assert hidden(again, "digest") != digest
        await director.send(page, **CORRECTION, step="do", key="k", digest=hidden(again, "digest"))
        board = (await contest.house.get(f"/api/matches/{contest.match}/boards/1.1")).json()
        assert (board["open"]["tricks"], board["open"]["source"]) == (7, "director")
        once_more = await director.send(page, **CORRECTION, step="do", key="k", digest=hidden(again, "digest"))
        assert once_more.status == 200
        log = (await contest.house.get(f"/api/matches/{contest.match}/boards/1.1")).json()["open"][
            "corrections"
        ]
        assert len(log) == 1

    at_desk(tmp_path, story)


def test_refused_ruling_says_why_and_keeps_what_was_typed(tmp_path: Path) -> None:
    async def story(contest: Contest, director: Browser) -> None:
        page = f"/desk/{contest.match}/rulings"
        answer = await director.send(
            f"{page}/correct_result", **{**CORRECTION, "contract": "9NT"}, step="preview"
        )
        assert answer.status == 422 and 'value="9NT"' in answer.body.decode()
        answer = await director.send(f"{page}/lift_ruling", board="1.1", reason="x", step="preview")
        assert answer.status == 422 and "neither an award nor a cancellation" in text_of(answer)
        assert (await director.send(f"{page}/close", reason=" ", step="preview")).status == 422
        assert (await director.get(f"{page}/curious")).status == 404
        foreign = Browser(contest.house, dict(director.cookies), site="cross-site")
        assert (await foreign.send(f"{page}/close", reason="x", step="do")).status == 403

    at_desk(tmp_path, story)


def test_operators_are_not_told_what_was_ruled_on_the_other_room(tmp_path: Path) -> None:
    """An award for one room stood in the other room's log, score and reason, before the board was public."""

    async def story(contest: Contest, director: Browser) -> None:
        match = f"/api/matches/{contest.match}"
        await contest.rule("award", board=1, award={"kind": "assigned", "room": "open", "score_ns": 1430})
        for room, knows in (("open", True), ("closed", False)):
            log = await contest.house.get(
                f"{match}/rooms/{room}/events?after=0", contest.tokens[f"operator {room}"]
            )
            assert (b"1430" in log.body) is knows
            assert b"event: award" in log.body

    at_desk(tmp_path, story)


def test_result_a_director_enters_in_a_room_is_the_directors(tmp_path: Path) -> None:
    async def story(contest: Contest, director: Browser) -> None:
        path = f"/api/matches/{contest.match}/rooms/closed/commands"
        await contest.house.done(path, {"command": {**RESULT, "tricks": 10}}, contest.tokens["dora"])
        match = (await contest.house.get(f"/api/matches/{contest.match}")).json()
        assert [match["boards"][0][room]["source"] for room in ("open", "closed")] == ["operator", "director"]

    at_desk(tmp_path, story)

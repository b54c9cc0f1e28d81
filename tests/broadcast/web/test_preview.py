"""Preview images: what they say, hidden ones no result; they are kept, and refused politely."""

import asyncio
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from broadcast.web import preview, preview_fonts
from broadcast.web.languages import Language
from broadcast.web.preview import Previews, board_picture, match_picture
from broadcast.web.preview_drawing import MatchPicture, draw_board, draw_match
from tests import sample_states as sample
from tests.page_client import head_of
from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.whole_house import Contest, contest, whole_house

ENGLISH, CHINESE = Language.ENGLISH, Language.CHINESE


def in_contest(directory: Path, story: Callable[[Contest], Awaitable[None]], release: str = "board") -> None:
    """Board 1 is played in both rooms with a swing, board 2 in one."""

    async def told() -> None:
        async with whole_house(directory) as house:
            played = await contest(house, release)
            for room, tricks in (("open", 9), ("closed", 8)):
                calls = auction(1, "1NT Pass 3NT Pass Pass Pass")
                await played.enter(room, opened(1), *calls, ended("3NT", "N", tricks))
            await played.enter("open", opened(2), *auction(2, "Pass Pass 1NT Pass"))
            await story(played)

    asyncio.run(told())


def size_of(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as image:
        assert image.format == "PNG"
        return image.size


# --- what a picture says -------------------------------------------------------------------------------------


def test_match_picture_tells_the_score() -> None:
    said = match_picture(sample.match_state(), ENGLISH)
    totals = sample.match_state()["totals"]
    assert [team.imps for team in said.teams] == [str(totals["imps"][side]) for side in ("home", "visitors")]
    assert "IMP" in said.sentence and "leads" in said.sentence
    assert said.after == f"after {totals['boards_compared']} of {totals['boards_total']} boards"
    assert len(said.swings) == len(sample.match_state()["boards"])


def test_match_picture_in_chinese() -> None:
    said = match_picture(sample.match_state(), CHINESE)
    assert "领先" in said.sentence and "IMP" in said.sentence


def test_hidden_match_picture_has_no_place_for_a_result() -> None:
    """Two matches that differ by results alone give the same picture."""
    one, other = (sample.hidden(sample.match_state(boards)) for boards in (6, 11))
    assert match_picture(one, ENGLISH) == match_picture(other, ENGLISH)
    said = match_picture(one, ENGLISH)
    assert said.swings == () and said.leader is None and said.after == ""
    assert all(team.imps is None and team.vps is None for team in said.teams)


def test_hidden_board_picture_shows_the_deal_and_no_result() -> None:
    match, board = sample.match_state(), sample.board_resource(22)
    shown = board_picture(match, board, ENGLISH, hidden=False)
    said = board_picture(match, board, ENGLISH, hidden=True)
    assert shown.rooms and shown.hands
    assert (said.rooms, said.swing, said.winner) == ((), None, None)
    assert said.hands == shown.hands


@pytest.mark.parametrize("state", ["in_play", "not_played", "passed_out", "cancelled", "adjusted"])
def test_board_is_drawn_in_every_state(state: str) -> None:
    board = sample.board_resource(22)
    member: dict[str, Any] = {
        "state": state,
        "contract": "Pass" if state == "passed_out" else None,
        "declarer": None,
        "tricks": None,
        "score_ns": -620 if state == "adjusted" else None,
    }
    board |= {"open": board["open"] | member, "imps_home": None}
    for language in Language:
        assert size_of(draw_board(board_picture(sample.match_state(), board, language, hidden=False)))


def test_partial_deal_and_no_deal_are_drawn() -> None:
    board = sample.board_resource(22)
    for deal in (None, "E:KQ97.Q9.AK54.J75 - - -", "N:AKQJT98765432... .AKQJT98765432.. - -"):
        said = board_picture(sample.match_state(), board | {"deal": deal}, ENGLISH, hidden=True)
        assert size_of(draw_board(said)) == (1200, 630)


HARD_NAMES = [
    "W" * 200,
    "上海市桥牌运动协会青年代表队" * 6,
    "<svg/onload=alert(1)>\"'</script>",
    "Grünhaus–Sjøby \U0001f0a1\U0001f600 العربية",
    "line\nbreak\ttab\x07bell\u202eturned",
    "",
    " ",
]


@pytest.mark.parametrize("name", HARD_NAMES)
def test_any_name_is_drawn_inside_its_place(name: str) -> None:
    state = sample.match_state()
    state["home"] = {"id": "t1", "name": name}
    state["title"] = name
    said = match_picture(state, CHINESE)
    assert "\n" not in said.teams[0].name
    with Image.open(BytesIO(draw_match(said))) as image:
        assert image.size == (1200, 630)
        paper = image.getpixel((0, 0))
        edges = [image.getpixel((x, y)) for x in (2, 40, 1160, 1197) for y in range(0, 630, 3)]
        assert set(edges) == {paper}


def test_words_from_the_right_are_drawn_as_one_piece_and_stand_in_their_order() -> None:
    pieces = [piece for piece, _ in preview_fonts.runs("רוני חיפה leads", preview_fonts.Weight.BOLD, 40)]
    assert "".join(pieces) == "רוני חיפה leads" and pieces[0] == "רוני חיפה"


def test_same_words_make_the_same_bytes() -> None:
    said = match_picture(sample.match_state(), CHINESE)
    assert draw_match(said) == draw_match(said)


# --- kept pictures -------------------------------------------------------------------------------------------


def test_picture_is_drawn_once_and_the_oldest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(picture: MatchPicture) -> bytes:
        drawn.append(picture.title)
        return picture.title.encode()

    monkeypatch.setattr(preview, "_drawn", draw)
    said = match_picture(sample.match_state(), ENGLISH)

    async def story() -> None:
        previews = Previews(kept=2)
        pictures = [match_picture(sample.match_state() | {"title": name}, ENGLISH) for name in "abc"]
        await asyncio.gather(*(previews.png(pictures[0]) for _ in range(5)))
        await previews.png(pictures[1])
        await previews.png(pictures[0])
        await previews.png(pictures[2])
        await previews.png(pictures[0])
        assert drawn == ["a", "b", "c"]
        await previews.png(pictures[1])
        assert drawn == ["a", "b", "c", "b"]

    asyncio.run(story())
    assert said == match_picture(sample.match_state(), ENGLISH)


# --- addresses and pages -------------------------------------------------------------------------------------


def test_pictures_are_served_with_the_last_event_as_tag(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        house = contest.house
        for path in (f"/matches/{contest.match}", f"/matches/{contest.match}/boards/1.1"):
            answer = await house.get(f"{path}.png")
            assert (answer.status, answer.header("content-type")) == (200, "image/png")
            assert size_of(answer.body) == (1200, 630)
            last = (await house.get(f"/api/matches/{contest.match}")).json()["last_event"]
            tag = answer.header("etag") or ""
            assert last in tag
            again = await house.ask("GET", f"{path}.png", headers={"if-none-match": f'"x", W/{tag}'})
            assert (again.status, again.body) == (304, b"")
            assert (await house.get(f"{path}.png?lang=zh")).header("etag") != tag
            hidden = await house.get(f"{path}.png?results=hidden")
            assert hidden.body != answer.body
        for path in ("/matches/none.png", f"/matches/{contest.match}/boards/9.9.png"):
            assert (await house.get(path)).status == 404

    in_contest(tmp_path, story)


def test_hidden_picture_stays_the_same_when_a_result_comes(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        async def pictures() -> list[bytes]:
            paths = (f"/matches/{contest.match}.png", f"/matches/{contest.match}/boards/1.1.png")
            return [(await contest.house.get(f"{path}?results=hidden")).body for path in paths]

        before = await pictures()
        await contest.rule("correct_result", segment=1, board=1, room="open", **_result(8))
        assert await pictures() == before

    in_contest(tmp_path, story)


def _result(tricks: int) -> dict[str, Any]:
    return {"contract": "3NT", "declarer": "N", "tricks": tricks}


def test_pages_name_their_picture_title_and_feeds(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for query in ("", "?lang=zh", "?results=hidden", "?results=hidden&lang=zh"):
            for path in (f"/matches/{contest.match}", f"/matches/{contest.match}/boards/1.1"):
                head = head_of((await contest.house.get(path + query)).body.decode())
                image = urlsplit(head["og:image"])
                assert f"{image.scheme}://{image.netloc}" == "http://club.example"
                assert image.path == f"{path}.png"
                asked = parse_qs(image.query)
                assert asked["lang"] == ["zh" if "zh" in query else "en"]
                assert asked.get("results") == (["hidden"] if "hidden" in query else None)
                assert (await contest.house.get(f"{image.path}?{image.query}")).status == 200
                assert head["og:title"] == head["title"]
                assert head["og:description"] == head["description"]
                assert head["twitter:card"] == "summary_large_image"

    in_contest(tmp_path, story)


def test_hidden_head_tells_no_result(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        paths = ["/", "/matches", f"/matches/{contest.match}", f"/matches/{contest.match}/boards/1.1"]
        paths += [f"/ladders/{contest.ladder}", f"/teams/{contest.teams['home']}"]

        async def heads() -> list[dict[str, str]]:
            return [
                head_of((await contest.house.get(f"{path}?results=hidden")).body.decode()) for path in paths
            ]

        before = await heads()
        assert all(head["title"] and head["description"] for head in before)
        assert len({head["description"] for head in before}) == len(paths)
        await contest.rule("correct_result", segment=1, board=1, room="open", **_result(7))
        assert await heads() == before
        shown = head_of((await contest.house.get(f"/matches/{contest.match}")).body.decode())
        assert "IMP" in shown["description"]

    in_contest(tmp_path, story)


def test_names_stay_text_in_the_head(tmp_path: Path) -> None:
    planted = "<svg/onload=alert(1)>\"'</title><b>"

    async def story(contest: Contest) -> None:
        made = await contest.house.done(
            "/api/matches",
            {"title": planted, "home": planted, "visitors": "Z", "segments": [{"first": 1, "last": 1}]},
            contest.tokens["dora"],
        )
        page = (await contest.house.get(f"/matches/{made['id']}")).body.decode()
        assert "<svg/onload" not in page and 'alert(1)>"' not in page
        assert planted in head_of(page)["og:title"]
        assert (await contest.house.get(f"/matches/{made['id']}.png")).status == 200

    in_contest(tmp_path, story)

"""oEmbed: discovery from every public page, JSON and XML that say the same, HTML that WordPress keeps whole."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from tests.scenarios.entries import opened
from tests.scenarios.whole_house import Contest, contest, whole_house
from tests.scenarios.wordpress import SECRET, filtered, has_script

ORIGIN = "http://club.example"


def in_contest(directory: Path, story: Callable[[Contest], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            played = await contest(house)
            await played.enter("open", opened(1))
            await played.enter("closed", opened(1))
            await story(played)

    asyncio.run(told())


async def told_of(contest: Contest, url: str, more: str = "") -> dict[str, Any]:
    answer = await contest.house.get(f"/oembed?url={quote(url, safe='')}{more}")
    assert (answer.status, answer.header("access-control-allow-origin")) == (200, "*"), answer.body
    found: dict[str, Any] = answer.json()
    return found


class _Seen(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def one(self, tag: str) -> dict[str, str | None]:
        return next(attributes for name, attributes in self.tags if name == tag)


def public_pages(contest: Contest) -> list[str]:
    team = contest.teams["home"]
    return ["/", "/matches", f"/matches/{contest.match}", f"/ladders/{contest.ladder}", f"/teams/{team}",
            f"/matches/{contest.match}/boards/1.1", "/ladders", "/calculator", "/embed"]  # fmt: skip


def test_every_public_page_names_its_answers_and_both_say_the_same(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for path in public_pages(contest):
            page = await contest.house.get(f"{path}?results=hidden&lang=zh")
            links = [each for tag, each in _Seen(page.body.decode()).tags if tag == "link"]
            found = {each["type"]: each["href"] for each in links if "oembed" in (each.get("type") or "")}
            assert set(found) == {"application/json+oembed", "text/xml+oembed"}, path
            answers = []
            for address in found.values():
                parts = urlsplit(address or "")
                answers.append(await contest.house.get(f"{parts.path}?{parts.query}"))
            told = json.loads(answers[0].body)
            root = ElementTree.fromstring(answers[1].body)  # noqa: S314 (our own answer)
            assert {each.tag: each.text for each in root} == {name: str(value) for name, value in told.items()}
            assert told["version"] == "1.0"
            assert told["type"] == ("rich" if told.get("html") else "link")
            if told["type"] == "rich":
                framed = urlsplit(_Seen(told["html"]).one("iframe")["src"] or "")
                assert (await contest.house.get(f"{framed.path}?{framed.query}")).status == 200
                assert "results=hidden" in framed.query

    in_contest(tmp_path, story)


def test_page_that_is_not_there_names_none(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        page = await contest.house.ask("GET", "/matches/none", headers={"Accept": "text/html"})
        assert page.status == 404
        assert b"oembed" not in page.body

    in_contest(tmp_path, story)


def test_choices_of_the_address_are_those_of_the_frame(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        url = f"{ORIGIN}/matches/{contest.match}?show=score&theme=dark&utm_source=x"
        told = await told_of(contest, url, "&maxwidth=300&maxheight=150")
        frame = _Seen(told["html"]).one("iframe")
        assert frame["src"] == f"{ORIGIN}/embed/matches/{contest.match}?show=score&theme=dark"
        assert (
            (told["width"], told["height"])
            == (300, 150)
            == (int(frame["width"] or 0), int(frame["height"] or 0))
        )
        assert "thumbnail_url" not in told
        wide = await told_of(contest, url)
        assert wide["thumbnail_url"] == f"{ORIGIN}/matches/{contest.match}.png"

    in_contest(tmp_path, story)


def test_quotation_tells_no_score(tmp_path: Path) -> None:
    """WordPress keeps what it got for as long as the post stands."""

    async def story(contest: Contest) -> None:
        told = await told_of(contest, f"{ORIGIN}/matches/{contest.match}")
        assert told["title"].startswith("Modra – Vihar · ")

    in_contest(tmp_path, story)


def test_what_is_not_ours_or_not_there_is_refused(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        wanted = {
            "": 404,
            "http://elsewhere.example/matches/x": 404,
            f"{ORIGIN}/matches/none": 404,
            f"{ORIGIN}/ladders/none": 404,
            f"{ORIGIN}/teams/none": 404,
            f"{ORIGIN}/operate/enter": 404,
            "javascript:alert(1)": 404,
            "http://[/matches": 404,
        }
        for url, status in wanted.items():
            assert (await contest.house.get(f"/oembed?url={quote(url, safe='')}")).status == status, url
        assert (await contest.house.get("/embed?address=http://[")).status == 200
        other = await contest.house.get(f"/oembed?format=yaml&url={ORIGIN}/")
        assert (other.status, other.json()["error"]) == (501, "no_such_format")

    in_contest(tmp_path, story)


def test_wordpress_keeps_link_frame_size_and_title_and_loads_its_script(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        url = f"{ORIGIN}/matches/{contest.match}?show=score&accent=0b5d4b"
        told = await told_of(contest, url)
        html = filtered(told["html"])
        assert html is not None
        seen = _Seen(html)
        assert [tag for tag, _ in seen.tags] == ["blockquote", "a", "iframe"]
        assert seen.one("a")["href"] == f"{ORIGIN}/matches/{contest.match}"
        frame = seen.one("iframe")
        assert frame["src"] == (
            f"{ORIGIN}/embed/matches/{contest.match}?show=score&accent=0b5d4b#?secret={SECRET}"
        )
        assert (frame["sandbox"], frame["data-secret"]) == ("allow-scripts", SECRET)
        assert (frame["title"], frame["width"]) == (told["title"], str(told["width"]))
        assert has_script(html)

    in_contest(tmp_path, story)


def test_wordpress_lets_nothing_else_through() -> None:
    """The control: the stand-in does strip what WordPress strips."""
    planted = '<script>alert(1)</script><iframe src="http://a.example/" onload="alert(1)" sandbox=""></iframe>'
    html = filtered(f"<p>x</p>{planted}") or ""
    assert "onload" not in html and "<script" not in html
    assert html.count("sandbox=") == 1 and not has_script(html)
    assert filtered("<blockquote>only</blockquote>") is None

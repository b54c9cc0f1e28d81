"""Every page in both languages: complete, escaped, strict, with nothing that a content policy would refuse."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from broadcast.web.templating import TEMPLATE_DIRECTORY, page
from tests import pages_preview, sample_states
from tests.page_client import PageClient

PAGES = [
    "/",
    "/?empty",
    "/matches",
    "/matches/m7k2",
    "/matches/m7k2?boards=0&calls=3&cards=0&both",
    "/matches/m7k2?boards=16",
    "/matches/m7k2?rule=live",
    "/matches/m7k2?announced",
    "/matches/m7k2/boards/2.22",
    "/matches/m7k2/boards/2.22?room=closed&call=3&card=0",
    "/ladders",
    "/ladders/l1?team=t4",
    "/teams/t1",
    "/calculator",
    "/calculator?contract=4SX&tricks=9&vulnerable=yes&difference=-430&boards=16&imps=10&scale=wbf-2013",
    "/calculator?contract=9S&difference=many",
    "/no/such/page",
]
PLANTED = "<svg/onload=alert(1)>\"'</script><b>"
TEMPLATES = sorted(TEMPLATE_DIRECTORY.rglob("*.html"))


@pytest.fixture(scope="module")
def client() -> PageClient:
    return PageClient(pages_preview.application())


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("address", PAGES)
def test_page_is_made_in_each_language(client: PageClient, address: str, language: str) -> None:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == (404 if "no/such" in address else 200)
    assert answer.headers["content-language"] == {"en": "en", "zh": "zh-Hans"}[language]
    assert f'<html lang="{answer.headers["content-language"]}">' in answer.text
    assert "accept-language" in answer.headers["vary"]
    assert "%(" not in answer.text and "{{" not in answer.text


@pytest.mark.parametrize("address", PAGES)
def test_page_needs_no_inline_script_or_style(client: PageClient, address: str) -> None:
    answer = client.get(address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    inline = _Inline()
    inline.feed(answer.text)
    assert inline.found == []


class _Inline(HTMLParser):
    """Finds what a policy without 'unsafe-inline' refuses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_data = given.get("type") == "application/json"
        if tag == "style" or (tag == "script" and "src" not in given and not is_data):
            self.found.append(tag)
        self.found += [name for name in given if name == "style" or name.startswith("on")]


class _Tags(HTMLParser):
    """Collects elements with their attributes, to find any that a planted text has made."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


def plant(value: Any) -> Any:
    """The same data with the planted text in everything that people write."""
    written = ("name", "title", "text", "author", "explanation", "reason", "message")
    if isinstance(value, dict):
        return {
            key: PLANTED if key in written and isinstance(each, str) else plant(each)
            for key, each in value.items()
        }
    return [plant(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("address", [each for each in PAGES if "calculator" not in each])
def test_text_from_people_stays_text(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Symptom: a team name with markup ran as script. Every page is made from data full of such names."""
    made: Callable[..., Any] = page

    def planted(request: Any, name: str, context: dict[str, Any], status: int = 200) -> Any:
        return made(request, name, plant(context), status)

    monkeypatch.setattr(pages_preview, "page", planted)
    answer = PageClient(pages_preview.application()).get(address)
    tags = _Tags()
    tags.feed(answer.text)
    assert not [name for name in tags.attributes if name.startswith("on")]
    assert "svg/onload=alert(1)" not in tags.tags
    if "empty" not in address and address != "/ladders":
        assert PLANTED not in answer.text
        assert "&lt;svg/onload=alert(1)&gt;" in answer.text


def test_state_block_cannot_be_closed_from_within(client: PageClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A team called ``</script>`` must not end the block that carries the page's state."""
    monkeypatch.setattr(pages_preview, "states", lambda request: plant(sample_states.match_state()))
    text = client.get("/matches/m7k2").text
    blocks = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', text, re.DOTALL)
    assert [name for name, _ in blocks] == ["state", "words"]
    assert json.loads(blocks[0][1])["home"]["name"] == PLANTED


def test_calculator_shows_what_was_typed_as_text(client: PageClient) -> None:
    answer = client.get("/calculator", params={"contract": PLANTED, "difference": PLANTED})
    assert PLANTED not in answer.text
    assert "&lt;svg" in answer.text


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_template_has_no_way_round_escaping(path: Any) -> None:
    """No ``|safe``, no Markup, no switched-off escaping; ``tojson`` only inside a JSON script block."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|Markup\(|autoescape\s+false", text)
    block = r'<script type="application/json" id="\w+">.*?</script>'
    outside = re.sub(block, "", text, flags=re.DOTALL)
    assert "tojson" not in outside


def test_links_keep_language_and_hidden_results(client: PageClient) -> None:
    for address in ("/", "/matches", "/ladders/l1", "/teams/t1", "/matches/m7k2", "/matches/m7k2/boards/2.22"):
        text = client.get(address, params={"lang": "zh", "results": "hidden"}).text
        links = [link for link in re.findall(r'href="(/[^"#]*)', text) if not link.startswith("/static/")]
        switches = [link for link in links if "lang=en" in link or "results=hidden" not in link]
        assert len(switches) <= 3, switches  # the language switch and "show results", also beside the rooms
        assert all("lang=zh" in link or "lang=en" in link for link in links)


def test_hidden_match_page_tells_no_result(client: PageClient) -> None:
    """Neither the words, nor the title, nor the data that comes with the page."""
    shown = sample_states.match_state()
    text = client.get("/matches/m7k2?results=hidden").text
    assert "Results are hidden" in text
    assert re.search(r"<title>Modra –\s+Vihar", text) or "<title>Modra – Vihar" in text
    state = json.loads(re.findall(r'id="state">(.*?)</script>', text, re.DOTALL)[0])
    assert "totals" not in state
    assert not any("score_ns" in str(board) or "imps" in str(board) for board in state["boards"])
    for board in shown["boards"][:11]:
        assert f'<b class="made">{board["open"]["tricks"]}' not in text
    assert 'class="bar' not in text and 'class="worth-gain"' not in text
    words = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert "leads by" not in words and "VP" not in words


def test_hidden_board_page_stands_at_its_position_with_nothing_after_it(client: PageClient) -> None:
    auction, play, _ = sample_states.record_of(22, "open")
    address = f"/matches/m7k2/boards/2.22?results=hidden&room=open&call={len(auction)}&card=5"
    text = client.get(address).text
    assert 'id="state"' not in text and "js/board.js" not in text
    assert "gains" not in text
    played = set(re.findall(r'class="rank played" data-card="(\w\w)"', text.split('id="room-closed"')[0]))
    assert played == {card["card"] for card in play[:5]}
    assert 'class="rank played"' not in text.split('id="room-closed"')[1]


def test_reader_of_neither_language_gets_english(client: PageClient) -> None:
    assert "Live now" in client.get("/", headers={"accept-language": "fr, de;q=0.7"}).text

"""What can be embedded, under which address, and the lines that do it."""

from html.parser import HTMLParser

import pytest

from broadcast.web.embed_addresses import choices_of, discovery, embeddable
from broadcast.web.embed_lines import lines_for


@pytest.mark.parametrize(
    ("page", "kind", "frame"),
    [
        ("/", "site", "/embed/matches"),
        ("/matches", "site", "/embed/matches"),
        ("/matches/m7", "match", "/embed/matches/m7"),
        ("/embed/matches/m7", "match", "/embed/matches/m7"),
        ("/matches/m7/boards/2.17", "board", "/embed/matches/m7/boards/2.17"),
        ("/ladders/l1", "ladder", "/embed/ladders/l1"),
        ("/teams/t1", "team", "/embed/teams/t1"),
    ],
)
def test_page_and_frame_name_the_same(page: str, kind: str, frame: str) -> None:
    found = embeddable(page)
    assert found is not None
    assert (found.kind, found.frame_path) == (kind, frame)


@pytest.mark.parametrize(
    "path",
    ["/matches/m7.png", "/matches/m7/events", "/operate/m7/open", "/ladders", "/matches/m7/boards/x", "//e"],
)
def test_other_addresses_cannot_be_embedded(path: str) -> None:
    assert embeddable(path) is None


def test_choices_are_those_we_know_in_one_order() -> None:
    asked = {
        "colours": "2",
        "show": "score",
        "call": "7",
        "card": "x",
        "utm_source": "mail",
        "results": "hidden",
    }
    assert list(choices_of(asked).items()) == [
        ("show", "score"),
        ("results", "hidden"),
        ("colours", "2"),
        ("call", "7"),
    ]


def test_private_pages_are_not_discovered() -> None:
    assert len(discovery("https://club.example/calculator")) == 2
    for path in ("/account", "/operate/enter", "/direct/m7", "/matches/m7/table"):
        assert discovery(f"https://club.example{path}") == []


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_name_of_a_team_stays_text_in_the_lines() -> None:
    match = embeddable("/matches/m7")
    assert match is not None
    lines = lines_for(
        "https://club.example", match, {"show": "score"}, "\"><script>alert(1)</script> & Co – 'B'"
    )
    parser = _Tags()
    parser.feed(lines.element + lines.frame)
    assert [tag for tag, _ in parser.seen] == ["script", "twinroom-embed", "a", "iframe"]
    assert parser.seen[1][1] == {"src": "https://club.example/matches/m7", "show": "score"}
    assert parser.seen[3][1]["title"] == "\"><script>alert(1)</script> & Co – 'B'"

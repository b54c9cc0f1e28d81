"""Every example of the page "Use our data" is run as it stands there, against the server that shows it."""

import html
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenarios.browser import CHROMIUM, chromium
from tests.scenarios.recorded_matches import lin_match
from tests.serving import Served, command, serving

EXAMPLE = re.compile(r'<code data-example="([\w-]+)" data-language="(\w+)">(.*?)</code>', re.DOTALL)
SAID = {
    "curl-match": '"status":"closed"',
    "curl-search": '"found":0',
    "js-match": "Modra 2 - 0 Vihar",
    "python-match": "1 1NT 1NT 2",
    "python-poll": "closed {'reason': 'imported_record'",
    "python-csv": "1 1NT 1NT 2",
}
"""What an example prints, of a match of two boards of which home gains 2 IMPs on the first."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    directory = tmp_path_factory.mktemp("house")
    (directory / "match.lin").write_text(lin_match((9, 7), (7, 7)))
    with serving(directory / "data") as served:
        assert command("import", directory / "match.lin", data=directory / "data").returncode == 0
        yield served


@pytest.fixture(scope="module")
def examples(house: Served) -> dict[str, tuple[str, str]]:
    """Language and text of each example, by name."""
    with house.client() as client:
        page = client.get("/data").text
    found = {name: (language, html.unescape(text)) for name, language, text in EXAMPLE.findall(page)}
    assert len(found) == page.count("<code data-example=")
    return found


def test_shell_and_python_examples_do_what_they_say(
    examples: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    said = {}
    for name, (language, text) in examples.items():
        if language == "js" or "-sN" in text:
            continue
        words = ["bash", "-ec", text] if language == "sh" else [sys.executable, "-c", text]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (name, done.stderr)
        said[name] = done.stdout
    for name, told in said.items():
        assert SAID.get(name, "") in told, (name, told)
    assert '"status":"closed"' in (tmp_path / "match.json").read_text()
    assert (tmp_path / "boards.pbn").read_text().startswith("% PBN 2.1")
    assert SAID.keys() <= said.keys() | {"js-match"}


def test_match_that_has_not_changed_is_not_sent_again(
    examples: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    _, text = examples["curl-etag"]
    for written in ('"status":"closed"', "as it was"):
        subprocess.run(["bash", "-ec", text], cwd=tmp_path, check=True, timeout=60)
        assert written in (tmp_path / "match.json").read_text()
        (tmp_path / "match.json").write_text("as it was")


def test_stream_is_followed_by_curl(examples: dict[str, tuple[str, str]]) -> None:
    _, text = examples["curl-stream"]
    with subprocess.Popen(["bash", "-ec", f"exec {text}"], stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout is not None
        assert any(line == "event: snapshot\n" for line in following.stdout)
        following.kill()


@pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")
def test_javascript_examples_run_on_a_page_of_another_site(examples: dict[str, tuple[str, str]]) -> None:
    with chromium() as browser:
        for name, said in (("js-match", SAID["js-match"]), ("js-stream", "Club final closed")):
            page = browser.new_page()
            assert page.evaluate("self.origin") == "null"
            _, text = examples[name]
            with page.expect_console_message() as message:
                page.evaluate(f"(async () => {{ {text} }})()")
            assert message.value.text == said
            page.close()

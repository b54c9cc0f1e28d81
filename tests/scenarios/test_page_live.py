"""The match page on the real server: what it has folded from the stream equals what a fresh page shows."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.scenarios.browser import CHROMIUM, Faults, chromium

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

ROOT = Path(__file__).resolve().parents[2]
SHOWN = """() => [...document.querySelectorAll(
    '.score-line, .score-foot, .room-state, .plate, .ranks, .place, .auction tbody, .contract-box, .tricks, '
    + '.boards, .worth')].map(part => part.outerHTML.replace(/ is-(new|fresh)/g, '')
    .replace(/ class=""| title="[^"]*"/g, '').replace(/>\\s+/g, '>').replace(/\\s+</g, '<'))"""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[str]:
    """The address of a demo in its own process."""
    process = subprocess.Popen(
        [sys.executable, "server.py", "demo", "--port", "0", "--data", str(tmp_path / "club")],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    found = re.search(r"http://[\w.:]+", process.stderr.readline())
    assert found is not None
    yield found.group()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=15)


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def test_page_that_followed_equals_a_fresh_page(demo: str, browser: Browser) -> None:
    """Calls, cards, results and new boards of both rooms arrive; then a second page is opened.

    Both keep moving, so they are compared until they show the same moment.
    """
    context = browser.new_context(locale="en-GB")
    follower = context.new_page()
    faults = Faults(follower)
    follower.goto(demo)
    follower.locator(".live-now .cover").first.click(timeout=20_000)
    boards = follower.locator("#room-open .board-number b")
    expect(boards).to_be_visible(timeout=20_000)
    first = boards.inner_text()
    expect(boards).not_to_have_text(first, timeout=60_000)
    follower.wait_for_timeout(3_000)
    fresh = context.new_page()
    fresh.goto(follower.url)
    expect(fresh.locator("#room-open .step-buttons")).to_be_visible()
    assert any(shows_the_same(follower, fresh) for _ in range(100))
    assert faults.told == []
    context.close()


def shows_the_same(one: Page, other: Page) -> bool:
    same: bool = one.evaluate(SHOWN) == other.evaluate(SHOWN)
    if not same:
        one.wait_for_timeout(100)
    return same

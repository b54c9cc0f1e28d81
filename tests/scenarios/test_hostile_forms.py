"""Forms as no browser sends them: numbers of five thousand digits, and no rule where one would open a match."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import Contest, contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes

DIGITS = "9" * 5000
"""More than Python makes a number of."""


def at_the_desk(
    directory: Path, monkeypatch: pytest.MonkeyPatch, story: Callable[[Contest, Browser], Awaitable[None]]
) -> None:
    """A match begun under ``match``, and its director signed in."""
    quick_hashes(monkeypatch)

    async def told() -> None:
        async with whole_house(directory) as house:
            match = await contest(house, "match")
            await match.enter("open", opened(1), *auction(1, "1NT Pass"))
            await house.members.set_password("dora", PASSWORD)
            house.tokens["dora"] = await house.members.add_token("dora")
            browser = Browser(house)
            await browser.sign_in("dora")
            await story(match, browser)

    asyncio.run(told())


def test_numbers_too_long_to_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(match: Contest, browser: Browser) -> None:
        seen = {"segment": "1", "board": "1", "tricks": "9", "room": "open", "contract": "3NT", "declarer": "N"}
        for name in ("segment", "board", "tricks"):
            answer = await browser.send(f"/confirm/{match.match}/checks", **seen | {name: DIGITS})
            assert answer.status == 422, name
        kept = {"segments": "1", "seg1_first": "1", "seg1_last": DIGITS}
        for action in (f"remove_segment:{DIGITS}", "add_segment"):
            assert (await browser.send("/desk/new", action=action, **kept)).status == 303, action

    at_the_desk(tmp_path, monkeypatch, story)


def test_another_release_rule_must_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One taken for granted would make public what cannot be taken back."""

    async def story(match: Contest, browser: Browser) -> None:
        dora, rulings = match.tokens["dora"], f"/api/matches/{match.match}/rulings"
        for mistaken in ({}, {"release": {"rule": "match"}}, {"rule": None}):
            body = {"type": "release", "reason": "no devices", **mistaken}
            answer = await match.house.post(rulings, body, dora)
            assert (answer.status, answer.json()["field"]) == (422, "rule"), mistaken
        told = (await match.house.get(f"/api/matches/{match.match}")).json()
        assert told["release"] == {"rule": "match"}

    at_the_desk(tmp_path, monkeypatch, story)

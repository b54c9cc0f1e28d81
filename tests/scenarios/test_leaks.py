"""Nothing of a match tells what is not released: no body, header, size, count or order.

Two houses are told the same story up to a moment. Then one goes on with entries that nobody may know of yet,
the other does nothing. Whatever is asked by whoever may not know, both answer the same bytes: so no release
rule, cache, list or error message can betray the difference, whatever it is.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from broadcast.feeds.moments import Timing
from tests.scenarios.entries import auction, comment, ended, next_card, opened
from tests.scenarios.outlets import observed, plain
from tests.scenarios.whole_house import DELAY_SECONDS, Answer, Contest, contest, whole_house

OUTSIDERS = (None, "cora", "pia", "ann", "vic", "nil", "operator elsewhere")
"""Who may know of the match what everybody may, whatever token they send."""
Steps = Callable[[Contest], AsyncIterator[object]]


async def begin(contest: Contest) -> None:
    """Board 1 played in both rooms: public now under every rule but ``match``."""
    for room, tricks in (("open", 9), ("closed", 10)):
        await contest.enter(room, opened(1), *auction(1, "1NT Pass 3NT Pass Pass Pass"))
        await contest.enter(room, await next_card(contest, room))
        await contest.enter(room, ended("3NT", "N", tricks))
        contest.house.clock.advance(30)
    await contest.house.wait(DELAY_SECONDS + 1)


async def in_closed_room(contest: Contest) -> AsyncIterator[object]:
    """What happens in the closed room only, and what goes wrong there. Yields after each step."""
    for step in (
        [opened(3, reason="a mistake")],
        [{"type": "skip_board", "segment": 1, "board": 3, "reason": "not this one"}],
        [opened(2, players={"N": "Stand In"}), *auction(2, "1S X XX 2H", "closed")],
        [{"type": "undo", "steps": 2}],
        [{"type": "undo", "to": {"calls": 0, "cards": 0}}],
        auction(2, "1C Pass 1H Pass 1NT Pass Pass Pass", "again"),
        [{"type": "explain", "call_index": 0, "explanation": "could be two"}],
    ):
        yield await contest.enter("closed", *step)
    for _ in range(6):
        yield await contest.enter("closed", await next_card(contest, "closed"))
    for step in (
        [{"type": "claim", "seat": "E", "tricks": 8}],
        [{"type": "claim_answer", "accepted": False}],
        [{"type": "claim", "seat": "E", "tricks": 7, "accepted": True}],
        [{"type": "undo"}],
        [ended("7CXX", "E", 2)],
        [opened(2, reason="the wrong result")],
        [ended("7DXX", "W", 3)],
    ):
        yield await contest.enter("closed", *step)


async def in_both_rooms(contest: Contest) -> AsyncIterator[object]:
    """The same, and the open room up to its last call, comments on both, a line-up, alarms."""
    async for step in in_closed_room(contest):
        yield step
    yield await comment(contest, "closed", 2, 1, "who would bid that?")
    yield await contest.enter("open", opened(2), *auction(2, "1C Pass 1H Pass", "open"))
    yield await comment(contest, "open", 2, 1, "and here?", "operator open")


async def in_whole_match(contest: Contest) -> AsyncIterator[object]:
    """Everything up to the last board and the rulings: what ``match`` and a running delay keep back."""
    async for step in in_both_rooms(contest):
        yield step
    yield await contest.enter("open", ended("6NTX", "E", 12))
    yield await contest.rule("correct_result", segment=1, board=2, room="open", **_result("6NTX", "E", 11))
    for room in ("open", "closed"):
        yield await contest.enter(room, opened(3, reason="at last"), *auction(3, "Pass Pass Pass Pass"))
    yield await contest.rule("penalty", side="home", unit="imps", amount=3)


def _result(contract: str, declarer: str, tricks: int) -> dict[str, Any]:
    return {name: value for name, value in ended(contract, declarer, tricks).items() if name != "type"}


ALARM = re.compile(r'<div class="alarm">.*?</div>\s*|<b class="need-do">.*?</b>', re.DOTALL)
"""Told to captains beside what is public: that an alarm holds their match open, and on which board."""


def _seen(request: str, answer: Answer) -> object:
    status, headers, body = plain(answer)
    if "/captain" not in request:
        return status, headers, body
    left = "".join(ALARM.sub("", body).split())
    return status, [pair for pair in headers if pair[0] != "content-length"], left


class Watch:
    """What everybody was told before; whatever is told later must be the same."""

    def __init__(self, contest: Contest, observers: tuple[str | None, ...]) -> None:
        self._contest = contest
        self._observers = observers
        self._before: dict[tuple[str | None, str], object] = {}
        self._looks = 0

    async def begin(self) -> None:
        self._before = {
            (observer, request): _seen(request, answer)
            for observer in self._observers
            for request, answer in (await self._look(observer, with_head=True)).items()
        }

    async def holds(self, *observers: str | None) -> None:
        """For these in a part of the addresses, another each time; without any named for all, and by HEAD."""
        self._looks += 1
        part = self._looks if observers else None
        for observer in observers or self._observers:
            for request, answer in (await self._look(observer, with_head=not observers, part=part)).items():
                before = self._before[observer, request]
                assert _seen(request, answer) == before, f"{observer} can tell from {request}"

    async def _look(
        self, observer: str | None, *, with_head: bool, part: int | None = None
    ) -> dict[str, Answer]:
        token = None if observer is None else self._contest.tokens[observer]
        return await observed(self._contest, token, with_head=with_head and observer is None, part=part)


def run_secretly(
    directory: Path, release: str, steps: Steps, observers: tuple[str | None, ...] = OUTSIDERS
) -> None:
    """Tell the story, then take the secret steps; raise ``AssertionError`` when anybody can tell."""

    async def told() -> None:
        async with whole_house(directory) as house:
            match = await contest(house, release)
            await begin(match)
            watch = Watch(match, observers)
            await watch.begin()
            async for _ in steps(match):
                await watch.holds(observers[0])
            await watch.holds()

    asyncio.run(told())


@pytest.mark.parametrize(
    ("release", "steps"), [("board", in_both_rooms), ("delay", in_whole_match), ("match", in_whole_match)]
)
def test_nobody_can_tell_whether_anything_was_entered_that_is_not_released(
    tmp_path: Path, release: str, steps: Steps
) -> None:
    run_secretly(tmp_path, release, steps)


@pytest.mark.parametrize("release", ["board", "delay", "match"])
def test_operator_of_one_room_cannot_tell_what_happens_in_the_other(tmp_path: Path, release: str) -> None:
    run_secretly(tmp_path, release, in_closed_room, ("operator open",))


def test_this_test_finds_the_leak_when_the_gate_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: entries are due at once although the match says ``board``; the watch must notice."""
    monkeypatch.setattr(Timing, "of_entry", lambda timing, at, final_since: at)
    with pytest.raises(AssertionError, match="None can tell from GET"):
        run_secretly(tmp_path, "board", in_both_rooms)

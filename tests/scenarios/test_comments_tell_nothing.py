"""What a commentator, or the operator of one room, learns by commenting: nothing of what is not public.

A refusal that names the position in the log, an answer that counts the log's events, or an operator's right
to comment anywhere would each tell how far the other room is.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import DELAY_SECONDS, Answer, Contest, contest, whole_house


def in_contest(directory: Path, release: str, story: Callable[[Contest], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            await story(await contest(house, release))

    asyncio.run(told())


async def commented(
    contest: Contest, sender: str, board: int = 1, call: int = 0, key: str | None = None
) -> Answer:
    body = {"segment": 1, "board": board, "room": "closed", "call": call, "card": 0, "text": "a thought"}
    return await contest.house.post(f"/api/matches/{contest.match}/comments", body, contest.tokens[sender], key)


@pytest.mark.parametrize("sender", ["cora", "operator open"])
def test_who_does_not_see_the_room_may_comment_only_on_what_is_public(tmp_path: Path, sender: str) -> None:
    async def story(contest: Contest) -> None:
        before = [await commented(contest, sender, board, call) for board in (1, 2, 9) for call in (0, 3, 7)]
        await contest.enter("closed", opened(1), *auction(1, "1C Pass 1S Pass Pass Pass"))
        after = [await commented(contest, sender, board, call) for board in (1, 2, 9) for call in (0, 3, 7)]
        assert [(each.status, each.json()) for each in after] == [(each.status, each.json()) for each in before]
        assert {each.status for each in after} == {422}
        assert (await commented(contest, "operator closed", 1, 3)).status == 201

    in_contest(tmp_path, "board", story)


def test_answer_counts_no_events_that_are_not_public(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await contest.enter("closed", opened(1), *auction(1, "1C Pass"))
        await contest.house.wait(DELAY_SECONDS)
        first = await commented(contest, "cora", 1, 2)
        await contest.enter("closed", *auction(1, "1C Pass 1S Pass Pass")[2:])
        second = await commented(contest, "cora", 1, 2)
        assert (first.status, second.status) == (201, 201)
        ((epoch, before), (_, after)) = (each.json()["last_event"].split("-") for each in (first, second))
        assert set(first.json()) == {"last_event"}
        assert (epoch, int(after)) == ("1", int(before) + 1)

    in_contest(tmp_path, "delay", story)


def test_comment_on_a_public_position_stands_though_the_room_has_taken_it_back(tmp_path: Path) -> None:
    """A refusal would tell of an undo ten minutes before the public sees it."""

    async def story(contest: Contest) -> None:
        await contest.enter("closed", opened(1), *auction(1, "1C Pass 1S Pass"))
        await contest.house.wait(DELAY_SECONDS)
        await contest.enter("closed", {"type": "undo", "to": {"calls": 0, "cards": 0}})
        assert (await commented(contest, "cora", 1, 4)).status == 201
        beyond = await commented(contest, "cora", 1, 5)
        assert (beyond.status, beyond.json()["error"]) == (422, "not_public_yet")

    in_contest(tmp_path, "delay", story)


def test_idempotency_keys_of_others_are_not_met(tmp_path: Path) -> None:
    """Keys that count 1, 2, 3 would collide between the rooms, and tell a commentator how far they are."""

    async def story(contest: Contest) -> None:
        for room in ("open", "closed"):
            path = f"/api/matches/{contest.match}/rooms/{room}/commands"
            token = contest.tokens[f"operator {room}"]
            body = {"commands": [opened(1), *auction(1, "1C Pass 1S")]}
            first, again = [await contest.house.post(path, body, token, "1") for _ in range(2)]
            assert (first.status, again.body) == (201, first.body)
            other = await contest.house.post(path, {"command": {"type": "undo"}}, token, "1")
            assert (other.status, other.json()["error"]) == (422, "key_reused")
        refused = await commented(contest, "cora", 1, 0, "1")
        assert refused.json()["error"] == "not_public_yet"
        assert (await commented(contest, "operator closed", 1, 2, "1")).status == 201
        assert (await commented(contest, "dora", 1, 2, "1")).status == 201

    in_contest(tmp_path, "board", story)


def test_comment_on_a_match_that_is_none_is_told_so(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        body = {"board": 1, "room": "open", "text": "a thought"}
        told = await contest.house.post("/api/matches/none/comments", body, contest.tokens["cora"])
        assert (told.status, told.json()["error"]) == (404, "no_such_match")

    in_contest(tmp_path, "board", story)

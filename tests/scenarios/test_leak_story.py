"""A match from the line-ups to its closing, with everything that goes wrong, and what the public sees of it.

After every command every way out, and what viewers have received who watch all the time, is searched for what
was planted and may not be seen yet; at the end everything must have been seen but what never may.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from broadcast.bridge.deals import hand_text
from broadcast.bridge.seats import SEATS
from broadcast.feeds.moments import Timing
from tests.builders import deal_of
from tests.scenarios.entries import auction, comment, ended, next_card, opened
from tests.scenarios.outlets import observed, public_streams
from tests.scenarios.planted import Ledger, Planted
from tests.scenarios.whole_house import DELAY_SECONDS, Contest, Viewer, contest, whole_house

CORRECTION_SECONDS = 30 * 60


class Story:
    """Tells the match, plants, and looks after each step."""

    def __init__(self, contest: Contest, rule: str) -> None:
        self.contest = contest
        self.ledger = Ledger(rule)
        self.viewers: list[Viewer] = []
        self.seen: set[int] = set()
        """Places in the ledger of what was found anywhere."""
        self._looks = 0

    def plant(self, board: int, room: str, text: str | None = None, **more: Any) -> Planted:
        made = Planted(board, room, self.contest.house.clock.now(), text, **more)
        self.ledger.planted.append(made)
        return made

    async def look(self, *, everywhere: bool = False) -> None:
        now = self.contest.house.clock.now()
        self._looks += 1
        part = None if everywhere else self._looks
        for where, answer in (await observed(self.contest, part=part)).items():
            headers = "\n".join(": ".join(header) for header in answer.headers)
            self.seen |= self.ledger.check(where, answer.body.decode(errors="replace"), now)
            self.ledger.check(where, headers, now)
        for viewer in self.viewers:
            self.seen |= self.ledger.check(viewer.address, await viewer.received(), now)
        self.contest.house.clock.advance(1)

    # --- what may be told -----------------------------------------------------------------------------------

    async def open(self, room: str, board: int, **fields: Any) -> None:
        """Its reason, like every reason of a room, is for its operator and the director."""
        if "reason" in fields:
            self.plant(board, room, fields["reason"], kind="secret")
        if not any(thing.kind == "deal" and thing.board == board for thing in self.ledger.planted):
            for seat in SEATS:
                self.plant(board, room, hand_text(deal_of(board)[seat]), kind="deal")
        await self.contest.enter(room, opened(board, **fields))
        await self.look()

    async def calls(self, room: str, board: int, text: str, mark: str, first: int = 0) -> list[Planted]:
        made = auction(board, text, mark)[first:]
        planted = [self.plant(board, room, call["explanation"]) for call in made]
        await self.contest.enter(room, *made)
        await self.look()
        return planted

    async def card(self, room: str, board: int) -> Planted:
        played = await next_card(self.contest, room)
        planted = self.plant(board, room, entry=(board, room, played["card"]))
        await self.contest.enter(room, played)
        await self.look()
        return planted

    async def result(self, room: str, board: int, contract: str, declarer: str, tricks: int) -> Planted:
        planted = self.plant(board, room, contract, entry=(board, room, f"{contract} {tricks}"))
        await self.contest.enter(room, ended(contract, declarer, tricks))
        return planted

    async def undo(self, room: str, *withdrawn: Planted, **fields: Any) -> None:
        for thing in withdrawn:
            thing.withdrawn = self.contest.house.clock.now()
        await self.contest.enter(room, {"type": "undo", **fields})
        await self.look()

    async def final(self, board: int) -> None:
        self.ledger.finals.setdefault(board, []).append(self.contest.house.clock.now())
        await self.look(everywhere=True)

    # --- the match ------------------------------------------------------------------------------------------

    async def tell(self) -> None:
        await self.line_ups()
        await self.board_1()
        await self.board_2()
        await self.board_3()
        await self.closing()

    async def line_ups(self) -> None:
        path = f"/api/challenges/{self.contest.challenge}/lineup"
        for side, seat, name in (("ann", "N", "Substitute Nora"), ("vic", "E", "Guest Egon")):
            self.plant(1, "open", name, kind="lineup")
            body = {"segment": 1, "room": "open", "seats": {seat: name}}
            await self.contest.house.done(path, body, self.contest.tokens[side])
            await self.look()
        self.plant(1, "closed", "Stand-in Stana", kind="lineup")
        await self.contest.rule("lineup", segment=1, room="closed", seats={"S": "Stand-in Stana"})
        await self.look()

    async def board_1(self) -> None:
        enter = self.contest.enter
        await self.open("open", 1)
        first = await self.calls("open", 1, "1C Pass", "o1x")
        await self.undo("open", first[1])
        over = await self.calls("open", 1, "1C 1H Pass Pass Pass", "o1y", first=1)
        self.plant(1, "open", "what a bid", kind="comment", after=over[0])
        await comment(self.contest, "open", 1, 2, "what a bid")
        await self.look()
        for _ in range(3):
            last = await self.card("open", 1)
        await self.undo("open", last)
        await self.card("open", 1)
        await enter("open", {"type": "claim", "seat": "E", "tricks": 9})
        await self.look()
        await enter("open", {"type": "claim_answer", "accepted": False})
        await self.look()
        await self.open("closed", 3, reason="the wrong box")
        self.plant(3, "closed", "put back", kind="secret")
        await enter("closed", {"type": "skip_board", "segment": 1, "board": 3, "reason": "put back"})
        await self.look()
        await self.open("closed", 1)
        await self.calls("closed", 1, "1NT Pass Pass Pass", "c1x")
        wrong = await self.result("closed", 1, "7CXX", "W", 5)
        await self.look()
        await self.undo("closed", wrong)
        await self.result("closed", 1, "6DXX", "W", 4)
        await self.look()
        entered = await self.result("open", 1, "5SXX", "N", 3)
        await self.final(1)
        fields = {"contract": "4HXX", "declarer": "S", "tricks": 6}
        self.plant(1, "open", "4HXX", kind="ruling", after=entered, entry=(1, "open", "4HXX 6"))
        self.plant(1, "open", "ruled on one", kind="ruling", after=entered)
        await self.contest.rule(
            "correct_result", segment=1, board=1, room="open", **fields, reason="ruled on one"
        )
        await self.look()
        self.plant(0, "both", "slow play", kind="penalty")
        await self.contest.rule("penalty", side="home", unit="imps", amount=2, reason="slow play")
        await self.look()

    async def board_2(self) -> None:
        await self.open("open", 2)
        await self.calls("open", 2, "1D Pass Pass Pass", "o2x")
        await self.result("open", 2, "2SXX", "N", 8)
        await self.look()
        await self.open("closed", 2)
        taken_back = await self.calls("closed", 2, "1D Pass Pass Pass", "c2x")
        taken_back.append(await self.result("closed", 2, "3NTXX", "E", 7))
        await self.final(2)
        await self.contest.house.wait(DELAY_SECONDS + 1)
        await self.look()
        await self.open("closed", 2, reason="the result was of another table")
        await self.undo("closed", *taken_back, to={"calls": 0, "cards": 0})
        await self.calls("closed", 2, "2D Pass Pass Pass", "c2y")
        await self.result("closed", 2, "7NTX", "E", 9)
        await self.final(2)

    async def board_3(self) -> None:
        for room, mark in (("open", "o3x"), ("closed", "c3x")):
            await self.open(room, 3, reason=f"its turn now in the {room} room")
            made = auction(3, "Pass Pass Pass Pass", mark)
            for call in made:
                self.plant(3, room, call["explanation"])
            await self.contest.enter(room, *made)
            await (self.final(3) if room == "closed" else self.look())

    async def closing(self) -> None:
        """By itself, once the alarms of results that differ from their records are cleared."""
        desk = await self.contest.house.get(
            f"/api/matches/{self.contest.match}/desk", self.contest.tokens["dora"]
        )
        self.plant(0, "both", "asked at the table", kind="secret")
        for alarm in desk.json()["alarms"]:
            await self.contest.rule("clear_alarm", alarm=alarm["alarm"], reason="asked at the table")
            await self.look()
        await self.contest.house.wait(CORRECTION_SECONDS)
        self.ledger.closed = self.contest.house.clock.now()
        await self.look()
        await self.contest.house.wait(DELAY_SECONDS)
        await self.look(everywhere=True)
        status = (await self.contest.house.get(f"/api/matches/{self.contest.match}")).json()["status"]
        assert status == "closed"


def tell(directory: Path, rule: str) -> Story:
    async def told() -> Story:
        async with whole_house(directory) as house:
            story = Story(await contest(house, rule), rule)
            for address in public_streams(story.contest):
                story.viewers.append(Viewer(house, address))
            try:
                await story.tell()
            finally:
                for viewer in story.viewers:
                    await viewer.leave()
            return story

    return asyncio.run(told())


@pytest.mark.parametrize("rule", ["delay", "board", "match"])
def test_everything_is_seen_from_its_moment_on_and_nothing_before(tmp_path: Path, rule: str) -> None:
    story = tell(tmp_path, rule)
    for place, thing in enumerate(story.ledger.planted):
        if story.ledger.public_from(thing) is not None:
            assert place in story.seen, f"nobody was ever told {thing}"


@pytest.mark.parametrize("rule", ["delay", "board", "match"])
def test_this_story_finds_the_leak_when_the_gate_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """The control: entries are due at once, whatever the rule; the search must notice."""
    monkeypatch.setattr(Timing, "of_entry", lambda timing, at, final_since: at)
    with pytest.raises(AssertionError, match="tells Planted"):
        tell(tmp_path, rule)

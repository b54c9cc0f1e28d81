"""A season of a ladder, played by chance through the public commands, in a house that dies again and again.

Teams of hidden strength challenge, answer or stay silent, agree on dates, name line-ups or do not come, play,
withdraw, rest, leave and come back; directors void challenges, change rules and begin seasons. The clock is
moved by hand. At random points of the writer the house dies: nothing of it is used again, the next one opens
the database as it was left, and the request that was never answered is sent again under the same key.

``Played.check`` says what must hold: every team on exactly one rung and no rung empty, every move explained by
an ending that moves so, and the replayed history equal to the present order.
"""

import secrets
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from broadcast.feeds.streams import StreamKey
from broadcast.house.transaction import CRASH_POINTS
from teams.ladder.challenges import Accepted, Challenge, Issued, Playing, Side
from teams.ladder.eligibility import Allowed, may_challenge
from teams.ladder.state import LadderState
from teams.ladder.stream import LadderStream
from teams.ladder.views import replayed
from teams.members.accounts import Role
from tests.teams.members.member_houses import Club, Json, club

RULES = {"schedule": "at_once", "boards": 2, "deals": "typed", "correction_minutes": 0, "scale": "wbf-2013"}
UNEXPLAINED = frozenset({"entered", "left", "inactive", "reseeded", "ranks_closed"})
"""Causes of moves that no challenge has made."""


class Death(Exception):
    """The process is gone."""


@dataclass
class Played:
    """A ladder that chance plays on. Use ``begin``, ``play`` and ``check``, then ``end``."""

    directory: Path
    chance: Random
    death: float
    """Probability that the house dies in a request."""
    club: Club = field(init=False)
    ladder: str = ""
    director: str = ""
    teams: dict[str, str] = field(default_factory=dict)
    """Captains' tokens by team id."""
    strength: dict[str, float] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    """What was done how often; ``died`` among it."""
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def begin(self, teams: int) -> None:
        self.club = await self._open.enter_async_context(club(self.directory))
        self.director = await self.club.person("Dora", Role.DIRECTOR)
        made = await self.post("/api/ladders", {"name": "Season", "rules": RULES}, self.director)
        self.ladder = made["id"]
        for number in range(1, teams + 1):
            token = await self.club.person(f"captain {number}", Role.CAPTAIN)
            body = {"name": f"Team {number}", "players": [f"{number} {seat}" for seat in "NESW"]}
            id = (await self.post("/api/teams", body, token))["id"]
            self.teams[id] = token
            self.strength[id] = self.chance.gauss(0, 1)
            await self.enter(id)

    async def end(self) -> None:
        await self._open.aclose()

    # --- the house, dying and opened again -----------------------------------------------------------------

    async def post(self, path: str, body: Json, token: str) -> Json:
        """Send a request until it is answered. A refusal is an answer, too, and is counted."""
        key = secrets.token_hex(8)
        if self.director and self.chance.random() < self.death:
            self._dies_at(self.chance.choice(CRASH_POINTS), after=self.chance.randrange(2))
        while True:
            try:
                answer = await self.club.post(path, body, token, key)
            except Death:
                self.done["died"] += 1
                await self.restart()
                continue
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                self.done[f"refused {answer.json()['error']}"] += 1
            told: Json = answer.json()
            return told

    def _dies_at(self, point: str, after: int) -> None:
        passed = 0

        def at(name: str) -> None:
            nonlocal passed
            passed += name == point
            if passed > after:
                raise Death(point)

        self.club.house.writer._at = at

    async def restart(self) -> None:
        """Open the house anew, at the moment at which the last one stopped."""
        now = self.club.clock.now()
        await self._open.aclose()
        self.club = await self._open.enter_async_context(club(self.directory))
        self.club.clock.recorded(now)

    async def state(self) -> LadderState:
        stream = await self.club.house.writer.stream(StreamKey("ladder", self.ladder))
        assert isinstance(stream, LadderStream)
        return stream.state

    async def wait(self, hours: float) -> None:
        self.club.clock.advance(hours * 3600)
        try:
            await self.club.house.writer.tick_due()
        except Death:
            self.done["died"] += 1
            await self.restart()

    # --- what happens in a season ----------------------------------------------------------------------------

    async def play(self, challenges: int) -> None:
        """Go on until so many challenges were issued in all."""
        while (issued := self.done["issue"]) < challenges:
            state = await self.state()
            await self.issue(state)
            for challenge in tuple((await self.state()).open.values()):
                if self.chance.random() < 0.5:
                    await self.step(challenge)
            await self.wait(self.chance.choice([1, 2, 4]) * 40 / max(1, len(self.teams)))
            if self.chance.random() < 0.08:
                await self.incident(issued, challenges)

    async def issue(self, state: LadderState) -> None:
        now, challenger = self.club.clock.now(), self.chance.choice(state.order)
        near = state.order[max(0, state.order.index(challenger) - 12) :]
        allowed = [team for team in near if isinstance(may_challenge(state, challenger, team, now), Allowed)]
        if allowed:
            body = {"opponent": self.chance.choice(allowed), "ladder_version": state.version}
            path = f"/api/ladders/{self.ladder}/challenges"
            told = await self.post(path, body, self.teams[challenger])
            self.done["issue"] += "error" not in told

    async def step(self, challenge: Challenge) -> None:
        chance = self.chance.random()
        match challenge.state:
            case Issued():
                if chance < 0.8:
                    await self.take(challenge, "accept", Side.DEFENDER)
                elif chance < 0.88:
                    await self.take(challenge, "decline", Side.DEFENDER)
                elif chance < 0.92:
                    await self.take(challenge, "withdraw", Side.CHALLENGER)
            case Accepted(()):
                if chance < 0.8:
                    noon = self.club.clock.now().replace(hour=12)
                    dates = [(noon + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
                    await self.take(challenge, "offer", Side.DEFENDER, dates=dates)
            case Accepted(offered):
                if chance < 0.75:
                    date = self.chance.choice(offered).isoformat()
                    await self.take(challenge, "choose", Side.CHALLENGER, date=date)
                elif chance < 0.85:
                    await self.take(challenge, "refuse", Side.CHALLENGER)
            case Playing() as playing:
                await self.at_the_table(challenge, playing)
            case _:
                pass

    async def at_the_table(self, challenge: Challenge, playing: Playing) -> None:
        now = self.club.clock.now()
        if playing.starts_at is not None and playing.starts_at > now:
            for side in Side:
                if side not in playing.present and self.chance.random() < 0.7:
                    await self.sit(challenge, side)
        elif self.chance.random() < 0.02:
            await self.take(challenge, "withdraw", self.chance.choice(list(Side)))
        elif self.chance.random() < 0.7:
            await self.result(challenge, playing.match)

    async def take(self, challenge: Challenge, action: str, side: Side, **body: Any) -> None:
        team = challenge.team(side)
        path = f"/api/challenges/{challenge.id}/{action}"
        told = await self.post(path, {"team": team, **body}, self.teams[team])
        self.done[action] += "error" not in told

    async def sit(self, challenge: Challenge, side: Side) -> None:
        for room in ("open", "closed"):
            seats = "NS" if (side is Side.DEFENDER) is (room == "open") else "EW"
            named = {seat: f"{side} {seat}" for seat in seats}
            await self.take(challenge, "lineup", side, room=room, seats=named)

    async def result(self, challenge: Challenge, match: str) -> None:
        """Two boards of 1NT by North; in the closed room North is the challenger's."""
        for room, team in (("open", challenge.defender), ("closed", challenge.challenger)):
            commands: list[Json] = []
            for board in (1, 2):
                tricks = min(13, max(0, round(7 + self.strength[team] + self.chance.gauss(0, 1))))
                commands += [
                    {"type": "open_board", "segment": 1, "board": board},
                    {"type": "result", "contract": "1NT", "declarer": "N", "tricks": tricks},
                ]
            path = f"/api/matches/{match}/rooms/{room}/commands"
            await self.post(path, {"commands": commands}, self.director)
        self.done["match"] += 1

    async def incident(self, issued: int, challenges: int) -> None:
        state, kind = await self.state(), self.chance.randrange(6)
        team = self.chance.choice(state.order)
        address = f"/api/ladders/{self.ladder}"
        if kind == 0:
            await self.post(
                f"{address}/rest", {"team": team, "days": self.chance.randint(1, 9)}, self.teams[team]
            )
        elif kind == 1 and len(state.order) > len(self.teams) // 2:
            await self.post(f"{address}/leave", {"team": team}, self.teams[team])
        elif kind == 2 and len(state.order) > len(self.teams) // 2:
            await self.post(f"{address}/leave", {"team": team, "at_once": True}, self.director)
        elif kind == 3 and state.open:
            challenge = self.chance.choice(list(state.open))
            await self.post(f"/api/challenges/{challenge}/void", {"reason": "storm"}, self.director)
        elif kind == 4:
            rules = {"schedule": self.chance.choice(["at_once", "dates"])}
            rules["movement"] = self.chance.choice(["swap", "capped", "insert"])
            await self.post(f"{address}/rules", {"rules": rules}, self.director)
        elif kind == 5 and len(state.archive) < 3 * issued // challenges:
            order = self.chance.sample(state.order, len(state.order)) if self.chance.random() < 0.5 else None
            await self.post(f"{address}/season", {"name": f"Season {issued}", "order": order}, self.director)
        self.done[f"incident {kind}"] += 1
        for gone in [id for id in self.teams if id not in (await self.state()).order]:
            await self.enter(gone)

    async def enter(self, team: str) -> None:
        await self.post(f"/api/ladders/{self.ladder}/entries", {"team": team}, self.teams[team])

    # --- what must hold ------------------------------------------------------------------------------------

    async def check(self) -> None:
        """Raises ``AssertionError``. Asks as everyone may ask, once before and once after a restart."""
        before = await self._standing()
        await self.restart()
        standing = await self._standing()
        assert standing == before, "the house opened again has another ladder"
        order = [row["team"]["id"] for row in standing["rungs"]]
        assert [row["rung"] for row in standing["rungs"]] == list(range(1, len(order) + 1))
        assert len(set(order)) == len(order) and set(order) <= set(self.teams)
        moves = (await self.club.get(f"/api/ladders/{self.ladder}/history")).json()["moves"]
        assert replayed(moves) == order
        state = await self.state()
        for move in moves:
            self._explain(state, move)
        assert not state.open or min(one.issued_at for one in state.open.values()) > (
            self.club.clock.now() - timedelta(days=60)
        ), "a challenge hangs"

    def _explain(self, state: LadderState, move: Json) -> None:
        """A move has its cause, one of a challenge the ending that moves so; nobody falls by winning."""
        if move["challenge"] is None:
            assert move["cause"] in UNEXPLAINED, move
            return
        challenge = state.challenge(move["challenge"])
        assert challenge is not None and not challenge.is_open, move
        winner = getattr(challenge.state, "winner", None)
        assert winner is Side.CHALLENGER, (move, challenge)
        if move["team"]["id"] == challenge.challenger:
            assert move["to"] < move["from"], move

    async def _standing(self) -> Json:
        told: Json = (await self.club.get(f"/api/ladders/{self.ladder}")).json()
        return told


async def played_season(directory: Path, teams: int, challenges: int, seed: int, death: float) -> Counter[str]:
    """Play a season, check it, and answer what happened in it how often."""
    season = Played(directory, Random(seed), death)
    try:
        await season.begin(teams)
        await season.play(challenges)
        await season.check()
    finally:
        await season.end()
    return season.done

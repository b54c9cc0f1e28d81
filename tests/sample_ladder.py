"""A ladder of 160 teams with challenges under way, made by its own rules, for pages shown without a house."""

from datetime import UTC, datetime, timedelta
from functools import cache

from teams.ladder.commands import (
    AcceptChallenge,
    CreateLadder,
    DecideChallenge,
    EnterTeam,
    IssueChallenge,
    LadderCommand,
    RestTeam,
)
from teams.ladder.rules import rules_from
from teams.ladder.state import LadderState
from teams.ladder.stream import LadderStream
from tests.sample_states import TEAM_WORDS

NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
TEAMS = 160
RULES = {
    "schedule": "at_once",
    "deals": "typed",
    "boards": 8,
    "time_zone": "Europe/Ljubljana",
    "inactivity": False,
}


@cache
def sample_ladder() -> LadderState:
    """The same at every call; ``t1`` stands on rung 1."""
    stream = LadderStream(LadderState("l1"))
    at = NOW - timedelta(days=60)

    def do(command: LadderCommand) -> None:
        nonlocal stream
        changed = stream.handle(command, at, "director:dora").stream
        assert isinstance(changed, LadderStream)
        stream = changed

    def issue(challenger: int, defender: int) -> str:
        do(IssueChallenge(f"t{challenger}", f"t{defender}", stream.state.version))
        made = stream.state.of_pair(f"t{challenger}", f"t{defender}")
        assert made is not None
        return made.id

    do(CreateLadder("Team ladder", rules=rules_from(RULES)))
    for number in range(1, TEAMS + 1):
        name = TEAM_WORDS[(number * 7) % 16] + ("" if number <= 16 else f" {1 + number // 16}")
        do(EnterTeam(f"t{number}", name))
    at = NOW - timedelta(days=1)
    for challenger, defender, imps in ((9, 6, 12), (12, 10, -4), (30, 25, 20)):
        id = issue(challenger, defender)
        do(AcceptChallenge(id, f"t{defender}", f"m{challenger}"))
        do(DecideChallenge(id, f"m{challenger}", 0, imps, at))
    issue(4, 2)
    do(AcceptChallenge(issue(7, 5), "t5", "m7"))
    issue(21, 18)
    do(RestTeam("t20", 7))
    return stream.state

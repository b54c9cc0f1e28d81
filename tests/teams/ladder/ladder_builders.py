"""Readable makers of ladders for the tests of this folder."""

from datetime import UTC, datetime, timedelta

from broadcast.feeds.streams import Change
from teams.ladder.commands import (
    AcceptChallenge,
    CreateLadder,
    DecideChallenge,
    EnterTeam,
    IssueChallenge,
    LadderCommand,
)
from teams.ladder.rules import LadderRules, rules_from
from teams.ladder.state import LadderState
from teams.ladder.stream import LadderStream

START = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)

AT_ONCE = rules_from(
    {"schedule": "at_once", "deals": "typed", "boards": 8, "correction_minutes": 0, "inactivity": False}
)


class House:
    """A ladder, its clock, and everything it has told: what the writer would keep."""

    def __init__(self, rules: LadderRules = AT_ONCE) -> None:
        self.now = START
        self.stream = LadderStream(LadderState("l1"))
        self.changes: list[Change] = []
        self.do(CreateLadder("Club ladder", rules=rules))

    @property
    def state(self) -> LadderState:
        return self.stream.state

    @property
    def order(self) -> str:
        return "".join(self.state.order)

    def do(self, command: LadderCommand, by: str = "captain:ann") -> Change:
        return self._keep(self.stream.handle(command, self.now, by))

    def tick(self) -> Change:
        return self._keep(self.stream.tick(self.now))

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def _keep(self, change: Change) -> Change:
        assert isinstance(change.stream, LadderStream)
        self.stream = change.stream
        self.changes.append(change)
        return change

    def enter(self, *teams: str, captain: str | None = None, club: str | None = None) -> None:
        for team in teams:
            self.do(EnterTeam(team, f"Team {team}", captain, club))

    def challenge(self, challenger: str, opponent: str) -> str:
        self.tick()  # what is due by now would change the version that the page shows
        self.do(IssueChallenge(challenger, opponent, self.state.version))
        challenge = self.state.of_pair(challenger, opponent)
        assert challenge is not None
        return challenge.id

    def accept(self, challenge: str) -> str:
        """The id of the match that acceptance makes."""
        found = self.state.challenge(challenge)
        assert found is not None
        match = f"m-{challenge}"
        self.do(AcceptChallenge(challenge, found.defender, match))
        return match

    def close(self, challenge: str, home: float, visitors: float) -> Change:
        """The challenge's match is closed for everyone with these IMPs."""
        found = self.state.challenge(challenge)
        assert found is not None
        assert found.match is not None
        return self.do(DecideChallenge(challenge, found.match, home, visitors, self.now), "house")

    def played(self, challenger: str, opponent: str, home: float, visitors: float) -> str:
        challenge = self.challenge(challenger, opponent)
        self.accept(challenge)
        self.close(challenge, home, visitors)
        return challenge


def ladder_of(teams: str, rules: LadderRules = AT_ONCE) -> House:
    """A ladder with one team for each letter, the first on top; long enough ago that nobody is new."""
    house = House(rules)
    house.enter(*teams)
    house.wait(days=30)
    return house

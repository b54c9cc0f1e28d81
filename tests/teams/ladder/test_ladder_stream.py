"""A ladder under random commands: the order, the limits, the history and the feed always hold together."""

from collections import Counter
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.errors import Refusal
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import PlayerName
from teams.ladder.challenges import Playing
from teams.ladder.commands import (
    AcceptChallenge,
    ChangeRoster,
    ChangeRules,
    ChooseDate,
    DecideChallenge,
    DeclineChallenge,
    EndRest,
    EnterTeam,
    IssueChallenge,
    LadderCommand,
    LeaveLadder,
    NameSeats,
    OfferDates,
    RefuseDates,
    RenameTeam,
    RestTeam,
    StartSeason,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.eligibility import Allowed, may_challenge
from teams.ladder.publish import after_public
from teams.ladder.rules import Movement, rules_from
from teams.ladder.state import LadderState
from teams.ladder.stream import LadderStream
from teams.ladder.views import history_json, ladder_json, replayed, row_json
from teams.storage.ladder_codec import LADDER_CODEC
from tests.teams.ladder.ladder_builders import House, ladder_of

TEAMS = [f"t{number}" for number in range(1, 13)]

SEATED = {Seat.N: PlayerName("Ann"), Seat.S: PlayerName("Bob", "p1")}


class LadderMachine(RuleBasedStateMachine):
    house: House

    @initialize(movement=st.sampled_from(Movement), schedule=st.sampled_from(["at_once", "dates"]))
    def begin(self, movement: Movement, schedule: str) -> None:
        overrides = {"movement": movement.value, "schedule": schedule, "deals": "typed", "fall_cap": 2}
        self.house = House(rules_from(overrides))
        self.house.enter(*TEAMS[:8])

    def attempt(self, command: LadderCommand) -> None:
        before = self.house.stream
        try:
            self.house.do(command)
        except Refusal:
            assert self.house.stream is before

    def dates(self) -> tuple[datetime, ...]:
        noon = self.house.now.replace(hour=12)
        return tuple(noon + timedelta(days=day) for day in (1, 2, 3))

    @rule(challenger=st.sampled_from(TEAMS), data=st.data())
    def challenge_an_allowed_rung(self, challenger: str, data: st.DataObject) -> None:
        state, now = self.house.state, self.house.now
        allowed = [
            team for team in state.order if isinstance(may_challenge(state, challenger, team, now), Allowed)
        ]
        if allowed:
            opponent = data.draw(st.sampled_from(allowed))
            self.house.do(IssueChallenge(challenger, opponent, state.version))

    @rule(challenger=st.sampled_from(TEAMS), opponent=st.sampled_from(TEAMS), behind=st.integers(0, 1))
    def challenge_blindly(self, challenger: str, opponent: str, behind: int) -> None:
        self.attempt(IssueChallenge(challenger, opponent, self.house.state.version - behind))

    @precondition(lambda self: self.house.state.open)
    @rule(
        data=st.data(),
        answer=st.sampled_from(
            ["accept", "accept", "offer", "choose", "refuse", "sit", "decline", "withdraw", "give up", "void"]
        ),
    )
    def take_a_step(self, data: st.DataObject, answer: str) -> None:
        id = data.draw(st.sampled_from(sorted(self.house.state.open)))
        challenge = self.house.state.open[id]
        commands: dict[str, LadderCommand] = {
            "accept": AcceptChallenge(id, challenge.defender, f"m-{id}"),
            "offer": OfferDates(id, challenge.defender, self.dates()),
            "choose": ChooseDate(id, challenge.challenger, self.dates()[1], f"m-{id}"),
            "refuse": RefuseDates(id, challenge.challenger, f"m-{id}"),
            "sit": NameSeats(id, challenge.defender, 1, {Room.OPEN: SEATED}),
            "decline": DeclineChallenge(id, challenge.defender),
            "withdraw": WithdrawChallenge(id, challenge.challenger),
            "give up": WithdrawChallenge(id, challenge.defender),
            "void": VoidChallenge(id, "storm"),
        }
        self.attempt(commands[answer])

    @precondition(lambda self: any(one.match for one in self.house.state.open.values()))
    @rule(data=st.data(), home=st.integers(0, 3), visitors=st.integers(0, 3))
    def close_a_match(self, data: st.DataObject, home: int, visitors: int) -> None:
        playing = [one for one in self.house.state.open.values() if isinstance(one.state, Playing)]
        challenge = data.draw(st.sampled_from(playing))
        before = self.house.state.order
        self.house.close(challenge.id, home, visitors)
        if visitors <= home and not any(self.house.state.entrants[team].left_at for team in challenge.pair):
            assert self.house.state.order == before

    @precondition(lambda self: any(one.match for one in self.house.state.ended.values()))
    @rule(data=st.data(), home=st.integers(0, 3), visitors=st.integers(0, 3))
    def deliver_a_result_again(self, data: st.DataObject, home: int, visitors: int) -> None:
        matches = {one.id: one.match for one in self.house.state.ended.values() if one.match}
        id = data.draw(st.sampled_from(sorted(matches)))
        command = DecideChallenge(id, matches[id], home, visitors, self.house.now)
        self.house.do(command, "house")
        assert self.house.do(command, "house").recorded == ()

    @rule(team=st.sampled_from(TEAMS))
    def enter(self, team: str) -> None:
        self.attempt(EnterTeam(team, f"Team {team}", "ann", None))

    @rule(team=st.sampled_from(TEAMS))
    def leave(self, team: str) -> None:
        self.attempt(LeaveLadder(team))

    @rule(team=st.sampled_from(TEAMS))
    def delete(self, team: str) -> None:
        self.attempt(LeaveLadder(team, at_once=True))
        assert not self.house.state.open_of(team)

    @rule(team=st.sampled_from(TEAMS), days=st.integers(1, 8))
    def rest(self, team: str, days: int) -> None:
        self.attempt(RestTeam(team, days))

    @rule(team=st.sampled_from(TEAMS))
    def end_rest(self, team: str) -> None:
        self.attempt(EndRest(team))

    @rule(team=st.sampled_from(TEAMS), players=st.sets(st.sampled_from("abcdef"), min_size=1, max_size=2))
    def change_roster(self, team: str, players: set[str]) -> None:
        self.attempt(ChangeRoster(team, tuple(sorted(players))))

    @rule(days=st.integers(0, 2), movement=st.sampled_from(Movement), off=st.integers(1, 9))
    def change_rules(self, days: int, movement: Movement, off: int) -> None:
        falls = {"inactive_first_days": 2, "inactive_second_days": 4, "inactive_off_days": off}
        rules = rules_from({"movement": movement.value, **falls}, base=self.house.state.rules)
        self.attempt(ChangeRules(rules, self.house.now + timedelta(days=days)))

    @rule(data=st.data(), keeps=st.booleans())
    def start_season(self, data: st.DataObject, keeps: bool) -> None:
        order = None if keeps else tuple(data.draw(st.permutations(self.house.state.order)))
        self.attempt(StartSeason("next", self.house.now + timedelta(days=60), order))

    @rule(team=st.sampled_from(TEAMS), name=st.sampled_from(["Modra", "山茶"]))
    def rename(self, team: str, name: str) -> None:
        self.attempt(RenameTeam(team, name))

    @rule(hours=st.sampled_from([1, 24, 72, 97, 24 * 15]))
    def let_time_pass(self, hours: int) -> None:
        self.house.wait(hours=hours)
        self.house.tick()

    # --- what always holds -------------------------------------------------------------------------------

    @invariant()
    def every_team_stands_on_one_rung(self) -> None:
        state = self.house.state
        on_ladder = {id for id, entrant in state.entrants.items() if entrant.left_at is None}
        assert sorted(state.order) == sorted(on_ladder)

    @invariant()
    def open_challenges_keep_the_limits(self) -> None:
        state = self.house.state
        assert all(set(one.pair) <= set(state.order) for one in state.open.values())
        assert not any(one.pair == other.pair for one, other in combinations(state.open.values(), 2))
        assert len(self.house.stream.exclusive()) == len(state.open)
        made = Counter(one.challenger for one in state.open.values())
        received = Counter(one.defender for one in state.open.values())
        assert max(made.values(), default=0) <= state.rules.made_at_once
        assert max(received.values(), default=0) <= state.rules.received_on_top

    @invariant()
    def nothing_waits_beyond_its_moment(self) -> None:
        due = self.house.stream.next_due()
        assert due is not None or not self.house.state.open
        assert due is None or due > self.house.now

    @invariant()
    def nobody_plays_in_two_teams(self) -> None:
        state = self.house.state
        players = [player for team in state.order for player in state.entrants[team].players]
        assert len(set(players)) == len(players)

    @invariant()
    def nobody_rests_longer_than_a_season_allows(self) -> None:
        state = self.house.state
        assert all(0 <= entrant.rested_days <= state.rules.rest_days for entrant in state.entrants.values())

    @invariant()
    def history_replays_to_the_present_order(self) -> None:
        assert replayed(history_json(self.house.state)) == list(self.house.state.order)

    @invariant()
    def rows_are_the_same_one_by_one_and_together(self) -> None:
        state = self.house.state
        assert ladder_json(state)["rungs"] == [row_json(state, team) for team in state.order]

    @invariant()
    def feed_folds_to_the_snapshot(self) -> None:
        shown: dict[str, Any] = {}
        hidden: dict[str, Any] = {}
        numbers = []
        for change in self.house.changes:
            for published in change.published:
                numbers.append(published.number)
                event = published.event
                shown = after_public(shown, event.name, event.data)
                assert event.hidden is not None
                hidden = after_public(hidden, event.name, event.hidden)
        assert numbers == list(range(1, self.house.stream.number + 1))
        assert shown == ladder_json(self.house.state)
        assert hidden == ladder_json(self.house.state, hidden=True)

    def teardown(self) -> None:
        """Stored and loaded the ladder is the same."""
        if not hasattr(self, "house"):
            return
        log: list[Recorded[Any]] = []
        for change in self.house.changes:
            for recorded in change.recorded:
                encoded = LADDER_CODEC.encode(recorded.event)
                event = LADDER_CODEC.decode(encoded.event, encoded.version, encoded.body)
                assert event == recorded.event
                log.append(Recorded(recorded.sequence, recorded.recorded_at, recorded.recorded_by, event))
        assert [recorded.sequence for recorded in log] == list(range(1, len(log) + 1))
        empty = LadderStream(LadderState("l1"))
        assert empty.restored(log, self.house.now, self.house.stream.number) == self.house.stream
        told = tuple(entry for change in self.house.changes for entry in change.published)
        assert empty.refolded(log) == told


TestLadder = LadderMachine.TestCase
TestLadder.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


def test_hidden_results_leave_rungs_but_not_why_they_moved() -> None:
    house = ladder_of("ABC")
    house.played("C", "A", home=0, visitors=10)
    house.wait(days=1)
    challenge = house.changes[-1].published[0].event
    rung = house.changes[-1].published[1].event
    assert challenge.hidden is not None and rung.hidden is not None
    assert challenge.data["decision"]["winner"] == "challenger"
    assert challenge.hidden["decision"] is None
    assert (rung.data["cause"], rung.data["from"], rung.data["to"]) == ("match", 3, 1)
    assert (rung.hidden["cause"], rung.hidden["match"], rung.hidden["to"]) == (None, None, 1)


def test_ladder_of_160_teams_is_an_ordinary_one() -> None:
    house = House()
    house.enter(*(f"t{number}" for number in range(1, 161)))
    house.played("t160", "t128", home=0, visitors=1)
    assert house.state.order.index("t160") == 127
    assert len(ladder_json(house.state)["rungs"]) == 160

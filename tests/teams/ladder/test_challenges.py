"""The life of a challenge: every exit of every state, and what each does to the rungs."""

from datetime import timedelta

import pytest

from broadcast.bridge.deals import Deal
from broadcast.bridge.rooms import Team
from broadcast.feeds.streams import Consequence, StreamKey
from broadcast.tables.commands import CreateMatch, VoidMatch
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.setup import Challenge, TeamName
from teams.ladder.challenges import Accepted, Forfeit, Side
from teams.ladder.commands import (
    AcceptChallenge,
    ChooseDate,
    DecideChallenge,
    DeclineChallenge,
    EnterTeam,
    IssueChallenge,
    LeaveLadder,
    OfferDates,
    VoidChallenge,
    WithdrawChallenge,
)
from teams.ladder.dates import offered_dates
from teams.ladder.errors import LadderChanged, NotThatSide
from teams.ladder.events import ChallengeDecided, ChallengeForfeited
from teams.ladder.rules import LadderRules, rules_from
from teams.ladder.views import decision_json, row_json, steps_of
from tests.teams.ladder.ladder_builders import START, House, ladder_of


def state_of(house: House, challenge: str) -> str:
    found = house.state.challenge(challenge)
    assert found is not None
    return found.state.code


def test_challenger_with_more_imps_and_defender_swap_rungs() -> None:
    house = ladder_of("ABC")
    challenge = house.played("C", "A", home=21, visitors=34)
    assert house.order == "CBA"
    assert state_of(house, challenge) == "decided"


def test_tie_leaves_the_defender() -> None:
    house = ladder_of("ABC")
    house.played("C", "A", home=21, visitors=21)
    assert house.order == "ABC"


def test_acceptance_makes_the_match_by_the_ladders_rules_with_the_defender_at_home() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    change = house.do(AcceptChallenge(challenge, "A", "m7k2"))
    (made,) = change.consequences
    assert made.stream == StreamKey("match", "m7k2")
    match = made.command
    assert isinstance(match, CreateMatch)
    assert (match.home, match.visitors) == (TeamName("Team A", "A"), TeamName("Team C", "C"))
    assert match.challenge == Challenge("l1", challenge)
    assert (match.segments[0].first, match.segments[0].last, match.segments[0].ns_open) == (1, 8, Team.HOME)
    assert (match.correction_minutes, match.release.rule, match.no_devices) == (0, "board", False)
    assert house.do(AcceptChallenge(challenge, "A", "other")).recorded == ()


def test_random_deals_come_with_the_acceptance_all_or_none() -> None:
    house = ladder_of("AB", rules_from({"schedule": "at_once", "boards": 2}))
    challenge = house.challenge("B", "A")
    deal = Deal.parse("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    with pytest.raises(ValueError, match="needs 2 deals"):
        house.do(AcceptChallenge(challenge, "A", "m1", {"1.1": deal}))
    change = house.do(AcceptChallenge(challenge, "A", "m1", {"1.1": deal, "1.2": deal}))
    assert isinstance(change.consequences[0].command, CreateMatch)


def test_live_release_needs_the_ladders_own_word_and_then_vouches_for_the_players() -> None:
    rules = {"schedule": "at_once", "deals": "typed", "release": {"rule": "live"}}
    house = ladder_of("AB", rules_from(rules))
    change = house.do(AcceptChallenge(house.challenge("B", "A"), "A", "m1"))
    match = change.consequences[0].command
    assert isinstance(match, CreateMatch)
    assert (match.release.rule, match.no_devices) == ("live", True)


def test_where_dates_are_agreed_acceptance_makes_no_match_yet() -> None:
    house = ladder_of("AB", rules_from({}))
    challenge = house.challenge("B", "A")
    assert house.do(AcceptChallenge(challenge, "A", "m1")).consequences == ()
    assert state_of(house, challenge) == "accepted"


def test_defender_offers_dates_and_the_challenger_chooses_one() -> None:
    house = ladder_of("AB", rules_from({"deals": "typed"}))
    challenge = house.challenge("B", "A")
    house.do(AcceptChallenge(challenge, "A", "m1"))
    dates = tuple(house.now + timedelta(days=day) for day in (3, 1, 2))
    house.do(OfferDates(challenge, "A", dates))
    assert house.do(OfferDates(challenge, "A", dates)).recorded == ()
    with pytest.raises(Refusal) as refused:
        house.do(ChooseDate(challenge, "B", dates[0] + timedelta(hours=1), "m2"))
    assert refused.value.rule == "not_offered"
    change = house.do(ChooseDate(challenge, "B", dates[0], "m2"))
    match = change.consequences[0].command
    assert isinstance(match, CreateMatch)
    assert (match.starts_at, state_of(house, challenge)) == (dates[0], "playing")
    house.close(challenge, home=0, visitors=10)
    assert house.order == "BA"


def test_dates_once_offered_stay_to_be_chosen_until_they_pass_and_the_time_to_choose_is_the_first_offers() -> (
    None
):
    """A defender offered others a minute apart, so that whatever was chosen was not offered any more."""
    house = ladder_of("AB", rules_from({"deals": "typed"}))
    challenge = house.challenge("B", "A")
    house.do(AcceptChallenge(challenge, "A", "m1"))
    first = tuple(house.now + timedelta(days=day) for day in (1, 4, 5))
    house.do(OfferDates(challenge, "A", first))
    accepted = house.state.open[challenge].state
    assert isinstance(accepted, Accepted)
    assert accepted.deadline == house.now + timedelta(days=3)
    house.wait(hours=20)
    later = tuple(date + timedelta(minutes=1) for date in first)
    house.do(OfferDates(challenge, "A", later))
    both = house.state.open[challenge].state
    assert isinstance(both, Accepted)
    assert (set(both.offered), both.deadline) == ({*first, *later}, accepted.deadline)
    house.wait(hours=5)
    added = house.now + timedelta(days=6)
    house.do(OfferDates(challenge, "A", (added,)))
    standing = house.state.open[challenge].state
    assert isinstance(standing, Accepted)
    assert set(standing.offered) == {*first[1:], *later[1:], added}
    with pytest.raises(Refusal) as refused:
        house.do(ChooseDate(challenge, "B", first[0], "m2"))
    assert refused.value.rule == "not_offered"
    house.do(ChooseDate(challenge, "B", first[1], "m2"))
    assert state_of(house, challenge) == "playing"


def test_offers_one_after_another_come_to_an_end() -> None:
    """Each is a message to the challenger."""
    house = ladder_of("AB", rules_from({}))
    challenge = house.challenge("B", "A")
    house.do(AcceptChallenge(challenge, "A", "m1"))
    dates = [house.now + timedelta(days=day % 3 + 1, minutes=day) for day in range(21)]
    house.do(OfferDates(challenge, "A", tuple(dates[:20])))
    with pytest.raises(Refusal) as refused:
        house.do(OfferDates(challenge, "A", (dates[20],)))
    assert refused.value.rule == "too_many_dates"


@pytest.mark.parametrize("days", [(1, 2), (1, 1, 2), (0, 1, 2), (1, 2, 15)])
def test_dates_are_on_three_days_to_come_within_fourteen(days: tuple[int, ...]) -> None:
    house = ladder_of("AB", rules_from({}))
    with pytest.raises(Refusal) as refused:
        offered_dates([house.now + timedelta(days=day) for day in days], house.state.rules, house.now)
    assert refused.value.rule == "bad_dates"


def test_dates_are_within_the_clubs_day_by_the_clubs_clock() -> None:
    """Half past seven in the evening UTC is half past four in the morning in Tokyo."""
    now = START
    dates = [now + timedelta(days=day) for day in (1, 2, 3)]
    assert offered_dates(dates, LadderRules(), now) == tuple(dates)
    with pytest.raises(Refusal):
        offered_dates(dates, LadderRules(time_zone="Asia/Tokyo"), now)


def test_result_delivered_twice_changes_nothing() -> None:
    house = ladder_of("ABC")
    challenge = house.played("C", "A", home=0, visitors=10)
    version = house.state.version
    assert house.close(challenge, home=0, visitors=10).recorded == ()
    assert (house.order, house.state.version) == ("CBA", version)


def test_result_of_another_match_or_of_an_unknown_challenge_changes_nothing() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    house.accept(challenge)
    for stray in (
        DecideChallenge(challenge, "m9", 0, 9, house.now),
        DecideChallenge("x", "m9", 0, 9, house.now),
    ):
        assert house.do(stray, "house").recorded == ()


def test_ruling_that_turns_the_result_decides_anew_and_keeps_what_came_between() -> None:
    house = ladder_of("ABCDEF")
    turned = house.played("D", "A", home=0, visitors=10)
    assert house.order == "DBCAEF"
    house.played("F", "C", home=0, visitors=10)
    assert house.order == "DBFAEC"
    house.close(turned, home=12, visitors=10)
    assert house.order == "ABFDEC"
    challenge = house.state.challenge(turned)
    assert challenge is not None
    decision = decision_json(challenge)
    assert decision is not None
    assert (decision["winner"], decision["cause"]) == ("defender", "turned")
    assert [told.cause for told in house.state.history][-2:] == ["turned", "turned"]
    house.close(turned, home=9, visitors=10)
    assert house.order == "DBFAEC"


def test_ruling_that_changes_only_the_imps_moves_nobody() -> None:
    house = ladder_of("ABC")
    challenge = house.played("C", "A", home=0, visitors=10)
    (recorded,) = house.close(challenge, home=3, visitors=10).recorded
    assert isinstance(recorded.event, ChallengeDecided)
    assert house.order == "CBA"
    house.close(challenge, home=13, visitors=10)
    assert house.order == "ABC"


def test_ruling_for_a_challenger_that_had_lost_moves_it_up_now() -> None:
    house = ladder_of("ABC")
    challenge = house.played("C", "A", home=10, visitors=0)
    assert house.state.entrants["A"].immune_until is not None
    house.close(challenge, home=10, visitors=11)
    assert house.order == "CBA"
    assert house.state.entrants["A"].immune_until is None


def test_first_decline_of_a_season_is_free_the_second_a_forfeit() -> None:
    house = ladder_of("ABC")
    first = house.challenge("B", "A")
    house.do(DeclineChallenge(first, "A"))
    assert (state_of(house, first), house.order) == ("declined", "ABC")
    second = house.challenge("C", "A")
    house.do(DeclineChallenge(second, "A"))
    assert (state_of(house, second), house.order) == ("forfeited", "CBA")


def test_challenged_team_that_withdraws_again_and_again_does_not_keep_its_place() -> None:
    """Symptom elsewhere: a challenged player cancelled and kept the place, time after time."""
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    match = house.accept(challenge)
    change = house.do(WithdrawChallenge(challenge, "A"))
    assert house.order == "CBA"
    assert change.consequences == (Consequence(StreamKey("match", match), VoidMatch("challenge_forfeited")),)


def test_challenger_withdraws_freely_before_the_answer_and_loses_after_it() -> None:
    house = ladder_of("ABC")
    free = house.challenge("C", "A")
    house.do(WithdrawChallenge(free, "C"))
    assert state_of(house, free) == "withdrawn"
    lost = house.challenge("C", "A")
    house.accept(lost)
    house.do(WithdrawChallenge(lost, "C"))
    challenge = house.state.challenge(lost)
    assert challenge is not None
    decision = decision_json(challenge)
    assert decision is not None
    assert (decision["winner"], decision["cause"], house.order) == ("defender", "withdrew", "ABC")


def test_match_that_is_played_on_after_a_withdrawal_decides_nothing() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    house.accept(challenge)
    house.do(WithdrawChallenge(challenge, "C"))
    assert house.close(challenge, home=0, visitors=50).recorded == ()


def test_unanswered_challenge_is_forfeited_after_three_days_and_a_day_of_grace() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    house.wait(days=3, hours=23)
    house.tick()
    assert challenge in house.state.open
    assert house.stream.next_due() is not None
    house.wait(hours=1)
    recorded = house.tick().recorded
    assert isinstance(recorded[0].event, ChallengeForfeited)
    assert recorded[0].event == ChallengeForfeited(challenge, Side.CHALLENGER, Forfeit.UNANSWERED)
    assert house.order == "CBA"
    assert house.stream.next_due() is None


def test_answer_that_comes_after_the_grace_finds_the_challenge_forfeited() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    house.wait(days=5)
    with pytest.raises(Refusal) as refused:
        house.do(AcceptChallenge(challenge, "A", "m1"))
    assert refused.value.facts["state"] == "forfeited"


def test_voided_challenge_moves_nobody_but_starts_the_pause_of_the_pair() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    match = house.accept(challenge)
    house.do(VoidChallenge(challenge, "both absent", match), "house")
    assert (state_of(house, challenge), house.order) == ("voided", "ABC")
    with pytest.raises(Refusal) as refused:
        house.challenge("C", "A")
    assert refused.value.rule == "pair_pause"
    house.close(challenge, home=0, visitors=10)
    assert house.order == "CBA", "the director took the match up again"


def test_voided_entry_challenge_may_be_used_again() -> None:
    house = ladder_of("ABCDEFGHIJKLMNOPQRST")
    challenge = house.challenge("T", "K")
    assert not house.state.entrants["T"].unrestricted
    house.do(VoidChallenge(challenge, "wrong ladder"), "director:dora")
    assert house.state.entrants["T"].unrestricted


def test_only_the_side_whose_step_it_is_may_take_it() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    for command in (
        AcceptChallenge(challenge, "C", "m1"),
        DeclineChallenge(challenge, "C"),
        WithdrawChallenge(challenge, "A"),
        AcceptChallenge(challenge, "B", "m1"),
    ):
        with pytest.raises(NotThatSide):
            house.do(command)
    with pytest.raises(NoSuchThing):
        house.do(WithdrawChallenge("l1-99", "C"))


def test_steps_offered_are_the_steps_allowed() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("C", "A")
    found = house.state.challenge(challenge)
    assert found is not None
    assert steps_of(found, Side.DEFENDER) == ["accept", "decline"]
    assert steps_of(found, Side.CHALLENGER) == ["withdraw"]


# --- several at once -------------------------------------------------------------------------------------


def test_second_challenge_of_a_pair_gets_the_first_back_even_from_an_older_page() -> None:
    """Two requests in the same millisecond, mutual or twice the same: one challenge."""
    house = ladder_of("AB")
    seen = house.state.version
    assert house.do(IssueChallenge("B", "A", seen)).recorded
    assert house.do(IssueChallenge("B", "A", seen)).recorded == ()
    assert house.do(IssueChallenge("A", "B", seen)).recorded == ()
    assert len(house.state.open) == 1
    assert house.stream.exclusive() == {"ladder/l1/pair/A/B"}


def test_no_cycle_of_challenges_can_form() -> None:
    """A to B, B to C, C to A with one open each would block all three; challenges only go upward."""
    house = ladder_of("ABC")
    house.challenge("C", "A")
    house.challenge("B", "A")
    for down in (("A", "B"), ("A", "C")):
        assert house.do(IssueChallenge(*down, house.state.version)).recorded == ()
    assert len(house.state.open) == 2
    house.wait(days=4)
    house.tick()
    assert not house.state.open, "silence frees everybody"


def test_crossing_challenges_are_decided_in_the_order_in_which_they_finish() -> None:
    house = ladder_of("ABCD")
    first, second = house.challenge("C", "A"), house.challenge("D", "C")
    for challenge in (first, second):
        house.accept(challenge)
    house.close(second, home=0, visitors=10)
    assert house.order == "ABDC"
    house.close(first, home=0, visitors=10)
    assert house.order == "CBAD", "A falls no lower than rung 3, from which it was challenged; D gives way"


def test_challenge_names_a_team_and_a_version_not_a_row() -> None:
    """A page shows B on rung 2; A takes the rung; the press on rung 2 must not challenge A."""
    house = ladder_of("BAC")
    house.challenge("C", "B")
    seen = house.state.version
    house.played("A", "B", home=0, visitors=10)
    house.wait(days=20)
    house.tick()
    with pytest.raises(LadderChanged) as changed:
        house.do(IssueChallenge("C", "B", seen))
    assert changed.value.facts["row"] == row_json(house.state, "B")
    assert changed.value.facts["version"] == house.state.version


# --- leaving ---------------------------------------------------------------------------------------------


def test_leaving_voids_the_issued_forfeits_the_accepted_and_closes_ranks() -> None:
    house = ladder_of("ABCDE", rules_from({}))
    issued, accepted = house.challenge("B", "A"), house.challenge("D", "B")
    house.do(AcceptChallenge(accepted, "B", "m1"))
    other = house.challenge("E", "C")
    house.do(LeaveLadder("B"))
    assert state_of(house, issued) == "voided"
    assert state_of(house, accepted) == "forfeited"
    assert state_of(house, other) == "issued"
    assert house.order == "ADCE"


def test_leaver_with_a_match_under_way_stays_until_it_is_decided() -> None:
    house = ladder_of("ABC")
    challenge = house.challenge("B", "A")
    house.accept(challenge)
    house.do(LeaveLadder("A"))
    assert house.order == "ABC"
    assert row_json(house.state, "A")["state"] == "leaving"
    house.close(challenge, home=0, visitors=10)
    assert house.order == "BC"


def test_team_that_left_comes_back_at_the_bottom_after_fourteen_days() -> None:
    house = ladder_of("ABC")
    house.do(LeaveLadder("A"))
    with pytest.raises(Refusal) as refused:
        house.do(EnterTeam("A", "Team A"))
    assert refused.value.rule == "left_recently"
    house.wait(days=14)
    house.do(EnterTeam("A", "Team A"))
    assert house.order == "BCA"


def test_ruling_about_a_team_that_has_left_moves_nobody() -> None:
    house = ladder_of("ABC")
    challenge = house.played("C", "A", home=0, visitors=10)
    house.do(LeaveLadder("A"))
    house.close(challenge, home=20, visitors=10)
    assert house.order == "CB"

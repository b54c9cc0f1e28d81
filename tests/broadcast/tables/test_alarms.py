"""Blocking alarms: what holds a match open until somebody has looked."""

from dataclasses import replace

import pytest

from broadcast.bridge.deals import rotated
from broadcast.bridge.rooms import Team
from broadcast.bridge.seats import Seat
from broadcast.tables.alarms import blocking_alarms, out_of_order, skipped
from broadcast.tables.awards import Award
from broadcast.tables.commands import (
    CancelBoard,
    ClearAlarm,
    ConfirmScore,
    CorrectResult,
    CreateMatch,
    EnterResult,
    GiveAward,
    OpenBoard,
    SwapSeating,
)
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import Challenge, PlayerName, Segment, TeamName
from tests.builders import CLOSED, OPEN, Told, deal_of, new_match, players, result


def alarms(told: Told) -> list[str]:
    return [alarm.id for alarm in blocking_alarms(told.match)]


def in_both_rooms(closed: OpenBoard) -> Told:
    told = Told(new_match(2, is_dealt=False))
    told.enter(OPEN, OpenBoard(1, 1, deal=deal_of(1), dealer=Seat.N), EnterResult(result("3NT S 9")))
    told.enter(CLOSED, closed, EnterResult(result("3NT S 9")))
    return told


def test_same_deal_in_both_rooms_raises_nothing() -> None:
    assert alarms(in_both_rooms(OpenBoard(1, 1, deal=deal_of(1)))) == []


def test_board_put_back_a_quarter_round_is_not_compared() -> None:
    told = in_both_rooms(OpenBoard(1, 1, deal=rotated(deal_of(1), 1)))
    assert alarms(told) == ["different_deals:1.1"]


def test_same_cards_with_another_dealer_are_a_different_deal() -> None:
    told = in_both_rooms(OpenBoard(1, 1, deal=deal_of(1), dealer=Seat.E))
    assert alarms(told) == ["different_deals:1.1"]


def test_same_players_in_the_same_direction_in_both_rooms() -> None:
    """They need not keep their chairs: North in one room and South in the other is the same direction."""
    told = Told()
    told.enter(OPEN, OpenBoard(1, 1, players={Seat.N: PlayerName("Ana", "p1")}))
    told.enter(CLOSED, OpenBoard(1, 1, players={Seat.S: PlayerName("Ana", "p1")}))
    assert alarms(told) == ["same_seating:1.1"]


def test_free_names_are_never_matched() -> None:
    told = Told()
    told.enter(OPEN, OpenBoard(1, 1, players={Seat.N: PlayerName("Smith")}))
    told.enter(CLOSED, OpenBoard(1, 1, players={Seat.N: PlayerName("Smith")}))
    assert alarms(told) == []


def test_team_that_sits_north_south_in_both_rooms_by_its_line_up() -> None:
    """Home sits North-South in both rooms: in the closed room the players changed direction."""
    lineups = {OPEN: players("a"), CLOSED: players("b")}
    segment = Segment(1, "1", 1, 2, Team.HOME, lineups)
    told = Told(CreateMatch("t", TeamName("Modra"), TeamName("Vihar"), (segment,)))
    turned = {seat.left: player for seat, player in players("b").items()}
    told.enter(OPEN, OpenBoard(1, 1))
    told.enter(CLOSED, OpenBoard(1, 1, players=turned))
    assert alarms(told) == ["same_seating:1.1"]


@pytest.mark.parametrize(
    ("entered", "is_alarm"),
    [
        ("1NT N 7", False),
        ("1NT S 7", True),
        ("1NTX N 7", True),
        ("2NT N 8", True),
        ("Pass", True),
    ],
)
def test_result_against_the_auction_raises_an_alarm(entered: str, is_alarm: bool) -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 4).result(OPEN, entered)
    assert alarms(told) == ["record_differs:1.1:open"] * is_alarm


def test_result_that_the_tricks_played_exclude_raises_an_alarm() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 20)
    play = told.table(OPEN).play
    assert play is not None
    told.result(OPEN, f"1NT N {14 - play.defender_tricks}")
    assert alarms(told) == ["record_differs:1.1:open"]
    told.result(OPEN, f"1NT N {13 - play.defender_tricks}")
    assert alarms(told) == []


def test_result_over_an_agreed_claim_or_a_pass_out_raises_an_alarm() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").claim(OPEN, 9).result(OPEN, "1NT N 8")
    told.open(OPEN, 2).calls(OPEN, "Pass Pass Pass Pass").result(OPEN, "1C E 7")
    assert alarms(told) == ["record_differs:1.1:open", "record_differs:1.2:open"]


def test_result_over_an_unfinished_auction_says_nothing_against_it() -> None:
    assert alarms(Told().open(OPEN, 1).calls(OPEN, "1NT Pass").result(OPEN, "3NT N 9")) == []


def test_alarm_ends_when_it_is_cleared_or_ruled_upon() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    (alarm,) = alarms(told)
    fork = Told(log=[]).open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    told.do(ClearAlarm(alarm, "they bid on and nobody wrote it"))
    assert alarms(told) == []
    fork.do(CorrectResult(1, 1, OPEN, result("3NT N 9"), "as scored"))
    assert alarms(fork) == []


def test_another_result_that_differs_is_looked_at_again() -> None:
    """Once cleared, whatever was entered later over the record never held the match open."""
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    told.do(ClearAlarm("record_differs:1.1:open", "they bid on and nobody wrote it"))
    told.played(OPEN, 2)
    assert alarms(told) == []
    told.open(OPEN, 1, "the wrong score").result(OPEN, "3NT N 3")
    assert alarms(told) == ["record_differs:1.1:open"]


def test_other_cards_than_those_looked_at_are_looked_at_again() -> None:
    told = in_both_rooms(OpenBoard(1, 1, deal=rotated(deal_of(1), 1)))
    told.do(ClearAlarm("different_deals:1.1", "a quarter round, compared by hand"))
    told.enter(CLOSED, OpenBoard(1, 1, "the wrong score"), EnterResult(result("3NT S 10")))
    assert alarms(told) == []
    told.enter(CLOSED, OpenBoard(1, 1, "the wrong cards", deal=deal_of(2)))
    assert alarms(told) == ["different_deals:1.1"]


def test_other_players_than_those_looked_at_are_looked_at_again() -> None:
    told = Told()
    told.enter(OPEN, OpenBoard(1, 1, players={Seat.N: PlayerName("Ana", "p1")}))
    told.enter(CLOSED, OpenBoard(1, 1, players={Seat.S: PlayerName("Ana", "p1")}))
    told.do(ClearAlarm("same_seating:1.1", "Ana stood in for a minute"))
    told.result(OPEN, "3NT S 9").result(CLOSED, "3NT S 9")
    assert alarms(told) == []
    for room in (OPEN, CLOSED):
        told.enter(room, OpenBoard(1, 1, "names", players={Seat.N: PlayerName("Bo", "p2")}))
    assert alarms(told) == ["same_seating:1.1"]


def test_team_turned_in_the_other_room_is_looked_at_again() -> None:
    """The director swaps the teams of the board: now it is the open room that sits the wrong way."""
    segment = Segment(1, "1", 1, 2, Team.HOME, {OPEN: players("a"), CLOSED: players("b")})
    told = Told(CreateMatch("t", TeamName("Modra"), TeamName("Vihar"), (segment,)))
    told.enter(OPEN, OpenBoard(1, 1, players=players("a")), EnterResult(result("3NT S 9")))
    turned = {seat.left: player for seat, player in players("b").items()}
    told.enter(CLOSED, OpenBoard(1, 1, players=turned), EnterResult(result("3NT S 9")))
    told.do(ClearAlarm("same_seating:1.1", "they sat as the names say"))
    assert alarms(told) == []
    told.do(SwapSeating(1, 1, "as the captains say"))
    assert alarms(told) == ["same_seating:1.1"]


def test_board_that_repeats_another_than_before_is_looked_at_again() -> None:
    told = Told(new_match(3, is_dealt=False))
    for number, deal in ((1, 1), (2, 2), (3, 2)):
        told.enter(OPEN, OpenBoard(1, number, deal=deal_of(deal)), EnterResult(result("3NT S 9")))
    told.do(ClearAlarm("played_twice:1.3", "the players did not notice"))
    told.enter(CLOSED, OpenBoard(1, 1, deal=deal_of(1)), EnterResult(result("3NT S 9")))
    assert alarms(told) == []
    told.enter(OPEN, OpenBoard(1, 3, "the wrong cards", deal=deal_of(1)))
    assert alarms(told) == ["played_twice:1.3"]


def test_captains_clear_what_they_agreed_on_and_nothing_that_came_after() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    agreed = ClearAlarm("record_differs:1.1:open", "both captains agree", told.match.alarm_standing)
    told.open(OPEN, 1, "the wrong score").result(OPEN, "3NT N 3")
    with pytest.raises(Refusal) as refusal:
        told.do(agreed)
    assert refusal.value.rule == "alarm_changed"
    told.do(replace(agreed, standing=told.match.alarm_standing))
    assert alarms(told) == []


def test_clearing_one_alarm_leaves_what_captains_agreed_on_of_another() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    told.open(OPEN, 2).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    standing = told.match.alarm_standing
    told.do(ClearAlarm("record_differs:1.1:open", "both captains agree", standing))
    told.do(ClearAlarm("record_differs:1.2:open", "both captains agree", standing))
    assert alarms(told) == []


def test_award_and_cancellation_settle_a_board() -> None:
    told = in_both_rooms(OpenBoard(1, 1, deal=rotated(deal_of(1), 1)))
    other = in_both_rooms(OpenBoard(1, 1, deal=rotated(deal_of(1), 1)))
    told.do(GiveAward(1, 1, Award("artificial", home="=", visitors="="), "fouled"))
    other.do(CancelBoard(1, 1, "fouled"))
    assert alarms(told) == alarms(other) == []


def test_captains_cannot_confirm_over_an_open_alarm() -> None:
    told = Told(new_match(1)).open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    told.played(CLOSED, 1)
    with pytest.raises(Refusal) as refusal:
        told.do(ConfirmScore("captains", told.match.standing))
    assert (refusal.value.rule, refusal.value.facts["alarm"]) == ("alarm_open", "record_differs:1.1:open")
    told.do(ClearAlarm("record_differs:1.1:open", "both captains"))
    told.do(ConfirmScore("captains", told.match.standing))
    assert told.match.closed == "confirmed"


def test_same_cards_under_another_number_are_a_board_played_twice() -> None:
    told = Told(new_match(3, is_dealt=False))
    told.enter(OPEN, OpenBoard(1, 1, deal=deal_of(1)), EnterResult(result("3NT S 9")))
    told.enter(CLOSED, OpenBoard(1, 1, deal=deal_of(1)), EnterResult(result("3NT S 9")))
    told.enter(OPEN, OpenBoard(1, 2, deal=deal_of(1)))
    assert alarms(told) == ["played_twice:1.2"]
    told.do(ClearAlarm("played_twice:1.2", "the board of the other table"))
    assert alarms(told) == []


def test_board_opened_before_its_turn_is_a_notice_until_it_is_cleared() -> None:
    told = Told(new_match(3))
    told.open(OPEN, 2, "board 1 is not there yet")
    told.open(CLOSED, 1)
    assert [alarm.id for alarm in out_of_order(told.match)] == ["out_of_order:1.2:open"]
    told.do(ClearAlarm("out_of_order:1.2:open", "seen"))
    assert list(out_of_order(told.match)) == []


def test_board_opened_again_is_not_out_of_order() -> None:
    told = Told(new_match(3)).open(OPEN, 1).result(OPEN, "3NT S 9").open(OPEN, 1, "wrong result")
    assert list(out_of_order(told.match)) == []


@pytest.mark.parametrize("id", ["swing:1.9:both:13", "curious:1.1", "swing", "swing:1.1:both:13"])
def test_only_a_notice_of_a_board_of_the_match_is_cleared_and_only_once(id: str) -> None:
    told = Told(new_match(2))
    told.do(ClearAlarm("swing:1.1:both:13", "a slam in one room"))
    with pytest.raises(Refusal, match="No alarm"):
        told.do(ClearAlarm(id, "seen"))


def test_clearing_says_by_whom_and_in_what_capacity() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    captains = ("captain:ann", "captain:vic")
    by_captains = ClearAlarm(
        "record_differs:1.1:open", "both captains agree", told.match.alarm_standing, captains
    )
    told.do(by_captains)
    told.open(OPEN, 2).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    told.do(ClearAlarm("record_differs:1.2:open", "seen"), "director:dora")
    first, second = told.match.clearings
    assert (first.by, first.is_by_captains) == (captains, True)
    assert (second.by, second.is_by_captains) == (("director:dora",), False)


def test_captains_clear_no_notice_which_is_for_the_director() -> None:
    told = Told().open(OPEN, 2, "the first was not there")
    notice = ClearAlarm("out_of_order:1.2:open", "seen", None, ("captain:ann", "captain:vic"))
    with pytest.raises(Refusal) as refusal:
        told.do(notice)
    assert refusal.value.rule == "no_such_alarm"
    told.do(replace(notice, agreed=()))


def test_board_skipped_in_a_challenge_is_a_notice_until_it_is_played() -> None:
    told = Told(replace(new_match(2), challenge=Challenge("l1", "l1-1"))).open(OPEN, 1).skip(OPEN, 1)
    assert [alarm.id for alarm in skipped(told.match)] == ["skipped:1.1:open"]
    told.open(OPEN, 1, "they have come")
    assert list(skipped(told.match)) == []
    assert list(skipped(Told().open(OPEN, 1).skip(OPEN, 1).match)) == []

"""The director's desk: corrections, adjusted scores, penalties, and what a ruling must say."""

from math import inf, nan

import pytest

from broadcast.bridge.rooms import Team
from broadcast.bridge.seats import Seat
from broadcast.tables.awards import Award, Part
from broadcast.tables.board_states import Adjusted, Cancelled, Claimed, InPlay, NotPlayed, PassedOut, PlayedOut
from broadcast.tables.commands import (
    CancelBoard,
    ChangeRelease,
    ClearAlarm,
    CloseMatch,
    CorrectResult,
    EnterInRoom,
    GiveAward,
    GivePenalty,
    LiftRuling,
    MatchCommand,
    NameLineup,
    OpenBoard,
    ReopenMatch,
    SwapSeating,
    TransferTricks,
    VoidMatch,
)
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.events import BoardKey
from tests.builders import (
    BY_MATCH,
    CLOSED,
    LIVE,
    OPEN,
    Told,
    delayed,
    folded,
    new_match,
    players,
    result,
)

AVERAGE = Award("artificial", home="+", visitors="-")
ASSIGNED = Award("assigned", room=CLOSED, score_ns=-50)
WEIGHTED = Award("weighted", room=OPEN, parts=(Part(620, 60), Part(170, 40)))


def refused(told: Told, command: MatchCommand) -> str:
    with pytest.raises(Refusal) as refusal:
        told.do(command)
    return refusal.value.rule


@pytest.fixture
def told() -> Told:
    """Board 1 finished in the open room by claim: 1NT by North, 9 tricks; in play in the closed."""
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 2).claim(OPEN, 9)
    return told.open(CLOSED, 1).calls(CLOSED, "1NT Pass")


def test_late_correction_of_an_earlier_segment_is_on_the_correction_log() -> None:
    """3NT just made becomes one over after the next segment began."""
    told = Told(new_match(3, 1)).open(OPEN, 3, "first").result(OPEN, "3NT S 9")
    told.open(OPEN, 1, "next segment", segment=2).calls(OPEN, "1S")
    told.wait(60).do(CorrectResult(1, 3, OPEN, result("3NT S 10"), "an overtrick"), by="director:d1")
    assert told.state(OPEN, 3) == PlayedOut(result("3NT S 10"), "director")
    (correction,) = told.match.corrections
    before, after = correction.before.state(OPEN), correction.after.state(OPEN)
    assert (correction.by, correction.reason, correction.at) == ("director:d1", "an overtrick", told.now)
    assert (before, after) == (PlayedOut(result("3NT S 9"), "operator"), told.state(OPEN, 3))


def test_corrected_claim_stays_a_claim_and_may_become_a_pass_out(told: Told) -> None:
    told.do(CorrectResult(1, 1, OPEN, result("1NT N 8"), "miscounted"))
    assert told.state(OPEN, 1) == Claimed(result("1NT N 8"), "director")
    told.do(CorrectResult(1, 1, OPEN, result("Pass"), "wrong board"))
    assert told.state(OPEN, 1) == PassedOut(result("Pass"), "director")


def test_result_is_given_to_a_board_nobody_opened() -> None:
    told = Told()
    told.do(CorrectResult(1, 2, CLOSED, result("2H E 8"), "played on paper"))
    assert told.state(CLOSED, 2) == PlayedOut(result("2H E 8"), "director")
    assert isinstance(told.state(OPEN, 2), NotPlayed)


@pytest.mark.parametrize(("to", "tricks"), [("EW", 8), ("NS", 10)])
def test_revoke_tricks_go_to_the_side_that_is_owed_them(told: Told, to: str, tricks: int) -> None:
    """Law 64A: one trick, from or to declarer."""
    told.do(TransferTricks(1, 1, OPEN, 1, to, "established revoke"))
    assert told.state(OPEN, 1) == Claimed(result(f"1NT N {tricks}"), "director")


def test_tricks_cannot_go_where_there_are_none(told: Told) -> None:
    assert refused(told, TransferTricks(1, 1, OPEN, 5, "NS", "x")) == "bad_tricks"
    assert refused(told, TransferTricks(1, 1, OPEN, 0, "NS", "x")) == "bad_tricks"
    assert refused(told, TransferTricks(1, 1, OPEN, 1, "north", "x")) == "bad_side"
    assert refused(told, TransferTricks(1, 1, CLOSED, 1, "NS", "x")) == "no_result"
    told.played(OPEN, 2, "Pass")
    assert refused(told, TransferTricks(1, 2, OPEN, 1, "NS", "x")) == "no_result"


def test_artificial_score_stands_for_both_rooms(told: Told) -> None:
    told.do(GiveAward(1, 1, AVERAGE, "fouled"))
    assert told.state(OPEN, 1) == Adjusted(result("1NT N 9"), "director")
    assert told.state(CLOSED, 1) == Adjusted(None, "director")


def test_assigned_score_stands_for_its_room_only(told: Told) -> None:
    told.do(GiveAward(1, 1, ASSIGNED, "misinformation"))
    assert isinstance(told.state(CLOSED, 1), Adjusted)
    assert isinstance(told.state(OPEN, 1), Claimed)


def test_split_score_stands_for_the_rooms_of_either_side(told: Told) -> None:
    split = Award("split", for_home=WEIGHTED, for_visitors=ASSIGNED)
    assert split.rooms == {OPEN, CLOSED}
    told.do(GiveAward(1, 1, split, "Law 12C1(e)"))
    assert isinstance(told.state(OPEN, 1), Adjusted)


@pytest.mark.parametrize(
    "award",
    [
        Award("generous"),
        Award("artificial", home="+"),
        Award("artificial", home="+", visitors="++"),
        Award("artificial", home="+", visitors="=", room=OPEN),
        Award("assigned", score_ns=420),
        Award("assigned", room=OPEN),
        Award("weighted", room=OPEN),
        Award("weighted", parts=(Part(620, 100),)),
        Award("weighted", room=OPEN, parts=(Part(620, 60), Part(170, 30))),
        Award("weighted", room=OPEN, parts=(Part(620, 150), Part(170, -50))),
        Award("split", for_home=AVERAGE),
        Award("split", for_home=AVERAGE, for_visitors=Award("assigned")),
        Award("split", for_home=AVERAGE, for_visitors=Award("split", for_home=AVERAGE, for_visitors=AVERAGE)),
    ],
)
def test_award_of_the_wrong_shape_is_refused(told: Told, award: Award) -> None:
    assert refused(told, GiveAward(1, 1, award, "x")) == "bad_award"


def test_cancelled_board_is_lifted_by_an_award_and_by_opening_again(told: Told) -> None:
    told.do(CancelBoard(1, 1, "a card face up in the pocket"))
    assert told.state(OPEN, 1) == told.state(CLOSED, 1) == Cancelled()
    assert refused(told, CancelBoard(1, 1, "again")) == "board_cancelled"
    told.do(GiveAward(1, 1, AVERAGE, "no time to play it"))
    assert isinstance(told.state(OPEN, 1), Adjusted)
    told.open(OPEN, 1, "there is time after all")
    assert isinstance(told.state(OPEN, 1), InPlay)
    assert told.board(1).award is None


def test_opening_that_becomes_public_late_does_not_lift_a_later_award() -> None:
    """An opening is public with its first entry; an award made between the two was lost for the public."""
    told = Told().open(CLOSED, 1)
    told.do(GiveAward(1, 1, Award("assigned", room=OPEN, score_ns=420), "Law 12C"))
    told.calls(CLOSED, "1S")
    created, opened, award, started, call = told.log
    assert folded([created, award, started, opened, call]).boards == told.match.boards


def test_ruled_board_takes_no_entered_result(told: Told) -> None:
    told.do(CorrectResult(1, 1, OPEN, result("1NT N 8"), "miscounted"))
    with pytest.raises(Refusal) as refusal:
        told.result(OPEN, "1NT N 7")
    assert refusal.value.rule == "director_ruled"
    told.open(OPEN, 1, "the director sent them back").result(OPEN, "1NT N 7")
    assert told.state(OPEN, 1) == PlayedOut(result("1NT N 7"), "operator")


def test_swapped_seating_turns_the_teams_and_twice_turns_them_back(told: Told) -> None:
    key = told.board(1).key
    told.do(SwapSeating(1, 1, "sat the wrong way in both rooms"))
    assert told.match.ns_open(key) is Team.VISITORS
    assert told.match.ns_open(told.board(2).key) is Team.HOME
    told.do(SwapSeating(1, 1, "they had not"))
    assert told.match.ns_open(key) is Team.HOME


def test_ruling_raises_the_sequence_of_the_rooms_it_touches(told: Told) -> None:
    before = dict(told.match.room_sequences)
    told.do(CorrectResult(1, 1, OPEN, result("1NT N 8"), "x"))
    told.do(GiveAward(1, 1, AVERAGE, "x"))
    told.do(GivePenalty(Team.HOME, "imps", 3, "late"))
    assert told.match.room_sequences == {OPEN: before[OPEN] + 2, CLOSED: before[CLOSED] + 1}


def test_penalty_is_an_amount_of_imps_or_vps(told: Told) -> None:
    told.do(GivePenalty(Team.HOME, "vps", 0.5, "late"))
    assert [(each.side, each.unit, each.amount) for each in told.match.penalties] == [(Team.HOME, "vps", 0.5)]
    for amount, unit in ((0, "imps"), (-1, "imps"), (nan, "imps"), (inf, "vps"), (3, "points")):
        assert refused(told, GivePenalty(Team.HOME, unit, amount, "x")) == "bad_penalty"


def test_line_up_replaces_the_one_before_and_seats_the_next_board(told: Told) -> None:
    told.do(NameLineup(1, OPEN, players("sub")))
    told.open(OPEN, 2)
    assert told.table(OPEN).players[Seat.N].name == "sub North"
    with pytest.raises(NoSuchThing):
        told.do(NameLineup(7, OPEN, players("sub")))


def test_every_ruling_needs_a_reason(told: Told) -> None:
    rulings: list[MatchCommand] = [
        CorrectResult(1, 1, OPEN, result("Pass"), " "),
        GiveAward(1, 1, AVERAGE, ""),
        CancelBoard(1, 1, ""),
        TransferTricks(1, 1, OPEN, 1, "NS", ""),
        GivePenalty(Team.HOME, "imps", 3, ""),
        SwapSeating(1, 1, ""),
        ChangeRelease(BY_MATCH, ""),
        ClearAlarm("same_seating:1.1", ""),
        CloseMatch(""),
        VoidMatch(""),
    ]
    for ruling in rulings:
        assert refused(told, ruling) == "reason_needed"
    told.do(CloseMatch("time"))
    assert refused(told, ReopenMatch("\n")) == "reason_needed"


def test_rules_that_let_a_second_device_see_need_players_without_devices() -> None:
    told = Told(new_match(no_devices=False))
    assert refused(told, ChangeRelease(LIVE, "x")) == "devices"
    assert refused(told, ChangeRelease(delayed(900), "x")) == "devices"
    assert refused(Told(), ChangeRelease(delayed(0), "x")) == "bad_delay"
    told.do(ChangeRelease(BY_MATCH, "x"))
    assert told.match.release == BY_MATCH


def test_ruling_on_an_unknown_board_is_refused(told: Told) -> None:
    with pytest.raises(NoSuchThing):
        told.do(CancelBoard(2, 1, "x"))


def test_an_alarm_that_is_not_open_cannot_be_cleared_in_advance() -> None:
    assert refused(Told(new_match(1)), ClearAlarm("same_seating:1.1", "to be sure")) == "no_such_alarm"


def test_operator_cannot_lift_a_ruling_by_opening_the_board_again() -> None:
    told = Told(new_match(1)).played(OPEN, 1)
    told.do(GiveAward(1, 1, AVERAGE, "fouled"))
    again = EnterInRoom(OPEN, (OpenBoard(1, 1, "to see"),), may_overrule=False)
    assert refused(told, again) == "director_ruled"
    told.do(EnterInRoom(OPEN, (OpenBoard(1, 1, "played again"),)))
    assert told.match.boards[BoardKey(1, 1)].award is None


def test_award_for_one_room_stands_when_the_other_opens_the_board() -> None:
    award = Award("assigned", room=OPEN, score_ns=420)
    told = Told(new_match(1)).played(OPEN, 1)
    told.do(GiveAward(1, 1, award, "Law 12C"))
    told.do(EnterInRoom(CLOSED, (OpenBoard(1, 1),), may_overrule=False))
    assert told.match.boards[BoardKey(1, 1)].award == award


@pytest.mark.parametrize("given", [GiveAward(1, 1, AVERAGE, "fouled"), CancelBoard(1, 1, "fouled")])
def test_ruling_given_on_the_wrong_board_is_lifted_and_the_tables_count_again(
    told: Told, given: GiveAward | CancelBoard
) -> None:
    """A mistaken award could only be replaced by another, or the board opened again."""
    told.do(given)
    told.do(LiftRuling(1, 1, "it was board 2"))
    assert isinstance(told.state(OPEN, 1), Claimed)
    assert told.match.corrections[-1].reason == "it was board 2"
    assert refused(told, LiftRuling(1, 1, "again")) == "no_ruling"

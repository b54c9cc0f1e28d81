"""The release gate, story by story: what the public has by when."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat
from broadcast.feeds.release import ReleaseState, due
from broadcast.tables.apply import apply
from broadcast.tables.awards import Award
from broadcast.tables.board_states import Claimed, InPlay, NotPlayed, PlayedOut
from broadcast.tables.commands import (
    CancelBoard,
    ChangeRelease,
    ClearAlarm,
    CloseMatch,
    Comment,
    CorrectResult,
    Explain,
    GiveAward,
    GivePenalty,
    NameLineup,
    ReopenMatch,
    VoidMatch,
)
from broadcast.tables.events import BoardOpened, CallExplained, CardPlayed, MatchEvent
from broadcast.tables.setup import Release
from broadcast.tables.state import MatchState, RoomBoard
from tests.builders import (
    BY_BOARD,
    BY_MATCH,
    CLOSED,
    LIVE,
    OPEN,
    START,
    Told,
    delayed,
    folded,
    new_match,
    players,
    result,
)

AUCTION = "1NT Pass Pass Pass"
AVERAGE = Award("artificial", home="=", visitors="=")


def told_under(release: Release, *lengths: int) -> Told:
    return Told(new_match(*lengths, release=release))


def names(told: Told, seconds: float = 0) -> list[str]:
    """What is public so many seconds after now, without the match's creation."""
    public = due(told.log, told.now + timedelta(seconds=seconds))
    return [type(recorded.event).__name__ for recorded in public if recorded.sequence > 1]


def public(told: Told, seconds: float = 0) -> MatchState:
    return folded(due(told.log, told.now + timedelta(seconds=seconds)))


def public_table(told: Told, room: Room, number: int = 1) -> RoomBoard:
    return public(told).boards[told.board(number).key].rooms[room]


def comment(told: Told, call: int, card: int, room: Room = OPEN) -> None:
    told.do(Comment(1, 1, room, call, card, "en", "Well", "Barnet"))


# --- rule by rule ----------------------------------------------------------------------------------------


def test_live_shows_each_entry_at_once() -> None:
    told = told_under(LIVE).open(OPEN, 1).calls(OPEN, "1S")
    assert names(told) == ["MatchStarted", "BoardOpened", "CallMade"]


def test_delayed_cards_appear_each_after_its_own_time() -> None:
    """Cards at 0, 60 and 180 s under a delay of 120 s appear at 120, 180 and 300 s."""
    told = told_under(delayed(120)).open(OPEN, 1).calls(OPEN, AUCTION)
    begun = told.now
    told.cards(OPEN, 1).wait(60).cards(OPEN, 1).wait(120).cards(OPEN, 1)

    def cards_after(seconds: float) -> int:
        public = due(told.log, begun + timedelta(seconds=seconds))
        return sum(isinstance(recorded.event, CardPlayed) for recorded in public)

    assert [cards_after(s) for s in (119, 120, 179, 180, 299, 300)] == [0, 1, 1, 2, 2, 3]


def test_gate_rebuilt_from_the_log_neither_hurries_nor_stops() -> None:
    """A restart at 100 s under a delay of 120 s: the release moments are in the log."""
    told = told_under(delayed(120)).open(OPEN, 1).calls(OPEN, "1S").wait(60).calls(OPEN, "Pass").wait(40)
    gate, match = ReleaseState(), None
    for recorded in told.log:
        gate = gate.advanced(recorded.recorded_at)[0]
        after = apply(match, recorded)
        gate, match = gate.entered(recorded, match, after), after
    gate, given = gate.advanced(told.now)
    assert [r.sequence for r in given] == []
    assert gate.next_due() == START + timedelta(seconds=120)
    gate, given = gate.advanced(START + timedelta(seconds=120))
    assert [type(r.event).__name__ for r in given] == ["BoardOpened", "CallMade"]
    assert gate.next_due() == START + timedelta(seconds=180)


def test_delayed_viewer_does_not_learn_the_result_from_the_claim() -> None:
    told = told_under(delayed(900)).open(OPEN, 1).calls(OPEN, AUCTION).wait(10).claim(OPEN, 9)
    assert "ClaimMade" not in names(told, 899)
    assert isinstance(public(told, 899).boards[told.board(1).key].state(OPEN), InPlay)
    assert isinstance(public(told, 900).boards[told.board(1).key].state(OPEN), Claimed)


def test_board_is_shown_when_both_rooms_have_finished_it() -> None:
    told = told_under(BY_BOARD).open(OPEN, 1).calls(OPEN, AUCTION).claim(OPEN, 9).open(CLOSED, 1)
    told.calls(CLOSED, "1NT Pass 3NT")
    assert names(told) == ["MatchStarted"]
    told.result(CLOSED, "3NT N 9")
    assert names(told).count("BoardOpened") == 2
    assert public(told).boards == told.match.boards


def test_board_reopened_keeps_its_old_public_state_until_it_is_final_again() -> None:
    told = told_under(BY_BOARD).played(OPEN, 1, "3NT S 9").played(CLOSED, 1, "3NT S 9")
    told.open(CLOSED, 1, "another table's slip").calls(CLOSED, "1S")
    assert public_table(told, CLOSED).ending == PlayedOut(result("3NT S 9"), "operator")
    told.result(CLOSED, "1S N 7")
    assert public_table(told, CLOSED).ending == PlayedOut(result("1S N 7"), "operator")


def test_match_shows_all_at_closing_and_closing_last() -> None:
    told = told_under(BY_MATCH).played(OPEN, 1).played(CLOSED, 1).open(OPEN, 2).calls(OPEN, "1S")
    told.do(GivePenalty(Team.HOME, "imps", 3, "late"))
    assert names(told) == ["MatchStarted"]
    told.wait(5).do(CloseMatch("time"))
    shown = names(told)
    assert shown[-2:] == ["PenaltyGiven", "MatchClosed"]
    assert public(told).boards == told.match.boards


@pytest.mark.parametrize("release", [LIVE, BY_BOARD, BY_MATCH, delayed(900)])
def test_title_start_and_rule_are_public_at_once(release: Release) -> None:
    told = told_under(release).open(OPEN, 1).calls(OPEN, "1S")
    told.do(ChangeRelease(BY_MATCH, "a semifinal"))
    assert {"MatchStarted", "ReleaseChanged"} <= set(names(told))
    assert public(told).created.title == "Modra v Vihar"


def test_what_is_released_stays_released_when_the_rule_grows_stricter() -> None:
    told = told_under(LIVE).open(OPEN, 1).calls(OPEN, "1S")
    told.do(ChangeRelease(BY_BOARD, "players have phones after all"))
    told.calls(OPEN, "Pass")
    assert len(public_table(told, OPEN).calls) == 1


def test_looser_rule_shows_what_waited_from_its_own_moment() -> None:
    told = told_under(BY_MATCH).open(OPEN, 1).calls(OPEN, "1S").wait(50)
    told.do(ChangeRelease(LIVE, "all agree"))
    assert names(told)[-2:] == ["CallMade", "ReleaseChanged"]
    assert due(told.log, told.now - timedelta(seconds=1)) == due(told.log[:4], START)


# --- boards opened by mistake ----------------------------------------------------------------------------


@pytest.mark.parametrize("release", [LIVE, BY_BOARD, BY_MATCH, delayed(30)])
def test_board_opened_by_mistake_never_shows(release: Release) -> None:
    """The operator opens board 8 while the closed room is on 5; its hands went out to all."""
    told = told_under(release, 8).open(OPEN, 8, "wrong button").skip(OPEN, 8, "opened by mistake")
    told.open(OPEN, 1).calls(OPEN, "1S").wait(60)
    told.do(CloseMatch("time"))
    opened = [r.event for r in due(told.log, told.now + timedelta(days=1)) if isinstance(r.event, BoardOpened)]
    assert [event.key.number for event in opened] == [1]
    assert public(told, 60).boards[told.board(8).key].deal is None


def test_board_opened_twice_before_its_first_call_shows_once() -> None:
    told = told_under(LIVE).open(OPEN, 1).skip(OPEN, 1).open(OPEN, 1, "now").calls(OPEN, "1S")
    assert names(told).count("BoardOpened") == 1


def test_opening_goes_back_behind_the_gate_with_its_only_entry() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, "1S").undo(OPEN).wait(100)
    assert names(told) == ["MatchStarted"]
    told.calls(OPEN, "1H")
    assert names(told, 60) == ["MatchStarted", "BoardOpened", "CallMade"]


# --- undo ------------------------------------------------------------------------------------------------


def test_undone_card_that_was_public_is_followed_by_its_undo() -> None:
    told = told_under(LIVE).open(OPEN, 1).calls(OPEN, AUCTION).cards(OPEN, 1).undo(OPEN).cards(OPEN, 1)
    assert names(told)[-3:] == ["CardPlayed", "EntriesUndone", "CardPlayed"]


def test_slip_undone_within_the_delay_leaves_no_trace() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).wait(100).cards(OPEN, 1)
    told.wait(59).undo(OPEN).cards(OPEN, 1)
    assert names(told, 60).count("CardPlayed") == 1
    assert "EntriesUndone" not in names(told, 60)


def test_slip_undone_at_the_moment_of_its_release_was_seen() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).wait(100).cards(OPEN, 1)
    told.wait(60).undo(OPEN)
    assert names(told, 60)[-2:] == ["CardPlayed", "EntriesUndone"]


def test_undo_that_reaches_into_what_is_public_is_shown_and_the_rest_vanishes() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).cards(OPEN, 2).wait(60).cards(OPEN, 3)
    told.undo(OPEN, 4)
    shown = names(told, 60)
    assert shown.count("CardPlayed") == 2
    assert shown[-1] == "EntriesUndone"
    assert public(told, 60).boards == told.match.boards


def test_undo_after_an_undo_that_waits_takes_only_what_came_between() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).cards(OPEN, 5).wait(60)
    told.undo(OPEN, 3).cards(OPEN, 2).undo(OPEN, 2)
    assert names(told, 60).count("EntriesUndone") == 1
    assert public(told, 60).boards == told.match.boards


def test_claim_refused_and_played_on_stays_when_a_later_card_is_undone() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).cards(OPEN, 4)
    told.claim(OPEN, 9, accepted=False).answer(OPEN, accepted=False).cards(OPEN, 2).undo(OPEN)
    assert public(told, 60).boards == told.match.boards
    assert len(public(told, 60).boards[told.board(1).key].rooms[OPEN].claims) == 1


def test_result_of_a_board_opened_again_is_not_taken_back_by_a_later_undo() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).cards(OPEN, 4).result(OPEN, "1NT N 9")
    told.open(OPEN, 1, "another table's").cards(OPEN, 1).undo(OPEN)
    assert names(told, 60)[-2:] == ["ResultEntered", "BoardOpened"]
    assert public(told, 60).boards == told.match.boards


# --- rulings ---------------------------------------------------------------------------------------------


def test_ruling_on_a_public_board_is_public_at_once() -> None:
    told = told_under(delayed(900)).played(OPEN, 1).wait(900)
    told.do(CorrectResult(1, 1, OPEN, result("3NT S 10"), "an overtrick"))
    assert names(told)[-1] == "ResultCorrected"


def test_ruling_on_an_unreleased_board_follows_the_result_and_both_are_shown() -> None:
    told = told_under(delayed(900)).played(OPEN, 1).wait(10)
    told.do(CorrectResult(1, 1, OPEN, result("3NT S 10"), "an overtrick"))
    assert names(told, 889) == ["MatchStarted"]
    assert names(told, 890)[-2:] == ["ResultEntered", "ResultCorrected"]


def test_ruling_that_makes_a_board_final_releases_it() -> None:
    told = told_under(BY_BOARD).played(OPEN, 1).open(CLOSED, 1).calls(CLOSED, "1S")
    told.do(CancelBoard(1, 1, "fouled"))
    assert names(told)[-1] == "BoardCancelled"
    assert public(told).boards == told.match.boards


def test_award_does_not_overtake_the_opening_that_it_overrules() -> None:
    """A reopening waited out its delay and lifted an award that had been made, and shown, after it."""
    told = told_under(delayed(60)).played(OPEN, 1).played(CLOSED, 1).wait(100)
    told.open(OPEN, 1, "sent back").wait(10)
    told.do(GiveAward(1, 1, AVERAGE, "no time after all"))
    assert names(told)[-1] == "ResultEntered"
    assert public(told, 50).boards == told.match.boards


def test_ruling_comes_directly_after_a_ruling_that_waits() -> None:
    """It came at once, before the ruling that it replaced."""
    told = told_under(delayed(60))
    told.do(GiveAward(1, 1, AVERAGE, "x"))
    told.wait(10).do(CancelBoard(1, 1, "x"))
    assert names(told, 49) == []
    assert names(told, 50) == ["BoardAwarded", "BoardCancelled"]


def test_result_given_by_the_director_makes_a_board_public() -> None:
    told = told_under(LIVE)
    told.do(CorrectResult(1, 1, OPEN, result("2H E 8"), "played on paper"))
    told.do(ChangeRelease(BY_MATCH, "x"))
    told.do(CorrectResult(1, 1, OPEN, result("2H E 9"), "misread"))
    assert names(told)[-1] == "ResultCorrected"


def test_skips_and_cleared_alarms_are_never_public() -> None:
    told = told_under(LIVE).open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").result(OPEN, "3NT N 9")
    told.open(OPEN, 2).calls(OPEN, "1S").skip(OPEN, 2)
    before = names(told)
    told.do(ClearAlarm("record_differs:1.1:open", "they bid on and nobody wrote it"))
    told.do(CloseMatch("time"))
    assert "BoardSkipped" not in before
    assert names(told) == [*before, "MatchClosed"]


# --- comments, line-ups, penalties -----------------------------------------------------------------------


def test_comment_waits_for_its_position() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, AUCTION).wait(30).cards(OPEN, 2).wait(10)
    comment(told, 4, 0)
    comment(told, 4, 2)
    assert names(told, 20)[-1] == "CommentMade"
    assert names(told, 50)[-3:] == ["CardPlayed", "CardPlayed", "CommentMade"]


def test_comment_on_a_public_position_is_public_at_once() -> None:
    told = told_under(BY_BOARD).played(OPEN, 1).played(CLOSED, 1)
    comment(told, 0, 0)
    assert names(told)[-1] == "CommentMade"


def test_comment_whose_position_was_withdrawn_comes_at_the_end() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, "1S Pass")
    comment(told, 2, 0)
    told.undo(OPEN).wait(500)
    assert "CommentMade" not in names(told)
    told.do(CloseMatch("time"))
    assert names(told, 59)[-1] == "CallMade"
    assert names(told, 60)[-2:] == ["CommentMade", "MatchClosed"]


def test_comment_on_a_board_that_was_never_shown_is_never_shown() -> None:
    told = told_under(LIVE).open(OPEN, 1)
    comment(told, 0, 0)
    told.do(CloseMatch("time"))
    assert names(told, 3600) == ["MatchClosed"]


def test_line_up_comes_with_the_first_board_of_its_segment() -> None:
    told = told_under(delayed(60), 1, 1)
    told.do(NameLineup(2, OPEN, players("sub")))
    told.played(OPEN, 1).wait(60)
    assert "LineupNamed" not in names(told)
    told.played(OPEN, 1, segment=2)
    assert "LineupNamed" not in names(told, 59)
    assert names(told, 60)[-3:] == ["LineupNamed", "BoardOpened", "ResultEntered"]
    told.wait(60).do(NameLineup(2, OPEN, players("late")))
    assert names(told)[-1] == "LineupNamed"


def test_line_up_given_when_the_match_is_made_waits_like_any_other() -> None:
    """Creation is public at once, and the line-ups came out with it."""
    command = new_match(2, release=LIVE)
    segment = replace(command.segments[0], lineups={OPEN: players("a"), CLOSED: players("b")})
    told = Told(replace(command, segments=(segment,)))
    assert told.match.segments == (segment,)
    assert public(told).segments[0].lineups == {}
    told.open(OPEN, 1).calls(OPEN, "1S")
    assert public(told).segments == (segment,)


def test_line_up_is_public_at_once_where_the_director_publishes_it() -> None:
    told = told_under(BY_MATCH)
    told.do(NameLineup(1, OPEN, players("sub"), publish=True))
    assert names(told) == ["LineupNamed"]
    segment = public(told).segment(1)
    assert segment is not None and segment.lineups[OPEN][Seat.N].name == "sub North"


def test_line_up_of_a_segment_never_played_comes_just_before_closing() -> None:
    """It came with its own old moment and so before what had been due long after it."""
    told = told_under(delayed(60), 1, 1)
    told.do(NameLineup(2, OPEN, players("sub")))
    told.wait(100).played(OPEN, 1).wait(10)
    told.do(CloseMatch("time"))
    assert names(told, 60)[-3:] == ["ResultEntered", "LineupNamed", "MatchClosed"]


@pytest.mark.parametrize(("release", "wait"), [(LIVE, 0), (BY_BOARD, 0), (delayed(60), 60)])
def test_penalty_waits_for_the_delay_only(release: Release, wait: int) -> None:
    told = told_under(release)
    told.do(GivePenalty(Team.HOME, "imps", 3, "late"))
    assert names(told, wait) == ["PenaltyGiven"]
    assert wait == 0 or names(told, wait - 1) == []


# --- closing ---------------------------------------------------------------------------------------------


def test_closing_waits_out_the_delay() -> None:
    told = told_under(delayed(60), 1).played(OPEN, 1).played(CLOSED, 1)
    told.do(CloseMatch("time"))
    assert "MatchClosed" not in names(told, 59)
    assert names(told, 60)[-1] == "MatchClosed"


def test_match_opened_again_before_its_closing_was_public_was_never_closed() -> None:
    """The reopening was shown at once and the closing after it: the public's match stayed closed."""
    told = told_under(delayed(60))
    told.do(CloseMatch("time"))
    told.wait(10).do(ReopenMatch("a board was forgotten"))
    assert names(told, 3600) == []
    told.wait(3600).do(VoidMatch("floods"))
    told.wait(60).do(ReopenMatch("the water went back"))
    assert names(told) == ["MatchVoided", "MatchReopened"]
    assert public(told).voided is None


def test_boards_of_a_match_opened_again_wait_for_their_rule() -> None:
    told = told_under(BY_MATCH)
    told.do(CloseMatch("time"))
    told.do(ReopenMatch("two boards more"))
    told.played(OPEN, 1).played(CLOSED, 1)
    assert isinstance(public(told).boards[told.board(1).key].state(OPEN), NotPlayed)
    told.do(CloseMatch("time"))
    assert public(told).boards == told.match.boards


def test_what_is_recorded_later_does_not_change_what_was_due() -> None:
    told = told_under(delayed(60)).open(OPEN, 1).calls(OPEN, "1S").wait(60)
    then = due(told.log, told.now)
    moment: datetime = told.now
    told.wait(1).undo(OPEN)
    told.do(VoidMatch("floods"))
    assert due(told.log, moment) == then


def test_of_what_is_said_of_a_waiting_call_only_the_last_is_released() -> None:
    """A hundred and twenty commands of five hundred each made the other room's last call take seven seconds."""
    told = told_under(BY_BOARD).open(OPEN, 1).calls(OPEN, AUCTION)
    for place in range(40):
        told.enter(OPEN, Explain(place % 2, True, f"meaning {place}"))
    told.undo_to(OPEN, 1, 0).calls(OPEN, AUCTION.partition(" ")[2]).enter(OPEN, Explain(1, True, "anew"))
    told.claim(OPEN, told_tricks(told)).played(CLOSED, 1)
    said = [each.event for each in due(told.log, told.now) if isinstance(each.event, CallExplained)]
    assert [(each.call_index, each.explanation) for each in said] == [(0, "meaning 38"), (1, "anew")]


def test_what_is_given_out_is_not_looked_at_again() -> None:
    """The cost of a long live match is counted in waiting items, not taken from the clock."""
    told = told_under(LIVE, 16)
    gate, match, looked = ReleaseState(), None, 0
    given: list[MatchEvent] = []
    for number in range(1, 17):
        told.open(OPEN, number).calls(OPEN, AUCTION).cards(OPEN, 20).claim(OPEN, told_tricks(told))
    for recorded in told.log:
        after = apply(match, recorded)
        gate = gate.entered(recorded, match, after)
        match = after
        gate, released = gate.advanced(recorded.recorded_at)
        given += [each.event for each in released]
        looked += sum(len(room.waiting) for board in gate.boards.values() for room in board.rooms.values())
    assert len(given) == len(told.log)
    assert looked <= len(told.log)


def told_tricks(told: Told) -> int:
    play = told.table(OPEN).play
    assert play is not None
    return play.declarer_tricks

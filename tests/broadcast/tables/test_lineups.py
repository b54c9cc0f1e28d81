"""What a captain's link may do before line-ups are named, and when they are closed."""

from dataclasses import replace

import pytest

from broadcast.bridge.rooms import Room, Team
from broadcast.tables.commands import EnterInRoom, EnterResult, Entry, NameLineup, OpenBoard, SkipBoard
from broadcast.tables.errors import Refusal
from broadcast.tables.lineups import check_may_look, seats_of
from broadcast.tables.setup import Challenge
from tests.builders import CLOSED, OPEN, Told, new_match, players, result

HOME, VISITORS = Team.HOME, Team.VISITORS


def challenge(*, needs_lineups: bool) -> Told:
    return Told(replace(new_match(3), challenge=Challenge("l1", "l1-1", needs_lineups)))


def name(told: Told, team: Team, *rooms: Room) -> None:
    for room in rooms or tuple(Room):
        own = {seat: each for seat, each in players("x").items() if seat in seats_of(team, HOME, room)}
        (segment,) = told.match.segments
        told.do(NameLineup(1, room, {**segment.lineups.get(room, {}), **own}, team=team))


def enter(told: Told, team: Team, *entries: Entry, room: Room = OPEN) -> None:
    told.do(EnterInRoom(room, entries, may_overrule=False, captain_of=team))


def refused(told: Told, team: Team, *entries: Entry) -> str:
    with pytest.raises(Refusal) as refusal:
        enter(told, team, *entries)
    return refusal.value.rule


def may_look(told: Told, team: Team) -> bool:
    try:
        check_may_look(told.match, team)
    except Refusal:
        return False
    return True


def may_name(told: Told, team: Team) -> bool:
    try:
        name(told, team)
    except Refusal as refusal:
        assert refusal.rule == "match_started"
        return False
    return True


def test_captains_link_opens_nothing_before_the_own_team_has_named_both_rooms() -> None:
    told = challenge(needs_lineups=False)
    assert refused(told, HOME, OpenBoard(1, 1)) == "lineup_first"
    name(told, HOME, OPEN)
    assert refused(told, HOME, OpenBoard(1, 1)) == "lineup_first"
    assert not may_look(told, HOME)
    name(told, HOME, CLOSED)
    assert may_look(told, HOME)
    assert not may_look(told, VISITORS)
    enter(told, HOME, OpenBoard(1, 1))


def test_both_teams_are_awaited_where_the_ladder_asks_for_line_ups() -> None:
    told = challenge(needs_lineups=True)
    name(told, HOME)
    assert refused(told, HOME, OpenBoard(1, 1)) == "lineup_awaited"
    name(told, VISITORS)
    enter(told, HOME, OpenBoard(1, 1))


def test_first_board_closes_whole_line_ups_of_both_teams_whoever_opened_it() -> None:
    told = challenge(needs_lineups=False)
    name(told, HOME)
    assert may_name(told, HOME), "until then it may be changed"
    told.open(CLOSED, 1)
    assert not may_name(told, HOME)
    told.do(NameLineup(1, OPEN, players("sub"), "a player is ill"))


def test_team_without_line_up_may_name_it_after_a_board_was_opened_as_its_links_have_shown_nothing() -> None:
    told = challenge(needs_lineups=False)
    told.open(OPEN, 1)
    assert not may_look(told, VISITORS)
    assert may_name(told, VISITORS)
    assert not may_name(told, VISITORS)
    assert may_look(told, VISITORS)


def test_match_that_has_started_waits_for_no_line_up_and_takes_none() -> None:
    told = challenge(needs_lineups=True)
    told.open(OPEN, 1)
    told.calls(OPEN, "Pass")
    assert may_look(told, HOME)
    assert not may_name(told, HOME)
    enter(told, HOME, OpenBoard(1, 1), room=CLOSED)


def test_captains_link_neither_skips_nor_leaves_the_order_and_opens_again_what_the_director_skipped() -> None:
    told = challenge(needs_lineups=False)
    name(told, HOME)
    assert refused(told, HOME, OpenBoard(1, 2, "we like it")) == "director_opens"
    enter(told, HOME, OpenBoard(1, 1))
    assert refused(told, HOME, SkipBoard(1, 1, "late")) == "director_skips"
    told.skip(OPEN, 1)
    enter(told, HOME, OpenBoard(1, 2))
    told.skip(OPEN, 2)
    assert refused(told, HOME, OpenBoard(1, 1)) == "reason_needed"
    enter(told, HOME, OpenBoard(1, 1, "played after all"))


def test_captains_link_does_not_open_again_what_a_made_up_result_has_finished() -> None:
    told = challenge(needs_lineups=False)
    name(told, HOME)
    enter(told, HOME, OpenBoard(1, 1), EnterResult(result("Pass")), OpenBoard(1, 2))
    assert (
        refused(told, HOME, EnterResult(result("Pass")), OpenBoard(1, 1, "now in earnest"))
        == "director_reopens"
    )
    told.enter(OPEN, EnterResult(result("Pass")))
    told.open(OPEN, 1, "the director knows why")

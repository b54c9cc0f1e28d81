"""Files of a match in the hands of other programs: endplay reads PBN and LIN, a spreadsheet the CSV."""

import csv
import io
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from endplay.parsers import lin as endplay_lin
from endplay.parsers import pbn as endplay_pbn

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat
from broadcast.feeds.public_records import record_of
from broadcast.feeds.public_state import PublicState
from broadcast.notation.lin import read_lin
from broadcast.notation.pbn import read_pbn
from broadcast.notation.problems import Reason
from broadcast.tables.commands import OpenBoard
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import PlayerName, TeamName
from broadcast.web.export import export_lin, export_pbn
from broadcast.web.results_csv import COLUMNS, results_csv
from teams.matches.projection import MatchComparison
from tests.builders import CLOSED, OPEN, Told, deal_of, new_match

BIDDING = {1: "1NT Pass 3NT Pass Pass Pass", 2: "4S X Pass Pass Pass", 3: "Pass Pass Pass Pass"}
TRICKS = {OPEN: {1: 9, 2: 8}, CLOSED: {1: 11, 2: 10}}


def played(home: str = "Modra") -> Told:
    """Two segments: two boards played in both rooms, one passed out, one in play in the open room alone."""
    told = Told(replace(new_match(2, 2), home=TeamName(home)))
    for room in Room:
        for place, (segment, number) in enumerate(((1, 1), (1, 2), (2, 1)), 1):
            told.open(room, number, segment=segment).calls(room, BIDDING[place])
            if place in TRICKS[room]:
                told.cards(room, 6).claim(room, TRICKS[room][place])
    return told.open(OPEN, 2, segment=2).calls(OPEN, "1C Pass")


def public(told: Told) -> PublicState:
    state = PublicState("m1", MatchComparison())
    for recorded in told.log:
        state, _, _ = state.after(recorded, recorded.recorded_at)
    return state


def test_endplay_opens_the_pbn_of_a_match() -> None:
    boards: list[Any] = endplay_pbn.loads(export_pbn(played().match))
    assert [board.board_num for board in boards] == [1, 1, 2, 2, 1, 1, 2]
    first, _, doubled, _, passed, _, unfinished = boards
    assert first.deal.to_pbn() == str(deal_of(1))
    assert (first.contract.level, first.contract.declarer.abbr, first.contract.result) == (3, "N", 0)
    assert len(first.auction) == len(first.play) == 6
    assert (doubled.contract.penalty.abbr, doubled.contract.result) == ("x", -2)
    assert doubled.vul.abbr == "NS"
    assert passed.contract.is_passout()
    assert len(unfinished.auction) == 2


def test_endplay_opens_the_lin_of_a_hand_viewer_link() -> None:
    """Its reader of LIN takes single boards only, which is what the link holds."""
    board = public(played()).board(BoardKey(1, 2))
    assert board is not None
    for room, over in (("open", -2), ("closed", 0)):
        lin = parse_qs(urlsplit(board[room]["hand_viewer"]).query)["lin"][0]
        opened: Any = endplay_lin.loads(lin)[0]
        assert opened.deal.to_pbn() == str(deal_of(2))
        assert (opened.contract.level, opened.contract.penalty.abbr, opened.contract.result) == (4, "x", over)
        assert (len(opened.auction), len(opened.play)) == (5, 6)


def test_segment_alone_is_read_back_as_that_segment() -> None:
    match = played().match
    for read, text in ((read_pbn, export_pbn), (read_lin, export_lin)):
        reading = read(text(match, segment=2).encode())
        ((segment,),) = [each.segments for each in reading.matches]
        assert {problem.reason for problem in reading.problems} <= {Reason.NO_RESULT}  # the board in play
        assert [(board.number, board.room) for board in segment.boards] == [
            (1, Room.OPEN),
            (1, Room.CLOSED),
            (2, Room.OPEN),
        ]
        assert segment.boards[0].result == match.boards[BoardKey(2, 1)].rooms[OPEN].record_result
    assert len(record_of(match).segments) == 2


def rows_of(state: PublicState, *, hidden: bool = False) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(results_csv(state, hidden=hidden).decode("utf-8-sig"))))


def test_csv_has_a_row_for_each_board_with_both_rooms() -> None:
    rows = rows_of(public(played()))
    assert [*rows[0]] == [*COLUMNS]
    assert [(row["segment"], row["board"]) for row in rows] == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]
    first = rows[0]
    assert (first["open_contract"], first["open_declarer"], first["open_tricks"]) == ("3NT", "N", "9")
    assert (first["open_score_ns"], first["closed_score_ns"], first["imps_home"]) == ("400", "460", "-2")
    assert (first["open_ns_team"], first["closed_ns_team"]) == ("home", "visitors")
    passed = rows[2]
    assert (passed["open_contract"], passed["open_score_ns"], passed["imps_home"]) == ("Pass", "0", "0")


def test_what_is_not_known_is_empty_and_never_zero() -> None:
    last = rows_of(public(played()))[3]
    assert (last["open_tricks"], last["open_score_ns"], last["imps_home"]) == ("", "", "")
    assert (last["open_state"], last["closed_state"]) == ("in_play", "not_played")
    assert last["pending"] == "open_in_play"


def test_hidden_results_leave_their_cells_empty() -> None:
    telling = [name for name in COLUMNS if name.endswith(("contract", "tricks", "score_ns", "state"))]
    for row in rows_of(public(played()), hidden=True):
        assert {row[name] for name in [*telling, "imps_home", "imps_visitors", "pending"]} == {""}


def test_names_are_no_formulas_in_a_spreadsheet() -> None:
    for name in ("=1+1", "@SUM(A1)", "+Modra", "-Modra", "\t=1", " =1"):
        (cell,) = {row["home"] for row in rows_of(public(played(home=name)))}
        assert cell == f"'{name}"


def test_seats_show_who_sat_there() -> None:
    lineup = {seat: PlayerName(f"Player {seat}") for seat in SEATS}
    command = new_match(1)
    segment = replace(command.segments[0], lineups={OPEN: lineup})
    told = Told(replace(command, segments=(segment,)))
    told.enter(OPEN, OpenBoard(1, 1, players={Seat.N: PlayerName("Stand In")}))
    (row,) = rows_of(public(told.calls(OPEN, "1NT")))
    assert [row[f"open_{seat.word.lower()}"] for seat in SEATS][1:] == ["Player E", "Player S", "Player W"]
    assert row["open_north"] == "Stand In"
    assert row["closed_north"] == ""

"""LIN as BBO writes it, whole files and boards with something wrong."""

from decimal import Decimal

import pytest

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.contracts import Contract
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.results import PASSED_OUT
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.lin import read_lin
from broadcast.notation.problems import Reason
from tests.broadcast.notation.sample_files import (
    AUCTION,
    FULL_PLAY,
    HANDS,
    HEAD,
    boards_of,
    lin_board,
    lin_match,
    lin_play,
    only,
)


def reasons(data: bytes) -> list[Reason]:
    return [problem.reason for problem in read_lin(data).problems]


def test_header_gives_teams_carry_overs_line_ups_and_results() -> None:
    data = lin_match(lin_board("o1") + lin_board("c1"), "3NS+1,3NS=,P,", "Modra,12.5,Vihar,3")
    match = read_lin(data).matches[0]
    segment = match.segments[0]
    assert (match.title, match.home, match.visitors) == ("Club final", "Modra", "Vihar")
    assert (segment.title, segment.first, segment.last, segment.scoring) == ("Segment 1", 1, 2, "I")
    assert (segment.team1, segment.carry1, segment.team2, segment.carry2) == (
        "Modra",
        Decimal("12.5"),
        "Vihar",
        Decimal(3),
    )
    assert segment.lineups[Room.OPEN] == {Seat.S: "Ann", Seat.W: "Bob", Seat.N: "Cid", Seat.E: "Dee"}
    assert segment.lineups[Room.CLOSED][Seat.W] == "Fay"
    results = [(b.number, b.room, b.result and b.result.tricks) for b in segment.boards]
    assert results == [(1, Room.OPEN, 10), (1, Room.CLOSED, 9), (2, Room.OPEN, None)]
    assert segment.boards[2].result == PASSED_OUT
    assert segment.boards[2].deal is None


def test_file_that_stops_inside_a_trick_leaves_the_board_in_play() -> None:
    reading = read_lin((HEAD + AUCTION + "pc|DQ|pc|D4|").encode())
    board = only(reading)
    assert board.result is None
    assert [str(played.card) for played in board.cards] == ["DQ", "D4"]
    in_play = next(problem for problem in reading.problems if problem.reason is Reason.NO_RESULT)
    assert in_play.text == "in play, trick 1, 2 cards: no result"
    assert in_play.board == 1


def test_unfinished_board_costs_no_other_board() -> None:
    data = lin_match(lin_board("o1", AUCTION + "pc|DQ|") + lin_board("c1") + lin_board("o2"))
    assert [(b.number, b.room, b.result is not None) for b in boards_of(read_lin(data))] == [
        (1, Room.OPEN, False),
        (1, Room.CLOSED, True),
        (2, Room.OPEN, True),
    ]


def test_declarer_comes_from_the_auction_when_the_wrong_defender_leads() -> None:
    reading = read_lin((HEAD + AUCTION + "pc|ST|mc|9|").encode())
    board = only(reading)
    assert board.result is not None
    assert (board.result.declarer, str(board.result.contract)) == (Seat.S, "3NT")
    assert board.result.score_ns(board.vulnerability) == 400
    assert board.cards[0].seat is Seat.E
    assert board.cards[0].irregular is Irregularity.OUT_OF_TURN
    assert Reason.LEAD_OUT_OF_TURN in [problem.reason for problem in reading.problems]


def test_claim_before_the_lead_has_a_declarer() -> None:
    board = only(read_lin((HEAD + AUCTION + "mc|9|pg||").encode()))
    assert board.result is not None
    assert board.result.score_ns(board.vulnerability) == 400
    assert board.claim_tricks == 9


def test_thirteen_tricks_are_counted_card_by_card() -> None:
    board = only(read_lin((HEAD + AUCTION + lin_play(FULL_PLAY)).encode()))
    assert board.result is not None
    assert board.result.tricks == 8
    assert board.claim_tricks is None


@pytest.mark.parametrize("label", ["Rozdanie 12", "12", "第12副", ""])
def test_board_label_in_any_language(label: str) -> None:
    data = f"qx|o12|pn|A,B,C,D|st||md|4{HANDS}|rh||ah|{label}|sv|n|{AUCTION}mc|9|"
    assert only(read_lin(data.encode())).number == 12


def test_label_without_qx_gives_the_number() -> None:
    assert only(read_lin(HEAD.replace("Board 1", "Rozdanie 7").encode())).number == 7


def test_qx_wins_over_another_label_and_the_difference_is_listed() -> None:
    reading = read_lin(lin_match(lin_board("o1").replace("Board 1", "Board 9")))
    assert only(reading).number == 1
    assert Reason.LABEL_DIFFERS in [problem.reason for problem in reading.problems]


@pytest.mark.parametrize("order", [(9, 10), (10, 9)])
def test_of_two_records_the_one_agreeing_with_the_official_result_is_kept(order: tuple[int, int]) -> None:
    records = [lin_board("o1", f"{AUCTION}{lin_play(FULL_PLAY[:8])}mc|{tricks}|") for tricks in order]
    fuller = lin_board("o1", AUCTION + lin_play(FULL_PLAY[:20]) + "mc|8|")
    reading = read_lin(lin_match("".join(records) + fuller, "3NS+1,"))
    board = only(reading)
    assert board.claim_tricks == 10
    repeated = [problem for problem in reading.problems if problem.reason is Reason.REPEATED_BOARD]
    assert len(repeated) == 2
    assert all(problem.board == 1 and problem.room is Room.OPEN for problem in repeated)


def test_without_official_result_the_fuller_record_is_kept() -> None:
    data = lin_match(lin_board("o1", "") + lin_board("o1") + lin_board("o1", "mb|1N|"))
    assert only(read_lin(data)).claim_tricks == 10


def test_official_result_wins_over_the_claim_and_the_difference_is_listed() -> None:
    reading = read_lin(lin_match(lin_board("o1", AUCTION + "mc|11|"), "3NS+1,"))
    board = only(reading)
    assert board.result is not None
    assert board.result.tricks == 10
    assert board.claim_tricks == 11
    assert not board.claim_stands
    differs = next(problem for problem in reading.problems if problem.reason is Reason.CLAIM_DIFFERS)
    assert (differs.field, differs.line, differs.board, differs.room) == ("mc", 4, 1, Room.OPEN)


def test_official_result_wins_over_another_contract() -> None:
    reading = read_lin(lin_match(lin_board("o1"), "4HEx-1,"))
    board = only(reading)
    assert board.result is not None
    assert (board.result.contract, board.result.declarer) == (Contract.parse("4HX"), Seat.E)
    assert Reason.RESULT_DIFFERS in [problem.reason for problem in reading.problems]


def test_claim_that_the_play_excludes_is_listed_and_gives_no_result() -> None:
    reading = read_lin((HEAD + AUCTION + lin_play(FULL_PLAY[:20]) + "mc|1|").encode())
    assert only(reading).result is None
    assert Reason.CLAIM_EXCLUDED in [problem.reason for problem in reading.problems]


def test_claim_that_was_played_on_is_no_claim() -> None:
    board = only(read_lin((HEAD + AUCTION + "pc|DQ|mc|9|pc|D4|").encode()))
    assert (board.claim_tricks, board.result) == (None, None)


def test_of_two_claims_the_last_one_counts() -> None:
    assert only(read_lin((HEAD + AUCTION + "mc|9|mc|8|").encode())).claim_tricks == 8


@pytest.mark.parametrize(
    ("course", "reason", "cards"),
    [
        ("pc|DQ|pc|HA|pc|D3|", Reason.CARD_NOT_HELD, 1),
        ("pc|DQ|pc|D4|pc|D8|pc|D2|pc|DQ|", Reason.CARD_REPEATED, 4),
        ("pc|DQ|pc|ZZ|pc|D8|", Reason.BAD_CARD, 1),
        ("pc|DQ|pc|C5|pc|D8|", Reason.REVOKE, 3),
        ("pc|SA|", Reason.CARD_NOT_HELD, 0),
    ],
)
def test_impossible_cards_end_the_record_and_irregular_ones_are_marked(
    course: str, reason: Reason, cards: int
) -> None:
    reading = read_lin((HEAD + AUCTION + course + "mc|9|").encode())
    board = only(reading)
    assert reason in [problem.reason for problem in reading.problems]
    assert len(board.cards) == cards
    assert board.result is not None
    assert board.result.tricks == 9


@pytest.mark.parametrize(
    ("calls", "reason", "kept"),
    [
        (["d"], Reason.IMPOSSIBLE_AUCTION, 0),
        (["1N", "p", "d"], Reason.IMPOSSIBLE_AUCTION, 2),
        (["1N", "1C"], Reason.IRREGULAR_CALL, 2),
        (["1N", "p", "p", "p", "p", "2C"], Reason.SURPLUS_CALLS, 4),
        (["1N", "zz", "p"], Reason.BAD_CALL, 1),
        (["1N", "?", "p"], Reason.BAD_CALL, 1),
    ],
)
def test_impossible_calls_end_the_record(calls: list[str], reason: Reason, kept: int) -> None:
    reading = read_lin((HEAD + "".join(f"mb|{call}|" for call in calls)).encode())
    assert reason in [problem.reason for problem in reading.problems]
    assert len(only(reading).calls) == kept


def test_calls_in_one_field_lower_case_doubles_and_alerts() -> None:
    data = HEAD + "mb|p1h!|an|transfer|mb|-Dr|mb|2D!an|mb|1NT|"
    board = only(read_lin(data.encode()))
    assert [made.call for made in board.calls] == [Call.PASS, Call.H1, Call.X, Call.XX, Call.D2]
    assert (board.calls[1].alert, board.calls[1].explanation) == (True, "transfer")


def test_bare_alert_and_explanation_without_alert() -> None:
    board = only(read_lin((HEAD + "mb|1N|an|15-17|mb|2C|an|!|mb|p|").encode()))
    assert [(made.alert, made.explanation) for made in board.calls] == [
        (False, "15-17"),
        (True, None),
        (False, None),
    ]


def test_passed_out_unplayed_and_unknown_are_three_things() -> None:
    data = lin_match(
        lin_board("o1", "mb|p|mb|p|mb|p|mb|p|") + lin_board("c1", "") + lin_board("o2", AUCTION), last=3
    )
    passed, unplayed, in_play = boards_of(read_lin(data))
    assert passed.result == PASSED_OUT
    assert unplayed.is_untouched
    assert (in_play.result, in_play.is_untouched) == (None, False)


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        (HANDS.replace("S2H653", "SAH653"), "SA is held by both"),
        (HANDS.replace("CQ6", "CQ"), "East has 12 cards"),
        (HANDS.replace("CAK3", "CAKX"), "'X'"),
        ("SA643", "three or four hands"),
    ],
)
def test_cards_that_are_no_pack_are_refused_with_card_and_hand(hands: str, words: str) -> None:
    data = lin_match(lin_board("o1").replace(HANDS, hands) + lin_board("c1"), ",3NS=")
    reading = read_lin(data)
    assert [(b.number, b.room) for b in boards_of(reading)] == [(1, Room.CLOSED)]
    refused = next(problem for problem in reading.problems if problem.reason is Reason.BAD_DEAL)
    assert words in refused.text
    assert (refused.field, refused.board, refused.room) == ("md", 1, Room.OPEN)


@pytest.mark.parametrize(
    "hands",
    [
        HANDS.rsplit(",", 1)[0] + ",",
        HANDS.rsplit(",", 1)[0],
        HANDS.lower(),
        HANDS.replace("T", "10"),
        HANDS + ",",
    ],
)
def test_three_hands_lower_case_and_written_tens_are_read(hands: str) -> None:
    whole = only(read_lin(HEAD.encode())).deal
    assert only(read_lin(HEAD.replace(HANDS, hands).encode())).deal == whole


def test_result_of_a_refused_deal_still_counts() -> None:
    data = lin_match(lin_board("o1").replace("CQ6", "CQ"), "3NS+1,")
    board = only(read_lin(data))
    assert (board.deal, board.calls, board.result is not None) == (None, (), True)


def test_hands_turned_against_the_play_are_refused_and_the_rotation_is_offered() -> None:
    words = HANDS.split(",")
    turned = ",".join(words[1:] + words[:1])
    course = AUCTION + lin_play(FULL_PLAY) + "mc|8|"
    reading = read_lin(lin_match(lin_board("o1", course).replace(HANDS, turned), "3NS-1,"))
    board = only(reading)
    assert (board.deal, board.cards) == (None, ())
    offer = next(problem for problem in reading.problems if problem.reason is Reason.ROTATED_DEAL)
    assert "N:KQ97.Q9.AK54.J75" in offer.text


def test_comma_in_a_name_seats_nobody_and_keeps_the_boards() -> None:
    data = lin_match(lin_board("o1")).replace(b"pn|Ann,Bob,", b"pn|Lee, Ann,Bob,")
    reading = read_lin(data)
    assert only(reading).players == {}
    assert reading.matches[0].segments[0].lineups == {}
    assert Reason.BAD_NAMES in [problem.reason for problem in reading.problems]


def test_comma_in_a_team_leaves_boards_without_a_match() -> None:
    reading = read_lin(lin_match(lin_board("o1"), "3NS+1,", "Modra, first,0,Vihar,0"))
    assert reading.matches == ()
    assert [board.number for board in reading.boards] == [1]
    assert Reason.BAD_HEADER in [problem.reason for problem in reading.problems]


def test_escaped_commas_and_pipes_in_names_are_put_back() -> None:
    data = lin_match(lin_board("o1"), teams="Modra%COMMA% A,0,Vihar%pipe%B,0")
    match = read_lin(data).matches[0]
    assert (match.home, match.visitors) == ("Modra, A", "Vihar|B")


def test_header_alone_is_no_match() -> None:
    assert reasons(b"vg|Club Match|pg||") == [Reason.BAD_HEADER, Reason.NO_BOARDS]
    reading = read_lin(b"vg|Club Match,1,I,1,8,A,0,B,0|pg||")
    assert (reading.matches, [p.text for p in reading.problems]) == ((), ["no boards found"])


def test_boards_come_out_by_number_whatever_their_order() -> None:
    labels = ["c2", "o1", "o2", "c1"]
    boards = boards_of(read_lin(lin_match("".join(lin_board(label) for label in labels))))
    assert [(board.number, board.room) for board in boards] == [
        (1, Room.OPEN),
        (1, Room.CLOSED),
        (2, Room.OPEN),
        (2, Room.CLOSED),
    ]


def test_vulnerability_of_the_record_scores_and_a_difference_is_listed() -> None:
    reading = read_lin(lin_match(lin_board("o1", vulnerability="B")))
    assert only(reading).vulnerability is Vulnerability.ALL
    assert Reason.VULNERABILITY_DIFFERS in [problem.reason for problem in reading.problems]
    assert only(read_lin(lin_match(lin_board("o1", vulnerability="0")))).vulnerability is Vulnerability.NONE


def test_result_only_room_takes_the_vulnerability_of_the_record_in_the_other() -> None:
    boards = boards_of(read_lin(lin_match(lin_board("o1", vulnerability="b"), "3NS+1,3NS=")))
    assert [board.vulnerability for board in boards] == [Vulnerability.ALL] * 2


def test_surplus_and_odd_results_are_listed() -> None:
    reading = read_lin(lin_match(lin_board("o1"), "A+,3NS=,8NS=,3NS+9,3NS="))
    assert [problem.reason for problem in reading.problems].count(Reason.BAD_RESULT) == 3
    assert Reason.SURPLUS_RESULTS in [problem.reason for problem in reading.problems]


def test_names_inside_a_board_speak_for_that_board() -> None:
    board = lin_board("o1").replace("st||", "pn|Ida,Jon,Kay,Leo|st||")
    assert only(read_lin(lin_match(board))).players[Seat.S] == "Ida"


def test_comments_stand_where_they_were_made() -> None:
    course = (
        "nt|jkdood: And off we go|pg||mb|1N|nt|walddk2: 3@Cs or !h?|at|more|mb|p|mb|3N|mb|p|mb|p|mb|p|"
        "pc|DQ|nt|no author here|pg||mc|9|nt||pg||"
    )
    comments = only(read_lin(lin_match(lin_board("o1", course)))).comments
    assert [(c.author, c.text, c.calls, c.cards) for c in comments] == [
        ("jkdood", "And off we go", 0, 0),
        ("walddk2", "3!Cs or !H?\nmore", 1, 0),
        (None, "no author here", 6, 1),
    ]


def test_pairs_scoring_is_no_match_and_its_second_column_is_not_used() -> None:
    data = lin_match(lin_board("o1"), "3NS+1,4HE-1").replace(b",I,1,", b",P,1,")
    reading = read_lin(data)
    assert (reading.matches, len(reading.boards)) == ((), 1)
    assert Reason.NOT_A_MATCH in [problem.reason for problem in reading.problems]


def test_two_segments_in_one_file_make_one_match_and_other_teams_another() -> None:
    first = lin_match(lin_board("o1"))
    second = first.replace(b"Segment 1", b"Segment 2").replace(b"Modra,0,Vihar,0", b"Vihar,5,Modra,1")
    third = first.replace(b"Vihar", b"Kova")
    matches = read_lin(first + second + third).matches
    assert [(match.visitors, len(match.segments)) for match in matches] == [("Vihar", 2), ("Kova", 1)]
    assert [segment.team1 for segment in matches[0].segments] == ["Modra", "Vihar"]
    assert [board.segment for board in matches[0].segments[1].boards] == [2]


def test_different_deals_in_the_two_rooms_are_listed() -> None:
    words = HANDS.split(",")
    other = lin_board("c1", "").replace(HANDS, ",".join(words[1:] + words[:1]))
    assert Reason.DIFFERENT_DEALS in reasons(lin_match(lin_board("o1") + other))

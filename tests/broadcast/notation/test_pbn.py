"""PBN 2.1: import and export format, what makers leave out, and values that must not be misread."""

import pytest

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.results import PASSED_OUT
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.pbn import read_pbn
from broadcast.notation.problems import Reason
from tests.broadcast.notation.sample_files import DEAL, FULL_PLAY, boards_of, only, pbn_game


def read(text: str) -> list[Reason]:
    return [problem.reason for problem in read_pbn(text.encode()).problems]


def test_game_is_read_with_its_play_in_order() -> None:
    board = only(read_pbn(pbn_game().encode()))
    assert (board.number, board.dealer, str(board.deal)) == (1, Seat.S, DEAL)
    assert [str(made.call) for made in board.calls] == ["1NT", "Pass", "3NT", "Pass", "Pass", "Pass"]
    assert [(played.seat, str(played.card)) for played in board.cards] == [
        (Seat.W, "DQ"),
        (Seat.N, "D4"),
        (Seat.E, "D8"),
        (Seat.S, "D2"),
    ]
    assert board.result is not None
    assert board.result.score_ns(board.vulnerability) == 430


def test_several_tags_on_a_line_and_lower_case_are_import_format() -> None:
    text = pbn_game(Vulnerable="ns", Contract="3nt").replace("]\n[", "] [")
    board = only(read_pbn(text.encode()))
    assert board.vulnerability is Vulnerability.NORTH_SOUTH
    assert board.result is not None
    assert board.result.score_ns(board.vulnerability) == 630


def test_columns_are_seats_whoever_leads_the_trick() -> None:
    columns = (Seat.W, Seat.N, Seat.E, Seat.S)
    holder = {str(c): s for s in columns for c in _hand(s)}
    rows = [FULL_PLAY[start : start + 4] for start in range(0, 52, 4)]
    play = "\n".join(" ".join(sorted(row, key=lambda c: columns.index(holder[c]))) for row in rows)
    board = only(read_pbn(pbn_game(play=play, Result="8").encode()))
    assert [str(played.card) for played in board.cards] == FULL_PLAY
    assert read(pbn_game(play=play, Result="8")) == [Reason.DEALER_DIFFERS, Reason.NOT_A_MATCH]


def _hand(seat: Seat) -> list[str]:
    deal = only(read_pbn(pbn_game().encode())).deal
    assert deal is not None
    return [str(card) for card in deal[seat]]


@pytest.mark.parametrize(
    ("result", "tricks"),
    [("10", 10), ("NS 10", 10), ("EW 3", 10), ("NS 10 EW 3", 10), ("EW 3 NS 10", 10), ("^10", 10)],
)
def test_result_in_every_form_is_tricks_of_declarer(result: str, tricks: int) -> None:
    board = only(read_pbn(pbn_game(Result=result).encode()))
    assert board.result is not None
    assert board.result.tricks == tricks
    assert board.irregular_result == result.startswith("^")


@pytest.mark.parametrize("result", ["+1", "14", "-1", "NS 14", "ten", "NS 10 EW 4", "=", "99999"])
def test_result_that_is_no_number_of_tricks_is_refused(result: str) -> None:
    board = only(read_pbn(pbn_game(Result=result).encode()))
    assert board.result is None
    assert Reason.BAD_RESULT in read(pbn_game(Result=result))


def test_passed_out_unknown_and_deal_only_are_three_things() -> None:
    passed = pbn_game(Declarer="", Contract="Pass", Result="", auction="Pass Pass Pass Pass", play=None)
    unknown = pbn_game(Declarer="?", Contract="?", Result="?", auction=None, play=None)
    deal = f'[Board "1"]\n[Deal "{DEAL}"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
    assert only(read_pbn(passed.encode())).result == PASSED_OUT
    assert only(read_pbn(unknown.encode())).is_untouched
    assert only(read_pbn(deal.encode())).is_untouched


def test_passes_alone_pass_a_board_out() -> None:
    text = pbn_game(Declarer=None, Contract=None, Result=None, auction="AP", play=None)
    assert only(read_pbn(text.encode())).result == PASSED_OUT


def test_declared_irregular_declarer_keeps_its_mark_and_scores_for_the_side() -> None:
    text = pbn_game(Declarer="^N", play="^L ST SA S2 SK\n*").replace('[Play "W"]', '[Play "E"]')
    board = only(read_pbn(text.encode()))
    assert board.irregular_declarer
    assert board.result is not None
    assert (board.result.declarer, board.result.score_ns(board.vulnerability)) == (Seat.N, 430)
    assert board.cards[0].irregular is Irregularity.OUT_OF_TURN


def test_marks_of_irregularities_stand_before_what_they_mark() -> None:
    text = pbn_game(
        auction='1NT ^S ^I 1H =1= Pass\nPass Pass *\n[Note "1:slip"]',
        Declarer=None,
        Contract=None,
        Result=None,
        play=None,
    )
    board = only(read_pbn(text.encode()))
    assert [(made.seat, made.irregular) for made in board.calls[:3]] == [
        (Seat.S, None),
        (Seat.N, Irregularity.OUT_OF_TURN),
        (Seat.E, None),
    ]
    revoke = only(read_pbn(pbn_game(play="DQ D4 ^R C6 D2\n*").encode()))
    assert revoke.cards[2].irregular is Irregularity.REVOKE


def test_notes_are_alerts_and_notes_of_the_play_are_comments() -> None:
    text = pbn_game(
        auction='1NT =1= Pass 3NT =2= AP\n[Note "1: 15-17 \\C"]\n[Note "2:Alerted"]',
        play='DQ =1= D4 D8 D2\n*\n[Note "1:top of a sequence"]',
    )
    board = only(read_pbn(text.encode()))
    assert [(made.alert, made.explanation) for made in board.calls[:3]] == [
        (True, "15-17 !C"),
        (False, None),
        (True, None),
    ]
    assert [(c.text, c.cards) for c in board.comments] == [("top of a sequence", 1)]


def test_suffixes_and_glyphs_are_no_alerts() -> None:
    text = pbn_game(auction="1NT! Pass $22 3NT!? Pass !! AP", play="DQ! D4 $200 D8 ?? D2\n*")
    board = only(read_pbn(text.encode()))
    assert not any(made.alert for made in board.calls)
    assert (len(board.calls), len(board.cards)) == (6, 4)


def test_auction_may_begin_before_the_dealer() -> None:
    text = pbn_game(auction="-  -  1NT Pass 3NT AP").replace('[Auction "S"]', '[Auction "N"]')
    assert [made.seat for made in only(read_pbn(text.encode())).calls][:2] == [Seat.S, Seat.W]


def test_comments_stand_where_they_were_made() -> None:
    text = pbn_game(
        auction="{before} 1NT {jkdood: strong} Pass 3NT AP ; all \\H done",
        play="DQ {lead}\nD4 D8 D2\n* {end\n\nof board}",
    )
    comments = only(read_pbn(("{first of all}\n" + text).encode())).comments
    assert [(c.author, c.text, c.calls, c.cards) for c in comments] == [
        (None, "first of all", 0, 0),
        (None, "before", 0, 0),
        ("jkdood", "strong", 1, 0),
        (None, "all !H done", 6, 0),
        (None, "lead", 6, 1),
        (None, "end\n\nof board", 6, 4),
    ]


def test_play_that_goes_on_has_no_result_yet() -> None:
    reading = read_pbn(pbn_game(play="DQ D4 + -", Result="0").encode())
    board = only(reading)
    assert (board.result, len(board.cards)) == (None, 2)
    assert Reason.NO_RESULT in [problem.reason for problem in reading.problems]


def test_hands_turned_against_the_play_are_refused_and_the_rotation_is_offered() -> None:
    reading = read_pbn(pbn_game(Deal=DEAL.replace("N:", "E:"), Result="?").encode())
    texts = [problem.text for problem in reading.problems]
    assert any("DQ was played by West, but North holds it" in text for text in texts)
    assert any(f"turned to {DEAL} every card is legal" in text for text in texts)
    assert (reading.matches, reading.boards) == ((), ())


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (DEAL.replace("2.653", "A.653"), "SA is held by both"),
        (DEAL.replace("863.Q6", "863.Q"), "East has 12 cards"),
        (DEAL.replace("N:", ""), "is not a deal"),
    ],
)
def test_cards_that_are_no_pack_are_refused(deal: str, words: str) -> None:
    reading = read_pbn(pbn_game(Deal=deal, Result="?").encode())
    assert reading.boards == ()
    assert any(words in problem.text for problem in reading.problems if problem.reason is Reason.BAD_DEAL)


@pytest.mark.parametrize(
    "deal",
    [
        DEAL.replace("A643.KJT8.92.AK3", "SA643.HKJT8.D92.CAK3"),
        DEAL.replace("T", "10"),
        DEAL.replace("2.653.QJT7.T9842", "-"),
        "S:A643.KJT8.92.AK3 2.653.QJT7.T9842 KQ97.Q9.AK54.J75 JT85.A742.863.Q6",
    ],
)
def test_suit_letters_written_tens_missing_hand_and_other_first_seat_are_read(deal: str) -> None:
    assert str(only(read_pbn(pbn_game(Deal=deal).encode())).deal) == DEAL


def test_void_spades_are_read() -> None:
    deal = "N:KQ972.Q9.AK54.J7 JT85.A742.863.Q6 A643.KJT8.92.AK3 .653.QJT7.T98542"
    board = only(read_pbn(pbn_game(Deal=deal, play=None).encode()))
    assert board.deal is not None
    assert len(board.deal[Seat.W]) == 13


def test_inheritance_by_hash_and_lasting_values() -> None:
    text = (
        pbn_game(Event="##Spring", West="##Ann", Site="Town")
        + pbn_game(Event=None, Board="2", Site="#", West="#", Dealer="#")
        + pbn_game(Event=None, Board="3", Site="#", West="Bob")
        + pbn_game(Event="Autumn", Board="4")
    )
    boards = read_pbn(text.encode()).boards
    assert [board.players.get(Seat.W) for board in boards] == ["Ann", "Ann", "Bob", "Ann"]
    assert boards[1].dealer is Seat.E


TEAMS = {"HomeTeam": "Modra", "VisitTeam": "Vihar"}


def test_tables_with_exchanged_team_names_are_the_two_rooms() -> None:
    tables = [
        pbn_game(HomeTeam="Modra", VisitTeam="Vihar", Table="4"),
        pbn_game(HomeTeam="Kova", VisitTeam="Lipa", Table="5"),
        pbn_game(HomeTeam="Vihar", VisitTeam="Modra", Table="9", Result="9"),
        pbn_game(HomeTeam="Lipa", VisitTeam="Kova", Table="7", Result="8"),
    ]
    matches = read_pbn("".join(tables).encode()).matches
    assert [(match.home, match.visitors) for match in matches] == [("Modra", "Vihar"), ("Kova", "Lipa")]
    boards = matches[0].segments[0].boards
    assert [(b.room, b.result and b.result.tricks) for b in boards] == [(Room.OPEN, 10), (Room.CLOSED, 9)]


def test_room_tags_name_the_rooms() -> None:
    text = pbn_game(**TEAMS, Room="Closed") + pbn_game(**TEAMS, Room="Open", Result="9")
    boards = boards_of(read_pbn(text.encode()))
    assert [(b.room, b.result and b.result.tricks) for b in boards] == [(Room.OPEN, 9), (Room.CLOSED, 10)]


def test_games_that_leave_out_board_deal_and_names_are_the_other_table() -> None:
    text = (
        pbn_game(**TEAMS, West="Ann", North="Bob")
        + '[West "Cid"]\n[North "Dee"]\n[Declarer "S"]\n[Contract "2N"]\n[Result "8"]\n\n'
        + pbn_game(Event=None, Board="2")
        + '[Declarer "S"]\n[Contract "3N"]\n[Result "7"]\n\n'
    )
    boards = boards_of(read_pbn(text.encode()))
    assert [(b.number, b.room, b.players.get(Seat.W)) for b in boards] == [
        (1, Room.OPEN, "Ann"),
        (1, Room.CLOSED, "Cid"),
        (2, Room.OPEN, "Ann"),
        (2, Room.CLOSED, "Cid"),
    ]
    assert all(str(board.deal) == DEAL for board in boards)


def test_third_record_of_a_board_is_left_out_and_listed() -> None:
    reading = read_pbn((pbn_game(**TEAMS) * 3).encode())
    assert len(boards_of(reading)) == 2
    assert Reason.REPEATED_BOARD in [problem.reason for problem in reading.problems]


def test_stages_are_segments_of_one_match() -> None:
    text = pbn_game(**TEAMS, Stage="Final:1") + pbn_game(**TEAMS, Stage="Final:2", Board="17")
    match = read_pbn((text + pbn_game(**TEAMS, Stage="Qual:1")).encode()).matches[0]
    assert [(s.title, s.first) for s in match.segments] == [("Final:1", 1), ("Final:2", 17)]


def test_passes_left_out_before_the_first_bid_are_put_back() -> None:
    text = pbn_game(Declarer="N", auction="1NT Pass 3NT AP", play="S5 SA S2 S7\n*")
    text = text.replace('[Play "W"]', '[Play "E"]')
    reading = read_pbn(text.encode())
    board = only(reading)
    assert [made.call for made in board.calls[:3]] == [Call.PASS, Call.PASS, Call.NT1]
    assert len(board.cards) == 4
    assert Reason.PASSES_LEFT_OUT in [problem.reason for problem in reading.problems]
    exported = read_pbn(("% EXPORT\n" + text).encode())
    assert Reason.RESULT_DIFFERS in [problem.reason for problem in exported.problems]


def test_later_tricks_in_other_columns_go_to_the_hands_that_hold_the_cards() -> None:
    rows = "DQ D4 D8 D2\nD3 D6 D9 DT\n*"
    wrong = "DQ D4 D8 D2\nD9 DT D5 D6\n*"
    reading = read_pbn(pbn_game(play=wrong).encode())
    board = only(reading)
    assert [str(played.card) for played in board.cards][4:] == ["DT", "D5", "D6", "D9"]
    assert Reason.COLUMNS_DIFFER in [problem.reason for problem in reading.problems]
    assert Reason.CARD_NOT_HELD in read(pbn_game(play=rows))


def test_score_that_the_result_does_not_make_is_listed() -> None:
    assert Reason.SCORE_DIFFERS in read(pbn_game(Score="NS 630"))
    assert Reason.SCORE_DIFFERS not in read(pbn_game(Score="EW -430"))
    assert Reason.SCORE_DIFFERS not in read(pbn_game(Score="430"))


@pytest.mark.parametrize("number", ["Board 1", "0", "-1", "", "99999"])
def test_game_without_a_board_number_is_listed_and_costs_no_other(number: str) -> None:
    reading = read_pbn((pbn_game(Board=number) + pbn_game(Board="2")).encode())
    assert [board.number for board in reading.boards] == [2]
    assert Reason.BAD_BOARD_NUMBER in [problem.reason for problem in reading.problems]


def test_lost_empty_line_quote_and_brace_cost_no_other_game() -> None:
    run_together = pbn_game().rstrip() + "\n" + pbn_game(Event=None, Board="2")
    assert [board.number for board in read_pbn(run_together.encode()).boards] == [1, 2]
    damaged = pbn_game().replace('"Club final"', '"Club final') + "{never closed\n\n" + pbn_game(Board="2")
    reading = read_pbn(damaged.encode())
    assert [board.number for board in reading.boards] == [1, 2]
    assert [p.reason for p in reading.problems].count(Reason.DAMAGED_TEXT) == 2


def test_calculated_tables_and_unknown_tags_are_passed_over() -> None:
    table = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT  7\nN  S  7\n[Zonk "1"]\n'
    assert only(read_pbn(pbn_game().replace("\n\n", "\n" + table + "\n").encode())).number == 1


def test_text_that_is_no_pbn_says_so() -> None:
    assert read("hello") == [Reason.NOT_THIS_FORMAT]
    assert read("") == [Reason.NOT_THIS_FORMAT]

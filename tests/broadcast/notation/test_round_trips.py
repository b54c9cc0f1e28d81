"""Read, write, read: equal boards, but for what the two tables say a format cannot hold."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat
from broadcast.notation.checking import GivenCall, GivenCard, believed_calls, believed_cards, result_of_record
from broadcast.notation.lin import read_lin
from broadcast.notation.lin_writing import NOT_IN_LIN, write_lin
from broadcast.notation.pbn import read_pbn
from broadcast.notation.pbn_writing import NOT_IN_PBN, write_pbn
from broadcast.notation.problems import ProblemList
from broadcast.notation.records import (
    BoardRecord,
    MatchRecord,
    RecordedCall,
    RecordedComment,
    SegmentRecord,
)
from tests.broadcast.notation.real_files import names, reading_of
from tests.broadcast.notation.sample_files import (
    AUCTION,
    FULL_PLAY,
    HEAD,
    lin_board,
    lin_match,
    lin_play,
    only,
    pbn_game,
)
from tests.strategies import auctions, deals


def in_lin(board: BoardRecord) -> BoardRecord:
    """What LIN can hold of a board."""
    room = Room.OPEN if board.room is None and board.deal is None else board.room
    turns = [made.irregular is not Irregularity.OUT_OF_TURN for made in board.calls]
    if not all(turns):
        kept = turns.index(False)
        comments = tuple(replace(said, calls=min(said.calls, kept), cards=0) for said in board.comments)
        board = replace(board, calls=board.calls[:kept], cards=(), comments=comments)
    return replace(board, room=room, irregular_declarer=False, irregular_result=False)


def in_pbn(board: BoardRecord) -> BoardRecord:
    """What PBN can hold of a board."""
    calls = tuple(replace(made, alert=made.alert or made.explanation is not None) for made in board.calls)
    comments = tuple(replace(said, text=said.text.replace("}", ")")) for said in board.comments)
    return replace(board, claim_tricks=None, calls=calls, comments=comments)


def segment_in_pbn(segment: SegmentRecord) -> SegmentRecord:
    return replace(
        segment,
        boards=tuple(map(in_pbn, segment.boards)),
        carry1=Decimal(0),
        carry2=Decimal(0),
        comments=(),
        lineups={},
        first=0,
        last=0,
    )


def segment_in_lin(segment: SegmentRecord) -> SegmentRecord:
    boards = tuple(in_lin(board) for board in segment.boards if board.deal or board.result)
    return replace(segment, boards=boards)


def assert_same(match: MatchRecord) -> None:
    by_lin = read_lin(write_lin(match).encode()).matches
    by_pbn = read_pbn(write_pbn(match).encode()).matches
    assert len(by_lin) == len(by_pbn) == 1
    assert (by_lin[0].title, by_lin[0].home, by_lin[0].carry_home) == (
        match.title,
        match.home,
        match.carry_home,
    )
    assert (by_pbn[0].title, by_pbn[0].home, by_pbn[0].round) == (match.title, match.home, match.round)
    for segment, lin, pbn in zip(match.segments, by_lin[0].segments, by_pbn[0].segments, strict=True):
        assert lin == segment_in_lin(segment)
        assert segment_in_pbn(pbn) == segment_in_pbn(segment)


@pytest.mark.parametrize("suffix", ["lin", "pbn"])
def test_every_real_match_is_the_same_after_writing(shared: Path, suffix: str) -> None:
    for name in names(suffix):
        for match in reading_of(suffix, name).matches:
            assert_same(match)


@pytest.mark.parametrize("suffix", ["lin", "pbn"])
def test_every_real_board_of_no_match_is_the_same_after_writing(shared: Path, suffix: str) -> None:
    for name in names(suffix):
        for board in reading_of(suffix, name).boards[:60]:
            assert only(read_lin(write_lin(board).encode())) == in_lin(board), name
            assert only(read_pbn(write_pbn(board).encode())) == in_pbn(board), name


def test_header_survives_writing() -> None:
    data = lin_match(lin_board("o1") + lin_board("c1"), "3NS+1,3NS=,P,", "Modra%COMMA% A,12.5,Vi%PIPE%har,3")
    match = read_lin(data).matches[0]
    assert (match.home, match.visitors) == ("Modra, A", "Vi|har")
    assert_same(match)


def test_single_board_in_a_room_survives_writing() -> None:
    board = only(read_lin(HEAD.encode()))
    closed = replace(only(read_lin((HEAD + AUCTION + lin_play(FULL_PLAY)).encode())), room=Room.CLOSED)
    for record in (board, closed):
        assert only(read_lin(write_lin(record).encode())) == record
        assert only(read_pbn(write_pbn(record).encode())) == record


@pytest.mark.parametrize(
    "text",
    [
        "a | b",
        "line\nqx|o9|",
        "first\npc",
        "first\nmb",
        "nt|",
        "%escape",
        'two\n\nparts\n[Board "9"]',
        "brace } and { and ; rest",
        'quote " and \\ back',
        "x: colon first",
        "http://club.example/page",
        "3!S and !C",
    ],
)
@pytest.mark.parametrize("author", [None, "walddk"])
def test_no_comment_breaks_the_file_behind_it(text: str, author: str | None) -> None:
    comment = RecordedComment(author, text, 2, 0)
    match = read_lin(lin_match(lin_board("o1") + lin_board("c1"))).matches[0]
    segment = match.segments[0]
    first = replace(segment.boards[0], comments=(comment,))
    changed = replace(match, segments=(replace(segment, boards=(first, *segment.boards[1:])),))
    lin = read_lin(write_lin(changed).encode()).matches[0].segments[0].boards
    assert [board.calls for board in lin] == [board.calls for board in segment.boards]
    assert lin[0].comments == (replace(comment, text=text.replace("|", "\u00a6")),)
    pbn = read_pbn(write_pbn(changed).encode()).matches[0].segments[0].boards
    assert [board.calls for board in pbn] == [board.calls for board in segment.boards]
    if "\\" not in text:
        assert pbn[0].comments == (replace(comment, text=text.replace("}", ")")),)


def test_what_lin_cannot_hold() -> None:
    """Each row of the table, but for those that are plain omissions."""
    board = only(read_lin(lin_match(lin_board("o1"))))
    passed_over = only(read_pbn(pbn_game(auction="1NT ^S 2C Pass *", play=None).encode()))
    assert [m.irregular for m in passed_over.calls] == [None, Irregularity.OUT_OF_TURN, None]
    assert len(only(read_lin(write_lin(passed_over).encode())).calls) == 1
    piped = replace(board, comments=(RecordedComment("longer_than_ten", "a|b"),))
    said = only(read_lin(write_lin(piped).encode())).comments[0]
    assert (said.author, said.text) == ("longer_tha", "a\u00a6b")
    marked = replace(board, irregular_declarer=True, irregular_result=True)
    assert only(read_lin(write_lin(marked).encode())) == replace(in_lin(marked), room=Room.OPEN)
    assert set(NOT_IN_LIN) == {
        "call out of turn",
        "pipe in a comment or explanation",
        "long nickname",
        "result of a lost or unfinished auction",
        "result alone of a board at no named table",
        "irregular declarer or result",
        "round, site and date of a match",
        "match with other first carry-overs",
    }


def test_what_pbn_cannot_hold() -> None:
    board = only(read_lin(lin_match(lin_board("o1", "mb|1N|an|15-17|mb|p!|mb|3N|mb|p|mb|p|mb|p|mc|9|"))))
    back = only(read_pbn(write_pbn(board).encode()))
    assert (back.claim_tricks, back.result) == (None, board.result)
    assert [(made.alert, made.explanation) for made in back.calls[:3]] == [
        (True, "15-17"),
        (True, None),
        (False, None),
    ]
    calls = tuple(
        RecordedCall(made.seat, made.call, True, f"note {count}") for count, made in enumerate(_long_auction())
    )
    many = replace(board, calls=calls, claim_tricks=None)
    explained = [made.explanation for made in only(read_pbn(write_pbn(many).encode())).calls]
    assert [text for text in explained if text] == [f"note {count}" for count in range(32)]
    assert set(NOT_IN_PBN) >= {"claim", "carry-over", "closing brace in a comment"}


def _long_auction() -> list[RecordedCall]:
    seat = Seat.S
    made = []
    for call in [*(bid for bid in Call if bid.is_bid), Call.PASS, Call.PASS, Call.PASS]:
        made.append(RecordedCall(seat, call))
        seat = seat.left
    return made


@st.composite
def records(draw: st.DrawFn) -> BoardRecord:
    """A board played by the rules, at any stage, with alerts and comments."""
    number = draw(st.integers(1, 40))
    auction = draw(auctions())
    deal = draw(deals())
    texts = st.sampled_from([None, "15-17", "transfer !H", "says: ours, theirs"])
    given_calls = [GivenCall(call, str(call), 1, draw(st.booleans()), draw(texts)) for _, call in auction.calls]
    given_calls = [replace(made, alert=made.alert or bool(made.explanation)) for made in given_calls]
    problems = ProblemList()
    auction, calls = believed_calls(auction.dealer, given_calls, "", problems)
    believed = believed_cards(deal, auction, [], "", problems)
    play = believed.play
    given_cards: list[GivenCard] = []
    for _ in range(draw(st.integers(0, 52)) if play is not None else 0):
        assert play is not None
        card = draw(st.sampled_from(play.legal_cards()))
        given_cards.append(GivenCard(card, str(card), 1))
        assert play.turn is not None
        play = play.with_card(play.turn, card)
    believed = believed_cards(deal, auction, given_cards, "", problems)
    assert not problems.found
    cards = len(believed.cards)
    places = sorted(draw(st.lists(st.integers(0, len(calls) + cards), max_size=3)))
    comments = tuple(
        RecordedComment("walddk", f"remark {place}", min(place, len(calls)), max(0, place - len(calls)))
        for place in places
    )
    return BoardRecord(
        1,
        number,
        draw(st.sampled_from([None, *Room])),
        auction.dealer,
        draw(st.sampled_from(Vulnerability)),
        deal,
        draw(st.dictionaries(st.sampled_from(SEATS), st.sampled_from(["Lee, Ann", "B|b", "Östberg", '"Z"']))),
        calls,
        believed.cards,
        None,
        result_of_record(auction, believed.play, None),
        comments,
    )


@settings(max_examples=60)
@given(records())
def test_any_board_is_the_same_after_writing(board: BoardRecord) -> None:
    assert only(read_lin(write_lin(board).encode())) == board
    assert only(read_pbn(write_pbn(board).encode())) == board

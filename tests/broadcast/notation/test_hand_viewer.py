"""The link to the hand viewer holds the whole board, in LIN that reads back."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat
from broadcast.notation.hand_viewer import LONGEST, VIEWER, hand_viewer_address
from broadcast.notation.lin import read_lin
from broadcast.notation.records import BoardRecord, RecordedCall, RecordedComment
from tests.builders import deal_of, result

CALLS = (
    RecordedCall(Seat.N, Call("1NT"), explanation="15-17, 100% | sure"),
    RecordedCall(Seat.E, Call.PASS),
    RecordedCall(Seat.S, Call("3NT")),
    RecordedCall(Seat.W, Call.PASS),
    RecordedCall(Seat.N, Call.PASS),
    RecordedCall(Seat.E, Call.PASS),
)
NAMES = ("Ann, jr", "Bob", "Cid", "王小明")
BOARD = BoardRecord(
    1,
    5,
    Room.CLOSED,
    Seat.N,
    Vulnerability.NORTH_SOUTH,
    deal_of(5),
    dict(zip(SEATS, NAMES, strict=True)),
    CALLS,
    result=result("3NT N 10"),
    comments=(RecordedComment("kib", "not for the link"),),
)


def lin_in(address: str | None) -> str:
    assert address is not None and address.startswith(f"{VIEWER}?lin=")
    return parse_qs(urlsplit(address).query, strict_parsing=True)["lin"][0]


def test_link_holds_deal_names_auction_and_result() -> None:
    lin = lin_in(hand_viewer_address(BOARD))
    (read,) = read_lin(lin.encode()).boards
    assert (read.deal, read.number, read.dealer) == (BOARD.deal, 5, Seat.N)
    assert read.vulnerability is Vulnerability.NORTH_SOUTH
    assert dict(read.players) == dict(BOARD.players)
    assert [made.call for made in read.calls] == [made.call for made in CALLS]
    assert read.calls[0].explanation == "15-17, 100% ¦ sure"
    assert read.claim_tricks == 10  # the only way the viewer shows a result
    assert read.comments == ()
    assert "\n" not in lin


def test_link_never_looks_like_a_broadcast_of_two_rooms() -> None:
    lin = lin_in(hand_viewer_address(BOARD))
    assert not {"vg|", "rs|", "qx|"} & {lin[place : place + 3] for place in range(len(lin))}


def test_unfinished_board_claims_nothing() -> None:
    assert "mc|" not in lin_in(hand_viewer_address(replace(BOARD, result=None)))


def test_address_stays_short_enough_however_much_was_explained() -> None:
    wordy = tuple(replace(made, explanation="解释" * 400) for made in CALLS)
    address = hand_viewer_address(replace(BOARD, calls=wordy))
    assert address is not None and len(address) <= LONGEST
    assert "an|" not in lin_in(address)


def test_result_without_deal_has_no_link() -> None:
    assert hand_viewer_address(replace(BOARD, deal=None, calls=())) is None

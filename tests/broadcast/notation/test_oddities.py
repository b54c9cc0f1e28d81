"""Files with every oddity that occurs, and some that might: what is read and what is listed."""

from pathlib import Path

import pytest

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.lin import read_lin
from broadcast.notation.pbn import read_pbn
from tests.broadcast.notation.sample_files import boards_of
from tests.oddities import Oddity, lin_oddities, pbn_oddities, write_all

ODDITIES = [*lin_oddities(), *pbn_oddities()]


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: f"{oddity.suffix}: {oddity.name}")
def test_oddity_costs_no_board_and_is_listed(oddity: Oddity) -> None:
    reading = (read_lin if oddity.suffix == "lin" else read_pbn)(oddity.data)
    assert len(boards_of(reading)) + len(reading.boards) == oddity.boards, list(map(str, reading.problems))
    if oddity.reason is not None:
        assert oddity.reason in [problem.reason for problem in reading.problems]
    for problem in reading.problems:
        assert problem.text
        assert problem.line is None or problem.line >= 1


def _named(name: str) -> Oddity:
    return next(oddity for oddity in ODDITIES if oddity.name == name)


@pytest.mark.parametrize(
    ("name", "seat", "player"),
    [
        ("utf-8", Seat.S, "Łódź Ö"),
        ("utf-8 with a byte order mark", Seat.S, "Łódź Ö"),
        ("utf-16 little endian", Seat.S, "Łódź Ö"),
        ("utf-16 big endian", Seat.W, "Sträter"),
        ("windows-1252", Seat.N, "dash – ok"),
        ("utf-8 and windows-1252 mixed", Seat.W, "Sträter"),
    ],
)
def test_names_come_out_of_every_encoding(name: str, seat: Seat, player: str) -> None:
    match = read_lin(_named(name).data).matches[0]
    assert match.segments[0].lineups[Room.OPEN][seat] == player


def test_comments_encoded_twice_are_put_right() -> None:
    board = boards_of(read_lin(_named("utf-8 encoded twice").data))[0]
    assert board.comments[0].text == "führend"


@pytest.mark.parametrize("name", ["lost pipe after a call", "lost pipe after a tag", "lost pipe in the play"])
def test_lost_separator_that_leaves_one_meaning_loses_nothing(name: str) -> None:
    whole = boards_of(read_lin(_named("cr lf line ends").data))
    assert boards_of(read_lin(_named(name).data)) == whole


def test_call_that_is_lost_ends_the_record_of_its_board_alone() -> None:
    board, other = boards_of(read_lin(_named("lost call").data))
    assert len(board.calls) < 6
    assert board.cards == ()
    assert board.result is not None
    assert len(other.calls) == 6


def test_all_of_them_can_be_written_to_a_folder(tmp_path: Path) -> None:
    assert len(write_all(tmp_path)) == len(ODDITIES)
    assert len(list(tmp_path.iterdir())) == len(ODDITIES)

"""No file, however damaged, makes a reader raise, take long, or hand back a board that is none."""

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.notation.lin import MAX_SEGMENTS, read_lin
from broadcast.notation.pbn import MAX_GAMES, read_pbn
from broadcast.notation.problems import MOST_PROBLEMS, Reason
from broadcast.notation.records import BoardRecord, Reading
from broadcast.notation.texts import MAX_BYTES
from tests.broadcast.notation.real_files import names, path_of
from tests.broadcast.notation.sample_files import HEAD, boards_of, lin_board, lin_match, pbn_game
from tests.oddities import lin_oddities, pbn_oddities

SECONDS = 5
"""What no file may take, on a machine that does other things as well."""


def assert_sound(reading: Reading) -> None:
    """Whatever was read can be folded by the rules of the game."""
    for board in [*boards_of(reading), *reading.boards]:
        assert_board_is_sound(board)
    for problem in reading.problems:
        assert problem.text, problem


def assert_board_is_sound(board: BoardRecord) -> None:
    assert board.number > 0
    assert board.deal is not None or not board.calls
    assert not board.cards or board.auction.is_over
    play = board.play()
    if play is not None and board.claim_tricks is not None:
        assert play.declarer_tricks <= board.claim_tricks <= 13 - play.defender_tricks
    for comment in board.comments:
        assert comment.text
        assert comment.calls <= len(board.calls)
        assert comment.cards <= len(board.cards)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The file with one thing wrong: cut, a piece lost, doubled or moved, a byte changed."""
    place, length = chance.randrange(len(data)), chance.choice([1, 1, 2, 5, 60])
    end = place + length
    match chance.randrange(6):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + data[end:]
        case 2:
            return data[:end] + data[place:]
        case 3:
            return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
        case 4:
            return data[:place] + chance.choice([b"|", b"\n", b"{", b"}", b'"', b"[", b"\x00"]) + data[place:]
        case _:
            other = chance.randrange(len(data))
            return data[:place] + data[other : other + length] + data[place:]


@pytest.mark.parametrize("suffix", ["lin", "pbn"])
def test_real_files_damaged_anywhere_are_still_read(shared: Path, suffix: str) -> None:
    chance = random.Random(1987)
    read = read_lin if suffix == "lin" else read_pbn
    for name in names(suffix):
        data = path_of(suffix, name).read_bytes()
        if len(data) > 20_000:
            start = chance.randrange(len(data) - 20_000)
            data = data[start : start + 20_000]
        for _ in range(2):
            assert_sound(read(damaged(damaged(data, chance), chance)))


@pytest.mark.parametrize("suffix", ["lin", "pbn"])
def test_written_oddities_damaged_anywhere_are_still_read(suffix: str) -> None:
    chance = random.Random(1934)
    read = read_lin if suffix == "lin" else read_pbn
    for oddity in lin_oddities() if suffix == "lin" else pbn_oddities():
        for _ in range(20):
            assert_sound(read(damaged(oddity.data, chance)))


def test_every_byte_lost_in_turn_costs_one_board_at_most() -> None:
    """Five boards, one byte lost anywhere in the third: the others are read as ever."""
    records = [lin_board(f"o{number}") for number in range(1, 6)]
    whole = {board.number: board for board in boards_of(read_lin(lin_match("".join(records), last=5)))}
    for place in range(len(records[2])):
        third = records[2][:place] + records[2][place + 1 :]
        data = lin_match("".join([*records[:2], third, *records[3:]]), last=5)
        found = {board.number: board for board in boards_of(read_lin(data))}
        assert {1, 2, 4, 5} <= set(found), (place, third[max(0, place - 9) : place + 9])
        # A damaged label can carry the board to another number, where the fuller record stays.
        assert all(found[number].calls == whole[number].calls for number in (1, 4, 5)), place


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    assert_sound(read_lin(data))
    assert_sound(read_pbn(data))
    assert_sound(read_lin(HEAD.encode() + data))
    assert_sound(read_pbn(pbn_game().rstrip().encode() + data))


DEALT = HEAD.encode()
GAME = pbn_game(play=None).rstrip().encode()


@pytest.mark.parametrize(
    "data",
    [
        b"|" * MAX_BYTES,
        DEALT + b"mb|1C|" * (MAX_BYTES // 7),
        DEALT + b"mb|" + b"1C" * (MAX_BYTES // 3) + b"|",
        DEALT + b"nt|a|" + b"at|hello|" * (MAX_BYTES // 10),
        DEALT + b"mb|p|" + b"an|hello|" * (MAX_BYTES // 10),
        DEALT * (MAX_BYTES // len(DEALT)),
        b"vg|a,b,I,1,9999,c,0,d,0|rs|1NN=|\n" * (MAX_BYTES // 34),
        b"md|1SA|st||" * (MAX_BYTES // 12),
        b"mb|1N\nmb|" * (MAX_BYTES // 10),
        b"{" * MAX_BYTES,
        b"[\n" * (MAX_BYTES // 2),
        b'[A "' * (MAX_BYTES // 4),
        b" \n" * (MAX_BYTES // 2),
        GAME + b"\n{x} " * (MAX_BYTES // 6),
        b'[Auction "S"]\n' + b"1C " * (MAX_BYTES // 4),
        (GAME + b"\n\n") * (MAX_BYTES // (len(GAME) + 3)),
    ],
    ids=lambda data: repr(data[:12] + b"..." + data[-12:]),
)
def test_no_file_takes_long(data: bytes) -> None:
    for read in (read_lin, read_pbn):
        start = time.process_time()
        reading = read(data)
        assert time.process_time() - start < SECONDS
        assert len(reading.problems) <= MOST_PROBLEMS + 1


def test_file_beyond_the_limit_is_refused_unread() -> None:
    for read in (read_lin, read_pbn):
        reading = read(b"x" * (MAX_BYTES + 1))
        assert [problem.reason for problem in reading.problems] == [Reason.TOO_LARGE]


def test_segments_and_games_beyond_the_limit_are_listed() -> None:
    segments = read_lin(b"vg|a,b,I,1,2,c,0,d,0|rs|1NN=|\n" * (MAX_SEGMENTS + 1))
    assert Reason.TOO_LARGE in [problem.reason for problem in segments.problems]
    games = read_pbn(b'[Board "1"]\n\n' * (MAX_GAMES + 1))
    assert Reason.TOO_LARGE in [problem.reason for problem in games.problems]

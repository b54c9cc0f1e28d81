"""Files that are long where none is: no reader takes a time that grows faster than the file."""

import time

import pytest

from broadcast.imports.readers import read_record
from broadcast.notation.lin import read_lin
from broadcast.notation.pbn import read_pbn
from tests.broadcast.notation.sample_files import FULL_PLAY, lin_board, lin_match, lin_play, pbn_game

PBN = pbn_game()
LIN = (lin_match(lin_board("o1", lin_play(FULL_PLAY)) + lin_board("c1"), "3NS=,")).decode()
PIECES = [
    "!",
    "$1",
    "=1=",
    "^S",
    "1NT ",
    "- ",
    "{a",
    "[",
    '"',
    "\\",
    "\n",
    ";",
    "%",
    "an|",
    "pc|SA|",
    "qx|o1|",
    "md|3",
    "a:",
    "x",
    "mb|x",
    "px!",
    "\r\n",
    " ",
]
LENGTH = 8_000
MOST_SECONDS = 1.0
"""Of processor time; a tenth of it is usual."""


@pytest.mark.parametrize("piece", PIECES)
def test_long_runs_take_a_time_in_proportion(piece: str) -> None:
    run = piece * (LENGTH // len(piece))
    begun = time.process_time()
    for place in (0, len(PBN) // 3, len(PBN) // 2, PBN.index("Pass") + 2, len(PBN)):
        read_pbn((PBN[:place] + run + PBN[place:]).encode())
    for place in (0, len(LIN) // 3, len(LIN)):
        read_lin((LIN[:place] + run + LIN[place:]).encode())
    assert time.process_time() - begun < MOST_SECONDS * 8


def test_call_with_sixty_exclamation_marks_is_no_call() -> None:
    """A file of 300 bytes held the server for ever: its marks could be told apart in 2**60 ways."""
    word = "3N" + "!" * 60 + "T"
    begun = time.process_time()
    read = read_pbn(PBN.replace("3NT", word, 2).encode())
    assert time.process_time() - begun < MOST_SECONDS
    assert read.problems


def test_bid_of_sixty_redoubles_is_no_bid() -> None:
    """So did 125 bytes of the other format: a run of x was parted into x and xx in Fibonacci many ways."""
    begun = time.process_time()
    read_lin(LIN.replace("mb|", "mb|" + "x" * 60 + "y", 1).encode())
    assert time.process_time() - begun < MOST_SECONDS


@pytest.mark.parametrize("blank", ["\n", "\r\n", " \n", "\t", " ["])
def test_format_of_a_file_that_begins_with_very_much_nothing_is_told_at_once(blank: str) -> None:
    begun = time.process_time()
    for text in (LIN, PBN, ""):
        read_record((blank * (64_000 // len(blank)) + text).encode())
    assert time.process_time() - begun < 3 * MOST_SECONDS

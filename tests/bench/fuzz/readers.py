"""LIN and PBN files and cursors that nobody would send in good faith, and what is asked of their readers.

Files are made from good ones by changing, cutting, doubling and mixing. Each reader may report whatever it
likes, but not raise; and what it has understood it must be able to write and read again.
"""

import random

from broadcast.feeds.cursor import Cursor, decide_resume
from broadcast.notation.lin import read_lin
from broadcast.notation.lin_writing import write_lin
from broadcast.notation.pbn import read_pbn
from broadcast.notation.pbn_writing import write_pbn
from tests.broadcast.notation.sample_files import FULL_PLAY, lin_board, lin_match, lin_play, pbn_game

LIN_FILES = [
    lin_match(lin_board("o1") + lin_board("c1"), "3NS=,3NE-2"),
    lin_match(lin_board("c2", lin_play(FULL_PLAY)) + lin_board("o1") + lin_board("o2", vulnerability="b")),
    lin_board("o7").encode(),
]
PBN_FILES = [pbn_game().encode(), (pbn_game() + "\n" + pbn_game(Board="2", Room="Closed")).encode()]
MOST_BYTES = 64 * 1024

LIN_WORDS = "| an| mb| md|3 pc| mc|13| rs| pn| vg| sv|b| qx|o1| qx|c1| !s"
PBN_WORDS = '" [ ] { } ; % # * =1= $5 [Play [Auction [Deal'
TOKENS = [word.encode() for word in f"{LIN_WORDS} {PBN_WORDS}".split()]
TOKENS += [b"\r\n", b"\n", b"*\n", b"\xff\xfe", b"\x00", b"\xef\xbb\xbf", b"9" * 40, b"-" * 40]
TOKENS += ["ŁÓ中文".encode(), "\u202e".encode()]
CURSOR_PARTS = ["1", "-", "0", "12", "99999999999999999999", "+", " ", "\u0661", "-1", "1-1", "\n", "e5", "."]


class Failure(Exception):
    """An input was not taken as it must be."""


def spoiled(chance: random.Random, files: list[bytes]) -> bytes:
    """A good file, changed in one to eight places."""
    data = bytearray(chance.choice(files))
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randrange(len(data) + 1), chance.choice((1, 1, 4, 30, 400))
        match chance.randrange(6):
            case 0:
                data[at : at + length] = b""
            case 1:
                data[at:at] = chance.choice(TOKENS) * chance.choice((1, 1, 1, 50))
            case 2:
                data[at:at] = data[at : at + length] * chance.choice((1, 2, 20))
            case 3:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 4:
                other = chance.choice(files)
                begin = chance.randrange(len(other))
                data[at : at + length] = other[begin : begin + length]
            case _:
                del data[at:]
        if not data:
            data += b"|"
    return bytes(data[:MOST_BYTES])


def read_a_lin_file(data: bytes) -> None:
    for record in read_lin(data).matches[:1]:
        read_lin(write_lin(record).encode())


def read_a_pbn_file(data: bytes) -> None:
    for record in read_pbn(data).matches[:1]:
        read_pbn(write_pbn(record).encode())


def read_a_cursor(text: str) -> None:
    decide_resume(text, 1, 40)
    cursor = Cursor.parse(text)
    if cursor is not None and str(cursor) != text:
        raise Failure(f"{text!r} was read as the cursor {cursor}")


async def spoiled_lin(chance: random.Random) -> None:
    read_a_lin_file(spoiled(chance, LIN_FILES))


async def spoiled_pbn(chance: random.Random) -> None:
    read_a_pbn_file(spoiled(chance, PBN_FILES))


async def odd_cursor(chance: random.Random) -> None:
    read_a_cursor("".join(chance.choices(CURSOR_PARTS, k=chance.randint(0, 6))))

"""Small LIN and PBN texts that the tests of this folder bend."""

from broadcast.notation.records import BoardRecord, Reading

HANDS = "SA643HKJT8D92CAK3,S2H653DQJT7CT9842,SKQ97HQ9DAK54CJ75,SJT85HA742D863CQ6"
DEAL = "N:KQ97.Q9.AK54.J75 JT85.A742.863.Q6 A643.KJT8.92.AK3 2.653.QJT7.T9842"
HEAD = f"pn|Ann,Bob,Cid,Dee|st||md|1{HANDS}|rh||ah|Board 1|sv|o|"
AUCTION = "mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||"
"""South opens 1NT, North raises to 3NT; West has the lead."""

_TRICKS = (
    "H3 HQ H4 H8/C7 CQ C3 CT/D8 D2 DJ DK/D4 D3 D9 D7/S4 S2 SQ S5/SK S8 SA DQ/CK C9 C5 C6/"
    "HK H5 H9 H2/HT H6 CJ H7/S3 C4 S9 SJ/ST S6 DT S7/D6 CA C2 D5/HA HJ C8 DA"
)
FULL_PLAY = [card for trick in _TRICKS.split("/") for card in trick.split()]
"""Thirteen tricks of 3NT, 8 of them declarer's, in order of play."""


def lin_play(cards: list[str]) -> str:
    return "".join(f"pc|{card}|" for card in cards)


def lin_match(boards: str, results: str = "", teams: str = "Modra,0,Vihar,0", last: int = 2) -> bytes:
    """A two-room match of boards 1 to ``last``."""
    return (
        f"vg|Club final,Segment 1,I,1,{last},{teams}|\nrs|{results}|\n"
        f"pn|Ann,Bob,Cid,Dee,Eve,Fay,Gil,Hal|pg||\n{boards}"
    ).encode()


def lin_board(label: str, course: str = AUCTION + "mc|10|", vulnerability: str = "o") -> str:
    number = "".join(letter for letter in label if letter.isdigit())
    return f"qx|{label}|st||md|1{HANDS}|rh||ah|Board {number}|sv|{vulnerability}|{course}pg||\n"


def pbn_game(**changes: str | None) -> str:
    """A game of 3NT by South; ``None`` leaves a tag out. ``auction`` and ``play`` replace the sections."""
    auction = changes.pop("auction", "1NT Pass 3NT AP")
    play = changes.pop("play", "DQ D4 D8 D2\n*")
    plain: dict[str, str | None] = {
        "Event": "Club final",
        "Board": "1",
        "Dealer": "S",
        "Vulnerable": "None",
        "Deal": DEAL,
        "Declarer": "S",
        "Contract": "3NT",
        "Result": "10",
    }
    tags = plain | changes
    lines = [f'[{name} "{value}"]' for name, value in tags.items() if value is not None]
    if auction is not None:
        lines += ['[Auction "S"]', auction]
    if play is not None:
        lines += ['[Play "W"]', play]
    return "\n".join(lines) + "\n\n"


def only(reading: Reading) -> BoardRecord:
    """The one board of a reading."""
    boards = [*reading.boards, *(b for m in reading.matches for s in m.segments for b in s.boards)]
    assert len(boards) == 1, [str(problem) for problem in reading.problems]
    return boards[0]


def boards_of(reading: Reading) -> list[BoardRecord]:
    """All boards of all matches."""
    return [board for match in reading.matches for segment in match.segments for board in segment.boards]

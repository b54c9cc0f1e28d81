"""Small recorded matches as LIN text, made from deals of our own; and what a table says of real ones."""

import csv
from dataclasses import dataclass
from pathlib import Path

from broadcast.bridge.boards import dealer_of
from broadcast.bridge.seats import SEATS, Seat
from tests.builders import deal_of

_LIN_SEATS = (Seat.S, Seat.W, Seat.N, Seat.E)
_VULNERABLE = "onebneboebonbone"
"""Of boards 1 to 16 (Law 2)."""


def lin_match(
    *results: tuple[int | None, int | None],
    title: str = "Club final",
    teams: tuple[str, str] = ("Modra", "Vihar"),
) -> str:
    """A match of one segment: on each board dealer plays 1NT, with so many tricks in the open and closed room.

    ``None`` leaves the room without a record of the board.
    """
    last = len(results)
    scores = [
        "" if tricks is None else f"1N{dealer_of(number)}{'=' if tricks == 7 else f'{tricks - 7:+d}'}"
        for number, pair in enumerate(results, 1)
        for tricks in pair
    ]
    names = ",".join(f"{room} {seat.word}" for room in ("Open", "Closed") for seat in _LIN_SEATS)
    head = f"vg|{title},1,I,1,{last},{teams[0]},0,{teams[1]},0|\nrs|{','.join(scores)}|\npn|{names}|pg||\n"
    boards = [
        f"qx|{room}{number}|{_board(number, tricks)}\n"
        for number, pair in enumerate(results, 1)
        for room, tricks in zip("oc", pair, strict=True)
        if tricks is not None
    ]
    return head + "".join(boards)


def _board(number: int, tricks: int) -> str:
    hands = ",".join(_hand(number, seat) for seat in _LIN_SEATS)
    dealer = _LIN_SEATS.index(dealer_of(number)) + 1
    vulnerable = _VULNERABLE[(number - 1) % 16]
    return f"md|{dealer}{hands}|sv|{vulnerable}|mb|1N|mb|p|mb|p|mb|p|pg||mc|{tricks}|pg||"


def _hand(number: int, seat: Seat) -> str:
    hands = str(deal_of(number)).removeprefix("N:").split()
    suits = hands[SEATS.index(seat)].split(".")
    return "".join(suit + cards for suit, cards in zip("SHDC", suits, strict=True))


def unplayed_deals(count: int) -> str:
    """A PBN file of deals that nobody has played."""
    return "\n\n".join(f'[Board "{number}"]\n[Deal "{deal_of(number)}"]' for number in range(1, count + 1))


@dataclass(frozen=True)
class Row:
    """One recorded segment and its totals, by the vulnerability its records state."""

    file: Path
    team1: str
    """North-South in the open room."""
    team2: str
    imps1: int
    imps2: int
    boards_compared: int


def recorded_rows(shared: Path) -> list[Row]:
    """The table of all recorded segments with two rooms."""
    folder = shared / "data"
    with (folder / "lin_totals.csv").open(encoding="utf-8") as table:
        return [
            Row(
                folder / "lin" / row["file"],
                row["team1"],
                row["team2"],
                int(row["imps1_sv"]),
                int(row["imps2_sv"]),
                int(row["boards_in_both"]),
            )
            for row in csv.DictReader(table)
        ]

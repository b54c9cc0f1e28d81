"""Double-dummy tricks and par of the seeded boards, solved once with endplay and kept in ``tests/data``.

Solving 200 boards takes the better part of a minute; ``python -m tests.teams.demo.double_dummy`` does it anew
and ``test_bidding_quality`` solves a few of them again to see that the file is right.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from broadcast.bridge.boards import Vulnerability, dealer_of, vulnerability_of
from broadcast.bridge.calls import DENOMINATIONS, Denomination
from broadcast.bridge.contracts import Contract
from broadcast.bridge.scoring import contract_score
from broadcast.bridge.seats import SEATS, Seat, Side
from tests.teams.demo.four_players import seeded_deal

BOARDS = 200
_FILE = Path(__file__).resolve().parents[2] / "data" / "double_dummy_boards.txt"


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    tricks: Mapping[tuple[Denomination, Seat], int]
    """Tricks of the seat as declarer with best play by all."""
    par_ns: int
    """Score points for North-South when both sides bid their best."""

    def score(self, contract: Contract, declarer: Seat, vulnerability: Vulnerability) -> int:
        """Score points for declarer's side with best play by all."""
        tricks = self.tricks[contract.denomination, declarer]
        return contract_score(contract, tricks, vulnerability.includes(declarer.side))

    def best_of(self, side: Side, vulnerability: Vulnerability) -> tuple[int, frozenset[int]]:
        """The side's best score for a contract it makes undoubled, and the levels that earn it.

        Levels are several where overtricks score as if bid: one to three for nine tricks in a major.
        """
        scores = [
            (self.score(Contract(level, denomination), seat, vulnerability), level)
            for seat in SEATS
            if seat.side is side
            for denomination in DENOMINATIONS
            for level in range(1, self.tricks[denomination, seat] - 5)
        ]
        best = max((score for score, _ in scores), default=0)
        return best, frozenset(level for score, level in scores if score == best)


def solved() -> dict[int, DoubleDummy]:
    """Every board of the file by its seed, which is its board number too."""
    boards = {}
    for line in _FILE.read_text().splitlines():
        seed, tricks, par = line.split()
        boards[int(seed)] = DoubleDummy(_named(int(digit, 16) for digit in tricks), int(par))
    return boards


def _named(tricks: Iterable[int]) -> dict[tuple[Denomination, Seat], int]:
    return dict(zip(_order(), tricks, strict=True))


def _order() -> list[tuple[Denomination, Seat]]:
    return [(denomination, seat) for denomination in DENOMINATIONS for seat in SEATS]


def solve(seeds: list[int]) -> dict[int, DoubleDummy]:
    """The same by endplay, at most 40 boards at a time."""
    from endplay.dds import calc_all_tables, par
    from endplay.types import Deal, Denom, Player, Vul

    theirs = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    denominations = dict(zip(DENOMINATIONS, theirs, strict=True))
    players = dict(zip(SEATS, (Player.north, Player.east, Player.south, Player.west), strict=True))
    vulnerabilities = dict(zip(Vulnerability, (Vul.none, Vul.ns, Vul.ew, Vul.both), strict=True))
    boards = {}
    for start in range(0, len(seeds), 40):
        some = seeds[start : start + 40]
        tables = calc_all_tables([Deal(str(seeded_deal(seed))) for seed in some])
        for seed, table in zip(some, tables, strict=True):
            tricks = [table[denominations[denomination], players[seat]] for denomination, seat in _order()]
            best = par(table, vulnerabilities[vulnerability_of(seed)], players[dealer_of(seed)])
            boards[seed] = DoubleDummy(_named(tricks), best.score)
    return boards


def main() -> None:
    lines = [
        f"{seed} {''.join(f'{board.tricks[key]:x}' for key in _order())} {board.par_ns}"
        for seed, board in solve(list(range(1, BOARDS + 1))).items()
    ]
    _FILE.write_text("\n".join(lines) + "\n")
    sys.stdout.write(f"{len(lines)} boards written to {_FILE}\n")


if __name__ == "__main__":
    main()

"""What a table reached on a board: passed out, or a contract with declarer and tricks."""

from dataclasses import dataclass

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.contracts import Contract
from broadcast.bridge.errors import BadNotation
from broadcast.bridge.scoring import PenaltyScale, contract_score
from broadcast.bridge.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class BoardResult:
    """A table's result. Passed out has no contract, declarer or tricks; anything else has all three."""

    contract: Contract | None = None
    declarer: Seat | None = None
    tricks: int | None = None
    """Tricks taken by declarer's side, 0 to 13."""

    def __post_init__(self) -> None:
        given = [value is not None for value in (self.contract, self.declarer, self.tricks)]
        if any(given) and not all(given):
            raise BadNotation("A result needs contract, declarer and tricks, or none of them when passed out")
        if self.tricks is not None and not 0 <= self.tricks <= 13:
            raise BadNotation(f"{self.tricks} is not a number of tricks", tricks=self.tricks)

    @property
    def is_passed_out(self) -> bool:
        return self.contract is None

    def score_ns(
        self, vulnerability: Vulnerability, penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987
    ) -> int:
        """Score points for North-South (Law 77), negative when East-West score."""
        if self.contract is None or self.declarer is None or self.tricks is None:
            return 0
        score = contract_score(
            self.contract, self.tricks, vulnerability.includes(self.declarer.side), penalty_scale
        )
        return score if self.declarer.side is Side.NS else -score


PASSED_OUT = BoardResult()

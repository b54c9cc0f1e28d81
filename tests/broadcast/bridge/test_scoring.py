"""Duplicate scores: the whole grid against tables made by other hands (Laws 2017, Law 77)."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import DENOMINATIONS, Denomination
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.scoring import PenaltyScale, contract_score
from broadcast.bridge.seats import Seat, Side

CONTRACTS = st.builds(Contract, st.integers(1, 7), st.sampled_from(DENOMINATIONS), st.sampled_from(Doubling))


def test_every_row_of_the_vectors(shared: Path) -> None:
    with (shared / "vectors" / "contract_scores.csv").open() as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(rows) == 1960
    for row in rows:
        contract = Contract.parse(row["contract"] + "X" * int(row["doubled"]))
        score = contract_score(contract, int(row["tricks"]), row["vul"] == "1")
        assert score == int(row["score_for_declarer"]), row


@pytest.mark.parametrize(
    ("contract", "tricks", "vulnerable", "score"),
    [
        ("7C", 13, False, 1440),
        ("4SX", 6, False, -800),
        ("4SXX", 6, False, -1600),
        ("1NTXX", 8, False, 760),
        ("3NTX", 10, False, 650),
        ("7NT", 13, True, 2220),
        ("4SX", 6, True, -1100),
        ("3NT", 10, False, 430),
        ("3NT", 10, True, 630),
        ("1C", 7, False, 70),
        ("1CX", 7, False, 140),
        ("1CXX", 7, False, 230),
        ("2CX", 8, False, 180),
        ("2SX", 8, True, 670),
        ("7NTXX", 13, True, 2980),
        ("7NTXX", 0, True, -7600),
        ("7NTXX", 0, False, -7000),
    ],
)
def test_cells_that_scorers_get_wrong(contract: str, tricks: int, vulnerable: bool, score: int) -> None:
    assert contract_score(Contract.parse(contract), tricks, vulnerable) == score


UNDERTRICKS = {
    # Law 77: not vulnerable and vulnerable; undoubled, doubled, redoubled; for 1 to 13 undertricks.
    (False, Doubling.NONE): [50 * n for n in range(1, 14)],
    (True, Doubling.NONE): [100 * n for n in range(1, 14)],
    (False, Doubling.DOUBLED): [100, 300, 500, *range(800, 3801, 300)],
    (True, Doubling.DOUBLED): [*range(200, 3801, 300)],
    (False, Doubling.REDOUBLED): [200, 600, 1000, *range(1600, 7601, 600)],
    (True, Doubling.REDOUBLED): [*range(400, 7601, 600)],
}


@pytest.mark.parametrize(("vulnerable", "doubling"), UNDERTRICKS)
def test_undertricks_follow_the_printed_table(vulnerable: bool, doubling: Doubling) -> None:
    for under, penalty in enumerate(UNDERTRICKS[vulnerable, doubling], start=1):
        contract = Contract(7, Denomination.SPADES, doubling)
        assert contract_score(contract, 13 - under, vulnerable) == -penalty


TRICK_SCORES = {
    # Law 77, trick score of the contract: level 1 to 7.
    "C": [20, 40, 60, 80, 100, 120, 140],
    "D": [20, 40, 60, 80, 100, 120, 140],
    "H": [30, 60, 90, 120, 150, 180, 210],
    "S": [30, 60, 90, 120, 150, 180, 210],
    "NT": [40, 70, 100, 130, 160, 190, 220],
}


@pytest.mark.parametrize("vulnerable", [False, True])
@pytest.mark.parametrize("doubling", Doubling)
def test_whole_grid_against_the_printed_tables(vulnerable: bool, doubling: Doubling) -> None:
    """7 levels, 5 denominations, 14 results; the bonuses are spelled out for each case."""
    factor = {"": 1, "X": 2, "XX": 4}[doubling]
    game = 500 if vulnerable else 300
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}
    insult = {"": 0, "X": 50, "XX": 100}[doubling]
    doubled_trick = {"X": 100, "XX": 200}.get(doubling, 0) * (2 if vulnerable else 1)
    for denomination in DENOMINATIONS:
        trick = 20 if denomination in ("C", "D") else 30
        for level in range(1, 8):
            contract = Contract(level, denomination, doubling)
            for tricks in range(14):
                over = tricks - 6 - level
                if over < 0:
                    expected = -UNDERTRICKS[vulnerable, doubling][-over - 1]
                else:
                    base = TRICK_SCORES[denomination][level - 1] * factor
                    expected = base + (game if base >= 100 else 50) + slam.get(level, 0) + insult
                    expected += over * (doubled_trick or trick)
                assert contract_score(contract, tricks, vulnerable) == expected, (contract, tricks)


def test_scale_of_1963_differs_in_two_places_only() -> None:
    """Doubled undertricks not vulnerable go on by 200; the redoubled insult is 50."""

    def both(contract: str, tricks: int, vulnerable: bool) -> tuple[int, int]:
        parsed = Contract.parse(contract)
        new, old = PenaltyScale.SINCE_1987, PenaltyScale.SINCE_1963
        return contract_score(parsed, tricks, vulnerable, new), contract_score(parsed, tricks, vulnerable, old)

    assert both("4SX", 6, False) == (-800, -700)
    assert both("4SXX", 5, False) == (-2200, -1800)
    assert both("4SX", 7, False) == (-500, -500)
    assert both("4SX", 6, True) == (-1100, -1100)
    assert both("1NTXX", 7, False) == (560, 510)
    assert both("1NTX", 7, False) == (180, 180)


@given(CONTRACTS, st.integers(0, 12), st.booleans(), st.sampled_from(PenaltyScale))
def test_another_trick_never_costs(
    contract: Contract, tricks: int, vulnerable: bool, scale: PenaltyScale
) -> None:
    fewer = contract_score(contract, tricks, vulnerable, scale)
    assert contract_score(contract, tricks + 1, vulnerable, scale) > fewer


@given(CONTRACTS, st.integers(0, 13), st.booleans(), st.sampled_from(PenaltyScale))
def test_a_score_is_gained_exactly_when_the_contract_is_made(
    contract: Contract, tricks: int, vulnerable: bool, scale: PenaltyScale
) -> None:
    score = contract_score(contract, tricks, vulnerable, scale)
    assert (score > 0) == (tricks >= contract.tricks_needed)
    assert score % 10 == 0


@given(CONTRACTS, st.sampled_from(Seat), st.integers(0, 13), st.sampled_from(Vulnerability))
def test_result_scores_for_north_south_with_declarers_vulnerability(
    contract: Contract, declarer: Seat, tricks: int, vulnerability: Vulnerability
) -> None:
    score = contract_score(contract, tricks, vulnerability.includes(declarer.side))
    result = BoardResult(contract, declarer, tricks)
    assert result.score_ns(vulnerability) == (score if declarer.side is Side.NS else -score)


def test_passed_out_scores_nothing_and_has_no_declarer() -> None:
    assert PASSED_OUT.is_passed_out
    assert PASSED_OUT.score_ns(Vulnerability.ALL) == 0


@pytest.mark.parametrize(
    "parts",
    [
        (Contract.parse("3NT"), None, None),
        (None, Seat.N, 9),
        (Contract.parse("3NT"), Seat.N, 14),
        (Contract.parse("3NT"), Seat.N, -1),
    ],
)
def test_half_a_result_is_none(parts: tuple[Contract | None, Seat | None, int | None]) -> None:
    with pytest.raises(ValueError, match=r"result|tricks"):
        BoardResult(*parts)

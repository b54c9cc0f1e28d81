"""Claims against double-dummy analysis, asked of a worker process."""

import asyncio
import sys

import pytest

from broadcast.analysis.double_dummy import DoubleDummy
from broadcast.analysis.positions import AgreedClaim, agreed_claims
from broadcast.tables.commands import CorrectResult
from tests.builders import CLOSED, OPEN, Told, result


def claimed(tricks: int) -> AgreedClaim:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").claim(OPEN, tricks)
    (claim,) = agreed_claims(told.match)
    return claim


def test_only_what_a_table_has_agreed_to_and_nobody_corrected_is_asked() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").claim(OPEN, 7)
    told.open(CLOSED, 1).calls(CLOSED, "Pass Pass Pass Pass")
    (claim,) = agreed_claims(told.match)
    assert (str(claim.key), claim.room, claim.tricks, claim.position.cards) == ("1.1", OPEN, 7, ())
    told.do(CorrectResult(1, 1, OPEN, result("1NT N 8"), "miscounted"))
    assert list(agreed_claims(told.match)) == []


def test_worker_solves_positions_one_after_another_and_remembers_them() -> None:
    pytest.importorskip("endplay")

    async def story() -> list[int | None]:
        async with DoubleDummy() as analysis:
            position = claimed(7).position
            return [*await asyncio.gather(*(analysis.tricks(position) for _ in range(3)))]

    first, *others = asyncio.run(story())
    assert first is not None and 0 <= first <= 13
    assert others == [first, first]


@pytest.mark.parametrize("program", ["", "print('nonsense')", "print('{\"tricks\": null}')"])
def test_worker_that_fails_leaves_it_unknown(program: str) -> None:
    async def story() -> int | None:
        async with DoubleDummy((sys.executable, "-c", program)) as analysis:
            return await analysis.tricks(claimed(7).position)

    assert asyncio.run(story()) is None

"""Errors speak the reader's language: every code that the server can answer has a Chinese sentence."""

import re
from pathlib import Path

import pytest

from broadcast.bridge.errors import IllegalCard
from broadcast.web.languages import Language, problem_sentences
from broadcast.web.problems import problem_of, translated

ROOT = Path(__file__).resolve().parents[3]
RAISED = re.compile(
    r"""
    (?:Refusal|NoSuchThing)\(\s*"([a-z_]+)"
    | Problem\(\s*\d+,\s*"([a-z_]+)"
    | rule="([a-z_]+)"
    """,
    re.VERBOSE,
)
ELSEWHERE = {"missing_parameter", "bad_number", "bad_imps", "bad_choice", "bad_contract", "unknown_ladder_rule"}
"""Sentences of the calculator, which has its own in both languages."""


def raised_codes() -> set[str]:
    sources = [*ROOT.glob("broadcast/**/*.py"), *ROOT.glob("teams/**/*.py")]
    found = {next(filter(None, groups)) for path in sources for groups in RAISED.findall(path.read_text())}
    return found - ELSEWHERE


@pytest.mark.parametrize("code", sorted(raised_codes()))
def test_every_error_has_a_chinese_sentence(code: str) -> None:
    key = f"problem.{code}"
    assert problem_sentences(Language.CHINESE).gettext(key) != key


def test_seats_and_cards_of_an_error_stand_in_its_chinese_sentence() -> None:
    error = IllegalCard("West may not play H4: West holds a spade and spades were led", seat="W", card="H4")
    assert (
        translated(problem_of(error), Language.CHINESE) == "西家不能出 H4：西家还有这一墩领出的花色，必须跟牌"
    )


def test_an_error_without_its_facts_is_told_in_english_and_not_cut() -> None:
    error = IllegalCard("West may not play H4", rule="card_not_held")
    assert translated(problem_of(error), Language.CHINESE) == "West may not play H4"

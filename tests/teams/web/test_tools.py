"""The calculator's addresses and the function behind its page."""

import asyncio
from decimal import Decimal
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from teams.scales.victory_points import SCALES
from teams.web.tools import calculate, tool_routes


def request(method: str, address: str, language: str = "en") -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(Starlette(routes=tool_routes()))
        async with httpx.AsyncClient(transport=transport, base_url="http://club.example") as client:
            return await client.request(method, address, headers={"Accept-Language": language})

    return asyncio.run(send())


def ask(query: str, status: int = 200, language: str = "en") -> dict[str, Any]:
    answer = request("GET", f"/api/tools/{query}", language)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("score?contract=4SX&vulnerable=yes&tricks=9", {"score": -200}),
        ("score?contract=3n&vulnerable=no&tricks=10", {"score": 430}),
        ("score?contract=Pass", {"score": 0}),
        ("score?contract=4SX&vulnerable=no&tricks=6&penalty_scale=1963", {"score": -700}),
        ("imps?difference=-430", {"imps": -10}),
        ("imps?difference=%2B3020", {"imps": 22}),
        ("imps?difference=5", {"imps": 0}),
        ("imps?difference=60&imp_scale=1948", {"imps": 1}),
        ("vps?scale=wbf-2013&boards=16&imps=10", {"winner": 12.8, "loser": 7.2}),
        ("vps?boards=16&imps=-10", {"winner": 12.8, "loser": 7.2}),
        ("vps?scale=wbf-2013-discrete&boards=16&imps=12.5", {"winner": 14, "loser": 6}),
        ("vps?scale=acbl-30&boards=7&imps=1", {"winner": 18, "loser": 12}),
    ],
)
def test_the_calculator_answers(query: str, answer: dict[str, float]) -> None:
    assert ask(query) == answer


@pytest.mark.parametrize(
    ("query", "status", "error", "says"),
    [
        ("score", 400, "missing_parameter", "contract=4SX"),
        ("score?contract=4SX", 400, "missing_parameter", "vulnerable=yes"),
        ("score?contract=4SX&vulnerable=yes", 400, "missing_parameter", "tricks=9"),
        ("score?contract=8S&vulnerable=yes&tricks=9", 400, "bad_contract", "4SX or 3NT"),
        ("score?contract=4S&vulnerable=perhaps&tricks=9", 400, "bad_choice", "yes, no"),
        ("score?contract=4S&vulnerable=yes&tricks=ten", 400, "bad_number", "whole number"),
        ("score?contract=4S&vulnerable=yes&tricks=14", 422, "bad_tricks", "0 to 13"),
        ("score?contract=4S&vulnerable=yes&tricks=9&penalty_scale=1900", 400, "bad_choice", "1987, 1963"),
        ("imps", 400, "missing_parameter", "difference=430"),
        ("imps?difference=4e2", 400, "bad_number", "430"),
        ("imps?difference=99999999999999999999", 400, "bad_number", "430"),
        ("imps?difference=%D9%A4", 400, "bad_number", "430"),
        ("imps?difference=430&imp_scale=1961", 400, "bad_choice", "1962, 1948"),
        ("vps?boards=16", 400, "missing_parameter", "imps=10"),
        ("vps?boards=16&imps=lots", 400, "bad_imps", "number of IMPs"),
        ("vps?boards=0&imps=3", 422, "no_row", "no row for 0 boards"),
        ("vps?scale=acbl-20&boards=16&imps=3", 422, "no_row", "acbl-20"),
        ("vps?scale=wbf-1999&boards=16&imps=3", 422, "unknown_scale", "wbf-2013-discrete"),
    ],
)
def test_a_question_without_an_answer_says_what_to_do(query: str, status: int, error: str, says: str) -> None:
    body = ask(query, status)
    assert body["error"] == error
    assert says in body["message"]
    in_chinese = ask(query, status, language="zh-CN,zh;q=0.9")
    assert {**in_chinese, "message": ""} == {**body, "message": ""}
    assert any("一" <= sign <= "鿿" for sign in in_chinese["message"])


def test_facts_of_an_error_stand_beside_its_message() -> None:
    body = ask("vps?scale=acbl-20&boards=16&imps=3", 422)
    assert (body["scale"], body["boards"]) == ("acbl-20", 16)


def test_language_of_the_address_goes_before_the_browsers() -> None:
    assert "请" in ask("imps?lang=zh", 400, language="en")["message"]


def test_braces_in_what_was_given_are_only_text() -> None:
    assert "{scale}" in ask("score?contract={scale}", 400)["message"]


def test_only_reading_is_possible() -> None:
    assert request("POST", "/api/tools/imps?difference=430").status_code == 405
    assert request("HEAD", "/api/tools/imps?difference=430").status_code == 200


def test_page_shows_nothing_before_something_is_asked() -> None:
    page = calculate({})
    assert (page.score, page.imps, page.vps, page.problems) == (None, None, None, {})
    assert page.scales == tuple(SCALES)


def test_page_answers_all_three_questions_with_their_arithmetic() -> None:
    page = calculate(
        {
            "contract": "3NT",
            "vulnerable": "yes",
            "tricks": "10",
            "difference": "430",
            "scale": "wbf-2013",
            "boards": "16",
            "imps": "14",
        }
    )
    assert page.score is not None
    assert page.imps is not None
    assert page.vps is not None
    assert page.score.score == sum(step.points for step in page.score.steps) == 630
    assert (page.imps.imps, page.imps.least, page.imps.following) == (10, 430, 500)
    assert page.vps.vps.winner == Decimal("13.75")
    assert page.problems == {}


def test_one_bad_question_does_not_spoil_the_others() -> None:
    page = calculate({"contract": "9S", "difference": "50", "scale": "acbl-20", "boards": "16", "imps": "2"})
    assert page.imps is not None
    assert page.imps.imps == 2
    assert {question: problem.code for question, problem in page.problems.items()} == {
        "score": "bad_contract",
        "vps": "no_row",
    }


QUESTIONS = "contract=3NTX&vulnerable=yes&tricks=8&difference=-430&scale=wbf-2013&boards=16&imps=14"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_page_shows_answers_and_problems(language: str) -> None:
    answered = request("GET", f"/calculator?{QUESTIONS}", language)
    assert answered.status_code == 200
    for figure in ("200", "430", "13.75", "6.25"):
        assert figure in answered.text
    refused = request("GET", "/calculator?contract=%3Cscript%3E", language)
    assert refused.status_code == 200
    assert "<script>" not in refused.text.replace("<script type", "")
    assert "&lt;script&gt;" in refused.text


def test_page_without_questions_is_an_empty_form() -> None:
    assert 'name="contract"' in request("GET", "/calculator").text

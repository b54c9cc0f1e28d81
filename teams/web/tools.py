"""The calculator: contract to score, difference to IMPs, IMPs and boards to VPs.

``/api/tools/score``, ``/api/tools/imps`` and ``/api/tools/vps`` answer programs; ``calculate`` answers the
calculator page, with the arithmetic of each answer. Both read parameters and ask the scales by the same
functions. Cross-origin headers are the application's.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.contracts import Contract
from broadcast.bridge.errors import BadNotation
from broadcast.bridge.scoring import PenaltyScale, contract_score
from broadcast.web.languages import language_of
from broadcast.web.requests import json_answer
from broadcast.web.templating import page
from teams.scales.explanations import (
    ImpExplanation,
    ScoreStep,
    VpExplanation,
    explain_imps,
    explain_vps,
    score_steps,
)
from teams.scales.imps import ImpScale
from teams.scales.victory_points import DEFAULT_SCALE, SCALES, NoRow, UnknownScale, VpScale, scale_named
from teams.web.tool_problems import ToolProblem

Parameters = Mapping[str, str]
Json = dict[str, object]
Answer = TypeVar("Answer")

_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,6}(\.[0-9]{1,6})?")
_YES_NO = {"yes": True, "no": False}


# --- answers, as a program and the page want them ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """The score of declarer's side and the addends that make it."""

    contract: Contract | None
    """``None``: passed out."""
    tricks: int | None
    vulnerable: bool
    score: int
    steps: tuple[ScoreStep, ...]


def score(parameters: Parameters) -> ScoreAnswer:
    """``contract``, ``vulnerable`` (yes or no) and ``tricks`` (declarer's total) to a score (Law 77).

    ``penalty_scale`` may name that of 1963. A contract ``Pass`` needs nothing else. Raises ``ToolProblem``.
    """
    text = _required(parameters, "contract", "4SX")
    if text.casefold() == "pass":
        return ScoreAnswer(None, None, False, 0, ())
    try:
        contract = Contract.parse(text)
    except BadNotation as error:
        raise ToolProblem(400, "bad_contract", parameter="contract", given=text) from error
    vulnerable = _YES_NO[_choice(_required(parameters, "vulnerable", "yes"), "vulnerable", [*_YES_NO])]
    tricks = _whole(parameters, "tricks", "9")
    if not 0 <= tricks <= 13:
        raise ToolProblem(422, "bad_tricks", parameter="tricks", given=tricks)
    scale = PenaltyScale(_optional(parameters, "penalty_scale", PenaltyScale.SINCE_1987, [*PenaltyScale]))
    points = contract_score(contract, tricks, vulnerable, scale)
    return ScoreAnswer(contract, tricks, vulnerable, points, score_steps(contract, tricks, vulnerable, scale))


def imps(parameters: Parameters) -> ImpExplanation:
    """``difference`` in score points to IMPs (Law 78B), by ``imp_scale`` 1962 or 1948.

    Raises ``ToolProblem``.
    """
    difference = _whole(parameters, "difference", "430")
    scale = ImpScale(_optional(parameters, "imp_scale", ImpScale.SINCE_1962, [*ImpScale]))
    return explain_imps(difference, scale)


def vps(parameters: Parameters) -> VpExplanation:
    """``scale``, ``boards`` and net ``imps`` to VPs of winner and loser. Raises ``ToolProblem``.

    The sign of ``imps`` does not matter: the winner is who has more. Fractions, from weighted scores, are
    rounded half away from zero.
    """
    scale = _scale(parameters)
    boards = _whole(parameters, "boards", "16")
    net = _number(parameters, "imps", "10")
    try:
        return explain_vps(scale, boards, net)
    except NoRow as error:
        raise ToolProblem(422, "no_row", scale=scale.name, boards=boards) from error


# --- for the page -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Calculation:
    """What the calculator page shows: up to three answers, and what is wrong with the other questions."""

    given: Parameters
    """The form as it was sent, to fill it again."""
    score: ScoreAnswer | None = None
    imps: ImpExplanation | None = None
    vps: VpExplanation | None = None
    problems: Mapping[str, ToolProblem] = field(default_factory=dict)
    """By question: ``score``, ``imps``, ``vps``."""
    scales: tuple[str, ...] = tuple(SCALES)
    """The scales to choose from."""


def calculate(given: Parameters) -> Calculation:
    """Answer every question of the form that has been begun; the others stay empty.

    >>> answer = calculate({"difference": "-430", "contract": "", "scale": "wbf-2013"})
    >>> answer.imps.imps, answer.score, answer.vps
    (-10, None, None)
    """
    problems: dict[str, ToolProblem] = {}

    def answer_to(question: str, begun_by: Iterable[str], ask: Callable[[Parameters], Answer]) -> Answer | None:
        if not any(given.get(name, "").strip() for name in begun_by):
            return None
        try:
            return ask(given)
        except ToolProblem as problem:
            problems[question] = problem
            return None

    return Calculation(
        given,
        score=answer_to("score", ("contract", "tricks"), score),
        imps=answer_to("imps", ("difference",), imps),
        vps=answer_to("vps", ("boards", "imps"), vps),
        problems=problems,
    )


async def calculator(request: Request) -> Response:
    """The page: the form's questions in its address, so that every answer can be linked to."""
    return page(request, "vugraph/calculator.html", {"calculation": calculate(request.query_params)})


# --- for programs -----------------------------------------------------------------------------------------


def _score_json(parameters: Parameters) -> Json:
    return {"score": score(parameters).score}


def _imps_json(parameters: Parameters) -> Json:
    return {"imps": imps(parameters).imps}


def _vps_json(parameters: Parameters) -> Json:
    answer = vps(parameters).vps
    return {"winner": float(answer.winner), "loser": float(answer.loser)}


def _answering(ask: Callable[[Parameters], Json]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            return json_answer(ask(request.query_params))
        except ToolProblem as problem:
            return problem.response(language_of(request))

    return answer


def tool_routes() -> list[Route]:
    """The calculator's page and its addresses for programs; GET and HEAD, no state, no cookies."""
    return [
        Route("/calculator", calculator, name="calculator"),
        Route("/api/tools/score", _answering(_score_json), name="tools_score"),
        Route("/api/tools/imps", _answering(_imps_json), name="tools_imps"),
        Route("/api/tools/vps", _answering(_vps_json), name="tools_vps"),
    ]


# --- reading parameters -----------------------------------------------------------------------------------


def _required(parameters: Parameters, name: str, example: str) -> str:
    text = parameters.get(name, "").strip()
    if not text:
        raise ToolProblem(400, "missing_parameter", parameter=name, example=example)
    return text


def _whole(parameters: Parameters, name: str, example: str) -> int:
    text = _required(parameters, name, example)
    if not _WHOLE.fullmatch(text):
        raise ToolProblem(400, "bad_number", parameter=name, given=text, example=example)
    return int(text)


def _number(parameters: Parameters, name: str, example: str) -> Fraction:
    text = _required(parameters, name, example)
    if not _DECIMAL.fullmatch(text):
        raise ToolProblem(400, "bad_imps", parameter=name, given=text, example=example)
    return Fraction(text)


def _choice(text: str, name: str, choices: Sequence[str]) -> str:
    if text.casefold() not in choices:
        raise ToolProblem(400, "bad_choice", parameter=name, given=text, choices=list(choices))
    return text.casefold()


def _optional(parameters: Parameters, name: str, default: str, choices: Sequence[str]) -> str:
    return _choice(parameters.get(name, "").strip() or default, name, choices)


def _scale(parameters: Parameters) -> VpScale:
    name = parameters.get("scale", "").strip() or DEFAULT_SCALE
    try:
        return scale_named(name)
    except UnknownScale as error:
        raise ToolProblem(422, "unknown_scale", scale=name, choices=list(SCALES)) from error

"""The only place where an error becomes an answer: a status, a code, a sentence, facts.

Every error of the public interface has one shape, ``{"error", "message", ...facts}``. The sentence follows
Accept-Language; Chinese ones stand in the catalogue under the rule's code, with the facts' names in braces.
"""

from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.seats import Seat
from broadcast.house.errors import DamagedStream, HouseUnavailable
from broadcast.tables.errors import NoSuchThing, Refusal, StaleTable
from broadcast.web.framing import EMBEDS
from broadcast.web.languages import Language, catalogue, language_of, problem_sentences
from broadcast.web.templating import page


class Problem(Exception):
    """A request that cannot be served: malformed, unauthorised, too large."""

    def __init__(self, status: int, code: str, message: str, **facts: object) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.facts = facts


SIGN_IN = "/sign-in"
"""Where people say who they are; ``?next=`` leads back."""
STATUS = {"ladder_changed": 409, "moved_on": 409, "exclusive": 409, "no_ladder_match": 404}
"""Refusals whose status is not 422, by rule."""

_HTTP = {
    404: ("not_found", "There is nothing at this address"),
    405: ("method_not_allowed", "This address does not take that method"),
}


def problem_of(error: Exception) -> Problem:
    """What the error means to the sender of a request."""
    match error:
        case Problem():
            return error
        case StaleTable():
            return Problem(409, "stale", error.message, **error.facts, missed=list(error.missed))
        case NoSuchThing():
            return Problem(404, error.rule, error.message, **error.facts)
        case Refusal():
            return Problem(STATUS.get(error.rule, 422), error.rule, error.message, **error.facts)
        case BridgeError():
            return Problem(422, error.code, error.message, **({"rule": error.rule} | error.facts))
        case HouseUnavailable():
            return Problem(503, "unavailable", str(error), rule=error.reason.value)
        case DamagedStream():
            return Problem(503, "damaged", "What is stored here is damaged: tell whoever runs this server")
        case HTTPException():
            code, message = _HTTP.get(error.status_code, ("http_error", error.detail))
            return Problem(error.status_code, code, message)
        case _:
            return Problem(500, "internal", "Something went wrong here: it has been noted")


async def answer_error(request: Request, error: Exception) -> Response:
    """The answer for programs in JSON, for people as a page."""
    problem = problem_of(error)
    language = language_of(request)
    message = translated(problem, language)
    is_for_people = not request.url.path.startswith("/api/") and "text/html" in request.headers.get(
        "accept", ""
    )
    if is_for_people and _may_sign_in(request, problem):
        query = urlencode({"next": f"{request.url.path}?{request.url.query}".rstrip("?")})
        response: Response = RedirectResponse(f"{SIGN_IN}?{query}", 303, {"cache-control": "no-store"})
    elif is_for_people:
        context = {"status": problem.status, "error": problem.code, "message": message}
        response = page(request, error_template(request), context, status=problem.status)
    else:
        response = json_problem(problem, message, language)
    if problem.status in (429, 503):
        response.headers["retry-after"] = str(problem.facts.get("retry_after", 5))
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _may_sign_in(request: Request, problem: Problem) -> bool:
    """Whether a page was asked for without saying who asks: then signing in leads to it."""
    return (
        problem.status == 401
        and request.method in ("GET", "HEAD")
        and "authorization" not in request.headers
        and request.url.path != SIGN_IN
    )


def error_template(request: Request) -> str:
    """Embeds have an error page that fits a frame."""
    return "embed/error.html" if request.url.path.startswith(EMBEDS) else "error.html"


def json_problem(problem: Problem, message: str, language: Language) -> Response:
    body: dict[str, Any] = {"error": problem.code, "message": message, **problem.facts}
    headers = {
        "content-language": language.tag,
        "vary": "accept-language",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    if problem.status == 401:
        headers["www-authenticate"] = "Bearer"
    return Response(
        msgspec.json.encode(body, enc_hook=str),
        problem.status,
        headers=headers,
        media_type="application/json",
    )


def translated(problem: Problem, language: Language) -> str:
    """The sentence in the reader's language; English where there is none for the code."""
    if language is Language.ENGLISH:
        return problem.message
    key = f"problem.{problem.facts.get('rule', problem.code)}"
    sentence = problem_sentences(language).gettext(key)
    if sentence == key:
        return problem.message
    words = catalogue(language).gettext
    shown = {
        name: words(_SEATS[str(fact)]) if str(fact) in _SEATS else str(fact)
        for name, fact in problem.facts.items()
    }
    try:
        return sentence.format(**shown)
    except (KeyError, IndexError):
        return problem.message


_SEATS = {seat.value: seat.word for seat in Seat}

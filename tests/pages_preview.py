"""Look at the pages without a match being played: ``python -m tests.pages_preview`` serves them on port 8100.

Every page is shown with invented states, and ``/matches/m7k2/events`` plays one board on and on, so that the
moving parts can be watched. For developing templates, styles and modules; the tests use the same application.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from broadcast.web.positions import board_address
from broadcast.web.static_files import static_app
from broadcast.web.templating import page, results_of
from teams.web.ladder_view import ladder_context
from teams.web.tools import calculate
from tests import sample_states as sample
from tests.sample_ladder import NOW, sample_ladder


def states(request: Request) -> dict[str, Any]:
    """The match of the page, at the moment the address asks for (``?boards=&calls=&cards=``)."""
    asked = request.query_params
    state = sample.match_state(
        int(asked.get("boards", 11)),
        int(asked.get("calls", 99)),
        int(asked.get("cards", 25)),
        "both" not in asked,
    )
    if "announced" in asked:
        state = sample.announced()
    if rule := asked.get("rule"):
        state["release"] = {"rule": rule, "seconds": 900}
    return sample.hidden(state) if results_of(request) == "hidden" else state


async def home(request: Request) -> HTMLResponse:
    state = sample.match_state()
    other = sample.summary(
        sample.match_state(6),
        id="m8",
        title="Premier league, round 3",
        release={"rule": "live", "seconds": 0},
        home={"id": "t3", "name": "Astra"},
        visitors={"id": "t4", "name": "Borek"},
    )
    upcoming = sample.summary(
        sample.match_state(0), id="m9", status="upcoming", title="Cup, quarter-final", totals=None
    )
    done = [
        sample.summary(sample.match_state(16), id=f"m{n}", title=f"Team ladder, challenge {n}")
        for n in range(3)
    ]
    ladder = sample.ladder_state()
    return page(
        request,
        "vugraph/home.html",
        {
            "live": [] if "empty" in request.query_params else [sample.summary(state), other],
            "upcoming": [] if "empty" in request.query_params else [upcoming],
            "latest": [] if "empty" in request.query_params else done,
            "ladders": [] if "empty" in request.query_params else [_top(ladder)],
        },
    )


def _top(ladder: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": ladder["id"],
        "name": ladder["name"],
        "rungs": ladder["rungs"][:5],
        "moves": sample.ladder_history()[::-1],
    }


async def matches(request: Request) -> HTMLResponse:
    rows = [sample.summary(sample.match_state()), sample.summary(sample.match_state(16), id="m2")]
    return page(request, "vugraph/matches.html", {"matches": rows, "status": None, "next": "abc"})


async def match(request: Request) -> Response:
    if standing := board_address(request.path_params["match"], request.query_params):
        return RedirectResponse(standing, 302)
    return page(request, "vugraph/match.html", {"match": states(request), "comments": sample.COMMENTS})


async def board(request: Request) -> HTMLResponse:
    asked = request.query_params
    number = int(request.path_params["board"].split(".")[1])
    return page(
        request,
        "vugraph/board.html",
        {
            "match": states(request),
            "board": sample.board_resource(number),
            "room": asked.get("room"),
            "call": int(asked["call"]) if "call" in asked else None,
            "card": int(asked["card"]) if "card" in asked else None,
            "previous": f"2.{number - 1}",
            "next": f"2.{number + 1}",
        },
    )


async def ladders(request: Request) -> HTMLResponse:
    return page(request, "teams/ladders.html", {"ladders": [_top(sample.ladder_state())]})


async def ladder(request: Request) -> HTMLResponse:
    return page(
        request,
        "teams/ladder.html",
        {
            **ladder_context(request, sample_ladder(), NOW, "1-1"),
            "problem": None,
        },
    )


async def team(request: Request) -> HTMLResponse:
    return page(
        request,
        "teams/team.html",
        {
            "team": sample.TEAM,
            "coming": [sample.summary(sample.match_state())],
            "matches": [sample.summary(sample.match_state(16))],
            "form": [],
            "versus": [],
            "may_edit": False,
            "standings": [
                {"ladder": {"id": "l1", "name": "Team ladder"}, "rung": 1, "state": "free", "challenge": None}
            ],
            "history": sample.ladder_history()[-1:],
        },
    )


async def calculator(request: Request) -> HTMLResponse:
    return page(request, "vugraph/calculator.html", {"calculation": calculate(request.query_params)})


async def missing(request: Request) -> HTMLResponse:
    return page(
        request,
        "error.html",
        {"status": 404, "error": "not_found", "message": "There is no match m404 here."},
        404,
    )


async def events(request: Request) -> Response:
    """Four more boards, played in both rooms at a pace; whoever comes back sees them again, for ever."""
    start = int(request.query_params.get("after", "1-412").split("-")[1])

    async def stream() -> AsyncIterator[str]:
        number = start
        yield "retry: 3000\n\n"
        for place in range(29, 33):
            for pair in zip(sample.feed(place, "open"), sample.feed(place, "closed"), strict=False):
                for name, data in pair:
                    number += 1
                    yield f"id: 1-{number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"
                    await asyncio.sleep(request.app.state.pace)

    return StreamingResponse(stream(), media_type="text/event-stream")


async def board_json(request: Request) -> JSONResponse:
    return JSONResponse(sample.board_resource(int(request.path_params["board"].split(".")[1])))


async def poll(request: Request) -> Response:
    return JSONResponse({"events": [], "last": request.query_params.get("after")})


def application(pace: float = 0.7) -> Starlette:
    """The pages; ``pace`` is the time between two events of the stream, in seconds."""
    made = Starlette(
        routes=[
            Route("/", home),
            Route("/matches", matches),
            Route("/matches/{match}/events", events),
            Route("/api/matches/{match}/events", poll),
            Route("/api/matches/{match}/boards/{board}", board_json),
            Route("/matches/{match}/boards/{board}", board),
            Route("/matches/{match}", match),
            Route("/ladders", ladders),
            Route("/ladders/{ladder}", ladder),
            Route("/teams/{team}", team),
            Route("/calculator", calculator),
            Mount("/static", static_app(), name="static"),
            Route("/{rest:path}", missing),
        ]
    )
    made.state.pace = pace
    return made


if __name__ == "__main__":
    uvicorn.run(application(), port=8100, log_level="warning")

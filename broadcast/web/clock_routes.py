"""Clocks for the director: thinking time of each side, and stopping a room's clock for neutral time."""

import csv
import io
import sqlite3
from collections.abc import Sequence
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Side
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.public_json import moment
from broadcast.feeds.streams import StreamKey
from broadcast.storage import event_store
from broadcast.tables.clocks import BoardTime, board_times, side_team, team_times
from broadcast.tables.commands import EnterInRoom, ResumeClock, StopClock
from broadcast.tables.errors import Refusal
from broadcast.tables.events import MatchEvent
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState
from broadcast.web.command_json import bad_field
from broadcast.web.desk_view import match_of
from broadcast.web.forms import PAGE_HEADERS, go_to, read_form
from broadcast.web.house import House
from broadcast.web.languages import language_of
from broadcast.web.problems import Problem, problem_of, translated
from broadcast.web.requests import house_of, json_answer, who_with
from broadcast.web.results_csv import safe_cell
from broadcast.web.templating import page

Json = dict[str, Any]

PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
COLUMNS = (
    "segment",
    "board",
    "room",
    "north_south",
    "east_west",
    "north_south_seconds",
    "east_west_seconds",
    "neutral_seconds",
    "began_at",
)


async def clocks_of(house: House, id: str) -> Json:
    """Seconds by board and room, totals by room and team, and the rooms whose clock stands still.

    Raises ``NoSuchThing``.
    """
    match, times = await _times(house, id)
    totals = team_times(times, match)
    return {
        "match": id,
        "title": match.created.title,
        "home": match.created.home.name,
        "visitors": match.created.visitors.name,
        "closed": match.closed is not None or match.voided is not None,
        "neutral": {room.value: match.neutral.get(room) for room in Room},
        "boards": [_board(time, match) for time in times],
        "totals": {
            room.value: {
                **{team.value: round(totals[room, team]) for team in Team},
                "neutral": round(sum(time.neutral for time in times if time.room is room)),
            }
            for room in Room
        },
    }


def _board(time: BoardTime, match: MatchState) -> Json:
    return {
        "segment": time.key.segment,
        "number": time.key.number,
        "room": time.room.value,
        "began_at": moment(time.began_at),
        "ns": round(time.thinking[Side.NS]),
        "ew": round(time.thinking[Side.EW]),
        "ns_team": side_team(match, time.key, time.room, Side.NS).value,
        "neutral": round(time.neutral),
        "in_play": match.boards[time.key].state(time.room).code == "in_play",
    }


async def clocks(request: Request) -> Response:
    """``GET /api/matches/{match}/clocks``: as JSON."""
    await who_with(request, "director")
    return json_answer(await clocks_of(house_of(request), request.path_params["match"]), headers=PRIVATE)


async def clocks_csv(request: Request) -> Response:
    """``GET /api/matches/{match}/clocks.csv``: a row for each board of each room."""
    await who_with(request, "director")
    id = request.path_params["match"]
    match, times = await _times(house_of(request), id)
    names = {Team.HOME: match.created.home.name, Team.VISITORS: match.created.visitors.name}
    written = io.StringIO()
    sheet = csv.writer(written)
    sheet.writerow(COLUMNS)
    for time in times:
        teams = [safe_cell(names[side_team(match, time.key, time.room, side)]) for side in (Side.NS, Side.EW)]
        seconds = [round(time.thinking[side]) for side in (Side.NS, Side.EW)]
        row = [time.key.segment, time.key.number, time.room.value, *teams, *seconds, round(time.neutral)]
        sheet.writerow([*row, moment(time.began_at)])
    return Response(
        written.getvalue(),
        media_type="text/csv",
        headers={**PRIVATE, "content-disposition": f'attachment; filename="{id}-clocks.csv"'},
    )


async def clocks_page(request: Request) -> Response:
    """``GET /desk/{match}/clocks``."""
    await who_with(request, "director")
    return await _page(request)


async def change_clock(request: Request) -> Response:
    """``POST /desk/{match}/clocks``: stop or resume the clock of a room, from the page's form."""
    sender = await who_with(request, "director")
    fields = await read_form(request)
    house, id = house_of(request), request.path_params["match"]
    try:
        room = _room(fields.get("room"))
        entry = StopClock(fields.get("reason", "")) if fields.get("action") == "stop" else ResumeClock()
        await house.writer.perform(StreamKey(MATCH, id), EnterInRoom(room, (entry,)), by=sender.by)
    except (Problem, Refusal, BridgeError) as error:
        return await _page(request, error)
    return go_to(request, f"/desk/{id}/clocks")


def _room(value: str | None) -> Room:
    try:
        return Room(value or "")
    except ValueError:
        raise bad_field("room", "open or closed") from None


async def _page(request: Request, error: Exception | None = None) -> Response:
    told = None if error is None else translated(problem_of(error), language_of(request))
    view = await clocks_of(house_of(request), request.path_params["match"])
    status = 200 if error is None else problem_of(error).status
    return page(request, "desk/clocks.html", {"view": view, "problem": told}, status, headers=PAGE_HEADERS)


async def _times(house: House, id: str) -> tuple[MatchState, Sequence[BoardTime]]:
    """Folded where the log is read, off the event loop; the match then knows every board of that log."""
    key, now = StreamKey(MATCH, id), house.clock.now()

    def read(connection: sqlite3.Connection) -> Sequence[BoardTime]:
        log = event_store.read(connection, key, house.match_codec)
        return board_times(cast(list[Recorded[MatchEvent]], log), now)

    times = await house.database.read(read)
    return match_of(await house.match(id), id)[1], times


def clock_routes() -> list[Route]:
    return [
        Route("/api/matches/{match}/clocks", clocks, name="clocks"),
        Route("/api/matches/{match}/clocks.csv", clocks_csv, name="clocks_csv"),
        Route("/desk/{match}/clocks", clocks_page, name="desk_clocks"),
        Route("/desk/{match}/clocks", change_clock, methods=["POST"], name="desk_change_clock"),
    ]

"""All alarms of a match for its director: blocking ones, and notices found by comparing and by analysis.

Never public. A swing or a claim that has changed since its notice was cleared is noticed again: the figure is
part of the alarm's id.
"""

import asyncio
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from broadcast.analysis.positions import agreed_claims
from broadcast.bridge.rooms import Room
from broadcast.feeds import role_views
from broadcast.feeds.match_stream import MatchStream
from broadcast.tables.alarms import Alarm, blocking_alarms, doubted, out_of_order, skipped, taken_back
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState, RoomBoard
from broadcast.web.desk_view import whole_state
from broadcast.web.house import House

Json = dict[str, Any]

BIG_SWING = 12
"""IMPs from which a swing is looked at: one board in ten of a usual match."""
ANALYSIS_SECONDS = 1.5
"""How long a page waits for analysis; what comes later is there when it is asked for again."""


class Alarms(NamedTuple):
    open: list[Json]
    """Blocking ones first, then notices, each in order of play."""
    is_analysing: bool
    """Whether claims are still being analysed: ask again."""


async def alarms_of(house: House, stream: MatchStream) -> list[Json]:
    """Every open alarm that is known by now."""
    return (await look_for_alarms(house, stream)).open


async def look_for_alarms(house: House, stream: MatchStream) -> Alarms:
    match = stream.match
    if match is None:
        return Alarms([], False)
    doubtful, is_analysing = await _doubtful_claims(house, match)
    order = {key: place for place, key in enumerate(match.boards)}
    found = (out_of_order(match), skipped(match), doubted(match), taken_back(match), doubtful)
    notices = [*_swings(stream, match), *chain.from_iterable(found)]
    notices.sort(key=lambda alarm: order[alarm.key])
    return Alarms([_json(alarm, match) for alarm in (*blocking_alarms(match), *notices)], is_analysing)


def _swings(stream: MatchStream, match: MatchState) -> Iterator[Alarm]:
    if match.created.imported:
        return
    for board in (whole_state(stream).resource() or {})["boards"]:
        imps = board.get("imps_home")
        if imps is None or abs(imps) < BIG_SWING or board.get("award") is not None:
            continue
        alarm = Alarm("swing", BoardKey(board["segment"], board["number"]), figure=f"{imps:g}")
        if alarm.id not in match.cleared:
            yield alarm


async def _doubtful_claims(house: House, match: MatchState) -> tuple[list[Alarm], bool]:
    """Claims that double-dummy analysis of the position contradicts, and whether some are still being analysed.

    What a page does not wait for goes on, and is known when it is asked for again.
    """
    analysis, doubtful = house.analysis, list[Alarm]()
    if analysis is None or match.created.imported:
        return [], False
    loop = asyncio.get_running_loop()
    ends = loop.time() + ANALYSIS_SECONDS
    for claim in agreed_claims(match):
        try:
            async with asyncio.timeout_at(ends):
                tricks = await asyncio.shield(asyncio.ensure_future(analysis.tricks(claim.position)))
        except TimeoutError:
            return doubtful, True
        alarm = Alarm("claim", claim.key, claim.room, f"{claim.tricks}-{tricks}")
        if tricks not in (None, claim.tricks) and alarm.id not in match.cleared:
            doubtful.append(alarm)
    return doubtful, False


def _json(alarm: Alarm, match: MatchState) -> Json:
    table = None if alarm.room is None else match.boards[alarm.key].rooms[alarm.room]
    return {
        "alarm": alarm.id,
        "kind": alarm.kind,
        "blocking": alarm.is_blocking,
        "segment": alarm.key.segment,
        "board": alarm.key.number,
        "room": None if alarm.room is None else alarm.room.value,
        "figure": alarm.figure,
        "words": _words(alarm, match, table),
        "taken_back": role_views.taken_back(match, alarm),
    }


def clearings_of(match: MatchState) -> list[Json]:
    """What was cleared, the newest first: the alarm as ``_json`` tells it, ``at by reason is_by_captains``, and
    whether it ``stands``: what has changed since may be an alarm again.
    """
    boards = {str(key): key for key in match.boards}
    told = []
    for made in reversed(match.clearings):
        kind, place, room, figure = [*made.alarm.split(":", 3), "", ""][:4]
        key = boards.get(place)
        if key is not None:
            alarm = Alarm(kind, key, Room(room) if room in set(Room) else None, figure or None)
            told.append(
                _json(alarm, match)
                | {
                    "at": made.at.isoformat(),
                    "by": made.by,
                    "reason": made.reason,
                    "is_by_captains": made.is_by_captains,
                    "stands": made.alarm in match.cleared,
                }
            )
    return told


def _words(alarm: Alarm, match: MatchState, table: RoomBoard | None) -> str | None:
    """What somebody said of it."""
    if table is not None and alarm.kind == "out_of_order":
        return table.out_of_order
    if table is not None and alarm.kind == "skipped":
        return table.skipped
    if table is not None and alarm.kind == "doubted":
        return table.doubt
    return match.disputes.get(alarm.key)

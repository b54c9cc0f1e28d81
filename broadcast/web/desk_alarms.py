"""All alarms of a match for its director: blocking ones, and notices found by comparing and by analysis.

Never public. A swing or a claim that has changed since its notice was cleared is noticed again: the figure is
part of the alarm's id.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from broadcast.analysis.positions import agreed_claims
from broadcast.feeds.match_stream import MatchStream
from broadcast.tables.alarms import Alarm, blocking_alarms, out_of_order
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState
from broadcast.web.desk_view import whole_state
from broadcast.web.house import House

Json = dict[str, Any]

BIG_SWING = 12
"""IMPs from which a swing is looked at: one board in ten of a usual match."""
ANALYSIS_SECONDS = 1.5
"""How long a page waits for analysis; what comes later is there when it is asked for again."""


async def alarms_of(house: House, stream: MatchStream) -> list[Json]:
    """Every open alarm: blocking ones first, then notices, each in order of play."""
    match = stream.match
    if match is None:
        return []
    notices = [*_swings(stream, match), *out_of_order(match)]
    notices += [alarm async for alarm in _doubtful_claims(house, match)]
    order = {key: place for place, key in enumerate(match.boards)}
    notices.sort(key=lambda alarm: order[alarm.key])
    return [_json(alarm, match) for alarm in (*blocking_alarms(match), *notices)]


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


async def _doubtful_claims(house: House, match: MatchState) -> AsyncIterator[Alarm]:
    """Claims that double-dummy analysis of the position contradicts, as far as it is known in good time."""
    analysis = house.analysis
    if analysis is None or match.created.imported:
        return
    loop = asyncio.get_running_loop()
    ends = loop.time() + ANALYSIS_SECONDS
    for claim in agreed_claims(match):
        try:
            async with asyncio.timeout_at(ends):
                tricks = await asyncio.shield(asyncio.ensure_future(analysis.tricks(claim.position)))
        except TimeoutError:
            return
        alarm = Alarm("claim", claim.key, claim.room, f"{claim.tricks}-{tricks}")
        if tricks not in (None, claim.tricks) and alarm.id not in match.cleared:
            yield alarm


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
        "words": table.out_of_order
        if alarm.kind == "out_of_order" and table is not None
        else match.disputes.get(alarm.key),
    }

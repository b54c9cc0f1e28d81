"""Whether the server is well: ``/health`` for a proxy or a supervisor, ``/metrics`` for Prometheus.

Anybody may ask whether it lives and takes commands. What is more, counts of commits among it, could tell that
something was entered which is not released yet: so figures are for directors' tokens and the local socket.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from prometheus_client.core import Metric
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.house.disk import free_bytes
from broadcast.house.errors import Unavailable
from broadcast.web.house import House
from broadcast.web.local import LOCAL
from broadcast.web.metrics import CONTENT_TYPE, counter, gauge
from broadcast.web.requests import house_of, json_answer, who_with

NOT_KEPT = {"cache-control": "no-store"}


async def health(request: Request) -> Response:
    """``GET /health``: 200 while commands are taken, 503 with the ``reason`` while nothing can be stored."""
    house = house_of(request)
    reason = Unavailable.STOPPING if house.publishing.hub.is_closed else house.writer.failure
    body: dict[str, Any] = {"live": True, "ready": reason is None}
    if reason is not None:
        body["reason"] = reason.value
    if request.scope.get(LOCAL) or "authorization" in request.headers:
        await who_with(request, "director")
        body |= figures(house)
    return json_answer(body, 200 if reason is None else 503, NOT_KEPT)


def figures(house: House) -> dict[str, Any]:
    """What an operator of the server wants to know at a glance; sizes in bytes, times in seconds."""
    return {
        "epoch": house.publishing.epoch,
        "viewers": house.publishing.hub.viewers,
        "write_ahead_bytes": house.database.write_ahead_bytes(),
        "free_bytes": free_bytes(house.database.path),
        "clock_ahead_seconds": clock_ahead(house),
        "waiting_commands": house.writer.waiting,
        "release_lag_seconds": release_lag(house),
        "damaged": sorted(str(key) for key in house.writer.damaged),
        "relay": None
        if house.relay is None
        else {"connected": house.relay.is_connected, "behind": house.relay.behind},
    }


def release_lag(house: House) -> float:
    """For how long something has been due that is not public yet; 0 when nothing is."""
    due = house.writer.next_due
    return 0.0 if due is None else max(0.0, (house.clock.now() - due).total_seconds())


def clock_ahead(house: House) -> float:
    """How far house time is ahead of the machine's clock: it was set back since something was recorded."""
    return max(0.0, round((house.clock.now() - datetime.now(UTC)).total_seconds(), 1))


async def metrics(request: Request) -> Response:
    """``GET /metrics``: for a director's token, which Prometheus can send, and the local socket."""
    await who_with(request, "director")
    return Response(house_of(request).meters.text(), headers=NOT_KEPT, media_type=CONTENT_TYPE)


def house_figures(house: House) -> Iterator[Metric]:
    """The writer's figures."""
    yield gauge("twinroom_epoch", "Epoch of every public event's id", house.publishing.epoch)
    yield gauge(
        "twinroom_open_streams", "Matches and ladders that may still change", len(house.writer.open_streams)
    )
    yield gauge("twinroom_write_ahead_bytes", "Size of the write-ahead log", house.database.write_ahead_bytes())
    yield gauge("twinroom_free_bytes", "Space left where the database is", free_bytes(house.database.path))
    yield gauge("twinroom_clock_ahead_seconds", "How far house time is ahead of the clock", clock_ahead(house))
    yield gauge("twinroom_waiting_commands", "Commands waiting for their turn", house.writer.waiting)
    yield gauge("twinroom_release_lag_seconds", "For how long something has been due", release_lag(house))
    yield counter("twinroom_public_events", "Events appended to public feeds", house.meters.published)
    if house.relay is not None:
        yield gauge("twinroom_relay_connected", "Whether Redis answers", float(house.relay.is_connected))
        yield gauge("twinroom_relay_behind", "Streams not yet up to date in Redis", house.relay.behind)


def health_routes() -> list[Route]:
    return [Route("/health", health, name="health"), Route("/metrics", metrics, name="metrics")]

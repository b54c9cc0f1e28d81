"""An edge: a node that only shows. Matches, boards, ladders and their streams, out of Redis and its own memory.

It answers with the same bytes as the house and needs no database and no secrets. What it does not have, it
sends to the house's public address: other pages, commands, and matches that are no longer in Redis.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import msgspec
from prometheus_client import Histogram
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from broadcast.bridge.rooms import Room
from broadcast.edges.connection import connect
from broadcast.edges.fold import Json, without_tables
from broadcast.edges.followed import Followed
from broadcast.edges.node import TIMEOUT_SECONDS, Node, Unreachable
from broadcast.feeds.hub import Hub
from broadcast.feeds.match_stream import MATCH
from broadcast.feeds.polling import poll
from broadcast.feeds.publishing import Encoding
from broadcast.feeds.streams import StreamKey
from broadcast.house.settings import Settings
from broadcast.web.application import Application
from broadcast.web.embeds import embed_files, embed_page, match_context
from broadcast.web.health import NOT_KEPT
from broadcast.web.limits import ViewerLimits
from broadcast.web.match_routes import is_hidden
from broadcast.web.metrics import CONTENT_TYPE, SECONDS, Meters, gauge, hub_figures
from broadcast.web.pages import position
from broadcast.web.problems import Problem
from broadcast.web.requests import json_answer
from broadcast.web.sse import StreamResponse, requested_cursor
from broadcast.web.static_files import static_app
from broadcast.web.templating import page

LADDER = "ladder"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


class Edge:
    """One edge: its application, and how its open streams are ended."""

    def __init__(self, settings: Settings) -> None:
        """Raises ``ValueError`` where the address of Redis is none."""
        self.settings = settings
        self.hub: Hub | None = None
        self._redis = connect(settings.redis or "", TIMEOUT_SECONDS)
        limits = ViewerLimits(settings.viewers, settings.viewers_per_address)
        self.app = Application(edge_routes(), self._lifespan, limits, stream, settings.framed_by)

    def end_streams(self) -> None:
        """Send every viewer away in order; they come back to another edge."""
        if self.hub is not None:
            self.hub.close()

    def opened(self) -> AbstractAsyncContextManager[None]:
        return self._lifespan(self.app.routed)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.hub = hub = Hub()
        meters = Meters()
        arrival = Histogram(
            "twinroom_edge_arrival_seconds",
            "From the release of an event to its being in the streams of this edge",
            registry=meters.registry,
            buckets=SECONDS,
        )
        node = Node(self._redis, hub, lambda seconds: arrival.observe(max(0.0, seconds)))
        meters.read(lambda: hub_figures(hub, self.app.limits))
        meters.read(lambda: [gauge("twinroom_edge_streams", "Matches and ladders followed", node.followed)])
        meters.read(
            lambda: [gauge("twinroom_edge_connected", "Whether Redis answers", float(node.is_connected))]
        )
        app.state.node, app.state.meters = node, meters
        app.state.origin = None if self.settings.origin is None else self.settings.origin.rstrip("/")
        try:
            yield
        finally:
            hub.close()
            await node.close()


# --- what it has --------------------------------------------------------------------------------------------


async def stream(request: Request) -> Response:
    """``GET /{matches|ladders}/{id}/events``, of a match also ``/open`` and ``/closed``."""
    room = request.path_params.get("room")
    key = StreamKey(request.path_params["kind"], request.path_params["id"])
    encoding = Encoding(is_hidden(request), Room(room) if room else None)
    node = node_of(request)
    try:
        channel = await node.channel(key, encoding)
    except Unreachable as error:
        raise away() from error
    if channel is None:
        return elsewhere(request)
    return StreamResponse(channel, requested_cursor(request.scope), node.snapshots(key, encoding))


async def events(request: Request, kind: str) -> Response:
    """``GET /api/{matches|ladders}/{id}/events``: polling by cursor. A token's stream is the house's."""
    if "authorization" in request.headers:
        return elsewhere(request)
    try:
        key = StreamKey(kind, request.path_params["id"])
        channel = await node_of(request).channel(key, Encoding(is_hidden(request)))
    except Unreachable as error:
        raise away() from error
    if channel is None:
        return elsewhere(request)
    return json_answer(msgspec.json.encode(poll(channel, requested_cursor(request.scope))))


async def match_json(request: Request) -> Response:
    """``GET /api/matches/{match}``."""
    found = await followed(request, MATCH)
    return elsewhere(request) if found is None else json_answer(resource(found, is_hidden(request)))


async def ladder_json(request: Request) -> Response:
    """``GET /api/ladders/{ladder}``."""
    found = await followed(request, LADDER)
    return elsewhere(request) if found is None else json_answer(found.encoded(hidden=is_hidden(request)))


async def board_json(request: Request) -> Response:
    """``GET /api/matches/{match}/boards/{segment}.{board}``."""
    found = await followed(request, MATCH)
    key = None if found is None else board_key(found.whole, request.path_params["board"])
    board = None if found is None or key is None else await read_board(request, found, key)
    return elsewhere(request) if board is None else json_answer(board)


async def match_page(request: Request) -> Response:
    """``GET /matches/{match}``."""
    found = await followed(request, MATCH)
    if found is None:
        return elsewhere(request)
    context = {"match": found.state(hidden=is_hidden(request)), "comments": found.comments}
    return page(request, "vugraph/match.html", context)


async def board_page(request: Request) -> Response:
    """``GET /matches/{match}/boards/{segment}.{board}``; a plain number is sent on like in the house."""
    found = await followed(request, MATCH)
    asked = request.path_params["board"]
    key = None if found is None else board_key(found.whole, asked)
    if found is None or key is None:
        return elsewhere(request)
    if key != asked:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/matches/{found.key.id}/boards/{key}{query}", 308)
    board = await read_board(request, found, key)
    if board is None:
        return elsewhere(request)
    keys = board_keys(found.whole)
    place = keys.index(key)
    room = request.query_params.get("room")
    context = {
        "match": resource(found, is_hidden(request)),
        "board": msgspec.json.decode(board),
        "room": room if room in ("open", "closed") else None,
        "call": position(request, "call"),
        "card": position(request, "card"),
        "previous": keys[place - 1] if place else None,
        "next": keys[place + 1] if place + 1 < len(keys) else None,
    }
    return page(request, "vugraph/board.html", context)


async def match_embed(request: Request) -> Response:
    """``GET /embed/matches/{match}``."""
    found = await followed(request, MATCH)
    if found is None:
        return elsewhere(request)
    snapshot = found.state(hidden=is_hidden(request))
    return embed_page(request, "match.html", match_context(snapshot, request.query_params.get("show", "")))


async def health(request: Request) -> Response:
    """``GET /health``: an edge is ready while it serves, also while Redis is away."""
    node = node_of(request)
    body = {"live": True, "ready": True, "redis": node.is_connected, "streams": node.followed}
    return json_answer(body, 200, NOT_KEPT)


async def metrics(request: Request) -> Response:
    """``GET /metrics``: an edge knows nothing that is not public."""
    return Response(request.app.state.meters.text(), headers=NOT_KEPT, media_type=CONTENT_TYPE)


# --- how it finds it ----------------------------------------------------------------------------------------


def node_of(request: Request) -> Node:
    node: Node = request.app.state.node
    return node


async def followed(request: Request, kind: str) -> Followed | None:
    """The stream, ``None`` where Redis has none. Raises ``Problem`` 503."""
    try:
        return await node_of(request).follow(StreamKey(kind, request.path_params["id"]))
    except Unreachable as error:
        raise away() from error


def away() -> Problem:
    return Problem(503, "unavailable", "This node has lost its source: try again in a moment")


def elsewhere(request: Request) -> Response:
    """On to the house, with the same path and query. Raises ``Problem`` 404 where its address is not known."""
    origin = request.app.state.origin
    if origin is None:
        raise Problem(404, "not_here", "This node shows matches and ladders that are live, and no other pages")
    query = f"?{request.url.query}" if request.url.query else ""
    headers = {"cache-control": "no-store", "access-control-allow-origin": "*"}
    return RedirectResponse(f"{origin}{request.url.path}{query}", 307, headers)


async def onward(request: Request) -> Response:
    """Everything else is the house's."""
    return elsewhere(request)


def resource(followed: Followed, hidden: bool) -> Json:
    """The match as JSON has it: its state without what lies on the tables."""
    return without_tables(followed.state(hidden=hidden), hidden=hidden)


def board_keys(snapshot: Json) -> list[str]:
    """``segment.number`` of every board, in order."""
    return [f"{board['segment']}.{board['number']}" for board in snapshot["boards"]]


def board_key(snapshot: Json, asked: str) -> str | None:
    """``2.17``, or a plain number where it is unique; ``None`` where there is no such board."""
    keys = board_keys(snapshot)
    if asked in keys:
        return asked
    numbered = [key for key in keys if key.rpartition(".")[2] == asked]
    return numbered[0] if len(numbered) == 1 else None


async def read_board(request: Request, followed: Followed, key: str) -> bytes | None:
    """Everything public of a board. Raises ``Problem`` 503."""
    try:
        return await node_of(request).board(followed.key, key)
    except Unreachable as error:
        raise away() from error


def edge_routes() -> list[Route | Mount]:
    """What an edge serves, and a last route for everything else."""
    polled: list[Any] = [
        Route(f"/api/{kinds}/{{id}}/events", partial(events, kind=kind))
        for kinds, kind in (("matches", MATCH), ("ladders", LADDER))
    ]
    return [
        *polled,
        Route("/api/matches/{id}/boards/{board}", board_json),
        Route("/api/matches/{id}", match_json),
        Route("/api/ladders/{id}", ladder_json),
        Route("/matches/{id}/boards/{board}", board_page),
        Route("/matches/{id}", match_page),
        *embed_files(),
        Route("/embed/matches/{id}", match_embed),
        Route("/health", health),
        Route("/metrics", metrics),
        Mount("/static", app=static_app(), name="static"),
        Route("/{path:path}", onward, methods=METHODS),
    ]

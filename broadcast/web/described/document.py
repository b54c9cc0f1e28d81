"""The two documents: ``/openapi.json`` for the JSON, ``/api/events.json`` for the streams."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web.described.match_events import MATCH_EVENTS, Described
from broadcast.web.described.match_schemas import MATCH_SCHEMAS
from broadcast.web.described.operations import MATCH_PATHS, Operation, Paths, path_parameters
from broadcast.web.described.shapes import Schema
from broadcast.web.requests import json_answer

VERSION = "1.0"
"""Of the interface: the first figure changes when something is taken away, the second when something is new."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a package describes of the interface."""

    schemas: Mapping[str, Schema] = field(default_factory=dict)
    paths: Paths = field(default_factory=dict)
    events: Mapping[str, Mapping[str, Described]] = field(default_factory=dict)
    """Events by the address of their stream."""


MATCHES = Chapter(MATCH_SCHEMAS, MATCH_PATHS, {"/matches/{match}/events": MATCH_EVENTS})


def openapi(*chapters: Chapter) -> dict[str, Any]:
    """The JSON as OpenAPI 3.1."""
    paths = {path: operations for chapter in chapters for path, operations in chapter.paths.items()}
    documents: Paths = {
        "/openapi.json": {"get": _document("This document")},
        "/api/events.json": {"get": _document("The events of the streams")},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Twinroom",
            "version": VERSION,
            "description": (
                "Contract-bridge team matches, both rooms. Public data is free to read from any site, without "
                "cookies or keys; ask again with If-None-Match. Streams: GET /matches/{match}/events and "
                "/ladders/{ladder}/events (text/event-stream), described in /api/events.json."
            ),
        },
        "security": [{"token": []}],
        "paths": {
            path: _with_parameters(path, operations)
            for path, operations in sorted({**paths, **documents}.items())
        },
        "components": {
            "schemas": _schemas(chapters),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def events(*chapters: Chapter) -> dict[str, Any]:
    """The events of every stream: what they mean, the schema of their data, and who gets them."""
    streams = [
        {
            "address": address,
            "media_type": "text/event-stream",
            "resume": "Last-Event-ID, or ?after=",
            "polling": f"/api{address}",
            "events": {
                name: {
                    "description": each.about,
                    "id": each.has_id,
                    "results_hidden": each.in_hidden,
                    "data": each.data,
                }
                for name, each in described.items()
            },
        }
        for chapter in chapters
        for address, described in chapter.events.items()
    ]
    return {"version": VERSION, "streams": streams, "components": {"schemas": _schemas(chapters)}}


def _schemas(chapters: tuple[Chapter, ...]) -> dict[str, Schema]:
    return {name: schema for chapter in chapters for name, schema in chapter.schemas.items()}


def _document(summary: str) -> Operation:
    content = {"application/json": {"schema": {"type": "object"}}}
    responses = {"200": {"description": "the document", "content": content}}
    return {"summary": summary, "tags": ["public"], "security": [], "responses": responses}


def _with_parameters(path: str, operations: Mapping[str, Operation]) -> dict[str, Any]:
    """The operations of an address; those of matches poll a stream by GET and are tagged as such."""
    found = [*path_parameters(path)]
    return {**({"parameters": found} if found else {}), **operations}


def described_routes(*chapters: Chapter) -> list[Route]:
    """Both documents. They say the same as long as the server runs."""
    encoder = msgspec.json.Encoder(enc_hook=str)
    whole, streams = encoder.encode(openapi(*chapters)), encoder.encode(events(*chapters))

    async def openapi_json(request: Request) -> Response:
        return json_answer(whole)

    async def events_json(request: Request) -> Response:
        return json_answer(streams)

    return [
        Route("/openapi.json", openapi_json, name="openapi"),
        Route("/api/events.json", events_json, name="events_json"),
    ]

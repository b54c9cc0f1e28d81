"""Reading requests: who sends them, their JSON bodies, their idempotency keys. Limits are constants here."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from broadcast.bridge.rooms import Room
from broadcast.storage.answers import Once
from broadcast.web import operator_sessions
from broadcast.web.authority import COMMAND_LINE, SIGNED_IN, Who
from broadcast.web.house import House
from broadcast.web.local import LOCAL
from broadcast.web.own_site import SAFE, check_own_site
from broadcast.web.problems import Problem

MAX_BODY = 2 * 1024 * 1024
"""Largest JSON body, in bytes."""
MAX_KEY = 200
"""Longest idempotency key, in characters."""


def house_of(request: Request) -> House:
    """What the application works with."""
    house: House = request.app.state.house
    return house


async def who(request: Request) -> Who:
    """The sender: by bearer token, or where none is sent by cookie, an operator's in the room or an account's.

    Raises ``Problem`` 401 without either, 403 for a change by cookie that another site's page sends.
    """
    if request.scope.get(LOCAL):
        return COMMAND_LINE
    house = house_of(request)
    authorization = request.headers.get("authorization")
    if authorization is None:
        return await _by_cookie(house, request)
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise _nobody()
    sender = await house.authority.who(token.strip(), house.clock.now())
    if sender is None:
        raise Problem(401, "bad_token", "This token is unknown, expired or revoked: ask for a new one")
    return sender


async def _by_cookie(house: House, request: Request) -> Who:
    """The operator, whose cookie is the room's own; else the account that is signed in."""
    account = signed_in(request)
    try:
        operator = await operator_sessions.sender(house, request)
    except Problem as problem:
        if account is None or problem.status != 401:
            raise
        operator = None
    if operator is not None:
        return operator
    if account is None:
        raise _nobody()
    if request.method not in SAFE:
        check_own_site(request, house.origin)
    return account


def signed_in(request: Request) -> Who | None:
    """The account that the request's cookie signs in. For what a page shows; ``who`` is for what one may do."""
    account = request.scope.get(SIGNED_IN)
    return account if isinstance(account, Who) else None


def _nobody() -> Problem:
    return Problem(401, "no_token", "Sign in, or send a bearer token: Authorization: Bearer ...")


async def who_with(request: Request, *roles: str) -> Who:
    """The sender, who needs one of the roles. Raises ``Problem`` 401 or 403."""
    sender = await who(request)
    if not sender.roles.intersection(roles):
        raise Problem(403, "not_allowed", f"This is for: {', '.join(roles)}", roles=list(roles))
    return sender


async def read_json(request: Request, most: int = MAX_BODY) -> dict[str, Any]:
    """The JSON object in the body, of at most so many bytes. Raises ``Problem`` 415, 413 or 400."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise wrong_content_type("application/json")
    body = await read_body(request, most)
    try:
        value = msgspec.json.decode(body or b"null")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, "bad_json", f"The body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Problem(400, "bad_json", "The body must be a JSON object")
    return value


def wrong_content_type(wanted: str) -> Problem:
    return Problem(415, "wrong_content_type", f"Send the body as Content-Type: {wanted}", wanted=wanted)


async def read_body(request: Request, most: int) -> bytes:
    """The body, at most so many bytes. Raises ``Problem`` 413, or 400 where its sender has gone."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared[:12]) > most:
        raise _too_large(most)
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > most:
                raise _too_large(most)
            chunks.append(chunk)
    except ClientDisconnect as gone:  # nobody reads this answer, and the log is not theirs to fill
        raise Problem(400, "broken_off", "The request broke off before its end: send it again") from gone
    return b"".join(chunks)


def _too_large(most: int) -> Problem:
    return Problem(413, "too_large", f"The body may have at most {most} bytes", most=most)


def once(request: Request, body: Mapping[str, Any], scope: Any = None) -> Once:
    """The idempotency key with what is asked. Raises ``Problem`` 400 without a key."""
    key = request.headers.get("idempotency-key", "").strip()
    if not key or len(key) > MAX_KEY:
        raise Problem(
            400,
            "key_needed",
            f"Send an Idempotency-Key header of 1 to {MAX_KEY} characters, new for every command",
            most=MAX_KEY,
        )
    asked = request.url.path.encode() + b"\n" + msgspec.json.encode(body, order="deterministic")
    return Once(key, hashlib.sha256(asked).digest(), scope)


def room_of(request: Request) -> Room:
    """The room in the address. Raises ``Problem`` 404."""
    try:
        return Room(request.path_params["room"])
    except ValueError:
        raise Problem(404, "no_such_room", "A match has the rooms open and closed") from None


def json_answer(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON, not to be guessed at and not kept by caches unless the caller says so."""
    encoded = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Response(
        encoded,
        status,
        {"x-content-type-options": "nosniff", "cache-control": "no-cache", **(headers or {})},
        "application/json",
    )

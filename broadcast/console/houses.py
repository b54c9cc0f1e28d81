"""How a command reaches the house: through the running server's local socket, or by opening the house itself.

Either way the command speaks HTTP to the same application, so that there is one way to do a thing.
"""

import contextlib
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import click
import httpx
from starlette.types import ASGIApp

from broadcast.house.errors import HouseError
from broadcast.house.settings import Settings
from broadcast.storage.database import DAMAGED
from broadcast.storage.migrations import ForeignDatabase
from broadcast.web.local import marked_local, reachable

TIMEOUT = httpx.Timeout(120.0)
"""Seconds; a large import is one transaction."""
NOT_OPENED = (HouseError, ForeignDatabase, OSError, sqlite3.Error)
"""Why a house cannot be opened, for reasons that whoever starts it can mend."""


class Served(Protocol):
    """A house that can be opened: its application, and how its streams are ended."""

    @property
    def app(self) -> ASGIApp: ...

    def opened(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Open the house without listening anywhere."""

    def end_streams(self) -> None: ...


class Assemble(Protocol):
    def __call__(self, settings: Settings) -> Served: ...


@asynccontextmanager
async def local_house(
    settings: Settings, assemble: Assemble, *, may_begin: bool = False
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the house in the data directory, whether it is being served or not.

    Only with ``may_begin`` is a directory without a house made into a new one: a mistyped ``--data`` is told.
    """
    if is_served(settings.socket):
        with reachable(settings.socket) as name:
            transport: httpx.AsyncBaseTransport = httpx.AsyncHTTPTransport(uds=name)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://local", timeout=TIMEOUT
            ) as client:
                yield client
        return
    if not may_begin and not settings.database.exists():
        raise click.ClickException(
            f"there is no house in {settings.data}: give its directory with --data, or begin one there by "
            "serving it, importing a match or adding a user"
        )
    served = assemble(settings)
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(served.opened())
        except NOT_OPENED as error:
            raise not_opened(settings, error) from error
        transport = httpx.ASGITransport(app=marked_local(served.app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://local", timeout=TIMEOUT) as client:
            yield client


def not_opened(settings: Settings, error: Exception) -> click.ClickException:
    """What to say when the house in the data directory cannot be opened."""
    about = f"{settings.database}: " if isinstance(error, sqlite3.Error) else ""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
        about = f"{settings.database} is {DAMAGED}: "
    return click.ClickException(f"{about}{error}")


def is_served(path: Path) -> bool:
    """Whether somebody answers at the local socket."""
    if not path.exists():
        return False
    with (
        contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe,
        reachable(path) as name,
    ):
        return probe.connect_ex(name) == 0


def checked(response: httpx.Response) -> Any:
    """The JSON of a good answer; a refusal ends the command with its message and status 1."""
    if response.is_success:
        return response.json()
    raise click.ClickException(refusal(response))


def refusal(response: httpx.Response) -> str:
    try:
        return str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        return f"the server answered {response.status_code}"

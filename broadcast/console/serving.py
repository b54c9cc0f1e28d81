"""Serving: one process, one house, until it is told to stop."""

import errno
import logging
import os
import resource
import socket
from collections.abc import Callable
from dataclasses import replace

import click
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.console.houses import NOT_OPENED, Assemble, not_opened
from broadcast.console.logs import set_up
from broadcast.house.settings import Settings
from broadcast.web.connections import BoundedProtocol
from broadcast.web.serving import StreamServer, listen

MOST_FILES = 100_000
"""Open files a server asks for at most: one for each viewer and some to spare."""
KEPT_FILES = 200
"""Open files that viewers may not take: for pages, commands, the database."""
FEW = 5_000
"""Places for viewers; fewer are worth a warning."""
LOG = logging.getLogger(__name__)


def serve(assemble: Assemble, settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C. Says where on standard error; exits 1 when it cannot."""
    try:
        listener = listen(settings.host, settings.port)
    except OSError as error:
        raise cannot_listen(settings, error) from error
    listen_on(assemble, replace(settings, port=listener.getsockname()[1]), listener)


def cannot_listen(settings: Settings, error: OSError) -> click.ClickException:
    """What to say when the address cannot be had; the reason in the system's words, without Python's."""
    reason = error.strerror if error.errno is None or error.errno < 0 else os.strerror(error.errno)
    hint = (
        "choose another --port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "choose another --host"
    )
    return click.ClickException(f"cannot listen on {settings.host}:{settings.port} ({reason}): {hint}")


def listen_on(
    assemble: Assemble,
    settings: Settings,
    listener: socket.socket,
    on_started: Callable[[], None] = lambda: None,
    about: str | None = None,
) -> None:
    """Serve on a socket that listens already; ``on_started`` is told when requests are answered.

    ``about`` is said of it at the start; by default the public address and where the data is.
    """
    set_up(settings.log)
    files = raise_file_limit()
    asked, settings = settings.viewers, replace(settings, viewers=places(files, settings.viewers))
    served = assemble(settings)
    failures: list[Exception] = []
    config = uvicorn.Config(
        _telling(served.app, failures),
        http=BoundedProtocol,
        loop="uvloop",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(settings.proxies),
        timeout_keep_alive=30,
        limit_concurrency=files - KEPT_FILES // 2,
    )

    def started() -> None:
        say(settings, about or f"{settings.public_origin}  (data in {settings.data})", files, asked)
        on_started()

    try:
        StreamServer(config, served.end_streams, started).run(sockets=[listener])
    except SystemExit as end:
        if failures:
            raise not_opened(settings, failures[0]) from failures[0]
        raise click.exceptions.Exit(1) from end


def _telling(app: ASGIApp, failures: list[Exception]) -> ASGIApp:
    """``app``, except that why it cannot be opened goes to ``failures`` and not, as a traceback, to the log."""

    async def telling(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        failed: list[Message] = []

        async def held_back(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                failed.append(message)
            else:
                await send(message)

        try:
            await app(scope, receive, held_back)
        except NOT_OPENED as error:
            failures.append(error)
            failed = [{"type": message["type"], "message": ""} for message in failed]
            raise
        finally:
            for message in failed:
                await send(message)

    return telling


def say(settings: Settings, about: str, files: int, asked: int | None) -> None:
    """What is served where, and for how many; a warning where open files are too few for a good evening."""
    if settings.log == "json":
        LOG.info("Serving %s with places for %s viewers", about, settings.viewers)
    else:
        click.echo(f"Twinroom: {about}, places for {settings.viewers} viewers", err=True)
    if files - KEPT_FILES < (FEW if asked is None else asked):
        LOG.warning("Open files are limited to %d, so places to %s: raise `ulimit -n`", files, settings.viewers)


def raise_file_limit() -> int:
    """Allow as many open files as the system lets this process have, one for each viewer; their number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, max(soft, MOST_FILES))
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return files


def places(files: int, asked: int | None) -> int:
    """How many viewers are served at once: as many as asked for, as far as the open files go."""
    room = max(1, files - KEPT_FILES)
    return room if asked is None else min(asked, room)

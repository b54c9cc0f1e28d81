"""Serving: one process, one house, until it is told to stop."""

import logging
import resource
import socket
from collections.abc import Callable
from dataclasses import replace

import click
import uvicorn

from broadcast.console.houses import Assemble
from broadcast.house.errors import HouseError
from broadcast.house.settings import Settings
from broadcast.web.serving import StreamServer, listen

WANTED_FILES = 20_000
"""Open files a server asks for: one for each viewer and some to spare."""


def serve(assemble: Assemble, settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C. Says where on standard error; exits 1 when it cannot."""
    try:
        listener = listen(settings.host, settings.port)
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on {settings.host}:{settings.port} ({error.strerror}): choose another --port"
        ) from error
    listen_on(assemble, replace(settings, port=listener.getsockname()[1]), listener)


def listen_on(
    assemble: Assemble,
    settings: Settings,
    listener: socket.socket,
    on_started: Callable[[], None] = lambda: None,
) -> None:
    """Serve on a socket that listens already; ``on_started`` is told when requests are answered."""
    raise_file_limit()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    served = assemble(settings)
    config = uvicorn.Config(
        served.app,
        http="httptools",
        loop="uvloop",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=32 * 1024,
    )
    click.echo(f"Twinroom: {settings.public_origin}  (data in {settings.data})", err=True)
    try:
        StreamServer(config, served.end_streams, on_started).run(sockets=[listener])
    except HouseError as error:
        raise click.ClickException(str(error)) from error


def raise_file_limit() -> None:
    """Allow as many connections as the system lets this process have, and say so where that is few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, max(soft, WANTED_FILES))
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if wanted < WANTED_FILES:
        click.echo(f"Open files are limited to {wanted}: about {wanted - 100} viewers at once", err=True)

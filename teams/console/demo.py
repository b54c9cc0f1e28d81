"""``server.py demo``: a seeded club with a live match, in a directory that goes when it ends."""

import asyncio
import contextlib
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import click

from broadcast.console.houses import Assemble, local_house
from broadcast.console.options import serving_options, settings
from broadcast.console.serving import cannot_listen, listen_on
from broadcast.house.settings import Settings
from broadcast.web.serving import listen
from teams.demo.evening import Evening


def add_demo(server: click.Group, assemble: Assemble) -> None:
    @server.command(short_help="Serve a seeded club whose programs play a live match.")
    @serving_options
    def demo(data: Path | None, host: str | None, port: int | None, origin: str | None) -> None:
        """Serve a seeded club: a live match, a ladder with open challenges, finished matches.

        Its data is in a temporary directory and thrown away at the end, unless --data names an empty directory
        to keep it in.
        """
        with contextlib.ExitStack() as stack:
            kept = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="twinroom-")))
            chosen = settings(kept, host, port, origin)
            if chosen.database.exists():
                raise click.ClickException(f"{kept} holds a club already: choose an empty directory")
            try:
                listener = listen(chosen.host, chosen.port)
            except OSError as error:
                raise cannot_listen(chosen, error) from error
            chosen = replace(chosen, port=listener.getsockname()[1])
            players = threading.Thread(target=_play, args=(assemble, chosen), name="players", daemon=True)
            listen_on(assemble, chosen, listener, on_started=players.start)


def _play(assemble: Assemble, chosen: Settings) -> None:
    """The programs, beside the server, until it stops."""
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_evening(assemble, chosen))


async def _evening(assemble: Assemble, chosen: Settings) -> None:
    async with local_house(chosen, assemble) as client:
        await Evening(client).run()

"""``server.py edge``: a node that only shows what the house has released, fed by Redis."""

from dataclasses import replace

import click

from broadcast.console.options import node_options, settings
from broadcast.console.serving import cannot_listen, listen_on
from broadcast.web.edge import Edge
from broadcast.web.serving import listen


def add_edge(server: click.Group) -> None:
    @server.command(short_help="Show matches and ladders out of Redis; change nothing.")
    @node_options
    @click.option("--origin", help="Public address of the house, for whatever an edge does not have.")
    @click.option("--port", type=click.IntRange(0, 65535), help="Port (default 8000; 0 takes a free one).")
    @click.option("--host", help="Address to listen on (default 127.0.0.1).")
    def edge(
        host: str | None, port: int | None, origin: str | None, redis: str | None, log: str | None
    ) -> None:
        """Serve matches, ladders and their streams to spectators, out of Redis; change nothing.

        Any number of edges may run, on any machine; none holds a database or a secret.
        """
        chosen = settings(host=host, port=port, origin=origin, redis=redis, log=log)
        if not chosen.redis:
            raise click.UsageError("an edge needs --redis URL (or TWINROOM_REDIS)")
        try:
            listener = listen(chosen.host, chosen.port)
        except OSError as error:
            raise cannot_listen(chosen, error) from error
        chosen = replace(chosen, port=listener.getsockname()[1])
        listen_on(Edge, chosen, listener, about=f"{chosen.address}  (an edge of {chosen.origin or 'a house'})")

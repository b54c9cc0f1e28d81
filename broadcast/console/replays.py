"""``server.py replay``: a recorded match broadcast as if it were being played."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click
import httpx

from broadcast.bridge.errors import BridgeError
from broadcast.bridge.scoring import PenaltyScale
from broadcast.console.houses import TIMEOUT, Assemble, checked, is_served, local_house
from broadcast.console.options import imp_scale_option, penalty_scale_option, serving_options, settings
from broadcast.console.serving import cannot_listen, listen_on
from broadcast.house.settings import Settings
from broadcast.imports.fitting import MisfitRecord, fitted
from broadcast.imports.plan import MatchPlan, plan_match
from broadcast.imports.readers import read_record
from broadcast.imports.replay import Replay, ReplayFailed, send
from broadcast.imports.wire import match_json
from broadcast.tables.setup import Release, ReleaseRule
from broadcast.web.serving import listen


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for."""

    plans: tuple[MatchPlan, ...]
    speed: float | None
    match: str | None
    server: str | None
    token: str | None


def add_replay(server: click.Group, assemble: Assemble) -> None:
    @server.command(short_help="Broadcast the recorded match in FILE as if live.")
    @click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
    @click.option(
        "--speed",
        type=click.FloatRange(min=0, min_open=True),
        default=1.0,
        show_default=True,
        help="How many times as fast as a match at the table.",
    )
    @click.option("--instant", is_flag=True, help="As fast as the server takes it.")
    @click.option("--match", "match_id", help="Enter the record into this match instead of a new one.")
    @click.option("--server", "address", help="Address of a running server; without it, serve here.")
    @click.option("--token", help="Bearer token of a director, for --server.")
    @imp_scale_option
    @penalty_scale_option
    @serving_options
    def replay_command(
        file: Path,
        speed: float,
        instant: bool,
        match_id: str | None,
        address: str | None,
        token: str | None,
        imp_scale: str,
        penalty_scale: str,
        data: Path | None,
        host: str | None,
        port: int | None,
        origin: str | None,
    ) -> None:
        """Broadcast the recorded match in FILE as if it were played now, in both rooms.

        Speed 1 is a call or card every ten seconds. Sends to --server with a director's --token, or to the
        server running on the same data directory, or serves by itself until interrupted.
        """
        if address is not None and token is None:
            raise click.UsageError("--server needs a director's --token: `server.py user token NAME` makes one")
        plans = _plans(file, imp_scale, PenaltyScale(penalty_scale))
        asked = Asked(plans, None if instant else speed, match_id, address, token)
        chosen = settings(data, host, port, origin)
        if address is None and not is_served(chosen.socket):
            _serve_and_replay(assemble, chosen, asked)
        else:
            asyncio.run(_replay(assemble, chosen, asked))


def _plans(file: Path, imp_scale: str, penalty_scale: PenaltyScale) -> tuple[MatchPlan, ...]:
    reading = read_record(file.read_bytes())
    for problem in reading.problems:
        click.echo(f"{file}: {problem}", err=True)
    if not reading.matches:
        raise click.ClickException(f"{file} holds no match of two teams")
    try:
        return tuple(
            plan_match(
                record,
                imp_scale=imp_scale,
                penalty_scale=penalty_scale,
                release=Release(ReleaseRule.LIVE),
                imported=False,
            )
            for record in reading.matches
        )
    except BridgeError as error:
        raise click.ClickException(str(error)) from error


def _serve_and_replay(assemble: Assemble, chosen: Settings, asked: Asked) -> None:
    """Serve here and send the record from a thread beside it, by the local socket like any other command."""
    try:
        listener = listen(chosen.host, chosen.port)
    except OSError as error:
        raise cannot_listen(chosen, error) from error
    chosen = replace(chosen, port=listener.getsockname()[1])

    def send_record() -> None:
        try:
            asyncio.run(_replay(assemble, chosen, asked))
        except click.ClickException as error:
            error.show()

    sender = threading.Thread(target=send_record, name="replay", daemon=True)
    listen_on(assemble, chosen, listener, on_started=sender.start)


@asynccontextmanager
async def _client(assemble: Assemble, chosen: Settings, asked: Asked) -> AsyncIterator[httpx.AsyncClient]:
    if asked.server is None:
        async with local_house(chosen, assemble) as client:
            yield client
        return
    async with httpx.AsyncClient(base_url=asked.server.rstrip("/"), timeout=TIMEOUT) as client:
        try:  # Later a lost connection is worth waiting for; a wrong address is not.
            await client.head("/")
        except (httpx.ConnectError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise click.ClickException(
                f"nothing answers at {asked.server}: give a server's address, like http://127.0.0.1:8000"
            ) from error
        yield client


async def _replay(assemble: Assemble, chosen: Settings, asked: Asked) -> None:
    headers = {} if asked.token is None else {"authorization": f"Bearer {asked.token}"}
    async with _client(assemble, chosen, asked) as client:
        try:
            for plan in asked.plans:
                rooms = plan.rooms
                if asked.match is None:
                    response = await send(client, "/api/matches", match_json(plan.create), headers)
                    match = checked(response)["id"]
                else:
                    match = asked.match
                    found = checked(await client.get(f"/api/matches/{match}"))
                    rooms = fitted(plan, found["segments"])
                click.echo(f"/matches/{match}")
                replay = Replay(client, match, headers, asked.speed, lambda line: click.echo(line, err=True))
                await replay.run(rooms)
        except (ReplayFailed, MisfitRecord) as error:
            raise click.ClickException(str(error)) from error
        except ExceptionGroup as group:
            raise click.ClickException("; ".join(str(error) for error in group.exceptions)) from group
        except httpx.TransportError as error:
            raise click.ClickException(f"the server is lost: {error}") from error

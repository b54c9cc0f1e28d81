"""The commands that broadcasting brings to ``server.py``."""

import asyncio
import secrets
import sqlite3
from pathlib import Path

import click

from broadcast.console.edge import add_edge
from broadcast.console.houses import Assemble, checked, local_house
from broadcast.console.imports import add_import
from broadcast.console.options import data_option, node_options, serving_options, settings
from broadcast.console.records import add_record
from broadcast.console.replays import add_replay
from broadcast.console.serving import serve
from broadcast.house.check import check
from broadcast.house.kinds import Kinds
from broadcast.storage.backup import back_up
from broadcast.storage.database import Database
from broadcast.storage.migrations import ForeignDatabase


def command_line(assemble: Assemble, kinds: Kinds) -> click.Group:
    """The group ``server.py``: without a command it serves."""

    @click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
    @serving_options
    @node_options
    @click.pass_context
    def server(
        context: click.Context,
        data: Path | None,
        host: str | None,
        port: int | None,
        origin: str | None,
        redis: str | None,
        log: str | None,
    ) -> None:
        """Broadcast bridge team matches live and run their contests. Without a command: serve."""
        context.obj = settings(data, host, port, origin, redis, log)
        if context.invoked_subcommand is None:
            serve(assemble, context.obj)

    @server.command()
    @click.argument("match")
    @click.argument("room", type=click.Choice(["open", "closed"]))
    @data_option
    def operator(match: str, room: str, data: Path | None) -> None:
        """Make an operator's link for one room of a match."""
        answer = asyncio.run(_operator(assemble, match, room, data))
        click.echo(f"link: {answer['link']}")
        click.echo(f"token: {answer['token']}")

    @server.command()
    @click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
    @data_option
    def backup(file: Path, data: Path | None) -> None:
        """Copy the database to FILE, also while it is being served. A FILE that is there is replaced."""
        asyncio.run(_backup(settings(data).database, file))

    @server.command(name="check", short_help="Compare log, feed and lists with each other.")
    @data_option
    def check_command(data: Path | None) -> None:
        """Compare log, feed and lists with each other, also while they are being served.

        Prints what does not agree, and exits with 1; prints nothing, and exits with 0, when all of it agrees.
        """
        findings = asyncio.run(_check(settings(data).database, kinds))
        for finding in findings:
            click.echo(finding)
        if findings:
            raise click.exceptions.Exit(1)

    @server.command(name="index", short_help="Make the index of boards anew.")
    @data_option
    def index_command(data: Path | None) -> None:
        """Make the index by which boards are searched anew from the logs, also while it is being served."""
        click.echo(f"{asyncio.run(_index(assemble, data))} matches")

    add_edge(server)
    add_import(server, assemble)
    add_record(server, assemble)
    add_replay(server, assemble)
    return server


async def _operator(assemble: Assemble, match: str, room: str, data: Path | None) -> dict[str, str]:
    async with local_house(settings(data), assemble) as client:
        answer: dict[str, str] = checked(
            await client.post(
                f"/api/matches/{match}/rooms/{room}/operators",
                headers={"idempotency-key": secrets.token_urlsafe(16)},
            )
        )
        return answer


async def _index(assemble: Assemble, data: Path | None) -> int:
    """How many matches were indexed; some at a time, so that no answer is long in coming."""
    done: int = 0
    after: str | None = None
    async with local_house(settings(data), assemble) as client:
        while True:
            answer = checked(await client.post("/local/index", json={"after": after}))
            done, after = done + answer["matches"], answer["next"]
            if after is None:
                return done


async def _backup(database: Path, file: Path) -> None:
    try:
        opened = await Database.reading(database)
        try:
            await back_up(opened, file)
        finally:
            await opened.close()
    except ForeignDatabase as error:
        raise click.ClickException(str(error)) from error
    except (OSError, sqlite3.Error) as error:
        raise click.ClickException(f"cannot copy to {file}: {error}") from error


async def _check(database: Path, kinds: Kinds) -> list[str]:
    try:
        opened = await Database.reading(database)
    except ForeignDatabase as error:
        raise click.ClickException(str(error)) from error
    try:
        return [str(finding) for finding in await check(opened, kinds)]
    finally:
        await opened.close()

"""Options that commands share, and the settings they make; an option goes before the environment."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from broadcast.console.logs import FORMATS
from broadcast.edges.connection import connect
from broadcast.house.settings import Settings


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--data", type=click.Path(path_type=Path, file_okay=False), help="Data directory (default ./data)."
    )(command)


def imp_scale_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--imp-scale",
        type=click.Choice(["1962", "1948"]),
        default="1962",
        show_default=True,
        help="The IMP scale since 1962, or the one before.",
    )(command)


def penalty_scale_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--penalty-scale",
        type=click.Choice(["1987", "1963"]),
        default="1987",
        show_default=True,
        help="Doubled undertricks scored as since 1987, or as before.",
    )(command)


def serving_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--data --host --port --origin``."""
    for option in (
        click.option("--origin", help="Public address, like https://club.example."),
        click.option("--port", type=click.IntRange(0, 65535), help="Port (default 8000; 0 takes a free one)."),
        click.option("--host", help="Address to listen on (default 127.0.0.1)."),
    ):
        command = option(command)
    return data_option(command)


def node_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--redis --log``: of a house that goes past one process, and of an edge."""
    for option in (
        click.option("--log", type=click.Choice(FORMATS), help="Lines of text (default) or of JSON."),
        click.option("--redis", help="Redis through which edges get the public feed: redis://host:6379/0."),
    ):
        command = option(command)
    return command


def settings(
    data: Path | None = None,
    host: str | None = None,
    port: int | None = None,
    origin: str | None = None,
    redis: str | None = None,
    log: str | None = None,
) -> Settings:
    """The environment's settings with what options say in their place.

    Options may stand before a command's name or after it; after it they go before those in front of it.
    """
    given_before = click.get_current_context().find_root().obj
    try:
        base = given_before if isinstance(given_before, Settings) else Settings.from_environment()
    except ValueError as error:
        raise click.UsageError(f"in the environment: {error}") from error
    given = {"data": data, "host": host, "port": port, "origin": origin, "redis": redis, "log": log}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    chosen = replace(base, **options)
    if chosen.redis:
        try:
            connect(chosen.redis)
        except ValueError as error:
            raise click.UsageError(f"--redis {chosen.redis}: {error}") from error
    return chosen

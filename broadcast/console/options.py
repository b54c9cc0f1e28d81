"""Options that commands share, and the settings they make; an option goes before the environment."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from broadcast.house.settings import Settings


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--data", type=click.Path(path_type=Path, file_okay=False), help="Data directory (default ./data)."
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


def settings(
    data: Path | None = None, host: str | None = None, port: int | None = None, origin: str | None = None
) -> Settings:
    """The environment's settings with what options say in their place."""
    given = Settings.from_environment()
    return Settings(
        given.data if data is None else data,
        given.host if host is None else host,
        given.port if port is None else port,
        given.origin if origin is None else origin,
    )

"""``server.py import``: LIN and PBN files into matches, with a report of every problem."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from broadcast.console.houses import Assemble, checked, local_house
from broadcast.console.options import data_option, imp_scale_option, penalty_scale_option, settings


def add_import(server: click.Group, assemble: Assemble) -> None:
    @server.command(name="import")
    @click.argument(
        "files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False, exists=True)
    )
    @click.option("--join", is_flag=True, help="The files are the segments of one match, chained by team name.")
    @imp_scale_option
    @penalty_scale_option
    @data_option
    def import_command(
        files: tuple[Path, ...], join: bool, imp_scale: str, penalty_scale: str, data: Path | None
    ) -> None:
        """Import recorded matches from LIN or PBN FILES.

        Addresses of the new matches go to standard output, problems to standard error.
        """
        options = {"join": join, "imp_scale": imp_scale, "penalty_scale": penalty_scale}
        imported = asyncio.run(_import(assemble, files, options, data))
        if not imported:
            raise click.exceptions.Exit(1)


async def _import(
    assemble: Assemble, files: tuple[Path, ...], options: dict[str, Any], data: Path | None
) -> int:
    groups = [list(files)] if options["join"] else [[file] for file in files]
    progress = Console(stderr=True)
    imported = 0
    async with local_house(settings(data), assemble, may_begin=True) as client:
        for group in track(groups, "Importing", console=progress, disable=not progress.is_terminal):
            sent = [{"name": str(file), "data": base64.b64encode(file.read_bytes()).decode()} for file in group]
            answer = checked(await client.post("/local/imports", json={"files": sent, **options}, timeout=None))
            for report in answer["files"]:
                for problem in report["problems"]:
                    click.echo(f"{report['name']}: {problem}", err=True)
                for match in report["matches"]:
                    click.echo(f"/matches/{match['id']}")
                imported += len(report["matches"])
    return imported

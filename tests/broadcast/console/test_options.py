"""Where options may stand on the command line."""

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

import server
from broadcast.storage.database import Database


def made_in(directory: Path) -> Path:
    """A house's database, made and closed again."""

    directory.mkdir()

    async def make() -> None:
        await (await Database.open(directory / "twinroom.sqlite3")).close()

    asyncio.run(make())
    return directory


@pytest.mark.parametrize("is_before", [True, False])
def test_data_directory_named_before_or_after_the_command_is_the_one_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_before: bool
) -> None:
    """Named before it, the option was taken and forgotten: the command worked on ``./data`` without a word."""
    monkeypatch.chdir(tmp_path)
    data, copy = made_in(tmp_path / "club"), tmp_path / "copy.sqlite3"
    option, command = ["--data", str(data)], ["backup", str(copy)]
    done = CliRunner().invoke(server.main, [*option, *command] if is_before else [*command, *option])
    assert (done.exit_code, copy.exists()) == (0, True), done.output

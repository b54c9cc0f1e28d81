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


@pytest.mark.parametrize(
    "command",
    [
        "check",
        "index",
        "backup copy.sqlite3",
        "operator m1 open",
        "user token Ann",
        "record table.lin --match m1",
    ],
)
def test_mistyped_data_directory_is_told_and_no_house_is_begun_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """An empty club was made there, in which all was well and nothing to be found."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.lin").touch()
    done = CliRunner().invoke(server.main, [*command.split(), "--data", "typo"])
    assert done.exit_code == 1 and "typo" in done.output, done.output
    assert not (tmp_path / "typo").exists()

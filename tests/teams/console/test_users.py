"""Accounts from the command line: a pipe's password, a token alone on its line, refusals on standard error."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import click
from click.testing import CliRunner, Result
from starlette.types import Receive, Scope, Send

from broadcast.house.settings import Settings
from teams.console.users import add_users
from tests.teams.members.member_houses import Club, club


class Opened:
    """A house in the data directory as the command line opens it when nobody serves."""

    def __init__(self, settings: Settings) -> None:
        self._directory = settings.data
        self._club: Club | None = None

    def opened(self) -> AbstractAsyncContextManager[None]:
        return self._lifespan()

    @asynccontextmanager
    async def _lifespan(self) -> AsyncIterator[None]:
        async with club(self._directory) as self._club:
            yield

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._club is not None
        await self._club.application(scope, receive, send)

    def end_streams(self) -> None:
        return None


def run(directory: Path, *arguments: str, typed: str = "") -> Result:
    @click.group()
    def server() -> None:
        """The command line with nothing but accounts."""

    add_users(server, Opened)
    return CliRunner().invoke(server, ["user", *arguments, "--data", str(directory)], input=typed)


def test_account_made_in_a_pipe_has_a_password_and_prints_tokens(tmp_path: Path) -> None:
    made = run(tmp_path, "add", "Dora", "--role", "director", typed="correct horse\n")
    assert (made.exit_code, made.stdout) == (0, "")
    printed = run(tmp_path, "token", "Dora")
    assert printed.exit_code == 0
    token = printed.stdout.removesuffix("\n")
    assert "\n" not in token and len(token) == 43

    async def entered() -> None:
        async with club(tmp_path) as opened:
            account = await opened.get("/api/account", token)
            assert (account.json()["name"], account.json()["roles"]) == ("Dora", ["director"])
            assert await opened.members.check_password("Dora", "correct horse") is not None

    asyncio.run(entered())


def test_new_password_ends_the_tokens(tmp_path: Path) -> None:
    run(tmp_path, "add", "Dora", "--role", "director", typed="correct horse\n")
    token = run(tmp_path, "token", "Dora").stdout.strip()
    assert run(tmp_path, "password", "Dora", typed="another horse\n").exit_code == 0

    async def entered() -> None:
        async with club(tmp_path) as opened:
            assert (await opened.get("/api/account", token)).status_code == 401

    asyncio.run(entered())


def test_refusals_end_with_status_one_and_wrong_usage_with_two(tmp_path: Path) -> None:
    short = run(tmp_path, "add", "Dora", "--role", "director", typed="short\n")
    assert (short.exit_code, short.stdout) == (1, "")
    assert "at least 8 characters" in short.stderr
    assert run(tmp_path, "token", "Nobody").exit_code == 1
    assert run(tmp_path, "add", "Dora", "--role", "king").exit_code == 2


def test_accounts_are_kept_by_the_command_line_only(tmp_path: Path) -> None:
    async def from_elsewhere() -> None:
        async with club(tmp_path) as opened:
            body = {"name": "Eve", "role": "director", "password": "correct horse"}
            for path in ("/api/accounts", "/api/accounts/password", "/api/accounts/tokens"):
                answer = await opened.post(path, body)
                assert (answer.status_code, answer.json()["error"]) == (403, "local_only")

    asyncio.run(from_elsewhere())


def test_roles_are_changed_and_accounts_closed_after_saying_what_that_does(tmp_path: Path) -> None:
    run(tmp_path, "add", "Dora", "--role", "director", typed="correct horse\n")
    run(tmp_path, "add", "Ann", "--role", "captain", typed="correct horse\n")
    asked = run(tmp_path, "role", "Ann", "--give", "director", "--take", "captain", typed="n\n")
    assert asked.exit_code == 1
    assert "Ann gets: director." in asked.stderr and "Ann loses: captain." in asked.stderr
    assert run(tmp_path, "role", "Ann", "--give", "director", "--yes").exit_code == 0
    assert run(tmp_path, "close", "Dora", typed="y\n").exit_code == 0
    refused = run(tmp_path, "close", "Ann", "--yes")
    assert refused.exit_code == 1 and "the only director" in refused.stderr
    assert run(tmp_path, "token", "Dora").exit_code == 1

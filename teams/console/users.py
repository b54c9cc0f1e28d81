"""``server.py user``: accounts, their roles, passwords and bearer tokens, also while the house is served."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import click

from broadcast.console.houses import Assemble, checked, local_house
from broadcast.console.options import data_option, settings
from broadcast.tables.errors import Refusal
from teams.members.accounts import Role
from teams.members.names import clean_name


def add_users(server: click.Group, assemble: Assemble) -> None:
    """Bring ``user add password token role close`` to the command line."""

    def ask(path: str, body: dict[str, Any], data: Path | None, *, may_begin: bool = False) -> Any:
        return asyncio.run(_ask(assemble, path, body, data, may_begin))

    @server.group()
    def user() -> None:
        """Accounts of directors, commentators, captains, players and clubs."""

    @user.command()
    @click.argument("name")
    @click.option("--role", type=click.Choice([role.value for role in Role]), required=True)
    @data_option
    def add(name: str, role: str, data: Path | None) -> None:
        """Make an account. Asks for a password, or reads it from standard input in a pipe."""
        try:
            name = clean_name(name, "account's name")
        except Refusal as refused:
            raise click.ClickException(refused.message) from refused
        body = {"name": name, "role": role, "password": _password()}
        made = ask("/api/accounts", body, data, may_begin=True)
        click.echo(f"{made['name']}: {', '.join(made['roles'])}", err=True)

    @user.command()
    @click.argument("name")
    @data_option
    def password(name: str, data: Path | None) -> None:
        """Set a new password. The account's tokens are good no more."""
        ask("/api/accounts/password", {"name": name, "password": _password()}, data)

    @user.command()
    @click.argument("name")
    @data_option
    def token(name: str, data: Path | None) -> None:
        """Print a bearer token of the account, alone on its line."""
        click.echo(ask("/api/accounts/tokens", {"name": name}, data)["token"])

    def confirmed(path: str, body: dict[str, Any], data: Path | None, yes: bool) -> None:
        """Say what would change, and do it once that is confirmed."""
        for sentence in ask(path, {**body, "preview": True}, data)["changes"]:
            click.echo(sentence, err=True)
        if not yes:
            click.confirm("Do it?", abort=True, err=True)
        ask(path, body, data)

    yes_option = click.option("--yes", is_flag=True, help="Do it without asking.")

    @user.command()
    @click.argument("name")
    @click.option("--give", multiple=True, type=click.Choice([role.value for role in Role]))
    @click.option("--take", multiple=True, type=click.Choice([role.value for role in Role]))
    @yes_option
    @data_option
    def role(name: str, give: tuple[str, ...], take: tuple[str, ...], yes: bool, data: Path | None) -> None:
        """Give an account roles, or take them. Says what will change and asks first.

        Whatever is taken signs the account out and ends its tokens. A role opens a closed account again.
        """
        body = {"name": name, "give": list(give), "take": list(take)}
        confirmed("/api/accounts/roles", body, data, yes)

    @user.command()
    @click.argument("name")
    @yes_option
    @data_option
    def close(name: str, yes: bool, data: Path | None) -> None:
        """Close an account: it opens nothing any more, its name stays taken. Says what will change and asks."""
        confirmed("/api/accounts/close", {"name": name}, data, yes)


async def _ask(assemble: Assemble, path: str, body: dict[str, Any], data: Path | None, may_begin: bool) -> Any:
    async with local_house(settings(data), assemble, may_begin=may_begin) as client:
        return checked(await client.post(path, json=body))


def _password() -> str:
    """Typed twice at a terminal; the first line of standard input in a pipe."""
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return typed
    return sys.stdin.readline().rstrip("\r\n")

"""``server.py record``: a growing file of another client, sent into a running match whenever it has changed."""

import asyncio
import base64
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click
import httpx

from broadcast.console.houses import TIMEOUT, Assemble, checked, local_house
from broadcast.console.options import data_option, settings

LOOK_SECONDS = 1.0
"""How often the file is looked at."""
RETRY_SECONDS = 5.0
"""How long to wait for a server that is away."""


def add_record(server: click.Group, assemble: Assemble) -> None:
    @server.command(short_help="Follow a growing FILE into a running match.")
    @click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
    @click.option("--match", "match_id", required=True, help="The match that the file is a record of.")
    @click.option("--room", type=click.Choice(["open", "closed"]), help="Where the file names no room.")
    @click.option("--segment", type=int, help="Where board numbers come twice in the match.")
    @click.option("--once", is_flag=True, help="Send the file as it is, and end.")
    @click.option("--server", "address", help="Address of a running server; without it, the one on --data.")
    @click.option("--token", help="Bearer token of a director, for --server.")
    @data_option
    def record(
        file: Path,
        match_id: str,
        room: str | None,
        segment: int | None,
        once: bool,
        address: str | None,
        token: str | None,
        data: Path | None,
    ) -> None:
        """Send the LIN or PBN FILE into a running match, and again whenever it has changed, until interrupted.

        Only what is new or different is entered. What would change something public waits for the director, on
        the match's page "Record from elsewhere".
        """
        if address is not None and token is None:
            raise click.UsageError("--server needs a director's --token: `server.py user token NAME` makes one")
        places = {name: value for name, value in (("room", room), ("segment", segment)) if value is not None}
        asyncio.run(_follow(assemble, file, match_id, places, once, address, token, data))


async def _follow(
    assemble: Assemble,
    file: Path,
    match: str,
    places: dict[str, Any],
    once: bool,
    address: str | None,
    token: str | None,
    data: Path | None,
) -> None:
    sent: bytes | None = None
    told: list[str] = []
    async with _client(assemble, address, token, data) as client:
        while True:
            content = await asyncio.to_thread(_content, file)
            if content is not None and content != sent:
                try:
                    answer = await _send(client, match, content, places)
                except httpx.TransportError as error:
                    if once:
                        raise click.ClickException(f"the server is lost: {error}") from error
                    click.echo(f"the server is away: {error}", err=True)
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                sent = content
                told = _tell(answer, told)
            if once:
                return
            await asyncio.sleep(LOOK_SECONDS)


def _content(file: Path) -> bytes | None:
    """What stands in the file; ``None`` while its writer has taken it away."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


async def _send(
    client: httpx.AsyncClient, match: str, content: bytes, places: dict[str, Any]
) -> dict[str, Any]:
    body = {"data": base64.b64encode(content).decode(), **places}
    headers = {"idempotency-key": uuid.uuid4().hex}
    response = await client.post(f"/api/matches/{match}/record", json=body, headers=headers)
    if response.status_code == 409:  # an operator was quicker: the file is compared again with what stands now
        response = await client.post(
            f"/api/matches/{match}/record", json=body, headers={"idempotency-key": uuid.uuid4().hex}
        )
    answer: dict[str, Any] = checked(response)
    return answer


def _tell(answer: dict[str, Any], told: list[str]) -> list[str]:
    """Say what was entered on standard output; on standard error what was not, once while it lasts."""
    for each in answer["entered"]:
        entries = "1 entry" if each["entries"] == 1 else f"{each['entries']} entries"
        click.echo(f"board {each['segment']}.{each['board']} {each['room']}: {entries}")
    wrong = [
        f"board {each['segment']}.{each['board']} {each['room']}: waits for the director, as it is public"
        for each in answer["held"]
    ]
    wrong += [
        f"board {each['segment']}.{each['board']} {each['room']}: {each['message']}"
        for each in answer["refused"]
    ]
    wrong += answer["problems"]
    for line in wrong:
        if line not in told:
            click.echo(line, err=True)
    return wrong


@asynccontextmanager
async def _client(
    assemble: Assemble, address: str | None, token: str | None, data: Path | None
) -> AsyncIterator[httpx.AsyncClient]:
    if address is None:
        async with local_house(settings(data), assemble) as client:
            yield client
        return
    headers = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=address.rstrip("/"), headers=headers, timeout=TIMEOUT) as client:
        yield client

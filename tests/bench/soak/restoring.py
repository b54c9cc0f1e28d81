"""A copy put in the place of the house: it goes on in an epoch of its own, and old viewers begin anew."""

import sys
from pathlib import Path

import httpx

from tests.bench.soak.machines import Machine
from tests.scenarios.edge_nodes import free_port
from tests.serving import NO_TLS, ROOT
from tests.sse_client import messages


async def restored(directory: Path, copies: Path, match: str) -> list[str]:
    """What is not as it should be where the copy is served. The original has been stopped."""
    port = free_port()
    words = [sys.executable, str(ROOT / "server.py"), "--data", str(copies), "--port", str(port)]
    house = Machine("copy", words, port, directory / "copy.log")
    await house.start()
    faults = []
    async with httpx.AsyncClient(base_url=house.address, verify=NO_TLS, trust_env=False) as client:
        shown = (await client.get(f"/api/matches/{match}")).json()
        epoch, _, number = shown["last_event"].rpartition("-")
        if int(epoch) <= 1:
            faults.append(f"the copy went on in epoch {epoch}")
        headers = {"last-event-id": f"1-{number}"}
        async with client.stream("GET", f"/matches/{match}/events", headers=headers) as response:
            async for message in messages(response):
                if message.event != "reset":
                    faults.append(f"a viewer of the original was sent {message.event} by the copy")
                break
    if (status := await house.stop()) != 0:
        faults.append(f"the copy stopped with status {status}")
    return faults

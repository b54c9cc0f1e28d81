"""The processes of an evening: a house, its Redis and its edges, killed without warning and started again."""

import asyncio
import shutil
import signal
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.scenarios.edge_nodes import REDIS as PROGRAM
from tests.scenarios.edge_nodes import free_port
from tests.serving import NO_TLS, ROOT

START_SECONDS = 90.0
"""Longest a process may take until it answers, on a machine that does other things besides."""


@dataclass
class Machine:
    """A process at a fixed port, its output in a file."""

    name: str
    words: list[str]
    port: int
    log: Path
    process: asyncio.subprocess.Process | None = None
    is_up: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start the process and wait until it answers; a process killed meanwhile is left."""
        with self.log.open("ab") as output:
            self.process = await asyncio.create_subprocess_exec(*self.words, stdout=output, stderr=output)
        process = self.process
        end = time.monotonic() + START_SECONDS
        while process.returncode is None:
            if await self._answers():
                self.is_up.set()
                return
            if time.monotonic() > end:
                raise AssertionError(f"{self.name} does not answer: see {self.log}")
            await asyncio.sleep(0.03)
        if process.returncode != -signal.SIGKILL:
            raise AssertionError(f"{self.name} ended with {process.returncode}: see {self.log}")

    async def _answers(self) -> bool:
        try:
            async with httpx.AsyncClient(verify=NO_TLS, trust_env=False, timeout=START_SECONDS) as client:
                return (await client.get(f"{self.address}/health")).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        self.is_up.clear()
        if self.process is not None and self.process.returncode is None:
            self.process.kill()

    async def gone(self) -> None:
        assert self.process is not None
        await self.process.wait()

    async def stop(self) -> int:
        """End it in order; its exit status."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.terminate()
        return await self.process.wait()


class Redis(Machine):
    """Redis, which keeps what it holds, or has lost all of it when it comes back."""

    def lose_everything(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir()

    @property
    def directory(self) -> Path:
        return self.log.with_suffix("")

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        try:
            writer.write(b"PING\r\n")
            return (await reader.readline()).startswith(b"+PONG")
        except OSError:
            return False
        finally:
            writer.close()


@dataclass
class Evening:
    """All processes, and what was done to them."""

    house: Machine
    redis: Redis
    edges: list[Machine]
    kills: Counter[str] = field(default_factory=Counter)
    restarts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds from a death to the first good answer after it, by kind."""

    @property
    def machines(self) -> list[Machine]:
        return [self.house, self.redis, *self.edges]

    @property
    def redis_url(self) -> str:
        return f"redis://127.0.0.1:{self.redis.port}/0"

    async def start(self) -> None:
        await self.redis.start()
        await self.house.start()
        await asyncio.gather(*(edge.start() for edge in self.edges))

    async def stop(self) -> list[str]:
        """End all in order; what did not end as it should."""
        odd = []
        for machine in (*self.edges, self.house, self.redis):
            if (status := await machine.stop()) != 0:
                odd.append(f"{machine.name} stopped with status {status}")
        return odd


def set_up(directory: Path, edges: int = 2) -> Evening:
    """The evening's processes, none of them started, everything of theirs in the directory."""
    assert PROGRAM is not None, "redis-server is not installed"
    server = [sys.executable, str(ROOT / "server.py")]
    kept = directory / "redis"
    kept.mkdir()
    port = free_port()
    options = ["--port", str(port), "--dir", str(kept), "--save", "", "--appendonly", "yes"]
    redis = Redis("redis", [PROGRAM, *options, "--bind", "127.0.0.1"], port, directory / "redis.log")
    url = f"redis://127.0.0.1:{port}/0"
    at = free_port()
    house = Machine(
        "house",
        [*server, "--data", str(directory / "data"), "--port", str(at), "--redis", url],
        at,
        directory / "house.log",
    )
    made = []
    for place in range(edges):
        at = free_port()
        words = [*server, "edge", "--redis", url, "--port", str(at), "--origin", house.address]
        made.append(Machine(f"edge {place + 1}", words, at, directory / f"edge-{place + 1}.log"))
    return Evening(house, redis, made)

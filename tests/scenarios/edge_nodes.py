"""A Redis of our own, edges in processes of their own, and a wire between them that can be cut; for tests."""

import asyncio
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from tests.scenarios.entered_matches import Entered, claim, one_notrump
from tests.serving import SECONDS, SERVER, Served

REDIS = shutil.which("redis-server")
needs_redis = pytest.mark.skipif(REDIS is None, reason="redis-server is not installed")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class RedisServer:
    """Debian's Redis on a port and in a directory of its own."""

    directory: Path
    keeps: bool = True
    """Whether what it holds outlives a restart."""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> Any:
        return redis.Redis(port=self.port)

    def start(self) -> None:
        self.directory.mkdir(exist_ok=True)
        keeping = "yes" if self.keeps else "no"
        options = {
            "port": self.port,
            "dir": self.directory,
            "save": "",
            "appendonly": keeping,
            "bind": "127.0.0.1",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self.process = subprocess.Popen([str(REDIS), *words], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if b"Ready to accept connections" in line:
                return
        raise AssertionError("Redis did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.communicate(timeout=SECONDS)

    def everything(self) -> bytes:
        """All it holds, to be searched."""
        held: list[bytes] = []
        with self.client() as client:
            for key in client.scan_iter():
                kind = client.type(key)
                value: Any
                if kind == b"stream":
                    value = client.xrange(key)
                elif kind == b"hash":
                    value = client.hgetall(key)
                else:
                    value = client.get(key)
                held.append(repr((key, value)).encode())
        return b"\n".join(held)


@contextmanager
def running_redis(directory: Path, keeps: bool = True) -> Iterator[RedisServer]:
    server = RedisServer(directory, keeps)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def edging(redis_url: str, origin: str | None = None, port: int = 0) -> Iterator[Served]:
    """An edge while the context lasts; in the end it must stop with status 0, unless it was killed."""
    options = ["--redis", redis_url, "--port", str(port), *(["--origin", origin] if origin else [])]
    process = subprocess.Popen([sys.executable, *SERVER, "edge", *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    first = process.stderr.readline()
    if not first.startswith("Twinroom: "):
        process.kill()
        raise AssertionError(first + process.communicate()[1])
    edge = Served(process, Path("/nonexistent"), first.split()[1])
    reading = threading.Thread(target=edge.errors.extend, args=(process.stderr,))
    reading.start()
    try:
        edge.get("/health")
        yield edge
        if process.poll() is None:
            assert edge.stop() == 0
    finally:
        process.kill()
        process.wait()
        reading.join()
        process.stderr.close()


def memory_of(edge: Served) -> Iterator[bytes]:
    """Every piece of memory that the edge's process may write to."""
    process = Path(f"/proc/{edge.process.pid}")
    with (process / "mem").open("rb", buffering=0) as memory:
        for line in (process / "maps").read_text().splitlines():
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if found:
                begin, end = (int(number, 16) for number in found.groups())
                with suppress(OSError):
                    memory.seek(begin)
                    yield memory.read(end - begin)


@dataclass
class Wire:
    """A TCP connection to a port that goes through a thread here, and can be cut."""

    target: int
    port: int = 0
    is_whole: bool = True
    _loop: asyncio.AbstractEventLoop | None = None
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    def cut(self) -> None:
        """Break every connection and take no new one."""
        self.is_whole = False
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._break)

    def mend(self) -> None:
        self.is_whole = True

    def _break(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.is_whole:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers |= {writer, back}
        await asyncio.gather(_pump(reader, back), _pump(there, writer))
        self._writers -= {writer, back}

    async def serve(self, ready: threading.Event, done: asyncio.Event) -> None:
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await done.wait()
        server.close()
        self._break()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.transport.abort()


@contextmanager
def wired(target: int) -> Iterator[Wire]:
    """A wire to the port while the context lasts."""
    wire, ready, loops = Wire(target), threading.Event(), list[Any]()

    async def run() -> None:
        done = asyncio.Event()
        loops.append((asyncio.get_running_loop(), done))
        await wire.serve(ready, done)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert ready.wait(SECONDS)
    try:
        yield wire
    finally:
        loop, done = loops[0]
        loop.call_soon_threadsafe(done.set)
        thread.join(SECONDS)


# --- what edges and house say ---------------------------------------------------------------------------


def wait_for(condition: Callable[[], Any]) -> Any:
    """What the condition gives as soon as that is true."""
    end = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < end
        threading.Event().wait(0.02)  # other processes have to do something, and say nothing of it
    return found


def asked(node: Served, path: str) -> httpx.Response:
    """Any answer to anybody."""
    with node.client() as client:
        return client.get(path)


def last_of(node: Served, match: Entered) -> str:
    answer: dict[str, Any] = node.get(f"/api/matches/{match.id}")
    return str(answer["last_event"])


def caught_up(edge: Served, match: Entered) -> None:
    """The edge has all that the house has."""
    wait_for(lambda: reachable(edge, match) and last_of(edge, match) == last_of(match.served, match))


def reachable(edge: Served, match: Entered) -> bool:
    return asked(edge, f"/api/matches/{match.id}").status_code == 200


def board_played(match: Entered, number: int) -> None:
    for room in (match.open, match.closed):
        room.enters(*one_notrump(number), claim(number, 6 + number % 3))

"""A real ``server.py`` in a process of its own, on a free port, with its own data directory; for tests.

The server listens before it says its address, and a connection made then is answered as soon as the house is
open: so nothing here waits by the clock.
"""

import os
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from click.testing import CliRunner

from server import main

ROOT = Path(__file__).resolve().parents[1]
SERVER = (str(ROOT / "server.py"),)
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Made once: a client makes its own in 50 ms, and none is needed."""
SECONDS = 60.0
"""Longest wait for an answer, on a machine that does other things besides."""

Json = dict[str, Any]


@dataclass
class Served:
    """A running server. ``public`` and ``local`` are clients made by ``serving``."""

    process: subprocess.Popen[str]
    data: Path
    address: str
    errors: list[str] = field(default_factory=list)
    """Lines of its standard error after the address."""

    def client(self, token: str | None = None, **options: Any) -> httpx.Client:
        """A client of the public address, with a bearer token where one is given."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return httpx.Client(
            base_url=self.address, headers=headers, timeout=SECONDS, verify=NO_TLS, trust_env=False, **options
        )

    def async_client(self, token: str | None = None) -> httpx.AsyncClient:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        limits = httpx.Limits(max_connections=None)
        return httpx.AsyncClient(
            base_url=self.address,
            headers=headers,
            timeout=SECONDS,
            limits=limits,
            verify=NO_TLS,
            trust_env=False,
        )

    def local(self) -> httpx.Client:
        """A client of the local socket, which may do what a director may."""
        transport = httpx.HTTPTransport(uds=str(self.data / "control.sock"), verify=NO_TLS)
        return httpx.Client(transport=transport, base_url="http://local", timeout=SECONDS, trust_env=False)

    def get(self, path: str, **options: Any) -> Any:
        """The JSON of a good answer to anybody."""
        with self.client() as client:
            return client.get(path, **options).raise_for_status().json()

    def post(self, path: str, body: Json) -> Any:
        """What the house's own command gives; it must not be refused."""
        with self.local() as client:
            return posted(client, path, body)

    def token(self, name: str, role: str) -> str:
        """A bearer token of a new account."""
        with self.local() as client:
            client.post("/api/accounts", json={"name": name, "role": role}).raise_for_status()
            made = client.post("/api/accounts/tokens", json={"name": name}).raise_for_status().json()
        return str(made["token"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(SECONDS)

    def stop(self) -> int:
        """End it by SIGTERM; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)


def posted(client: httpx.Client, path: str, body: Json, key: str | None = None) -> Any:
    """The JSON of a good answer to a command with a key of its own."""
    response = client.post(path, json=body, headers={"idempotency-key": key or uuid4().hex})
    assert response.is_success, response.text
    return response.json()


@contextmanager
def serving(
    data: Path,
    *options: str,
    program: Sequence[str] = SERVER,
    environment: Mapping[str, str] | None = None,
    port: int = 0,
) -> Iterator[Served]:
    """A server while the context lasts; in the end it must stop by SIGTERM with status 0.

    A server that was killed, or that has been stopped, is left alone.
    """
    command = [sys.executable, *program, "--data", str(data), "--port", str(port), *options]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    if not first.startswith("Twinroom: "):
        process.kill()
        raise AssertionError(first + process.stderr.read())
    served = Served(process, data, first.split()[1])
    reading = threading.Thread(target=served.errors.extend, args=(process.stderr,))
    reading.start()
    try:
        served.get("/api/matches")
        yield served
        if process.poll() is None:
            assert served.stop() == 0
    finally:
        process.kill()
        process.wait()
        reading.join()
        process.stderr.close()


@dataclass(frozen=True)
class Done:
    """How a command of ``server.py`` ended."""

    returncode: int
    stdout: str
    stderr: str


def command(*arguments: str | Path, data: Path) -> Done:
    """``server.py`` with arguments, to its end, in this process: quick, and output goes to no terminal."""
    done = CliRunner().invoke(main, [*map(str, arguments), "--data", str(data)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def command_process(*arguments: str | Path, data: Path) -> Done:
    """The same in a process of its own, in a pipe."""
    words = [sys.executable, *SERVER, *map(str, arguments), "--data", str(data)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    return Done(done.returncode, done.stdout, done.stderr)

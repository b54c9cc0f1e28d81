"""What is measured: the product with a real match, and nginx with nchan, doing the same work.

Each is a process on one CPU with a stream that sends marked events (see ``load.c``); ``publish`` makes some.
The product's are calls of a match, entered by command and committed; nchan is posted the same bytes.
"""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[2]
NCHAN = Path("/usr/lib/nginx/modules/ngx_nchan_module.so")
ANY = "0.0.0.0"  # noqa: S104 - where connections come from, not where anything listens
REPLAY = 500
"""Events that a storm replays."""
BOARDS = 64
SEATS = "NESW"
VIEWERS = re.compile(r"twinroom_viewers[ {]")
"""A line of ``/metrics``."""
BIDS = [f"{level}{denomination}" for level in range(1, 8) for denomination in ("C", "D", "H", "S", "NT")]
"""Each is legal after the one before: so many calls of a board can be sent one by one."""


def mark(count: int) -> str:
    """What the load client finds an event by: its count, and the moment it is sent."""
    return f"~{count:08d}.{time.monotonic_ns():017d}~"


class Peer(Protocol):
    name: str
    port: int
    count: int
    """Events published."""

    def publish(self, events: int, *, room: int = 0) -> None:
        """Publish so many events at once; ``room`` more are to follow in the same measurement."""

    @property
    def stream(self) -> str:
        """The address from now on."""

    @property
    def replay(self) -> str:
        """The address that sends the last ``REPLAY`` events first."""

    @property
    def process(self) -> int: ...


@dataclass
class Load:
    """The client of ``load.c``, on a CPU of its own."""

    process: subprocess.Popen[str]

    def ask(self, line: str) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@contextmanager
def load_client(port: int, cpu: int, source_address: str = ANY) -> Iterator[Load]:
    """A load client on a CPU, its connections from an address; ``0.0.0.0`` leaves that to the system."""
    with tempfile.TemporaryDirectory(prefix="twinroom-bench-") as directory:
        program = Path(directory) / "load"
        source = Path(__file__).with_name("load.c")
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", program, source], check=True)
        words = ["taskset", "-c", str(cpu), str(program), "127.0.0.1", str(port), source_address]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            load = Load(process)
            try:
                yield load
            finally:
                with suppress(OSError):
                    load.process.stdin.write("quit\n")  # type: ignore[union-attr]
                    load.process.stdin.flush()  # type: ignore[union-attr]
                process.terminate()


# --- the product ----------------------------------------------------------------------------------------------


class Product:
    """``server.py`` serving a match of 64 boards; its open room bids from 1C to 7NT on every board."""

    name = "twinroom"

    def __init__(self, process: subprocess.Popen[str], port: int, data: Path) -> None:
        self.port = port
        self.count = 0
        self._process = process
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._board = 0
        self._calls = len(BIDS)
        self._marks: list[str] = []
        token = subprocess.run(
            [sys.executable, ROOT / "server.py", "user", "add", "bench", "--role", "director", "--data", data],
            input="a long password for the bench\n" * 2,
            text=True,
            capture_output=True,
        )
        assert token.returncode == 0, token.stderr
        made = subprocess.run(
            [sys.executable, ROOT / "server.py", "user", "token", "bench", "--data", data],
            text=True,
            capture_output=True,
            check=True,
        )
        self._token = made.stdout.strip()
        body = {
            "title": "Bench",
            "home": "Modra",
            "visitors": "Vihar",
            "segments": [{"first": 1, "last": BOARDS}],
            "release": {"rule": "live"},
            "no_devices": True,
        }
        self._match = self._post("/api/matches", body)["id"]
        while self.count < REPLAY:
            self.publish(min(4, REPLAY - self.count))

    @property
    def process(self) -> int:
        return self._process.pid

    @property
    def stream(self) -> str:
        return f"/matches/{self._match}/events?after={self._last()}"

    @property
    def replay(self) -> str:
        """From behind the event before the last so many marked ones."""
        events = self._get(f"/api/matches/{self._match}/events?after={self._epoch()}-0")["events"]
        marked = [place for place, event in enumerate(events) if "~" in str(event["data"].get("explanation"))]
        first = marked[-REPLAY]
        return f"/matches/{self._match}/events?after={events[first - 1]['id']}"

    def publish(self, events: int, *, room: int = 0) -> None:
        if self._calls + events + room > len(BIDS):
            self._turn_board()
        calls = []
        for _ in range(events):
            seat = SEATS[(self._board - 1 + self._calls) % 4]
            calls.append(
                {"type": "call", "seat": seat, "call": BIDS[self._calls], "explanation": mark(self.count)}
            )
            self._calls += 1
            self.count += 1
        self._enter(*calls)

    def viewers(self) -> int:
        """Streams that the server has open."""
        self._connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {self._token}"})
        text = self._connection.getresponse().read().decode()
        return sum(int(float(line.split()[-1])) for line in text.splitlines() if VIEWERS.match(line))

    def _turn_board(self) -> None:
        """End the board on the table and open the next."""
        if self._board:
            self._enter({"type": "result", "contract": "7NT", "declarer": "N", "tricks": 13})
        self._board += 1
        self._calls = 0
        self._enter({"type": "open_board", "segment": 1, "board": self._board})

    def _enter(self, *commands: dict[str, Any]) -> None:
        self._post(f"/api/matches/{self._match}/rooms/open/commands", {"commands": list(commands)})

    def _last(self) -> str:
        return str(self._get(f"/api/matches/{self._match}")["last_event"])

    def _epoch(self) -> str:
        return self._last().partition("-")[0]

    def _get(self, path: str) -> Any:
        return self._ask("GET", path, None, {})

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        return self._ask("POST", path, json.dumps(body), headers | {"Authorization": f"Bearer {self._token}"})

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Any:
        for is_again in (False, True):
            try:
                self._connection.request(method, path, body, headers)
                answer = self._connection.getresponse()
                break
            except (
                ConnectionError
            ):  # silent for longer than the server keeps a connection; the key makes it safe
                self._connection.close()
                if is_again:
                    raise
        text = answer.read()
        assert answer.status < 300, text
        return json.loads(text)


@contextmanager
def product(port: int, cpu: int) -> Iterator[Product]:
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="twinroom-bench-")))
        words = ["taskset", "-c", str(cpu), sys.executable, str(ROOT / "server.py")]
        words += ["--data", str(data), "--port", str(port)]
        process = stack.enter_context(subprocess.Popen(words, stderr=subprocess.PIPE, text=True))
        stack.callback(process.terminate)
        assert process.stderr is not None
        process.stderr.readline()
        answers(port)
        yield Product(process, port, data)


# --- nginx with nchan ---------------------------------------------------------------------------------------


class Nchan:
    """nginx with one worker; a POST is one message, stored for replay."""

    name = "nchan"

    def __init__(self, port: int, directory: Path) -> None:
        self.port = port
        self.count = 0
        self.stream = "/stream"
        self.replay = "/replay"
        master = int((directory / "nginx.pid").read_text())
        (self.process,) = map(int, Path(f"/proc/{master}/task/{master}/children").read_text().split())
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.publish(REPLAY)

    def publish(self, events: int, *, room: int = 0) -> None:
        for _ in range(events):
            call = BIDS[self.count % len(BIDS)]
            data = {
                "segment": 1,
                "board": self.count // len(BIDS) + 1,
                "room": "open",
                "at": "2026-05-01T18:30:00.125Z",
                "seat": SEATS[self.count % 4],
                "call": call,
                "alert": False,
                "explanation": mark(self.count),
                "irregular": None,
                "turn": SEATS[(self.count + 1) % 4],
            }
            body = json.dumps(data, separators=(",", ":"))
            self._connection.request("POST", "/publish", body, {"X-EventSource-Event": "call"})
            answer = self._connection.getresponse()
            answer.read()
            assert answer.status < 300
            self.count += 1


@contextmanager
def nchan(port: int, cpu: int) -> Iterator[Nchan]:
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    with tempfile.TemporaryDirectory(prefix="twinroom-bench-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        (directory / "nginx.conf").write_text(
            f"""load_module {NCHAN}; daemon off; worker_processes 1; worker_rlimit_nofile {_most_files()};
            pid {name}/nginx.pid; error_log {name}/error.log; user root;
            events {{ worker_connections {_most_files()}; }}
            http {{ access_log off; nchan_shared_memory_size 256M; send_timeout 600s;
              server {{ listen 127.0.0.1:{port} backlog=4096; keepalive_requests 1000000;
                nchan_message_buffer_length {REPLAY}; nchan_message_timeout 1h;
                location = /publish {{ nchan_publisher; nchan_channel_id match; }}
                location = /stream {{ nchan_subscriber eventsource; nchan_channel_id match;
                                      nchan_subscriber_first_message newest; }}
                location = /replay {{ nchan_subscriber eventsource; nchan_channel_id match;
                                      nchan_subscriber_first_message oldest; }} }} }}"""
        )
        words = ["taskset", "-c", str(cpu), program, "-c", f"{name}/nginx.conf"]
        with subprocess.Popen(words) as process:
            try:
                answers(port)
                yield Nchan(port, directory)
            finally:
                process.terminate()


def _most_files() -> int:
    import resource

    return min(100_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])


def answers(port: int) -> None:
    """Wait until somebody answers requests there."""
    for _ in range(600):
        with suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health")
            connection.getresponse().read()
            connection.close()
            return
        time.sleep(0.05)
    raise SystemExit(f"nobody answers at port {port}")


# --- what a process has used --------------------------------------------------------------------------------


def cpu_seconds(process: int) -> float:
    """CPU time of all its threads."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def resident_kilobytes(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024

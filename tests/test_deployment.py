"""The README's deployment examples, tried out: systemd units name real commands, nginx does its part."""

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import server
from broadcast.house import settings
from tests.scenarios.edge_nodes import (
    board_played,
    caught_up,
    edging,
    free_port,
    last_of,
    needs_redis,
    running_redis,
    wait_for,
)
from tests.scenarios.entered_matches import Entered, entered
from tests.scenarios.viewers import Viewer, agree, watching
from tests.serving import SECONDS, Served, serving

README = (Path(__file__).resolve().parents[1] / "README.md").read_text()
UNITS = re.findall(r"```ini\n(.*?)```", README, re.DOTALL)
(SITE,) = re.findall(r"```nginx\n(.*?)```", README, re.DOTALL)
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl")
needs_nginx = pytest.mark.skipif(not (NGINX and OPENSSL), reason="nginx or openssl is not installed")


# --- systemd ------------------------------------------------------------------------------------------------


def read_unit(text: str) -> dict[str, list[str]]:
    """The lines of a unit, by name; some names come several times."""
    unit: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, is_line, value = line.partition("=")
        if is_line:
            unit.setdefault(name, []).append(value)
    return unit


@pytest.mark.parametrize("text", UNITS)
def test_units_start_real_commands_with_real_settings(text: str) -> None:
    unit = read_unit(text)
    names = {line.partition("=")[0] for line in unit["Environment"]}
    assert names <= set(re.findall(r"TWINROOM_\w+", settings.__doc__ or ""))
    (line,) = unit["ExecStart"]
    words = line.replace("%i", "8001").split()
    arguments = words[words.index("server.py") + 1 :]
    name = arguments[0] if arguments[0] in server.main.commands else None
    command = server.main if name is None else server.main.commands[name]
    context = command.make_context("server.py", arguments[name is not None :])
    assert context.params["port"] in (8000, 8001)
    assert int(unit["LimitNOFILE"][0]) > 20_000


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", ["twinroom.service", "twinroom-edge@.service"])
def test_systemd_takes_the_units(tmp_path: Path, name: str) -> None:
    text = UNITS[name.startswith("twinroom-edge")]
    unit = tmp_path / name
    unit.write_text(re.sub(r"ExecStart=.*", "ExecStart=/bin/true", text))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# --- nginx --------------------------------------------------------------------------------------------------


def configuration(directory: Path, ports: dict[int, int]) -> Path:
    """The README's site in a whole configuration, at other ports and with a certificate of its own."""
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    names = ["-keyout", "privkey.pem", "-out", "fullchain.pem", "-subj", "/CN=club.example"]
    made = [*words, *names, "-addext", "subjectAltName=DNS:club.example"]
    subprocess.run([str(OPENSSL), *made], cwd=directory, check=True, capture_output=True)
    site = SITE.replace("/etc/letsencrypt/live/club.example", str(directory))
    for documented, used in ports.items():
        site = re.sub(rf"(127\.0\.0\.1:|listen ){documented}\b", rf"\g<1>{used}", site)
    (directory / "site").write_text(site)
    temporary = "\n".join(
        f"{name}_temp_path {directory}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = f"""daemon off; master_process off; pid {directory}/nginx.pid; error_log {directory}/error.log;
        events {{ worker_connections 512; }}
        http {{ access_log {directory}/access.log; {temporary} include {directory}/site; }}"""
    whole = directory / "nginx.conf"
    whole.write_text(text)
    return whole


def ports_of(*used: int) -> dict[int, int]:
    return dict(zip((80, 443, 8000, 8001, 8002), used, strict=True))


@needs_nginx
def test_nginx_takes_the_example(tmp_path: Path) -> None:
    whole = configuration(tmp_path, ports_of(*(free_port() for _ in range(5))))
    done = subprocess.run([str(NGINX), "-t", "-c", whole], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def proxied(directory: Path, ports: dict[int, int]) -> Iterator[subprocess.Popen[str]]:
    """A real nginx with the example while the context lasts."""
    with subprocess.Popen([str(NGINX), "-c", configuration(directory, ports)], text=True) as process:
        try:
            wait_for(lambda: is_listening(ports[443]))
            yield process
        finally:
            process.terminate()
            process.wait(SECONDS)


SECRET = "nobody-may-read-this"  # noqa: S105 - of no account
SECRET_PATHS = [
    f"/join/{SECRET}",
    f"/reset/{SECRET}?lang=zh",
    f"/invitations/{SECRET}",
    f"/personal/{SECRET}.ics",
    f"/personal/{SECRET}.atom",
]


class Front(Served):
    """What the world sees of it."""

    def client(self, token: str | None = None, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.address, verify=trusting(self.data), timeout=SECONDS)

    def async_client(self, token: str | None = None) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.address, verify=trusting(self.data), timeout=SECONDS)


def trusting(directory: Path) -> ssl.SSLContext:
    """Trust in the certificate made here, whatever name it is reached by."""
    context = ssl.create_default_context(cafile=str(directory / "fullchain.pem"))
    context.check_hostname = False
    return context


@needs_nginx
@needs_redis
def test_two_edges_behind_nginx_lose_nothing_when_one_dies(tmp_path: Path) -> None:
    ports = ports_of(*(free_port() for _ in range(5)))
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(tmp_path / "redis"))
        house = stack.enter_context(serving(tmp_path / "house", "--redis", redis.url, port=ports[8000]))
        edges = [
            stack.enter_context(edging(redis.url, "https://club.example", ports[port])) for port in (8001, 8002)
        ]
        match = stack.enter_context(entered(house, boards=4))
        for edge in edges:
            caught_up(edge, match)
        process = stack.enter_context(proxied(tmp_path, ports))
        front = Front(process, tmp_path, f"https://127.0.0.1:{ports[443]}")
        whole_site_answers(front, match)
        asyncio.run(_evening(front, match, edges))
    logged = (tmp_path / "access.log").read_text()
    assert "GET /calculator" in logged and SECRET not in logged


def whole_site_answers(front: Front, match: Entered) -> None:
    with front.client() as client:
        for path in ("/", "/matches", f"/matches/{match.id}", f"/matches/{match.id}.pbn", "/calculator"):
            assert client.get(path).status_code == 200, path
        assert client.get(f"/api/matches/{match.id}").json() == match.json()
        assert client.get("/api/matches/nothing").status_code == 404
        assert client.get("/metrics").status_code == 401
        for path in SECRET_PATHS:
            answer = client.get(path)
            assert answer.is_client_error and "max-age" in answer.headers["strict-transport-security"], path
        token = match.open.client.headers["authorization"]
        headers = {"authorization": token, "idempotency-key": "front"}
        body = {"command": {"type": "skip_board", "segment": 1, "board": 4, "reason": "no time"}}
        path = f"/api/matches/{match.id}/rooms/open/commands"
        assert client.post(path, json=body, headers=headers).status_code == 201
    context = trusting(front.data)
    context.set_alpn_protocols(["h2", "http/1.1"])
    address = ("127.0.0.1", int(front.address.rpartition(":")[2]))
    with socket.create_connection(address) as plain, context.wrap_socket(plain) as wrapped:
        assert wrapped.selected_alpn_protocol() == "h2"


async def _evening(front: Front, match: Entered, edges: list[Served]) -> None:
    viewers = [Viewer(f"/matches/{match.id}/events", every) for every in (None, None, None, 5)]
    async with watching(front, *viewers) as client:
        await asyncio.to_thread(board_played, match, 1)
        edges[0].kill()
        await asyncio.to_thread(board_played, match, 2)
        assert await asyncio.to_thread(edges[1].stop) == 0
        await asyncio.to_thread(board_played, match, 3)
        await agree(client, await asyncio.to_thread(last_of, match.served, match), *viewers)

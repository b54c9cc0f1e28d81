"""Imports point one way: rules, domain, storage, then web; and the rooms know nothing of the teams."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LAYERS = (
    ("broadcast.bridge",),
    ("broadcast.notation", "broadcast.tables", "teams.scales"),
    ("broadcast.feeds", "broadcast.imports"),
    ("teams.matches", "teams.ladder", "teams.members", "teams.captains"),
    ("broadcast.analysis", "broadcast.storage", "broadcast.house", "broadcast.edges", "teams.storage"),
    ("broadcast.web", "teams.web"),
    ("broadcast.console", "teams.console", "teams.demo"),
    ("server",),
)
"""From the left to the right; a package may import its own layer and those before it."""

PURE = (
    "broadcast.bridge",
    "broadcast.notation",
    "broadcast.tables",
    "broadcast.feeds.release",
    "broadcast.feeds.moments",
    "broadcast.feeds.waiting",
    "broadcast.feeds.public_json",
    "broadcast.feeds.public_events",
    "broadcast.feeds.public_state",
    "broadcast.feeds.role_views",
    "broadcast.feeds.match_stream",
    "broadcast.edges.fold",
    "broadcast.imports.plan",
    "teams.scales",
    "teams.matches",
    "teams.ladder",
    "teams.captains",
    "teams.demo.bidding",
)
"""No I/O, no clock, no chance, no event loop."""

IMPURE_MODULES = {
    "aiosqlite", "asyncio", "httpx", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "starlette",
    "subprocess", "threading", "time", "uvicorn",
}  # fmt: skip


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted([ROOT / "server.py", *ROOT.glob("broadcast/**/*.py"), *ROOT.glob("teams/**/*.py")]):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield name.removesuffix(".__init__"), path


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def layer_of(name: str) -> int | None:
    for level, packages in enumerate(LAYERS):
        if any(name == package or name.startswith(f"{package}.") for package in packages):
            return level
    return None


MODULES = dict(modules())


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_to_earlier_layers(name: str) -> None:
    own = layer_of(name)
    if own is None:
        assert name in {"broadcast", "teams"}, f"{name} stands in no layer: say where it belongs"
        return
    later = {other for other in imported(MODULES[name]) if (layer_of(other) or 0) > own}
    assert not later, f"{name} imports from a later layer: {sorted(later)}"


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("broadcast")])
def test_the_rooms_never_import_the_teams(name: str) -> None:
    assert not {other for other in imported(MODULES[name]) if other.split(".")[0] == "teams"}


@pytest.mark.parametrize(
    "name", [name for name in MODULES if any(name == p or name.startswith(f"{p}.") for p in PURE)]
)
def test_rules_do_no_io_and_read_no_clock(name: str) -> None:
    reached = {other.split(".")[0] for other in imported(MODULES[name])} & IMPURE_MODULES
    assert not reached, f"{name} is pure and may not import {sorted(reached)}"


def test_double_dummy_analysis_is_never_loaded_with_the_server() -> None:
    solver = "broadcast.analysis.solver"
    loading = [
        name
        for name, path in MODULES.items()
        if any(other == solver or other.split(".")[0] == "endplay" for other in imported(path))
    ]
    assert loading == [solver]


@pytest.mark.parametrize("name", MODULES)
def test_a_file_reads_in_one_sitting(name: str) -> None:
    assert len(MODULES[name].read_text().splitlines()) <= 400, f"{name}: look for the seam"

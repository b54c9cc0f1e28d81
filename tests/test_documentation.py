"""README and server say the same: every address and every event stands in the README, and nothing else does."""

import re
from pathlib import Path

from starlette.routing import Mount, Route

import server
from broadcast.feeds.role_views import NAMES
from broadcast.house.settings import Settings

README = (Path(__file__).resolve().parents[1] / "README.md").read_text()

EVENTS = {
    "snapshot", "reset", "match", "board", "call", "explain", "contract", "card", "claim", "claim_answer",
    "undo", "result", "worth", "comparison", "correction", "penalty", "closed", "comment",
}  # fmt: skip


def documented_paths() -> set[str]:
    """Paths between backticks; a method before one is left out."""
    quoted = re.findall(r"`(?:(?:GET|POST|DELETE) )?(/[^`\s?]*)`", README)
    return {path for path in quoted if not path.startswith("/events")}


def served_paths() -> set[str]:
    app = server.Server(Settings()).app
    paths = {route.path for route in app.routed.routes if isinstance(route, Route)}
    assert {route.path for route in app.routed.routes if isinstance(route, Mount)} == {"/static"}
    return paths | {"/matches/{match}/events", "/ladders/{ladder}/events"}


def test_every_address_is_documented_and_every_documented_address_is_served() -> None:
    served = served_paths()
    assert documented_paths() == served


def test_every_event_of_the_stream_is_documented() -> None:
    table = README[README.index("### Events of a match's stream") :]
    first_cells = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", table, re.MULTILINE)
    named = {name for cell in first_cells for name in re.findall(r"`([a-z_]+)`", cell)}
    assert named == EVENTS


def test_every_log_event_has_a_name_in_private_streams() -> None:
    assert len(set(NAMES.values())) == len(NAMES)


def test_every_command_is_documented() -> None:
    table = README[README.index("## Commands") : README.index("## Addresses")]
    for name in server.main.commands:
        assert f"`server.py {name}" in table, name

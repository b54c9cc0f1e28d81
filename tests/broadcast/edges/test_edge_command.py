"""``server.py edge`` and ``--redis``: what is refused before anything is opened."""

import pytest
from click.testing import CliRunner

from server import main


@pytest.mark.parametrize("words", [["--redis", "club.example"], ["edge", "--redis", "http://club.example"]])
def test_address_that_is_no_redis_is_wrong_usage(words: list[str]) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "redis://" in done.stderr


def test_edge_needs_a_redis() -> None:
    done = CliRunner().invoke(main, ["edge"])
    assert done.exit_code == 2
    assert "--redis" in done.stderr

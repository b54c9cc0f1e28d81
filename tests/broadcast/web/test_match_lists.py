"""Cursors of lists, which are whatever a stranger typed."""

import asyncio
from typing import cast

import pytest

from broadcast.web.house import House
from broadcast.web.match_routes import listed
from broadcast.web.problems import Problem


@pytest.mark.parametrize("after", ["x", "2026-05-01~m1", "0001-01-01T00:00:00+14:00~m1"])
def test_cursor_that_no_answer_gave_out_is_refused(after: str) -> None:
    """A moment before the first year was answered with status 500, one without zone was guessed at."""
    no_house = cast(House, None)
    with pytest.raises(Problem) as refused:
        asyncio.run(listed(no_house, (), 20, after))
    assert (refused.value.status, refused.value.code) == (400, "bad_cursor")

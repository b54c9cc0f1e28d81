"""Cursors of lists, which are whatever a stranger typed."""

import asyncio
from typing import cast

import pytest
from starlette.requests import Request

from broadcast.web.house import House
from broadcast.web.match_routes import listed, matches
from broadcast.web.problems import Problem


@pytest.mark.parametrize("after", ["x", "2026-05-01~m1", "0001-01-01T00:00:00+14:00~m1"])
def test_cursor_that_no_answer_gave_out_is_refused(after: str) -> None:
    """A moment before the first year was answered with status 500, one without zone was guessed at."""
    no_house = cast(House, None)
    with pytest.raises(Problem) as refused:
        asyncio.run(listed(no_house, (), 20, after))
    assert (refused.value.status, refused.value.code) == (400, "bad_cursor")


@pytest.mark.parametrize("limit", ["0", "101", "0000000010000", "9" * 5000, "x", ""])
def test_no_list_is_longer_than_a_list_may_be(limit: str) -> None:
    """Of a long number its beginning was checked and the whole was asked for: every match at once."""
    asked = Request({"type": "http", "query_string": f"limit={limit}".encode()})
    with pytest.raises(Problem) as refused:
        asyncio.run(matches(asked))
    assert (refused.value.status, refused.value.code) == (400, "bad_limit")
